// A recipe is the one line that identifies a run. The address bar, the command,
// the corpus and the core all carry the same text, so this grammar is the twin of
// the core's strict parser and both are held to one golden file. It is apart so
// that an address can be judged before any Python is there. What would be wrong
// here: guessing. An unknown key or a bad value is an error that names it. Two things
// only Python knows, and only it refuses: which time zones and which SQLite errors exist.

import { parseFaults, nameFault } from "./faults.js";

export { nameFault };
export const LETTERS = "ABCDE";
export const MOST_CHARACTERS = 8000;
const MOST_GRANTS = 10_000;
const MOST_SEED = Number.MAX_SAFE_INTEGER;
const CERTAIN = 1_000_000;
const POLICIES = ["uniform", "pct2", "pct3", "pct4", "pct5"];
const WHOLE = /^(0|[1-9]\d{0,15})$/;
const ZONE = /^(UTC|[+-]([01]\d|2[0-3]):[0-5]\d|[A-Za-z][\w+-]*(\/[\w+-]+){0,2})$/;
const SHOWN = 60;

export class RecipeError extends Error {
  constructor(part, message) {
    super(message);
    this.name = "RecipeError";
    this.part = part;
  }
}

/** What is echoed of a value that may be thousands of characters long. */
export const clip = (text) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** The recipe of a scenario with nothing said: every field at its default. */
export function plain(scenario) {
  const options = Object.fromEntries(scenario.options.map((each) => [each.name, each.default]));
  return {
    scenario: scenario.slug,
    options,
    writers: [...scenario.writers],
    journal: scenario.journal ?? "delete",
    tz: "UTC",
    timers: scenario.timers ?? "idle",
    timeout: scenario.timeout ?? 5000,
    granularity: "statement",
    seed: 0,
    policy: POLICIES[0],
    grants: "",
    faults: [],
    p: CERTAIN,
    step: null,
    check: "",
  };
}

/** Text → recipe. `scenarios` lists what exists, in the shape of describe/1. */
export function parse(text, scenarios) {
  if (text.length > MOST_CHARACTERS) {
    throw new RecipeError(`${text.slice(0, 40)}…`, `The address has ${text.length} characters; at most ${MOST_CHARACTERS} are read.`);
  }
  const cut = text.indexOf("?");
  const slug = cut < 0 ? text : text.slice(0, cut);
  const scenario = scenarios.find((each) => each.slug === slug);
  if (!scenario) throw new RecipeError(slug, `There is no scenario “${clip(slug)}”; there is ${scenarios.map((each) => each.slug).join(", ")}.`);
  return read(pairsOf(cut < 0 ? "" : text.slice(cut + 1)), scenario);
}

function pairsOf(query) {
  const pairs = new Map();
  for (const part of query ? query.split("&") : []) {
    const at = part.indexOf("=");
    if (at < 1) throw new RecipeError(part, `“${clip(part)}” in the address is not of the form key=value.`);
    const key = part.slice(0, at);
    if (pairs.has(key)) throw new RecipeError(part, `${clip(key)} stands twice in the address; write it once.`);
    pairs.set(key, decoded(part, part.slice(at + 1)));
  }
  return pairs;
}

function decoded(part, value) {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new RecipeError(part, `${clip(part)} holds a broken percent escape.`);
  }
}

function read(pairs, scenario) {
  const recipe = plain(scenario);
  const known = [...scenario.options.map((each) => each.name), ...Object.keys(READERS)];
  const stranger = [...pairs].find(([key]) => !known.includes(key));
  if (stranger) throw new RecipeError(stranger.join("="), `${scenario.slug} has no option “${clip(stranger[0])}”; it knows ${known.join(", ")}.`);
  for (const { name, choices } of scenario.options) {
    if (pairs.has(name)) recipe.options[name] = choice(name, pairs.get(name), choices);
  }
  for (const key of Object.keys(READERS)) {
    if (pairs.has(key)) recipe[key] = READERS[key](pairs.get(key), scenario, () => lettersOf(recipe, scenario));
  }
  return recipe;
}

/** The letters that may be granted: the writers', and the small ones of those that come back. */
export function lettersOf({ writers }, scenario) {
  const letters = LETTERS.slice(0, writers.length);
  const back = [...letters].filter((_, place) => scenario.recovers?.includes(writers[place]));
  return letters + back.join("").toLowerCase();
}

function bad(key, value, allowed) {
  return new RecipeError(`${key}=${value}`, `${key}=${value === "" ? "(nothing)" : clip(value)} is not allowed; ${allowed}.`);
}

function choice(key, value, choices) {
  if (!choices.includes(value)) throw bad(key, value, `${key} is ${choices.join(" or ")}`);
  return value;
}

/** A whole number as it is written in an address, or an error that says what is allowed. */
export function whole(key, value, most = MOST_SEED) {
  if (!WHOLE.test(value) || BigInt(value) > most) throw bad(key, value, `${key} is a whole number from 0 to ${most}`);
  return Number(value);
}

/** One reader a key, in canonical order; writers come first, because letters are judged by them. */
const READERS = {
  writers(value, scenario) {
    const roles = scenario.roles.map((role) => role.name);
    const writers = value.split(",");
    const unknown = writers.find((name) => !roles.includes(name));
    if (unknown !== undefined) throw bad("writers", value, `${scenario.slug} has no writer “${clip(unknown)}”, it has ${roles.join(", ")}`);
    if (writers.length > LETTERS.length) throw bad("writers", value, `at most ${LETTERS.length} writers run together`);
    return writers;
  },
  journal: (value, scenario) => choice("journal", value, scenario.journals ?? ["delete", "wal"]),
  tz(value) {
    if (!ZONE.test(value)) throw bad("tz", value, "tz is UTC, an offset like +09:00, or a zone like Asia/Tokyo");
    return value;
  },
  timers: (value) => choice("timers", value, ["idle", "any"]),
  timeout(value) {
    const seconds = /^\d{1,4}(\.\d{1,3})?$/.test(value) ? Number(value) : Infinity;
    if (seconds > 3600) throw bad("timeout", value, "timeout is in seconds, from 0 to 3600, like 5 or 0.25");
    return Math.round(seconds * 1000);
  },
  granularity: (value) => choice("granularity", value, ["statement", "call"]),
  seed: (value) => whole("seed", value),
  policy: (value) => choice("policy", value, POLICIES),
  grants(value, _scenario, letters) {
    if (!new RegExp(`^[${letters()}t]+$`).test(value)) throw bad("grants", value, `grants are letters from ${[...letters()].join(", ")}, or t where time passes`);
    return value;
  },
  faults(value, _scenario, letters) {
    const { faults, culprit } = parseFaults(value);
    if (culprit !== undefined) throw bad("faults", culprit, "a fault is written like A2after:crash, B1before:SQLITE_FULL or *.update-sections.1after:cancel");
    if (faults.some(({ letter }) => !`${letters()}*`.includes(letter))) throw bad("faults", value, `the writers here are ${[...letters()].join(", ")}`);
    if (new Set(faults.map(nameFault)).size < faults.length) throw bad("faults", value, "a fault stands there twice");
    return faults;
  },
  p(value) {
    if (!/^(0\.\d{1,6}|1)$/.test(value) || Number(value) === 0) throw bad("p", value, "p is a probability above 0 and up to 1, like 0.05");
    return Math.round(Number(value) * CERTAIN);
  },
  step: (value) => whole("step", value, MOST_GRANTS),
  check(value) {
    if (!/^[1-9]\d{0,3}\.[0-9a-f]{8}$/.test(value)) throw bad("check", value, "check is an engine version and eight hex digits, like 1.0123abcd");
    return value;
  },
};

/** How a field is written in an address; the rest are text already. */
const WRITERS = {
  writers: (writers) => writers.join(","),
  timeout: (milliseconds) => String(milliseconds / 1000),
  faults: (faults) => faults.map(nameFault).join(","),
  p: (millionths) => (millionths / CERTAIN).toFixed(6).replace(/\.?0+$/, ""),
  step: (step) => (step === null ? "" : String(step)),
};

/** What the recipe says beyond its defaults, in canonical order: [key, value as written]. */
export function said(recipe, scenario) {
  const base = plain(scenario);
  const written = (key, from) => (WRITERS[key] ?? String)(from[key]);
  const options = scenario.options.map(({ name }) => [name, recipe.options[name], base.options[name]]);
  const others = Object.keys(READERS).map((key) => [key, written(key, recipe), written(key, base)]);
  return [...options, ...others].filter(([, value, rest]) => value !== rest).map(([key, value]) => [key, value]);
}

/** Recipe → canonical text: one order of keys, defaults left out. */
export function format(recipe, scenario) {
  const query = said(recipe, scenario).map(([key, value]) => `${key}=${quote(value)}`).join("&");
  return query ? `${scenario.slug}?${query}` : scenario.slug;
}

const hex = (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
/** As the core escapes: all but letters, digits and _ . - ~ , : */
const quote = (value) => encodeURIComponent(value).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/[!*'()]/g, hex);

/** The same recipe with some fields changed; step and check never survive that. */
export const withChange = (recipe, change) => ({ ...recipe, step: null, check: "", ...change });

/** The recipe with one key back at its default. */
export const without = (recipe, key, scenario) => withChange(recipe, { [key]: plain(scenario)[key] });

/** The recipe without what tells one of its runs from another: what a sweep is over. */
export const family = (recipe) => withChange(recipe, { seed: 0, grants: "" });

/** Whether a variant reads the machine on purpose: its runs are no two days the same. */
export const leaks = ({ leaky = [] }, { options }) => leaky.some((pair) => Object.entries(options).some((each) => each.join("=") === pair));

/** The page's address for a recipe. It is never empty: the bare page means its opening run. */
export function queryFor(recipe, scenario) {
  const text = format(recipe, scenario);
  if (text !== scenario.slug) return text.slice(scenario.slug.length);
  const [first] = scenario.options;
  return first ? `?${first.name}=${first.default}` : "?seed=0";
}
