// What the parts of a search come to together. The core's search can be made in parts that add
// up; here they are added, and nothing is rounded: probabilities are exact fractions. Apart from
// the search because it is arithmetic, held by a test to the core's own answer. What would be
// wrong here: a part that leaves equal orders out (the core refuses to make one).

/** Several answers exhaust/1, one a part → one, in the order of the core's. */
export function merged(answers) {
  if (answers.length < 2) return answers[0] ?? null;
  const sum = (key) => (answers.every((each) => each[key] !== null) ? answers.reduce((all, each) => all + each[key], 0) : null);
  const interleavings = sum("interleavings");
  return {
    ...answers[0],
    verdict: verdict(answers),
    interleavings,
    ...Object.fromEntries(["broken", "failing", "not_serial", "explored", "cut", "runs"].map((key) => [key, sum(key)])),
    by_invariant: added(answers.map((each) => each.by_invariant)),
    probability: interleavings === null ? null : total(answers.map((each) => each.probability.exact)),
    chance: answers.some((each) => each.chance),
    outcomes: interleavings === null ? [] : ends(answers, interleavings),
    done: answers.every((each) => each.done),
  };
}

const RANK = ["broken", "not serial", "held", "proved"];
const verdict = (answers) => RANK.find((word) => answers.some((each) => each.verdict === word));

function added(counts) {
  const sums = {};
  for (const count of counts) for (const [name, many] of Object.entries(count ?? {})) sums[name] = (sums[name] ?? 0) + many;
  return sums;
}

/** Exact fractions as text, added. */
function total(fractions) {
  let [up, down] = [0n, 1n];
  for (const fraction of fractions) {
    const [a, b] = fraction.split("/").map(BigInt);
    [up, down] = [up * b + a * down, down * b];
    const common = divisor(up, down);
    [up, down] = [up / common, down / common];
  }
  return { exact: `${up}/${down}`, value: quotient(up, down) };
}

const divisor = (a, b) => (b ? divisor(b, a % b) : a);

/** Both may be far beyond what a number holds. */
const DIGITS = 10n ** 17n;
const quotient = (up, down) => Number((up * DIGITS) / down) / Number(DIGITS);

function ends(answers, all) {
  const found = new Map();
  for (const end of answers.flatMap(({ outcomes }) => outcomes)) {
    const key = JSON.stringify([end.rows, end.told, end.ended, end.broken, end.serial]);
    const known = found.get(key);
    found.set(key, known ? { ...(smaller(end, known) ? end : known), count: known.count + end.count } : end);
  }
  const sorted = [...found.values()].sort((a, b) => compared(place(a), place(b)));
  return sorted.map((end) => ({ ...end, share: Number((end.count / all).toFixed(6)) }));
}

/** The broken first, then what is odd otherwise; of equal worth, the most frequent first. */
const place = (end) => [!end.broken.length, end.serial, !end.failing, -end.count, grantsOf(end)];

const grantsOf = ({ witness }) => /[?&]grants=(\w*)/.exec(witness)?.[1] ?? "";
const switches = (grants) => [...grants].filter((letter, at) => at && letter !== grants[at - 1]).length;
const size = (end) => [switches(grantsOf(end)), grantsOf(end).length, grantsOf(end)];
const smaller = (a, b) => compared(size(a), size(b)) < 0;

function compared(a, b) {
  const at = a.findIndex((value, index) => value !== b[index]);
  if (at < 0) return 0;
  return a[at] < b[at] ? -1 : 1;
}
