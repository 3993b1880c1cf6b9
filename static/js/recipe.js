// A recipe is the one line that identifies a run. The address bar, the command,
// the corpus and the core all carry the same text, so this grammar is the twin of
// the core's strict parser and both are held to one golden file. It is apart so
// that an address can be judged before any Python is there. What would be wrong
// here: guessing. An unknown key or a bad value is an error that names it.

export const LETTERS = "ABCDE";
export const MOST_CHARACTERS = 8000;
const MOST_SEED = Number.MAX_SAFE_INTEGER;
const TIMEOUT = 5000;
const WHOLE = /^(0|[1-9]\d{0,15})$/;
const FAULT = /^([A-Z])([1-9]\d{0,4})(before|after):([A-Za-z_]+)$/;
const KEYS = ["writers", "journal", "timeout", "seed", "grants", "faults", "step", "check"];

export class RecipeError extends Error {
  constructor(part, message) {
    super(message);
    this.name = "RecipeError";
    this.part = part;
  }
}

/** The recipe of a scenario with nothing said: every field at its default. */
export function plain(scenario) {
  const options = Object.fromEntries(scenario.options.map((each) => [each.name, each.default]));
  const journal = scenario.journal ?? "delete";
  return { scenario: scenario.slug, options, writers: [...scenario.writers], journal, timeout: TIMEOUT, seed: 0, grants: "", faults: [], step: null, check: "" };
}

/** Text → recipe. `scenarios` lists what exists, in the shape of describe/1. */
export function parse(text, scenarios) {
  if (text.length > MOST_CHARACTERS) {
    throw new RecipeError(`${text.slice(0, 40)}…`, `The address has ${text.length} characters; at most ${MOST_CHARACTERS} are read.`);
  }
  const cut = text.indexOf("?");
  const slug = cut < 0 ? text : text.slice(0, cut);
  const scenario = scenarios.find((each) => each.slug === slug);
  if (!scenario) throw new RecipeError(slug, `There is no scenario “${slug}”; there is ${scenarios.map((each) => each.slug).join(", ")}.`);
  return read(pairsOf(cut < 0 ? "" : text.slice(cut + 1)), scenario);
}

function pairsOf(query) {
  const pairs = new Map();
  for (const part of query ? query.split("&") : []) {
    const at = part.indexOf("=");
    if (at < 1) throw new RecipeError(part, `“${part}” in the address is not of the form key=value.`);
    const key = part.slice(0, at);
    if (pairs.has(key)) throw new RecipeError(part, `${key} stands twice in the address; write it once.`);
    pairs.set(key, decoded(part, part.slice(at + 1)));
  }
  return pairs;
}

function decoded(part, value) {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new RecipeError(part, `${part} holds a broken percent escape.`);
  }
}

function read(pairs, scenario) {
  const recipe = plain(scenario);
  const known = [...scenario.options.map((each) => each.name), ...KEYS];
  const stranger = [...pairs].find(([key]) => !known.includes(key));
  if (stranger) throw new RecipeError(stranger.join("="), `${scenario.slug} has no option “${stranger[0]}”; it knows ${known.join(", ")}.`);
  for (const { name, choices } of scenario.options) {
    if (pairs.has(name)) recipe.options[name] = choice(name, pairs.get(name), choices);
  }
  for (const key of KEYS) {
    if (pairs.has(key)) recipe[key] = READERS[key](pairs.get(key), scenario, recipe.writers.length);
  }
  return recipe;
}

function bad(key, value, allowed) {
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return new RecipeError(`${key}=${value}`, `${key}=${shown} is not allowed; ${allowed}.`);
}

function choice(key, value, choices) {
  if (!choices.includes(value)) throw bad(key, value, `${key} is ${choices.join(" or ")}`);
  return value;
}

function whole(key, value, most) {
  if (!WHOLE.test(value) || BigInt(value) > most) throw bad(key, value, `${key} is a whole number from 0 to ${most}`);
  return Number(value);
}

/** One reader a key; writers come first, because letters are judged by them. */
const READERS = {
  writers(value, scenario) {
    const roles = scenario.roles.map((role) => role.name);
    const writers = value.split(",");
    const unknown = writers.find((name) => !roles.includes(name));
    if (unknown !== undefined) throw bad("writers", value, `${scenario.slug} has no writer “${unknown}”, it has ${roles.join(", ")}`);
    if (writers.length > LETTERS.length) throw bad("writers", value, `at most ${LETTERS.length} writers run together`);
    return writers;
  },
  journal: (value, scenario) => choice("journal", value, scenario.journals ?? ["delete", "wal"]),
  timeout(value) {
    const seconds = /^\d{1,4}(\.\d{1,3})?$/.test(value) ? Number(value) : Infinity;
    if (seconds > 3600) throw bad("timeout", value, "timeout is in seconds, from 0 to 3600, like 5 or 0.25");
    return Math.round(seconds * 1000);
  },
  seed: (value) => whole("seed", value, MOST_SEED),
  grants(value, _scenario, many) {
    const letters = LETTERS.slice(0, many);
    if (!new RegExp(`^[${letters}t]+$`).test(value)) throw bad("grants", value, `grants are letters from ${[...letters].join(", ")}, or t where time passes`);
    return value;
  },
  faults(value, _scenario, many) {
    const faults = value.split(",").map((text) => faultOf(text));
    if (faults.some(({ letter }) => !LETTERS.slice(0, many).includes(letter))) throw bad("faults", value, `the writers here are ${[...LETTERS.slice(0, many)].join(", ")}`);
    if (new Set(faults.map(({ letter }) => letter)).size < faults.length) throw bad("faults", value, "a writer can crash only once");
    return faults.sort(byPlace);
  },
  step: (value) => whole("step", value, MOST_CHARACTERS),
  check(value) {
    if (!/^[1-9]\d{0,3}\.[0-9a-f]{8}$/.test(value)) throw bad("check", value, "check is an engine version and eight hex digits, like 1.0123abcd");
    return value;
  },
};

function faultOf(text) {
  const found = FAULT.exec(text);
  if (!found || found[4] !== "crash") throw bad("faults", text, "a fault is written like A2after:crash or B1before:crash");
  return { letter: found[1], op: Number(found[2]), place: found[3] };
}

const byPlace = (a, b) => a.letter.localeCompare(b.letter) || a.op - b.op || b.place.localeCompare(a.place);

/** Recipe → canonical text: one order of keys, defaults left out. */
export function format(recipe, scenario) {
  const base = plain(scenario);
  const pairs = scenario.options.map(({ name }) => [name, recipe.options[name], base.options[name]]);
  pairs.push(
    ["writers", recipe.writers.join(","), base.writers.join(",")],
    ["journal", recipe.journal, base.journal],
    ["timeout", recipe.timeout / 1000, TIMEOUT / 1000],
    ["seed", recipe.seed, 0],
    ["grants", recipe.grants, ""],
    ["faults", recipe.faults.map(nameFault).join(","), ""],
    ["step", recipe.step ?? "", ""],
    ["check", recipe.check, ""],
  );
  const query = pairs.filter(([, value, rest]) => value !== rest).map(([key, value]) => `${key}=${value}`).join("&");
  return query ? `${scenario.slug}?${query}` : scenario.slug;
}

export const nameFault = ({ letter, op, place }) => `${letter}${op}${place}:crash`;

/** The same recipe with some fields changed; step and check never survive that. */
export const withChange = (recipe, change) => ({ ...recipe, step: null, check: "", ...change });

/** The recipe without what tells one of its runs from another: what a sweep is over. */
export const family = (recipe) => withChange(recipe, { seed: 0, grants: "" });

/** The page's address for a recipe. It is never empty: the bare page means its opening run. */
export function queryFor(recipe, scenario) {
  const text = format(recipe, scenario);
  if (text !== scenario.slug) return text.slice(scenario.slug.length);
  const [first] = scenario.options;
  return first ? `?${first.name}=${first.default}` : "?seed=0";
}
