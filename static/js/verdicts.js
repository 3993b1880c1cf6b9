// A search of every order in words: what it came to, how far it is, what it was about. Never
// "proved" without every order, and errors stand beside reds, because nothing is broken where
// nobody gets through. Pure. What would be wrong here: markup.

import { many, percent, some } from "./amounts.js";
import { cellText, toldWords } from "./lines.js";
import { nameAt } from "./casts.js";
import { breaks } from "./story.js";

/** The sentence that stands first, and is read aloud once. */
export function sentence({ phase, answer, problem, crashes, explored, runs, estimate }, scenario) {
  if (phase === "failed") return `The search ended: ${problem}`;
  if (!answer) return "Stopped before the first order.";
  const { interleavings: all, broken, verdict } = answer;
  const more = killed(answer) ? " more" : "";
  const where = crashes ? `interleavings, with at most one${more} kill anywhere in them,` : "interleavings";
  if (all === null) {
    const sofar = `${some(explored, "order")}${estimate ? `, of about ${many(estimate)},` : ""}`;
    const there = `there it was stopped${problem && ` (${problem})`}`;
    if (verdict === "broken") return `Broken: among ${sofar} one that ${breaks(scenario, 1)} was met; ${there}.`;
    return `Held, and not proved: none of ${sofar} ${breaks(scenario, 1)}; ${there}.`;
  }
  if (verdict === "broken") return `${many(broken)} of ${many(all)} ${where} ${breaks(scenario, broken)}.`;
  if (verdict === "proved") return `Proved: ${all === 1 ? `the one order there is does not ${breaks(scenario, 2)}` : `none of ${many(all)} ${where} ${breaks(scenario, 1)}`}.`;
  if (verdict === "not serial") return `${many(answer.not_serial)} of ${many(all)} ${where} ${answer.not_serial === 1 ? "ends" : "end"} as no one-after-the-other order does.`;
  return `Held: none of ${many(all)} ${where} ${breaks(scenario, 1)}, but dice were thrown, and other seeds may end otherwise.`;
}

/** What stands behind the sentence: odds, and who failed. */
export function behind({ answer }, scenario) {
  if (!answer || answer.interleavings === null) return [];
  const { probability, broken, failing, interleavings } = answer;
  const promises = Object.entries(answer.by_invariant).filter(([, count]) => count && count !== broken);
  return [
    probability && broken ? `A seed meets one of them with a probability of ${shortly(probability)}.` : "",
    promises.length ? `${promises.map(([name, count]) => `“${name}” breaks in ${many(count)}`).join("; ")}.` : "",
    failing ? `In ${failing === interleavings ? "each" : many(failing)} of them a writer ends in an error.` : "",
  ].filter(Boolean);
}

const LONGEST = 9;
const shortly = ({ exact, value }) => (exact.length > LONGEST ? percent(value) : `${exact}, which is ${percent(value)}`);

/** How far it is: one honest line. */
export function progress({ phase, runs, explored, estimate, shares, workers, crashes, red }, scenario) {
  if (phase === "starting") return "A worker will run them, once one is free.";
  const found = red ? ` One that ${breaks(scenario, 1)} is among them.` : "";
  if (shares) return `${many(explored)} of about ${many(Math.max(estimate, explored))} orders run, by ${some(workers, "worker")}.${found}`;
  const why = crashes ? "A kill is tried at every place, one after the other" : "Orders that cannot differ are left out";
  return `${some(runs, "run")} made, for ${some(explored, "order")}.${found} ${why}, so one worker does all of it.`;
}

/** Who wrote, how, and how it was searched. */
export function scope({ answer, crashes, workers, runs }, scenario) {
  const { scope: about } = answer;
  const options = scenario.options.map(({ name }) => `${name} ${about.options[name]}`);
  const names = about.writers.map((role, place) => nameAt(about.writers, role, place));
  const faults = about.faults.length ? [`faults ${about.faults.join(", ")}`] : [];
  const zone = about.tz === "UTC" ? [] : [`zone ${about.tz}`];
  const what = [names.join(", "), ...options, `journal ${about.journal}`, `one ${about.granularity} a step`, `timers ${about.timers}`, ...zone, ...faults, kills(answer, crashes)];
  return `Scope: ${what.join("; ")}. Method: ${about.method}${about.why ? `, because ${about.why}` : ""}; ${some(runs, "run")}, ${some(workers, "worker")}.`;
}

/** Whether somebody is killed in every order, because the recipe says so. */
const killed = ({ scope: { faults } }) => faults.some((fault) => fault.endsWith(":crash"));

function kills(answer, crashes) {
  if (killed(answer)) return crashes ? "at most one more killed" : "nobody more killed";
  return crashes ? "at most one kill" : "no kill";
}

/** What sets the ends apart: for each, its answers and the values that are not the same in all. */
export function ends(outcomes) {
  const tables = Object.keys(outcomes[0]?.rows ?? {}).map((table) => [table, telling(outcomes.map((end) => end.rows[table] ?? []))]);
  return outcomes.map((end) => ({
    ...end,
    answers: [...Object.entries(end.told).map(([name, told]) => [name, `told ${toldWords(told)}`]), ...Object.entries(end.ended).map(([name, how]) => [name, endWords(how)])],
    held: tables.filter(([, columns]) => columns.length).map(([table, columns]) => `${table}: ${shorten(end.rows[table].map((row) => columns.map((at) => cellText(row[at])).join(", ")).join("; ") || "no row")}`),
  }));
}

const endWords = (how) => (how === "crashed" ? "killed" : how === "waiting" ? "waits for ever" : how.replace(/^failed /, "gave up: "));

/** The columns whose values differ, row by row, from the first end's. */
function telling(all) {
  const [first] = all;
  const width = Math.max(0, ...all.flat().map((row) => row.length));
  const differs = (at) => all.some((rows) => rows.length !== first.length || rows.some((row, place) => JSON.stringify(row[at]) !== JSON.stringify(first[place][at])));
  return Array.from({ length: width }, (_, at) => at).filter(differs);
}

const MOST = 80;
const shorten = (text) => (text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text);
