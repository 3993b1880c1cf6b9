// A run to take along and to bring back: run/1 as `explorer run … --json` prints it. What comes
// back may be anybody's, so it is read like a stranger's letter: capped, checked field by
// field, and copied, so that what is drawn from it can neither fail nor be more than a run.
// Whether it is what its recipe comes to, only Python can tell: run the recipe and compare the
// hash. What would be wrong here: running anything, or a second sentence in an error.

import { RecipeError, format, parse, withChange } from "./recipe.js";
import { Misfit, flag, free, list, mapping, maybe, number, oneOf, record, text, whole } from "./shapes.js";
import { fit } from "./wrapping.js";

export const MOST_CHARACTERS = 64 * 1024 * 1024;
const MOST_GRANTS = 100_000;
const MOST_EVENTS = 400_000;
const MOST_ROWS = 5000;
const MOST_LINES = 4000; // of one column after one grant: they are compared with those before
const MOST_COLUMNS = 30;
const LONG = 70_000; // the core tells longer texts by their start
const LATEST = 1e12; // milliseconds: a run of thirty years
const WORD = 200;

/** What was brought is no run that can be shown; the message is one sentence, `part` the culprit. */
export class TraceError extends Error {
  constructor(message, part = "") {
    super(message);
    this.name = "TraceError";
    this.part = part;
  }
}

/** {name, text}: a file of this run, under the recipe that the reader sees it by. */
export function traceFile(run, recipe, scenario) {
  const line = format(withChange(recipe), scenario);
  const { schema, ...rest } = run;
  const whole = { schema: schema ?? { name: "run", version: 1 }, ...rest, recipe: line, seed: recipe.seed };
  return { name: `${fileName(line)}.json`, text: `${JSON.stringify(whole)}\n` };
}

/** How a run is named may differ, and is not told by it. */
const NAMING = ["schema", "recipe", "seed", "options"];

/** Whether a run that was read tells nothing but what the one that was made here tells. */
export const tells = (run, made) => Object.keys(run).every((key) => NAMING.includes(key) || same(run[key], made[key]));

function same(one, other) {
  if (Object(one) !== one || Object(other) !== other) return one === other;
  if (Array.isArray(one) && one.length !== other.length) return false;
  return Object.keys(one).every((key) => same(one[key], other[key]));
}

const MOST_NAME = 80;

/** A recipe as any system can store it. */
export const fileName = (line) => line.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, MOST_NAME).replace(/-+$/, "");

/** Text → {run, recipe, notes}; `here` is {scenarios, engine}: what this page knows. */
export function readTrace(content, here) {
  const found = parsed(content);
  const recipe = recipeOf(found, here.scenarios);
  try {
    const scenario = here.scenarios.find((each) => each.slug === recipe.scenario);
    const run = { ...checked(found, scenario), options: recipe.options };
    const other = here.engine && run.engine !== here.engine ? [`This trace was made by version ${run.engine} of the engine, and here is version ${here.engine}: the same recipe may come to another run.`] : [];
    return { run, recipe, notes: other };
  } catch (error) {
    if (error instanceof Misfit) throw new TraceError(`This trace cannot be shown: ${error.message}`, error.part);
    throw error;
  }
}

function parsed(content) {
  if (content.length > MOST_CHARACTERS) throw new TraceError(`This file has ${content.length.toLocaleString("en")} characters; a trace of at most ${MOST_CHARACTERS.toLocaleString("en")} is read.`);
  let found;
  try {
    found = JSON.parse(content);
  } catch (error) {
    throw new TraceError(error instanceof RangeError ? "This file is nested too deeply to be a trace." : "This file is not JSON; a trace is what `explorer run … --json` prints.");
  }
  const { name, version } = Object(Object(found).schema);
  if (name === "run" && version === 1) return found;
  const what = typeof name === "string" && Number.isInteger(version) ? `, but ${fit(name.slice(0, WORD))}/${version}` : "";
  throw new TraceError(`This file is no trace of a run (run/1)${what}; make one with \`explorer run … --json\`.`, "schema");
}

function recipeOf({ recipe }, scenarios) {
  if (typeof recipe !== "string") throw new TraceError("This trace cannot be shown: recipe must be a text.", "recipe");
  const slug = recipe.split("?")[0];
  if (!scenarios.some((each) => each.slug === slug)) {
    throw new TraceError(`This trace is of “${fit(slug.slice(0, WORD))}”, and this page shows ${scenarios.map((each) => `“${each.slug}”`).join(", ")} alone: open it on the page of its own scenario.`, slug);
  }
  try {
    return withChange(parse(recipe, scenarios));
  } catch (error) {
    if (error instanceof RecipeError) throw new TraceError(`This trace’s recipe is off: ${fit(error.message)}`, error.part);
    throw error;
  }
}

// What a run looks like.

const letter = text(1, /^[A-Ea-e]$/, "a letter from A to E");
const anyone = text(1, /^[A-Ea-et]$/, "a writer’s letter, or t for time");
const words = text(LONG);
const name = text(WORD, /^(?!__proto__$)[^]+$/, `a name of at most ${WORD} characters`);
const value = free(50, 20_000);
const moment = whole(0, LATEST);
const grantNumber = whole(0, MOST_GRANTS);
const operation = whole(0, MOST_GRANTS);
const rows = list(list(value, MOST_COLUMNS), MOST_ROWS);
const barred = { lock: text(WORD), holders: text(20) };

const EVENTS = {
  operation: { op: operation, call: text(WORD), sql: words, params: value, rows: maybe(list(list(value, 2000), 100_000)), rowcount: whole(-1, 1e12), error: maybe(text(WORD)), message: maybe(words), ...barred },
  start: { op: operation },
  implicit: { op: operation, sql: words },
  told: { op: operation, told: value },
  failed: { op: operation, error: words, message: maybe(words) },
  wait: { op: operation, ...barred, deadline: maybe(number(LATEST)) },
  crash: { op: operation, place: oneOf("before", "after") },
  deadlock: { op: operation, ...barred },
  advance: {},
  clock: { set_by: number(1e9) },
  shows: { op: operation, name: words },
  looks: { op: operation, name: words, found: flag },
};

/** The same for each kind, made once. */
const SHAPES = Object.fromEntries(Object.entries(EVENTS).map(([kind, fields]) => [kind, record({ grant: grantNumber, t: moment, writer: anyone, kind: oneOf(kind), ...fields }, "op" in fields ? {} : { op: operation })]));

function event(found, path) {
  const kind = Object(found).kind;
  if (typeof kind !== "string" || !Object.hasOwn(SHAPES, kind)) throw new Misfit(`${path}.kind`, Object.keys(SHAPES).map((each) => `“${each}”`).join(" or "), kind);
  return SHAPES[kind](found, path);
}

const RUN = record(
  {
    engine: whole(1, 9999),
    recipe: text(8000),
    options: value,
    seed: whole(0, Number.MAX_SAFE_INTEGER),
    writers: list(record({ letter, name, role: name }), 10),
    grants: text(MOST_GRANTS, /^[A-Ea-et]*$/, `letters, at most ${MOST_GRANTS}`),
    hash: text(64, /^[0-9a-f]{64}$/, "64 hex digits"),
    verdict: oneOf("ok", "broken"),
    violations: list(record({ invariant: words, detail: words, grant: grantNumber }, { promise: words }), 10_000),
    told: mapping(name, value, 10),
    ended: mapping(name, oneOf("finished", "failed", "crashed", "waiting"), 10),
    watch: record({ title: text(WORD), columns: list(text(WORD), MOST_COLUMNS) }),
    events: list(event, MOST_EVENTS),
    steps: list(record({ t: moment, rows, pending: maybe(record({ writer: letter, rows })), holds: mapping(letter, text(WORD), 10), passes: flag, offers: list(record({ letter, status: oneOf("ready", "waiting", "finished", "failed", "crashed"), op: operation, sql: maybe(words), why: maybe(words) }), 10) }), MOST_GRANTS + 1),
  },
  {
    schema: value,
    scenario: text(WORD),
    journal: text(WORD),
    serial: maybe(flag),
    apart: maybe(words),
    checks: mapping(name, flag, 1000),
    axis_title: text(WORD),
    axis: list(record({ at: moment, label: words, writer: anyone, grant: grantNumber }), 1000),
  },
);

function checked(found, { roles }) {
  if (!("steps" in found)) throw new Misfit("steps", "there, which an older `explorer run … --json` left out", undefined);
  const run = RUN(found, "");
  const last = run.grants.length;
  const letters = new Set(run.writers.map((each) => each.letter));
  const must = (good, path, what, bad) => {
    if (!good) throw new Misfit(path, what, bad);
  };
  must(letters.size === run.writers.length && letters.size > 0, "writers", "at least one writer, each with a letter of its own", found.writers);
  must(new Set(run.writers.map((each) => each.name)).size === letters.size, "writers", "writers with a name of their own each", found.writers);
  for (const { name: who, role } of run.writers) {
    must(roles.some((each) => each.name === role), "writers", `writers whose role is ${roles.map((each) => each.name).join(", ")}`, role);
    must(Object.hasOwn(run.told, who), `told.${who}`, "there", undefined);
    must(Object.hasOwn(run.ended, who), `ended.${who}`, "there", undefined);
  }
  must([...run.grants].every((each) => each === "t" || letters.has(each)), "grants", "letters of its writers, or t", run.grants);
  must(run.steps.length === last + 1, "steps", `a list of ${last + 1}, one more than there are grants`, run.steps);
  must(run.watch.columns.length > 0, "watch.columns", "a list of at least one", run.watch.columns);
  checkSteps(run, letters, must);
  const dated = [["events", run.events], ["violations", run.violations], ["axis", run.axis ?? []]];
  for (const [path, all] of dated) {
    all.forEach((each, at) => {
      must(each.grant <= last, `${path}[${at}].grant`, `one of ${last} grants`, each.grant);
      must(!("writer" in each) || each.writer === "t" || letters.has(each.writer), `${path}[${at}].writer`, "the letter of a writer", each.writer);
    });
  }
  const set = run.events.reduce((sum, each) => sum + (each.kind === "clock" ? Math.abs(each.set_by) : 0), 0);
  must(set <= 1e9, "events", "such that the clock is set by at most 1000000000 seconds in all", set);
  return run;
}

function checkSteps(run, letters, must) {
  const across = run.watch.columns.length;
  run.steps.forEach((step, at) => {
    must(at === 0 || step.t >= run.steps[at - 1].t, `steps[${at}].t`, "no earlier than the step before", step.t);
    must(step.offers.every((offer) => letters.has(offer.letter)), `steps[${at}].offers`, "offers to its writers", step.offers);
    must(!step.pending || letters.has(step.pending.writer), `steps[${at}].pending.writer`, "the letter of a writer", step.pending?.writer);
    for (const [path, shown] of [[`steps[${at}].rows`, step.rows], [`steps[${at}].pending.rows`, step.pending?.rows ?? []]]) {
      must(shown.every((row) => row.length === across), path, `rows of ${across} values`, shown);
      must(shown.every((row) => row.every((each) => typeof each !== "string" || each.length <= LONG)), path, `values of at most ${LONG} characters`, "longer");
      must(linesIn(shown) <= MOST_LINES, path, `at most ${MOST_LINES} lines`, "longer");
    }
  });
}

/** Lines of the column that has most of them. */
function linesIn(shown) {
  const counts = (shown[0] ?? []).map((_, column) => shown.reduce((sum, row) => sum + String(row[column]).split("\n").length, 0));
  return Math.max(shown.length, ...counts, 0);
}
