import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "../../static/js/draw/page.js";
import { picture } from "../../static/js/draw/picture.js";
import { inkOf, stringPen } from "../../static/js/pen.js";
import { pytestCopy } from "../../static/js/pytestcopy.js";
import { family, format, parse } from "../../static/js/recipe.js";
import { initial } from "../../static/js/store.js";
import { MOST_CHARACTERS, TraceError, fileName, readTrace, traceFile } from "../../static/js/trace.js";
import { view } from "../../static/js/view.js";
import { golden, viewOf } from "./golden.js";
import { data, lost, scenario } from "./told.js";
import { readXml } from "./xml.js";

const [section] = golden;
const here = { scenarios: golden.map((one) => one.scenario), engine: section.run.engine };
const recipe = (one) => parse(one.run.recipe, [one.scenario]);
const copy = (value) => JSON.parse(JSON.stringify(value));
const read = (run, more = {}) => readTrace(typeof run === "string" ? run : JSON.stringify(run), { ...here, ...more });
/** The one sentence with which something is refused. */
const refusal = (run, more) => {
  try {
    read(run, more);
  } catch (error) {
    assert.ok(error instanceof TraceError, error.stack);
    assert.match(error.message, /^[^\n]+[.]$/, "one line, and it ends as a sentence does");
    return error.message;
  }
  return assert.fail("this was read");
};

test("what is taken along comes back as the same run", () => {
  for (const one of golden) {
    const { name, text } = traceFile(one.run, recipe(one), one.scenario);
    const { run, recipe: found, notes } = read(text);
    assert.match(name, /^[a-z][A-Za-z0-9-]{0,80}\.json$/);
    assert.deepEqual(notes, []);
    assert.deepEqual(found, recipe(one));
    for (const key of ["recipe", "grants", "hash", "told", "ended", "steps", "watch", "writers", "axis"]) assert.deepEqual(run[key], one.run[key], key);
    assert.deepEqual(run.events, one.run.events);
  }
});

test("a run that several seeds came to is taken along under the seed that is shown", () => {
  const shown = parse("sections?mode=warn&seed=21&step=2", [section.scenario]);
  const { name, text } = traceFile(section.run, shown, section.scenario);
  assert.equal(name, "sections-mode-warn-seed-21.json");
  const taken = JSON.parse(text);
  assert.deepEqual([taken.recipe, taken.seed, taken.schema], ["sections?mode=warn&seed=21", 21, { name: "run", version: 1 }]);
  assert.equal(JSON.parse(traceFile(lost, parse("sections?mode=warn", [scenario]), scenario).text).schema.name, "run", "a shipped run may have none");
  assert.equal(fileName("a?b=/../c&d=%2A"), "a-b-c-d-2A");
});

test("what is no trace is refused in one sentence that says what would be one", () => {
  assert.equal(refusal("never"), "This file is not JSON; a trace is what `explorer run … --json` prints.");
  assert.match(refusal(""), /is not JSON/);
  for (const text of ["null", "3", "[]", "{}", '"x"', '{"schema":null}', '{"schema":{"name":"run","version":2}}', '{"schema":{"name":3}}']) assert.match(refusal(text), /^This file is no trace of a run \(run\/1\)/);
  assert.match(refusal('{"schema":{"name":"sweep","version":1}}'), /\(run\/1\), but sweep\/1; make one with/);
  assert.match(refusal(" ".repeat(MOST_CHARACTERS + 1)), /has 67,108,865 characters; a trace of at most 67,108,864 is read/);
});

test("nesting is refused like anything else", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  assert.match(refusal(deep), /no trace|nested too deeply/);
  assert.match(refusal(JSON.stringify(section.run).replace('"told":{"careful":"success"', `"told":{"careful":${deep}`)), /told\.careful must be at most 50 levels deep|nested too deeply/);
});

test("a scenario that this page does not know is named, with those that it does", () => {
  const strange = { ...section.run, recipe: "<b>elsewhere.py?x=1" };
  assert.equal(refusal(strange, { scenarios: [section.scenario] }), "This trace is of “<b>elsewhere.py”, and this page shows “sections” alone: open it on the page of its own scenario.");
  assert.match(refusal({ ...section.run, recipe: "sections?mode=blue" }), /^This trace’s recipe is off: mode=blue is not allowed/);
  assert.match(refusal({ ...section.run, recipe: 7 }), /recipe must be a text/);
});

test("another engine's trace is shown, with a note", () => {
  const { notes } = read({ ...section.run, engine: section.run.engine + 1 });
  assert.equal(notes.length, 1);
  assert.match(notes[0], new RegExp(`made by version ${section.run.engine + 1} of the engine, and here is version ${section.run.engine}`));
});

const wrong = (change) => {
  const run = copy(section.run);
  change(run);
  return refusal(run);
};

test("a field of the wrong kind is named, and what it is", () => {
  assert.match(wrong((run) => delete run.steps), /steps must be there, which an older `explorer run … --json` left out, and is missing/);
  assert.match(wrong((run) => (run.steps[2].offers[0].letter = "Q")), /steps\[2\]\.offers\[0\]\.letter must be a letter from A to E, and is “Q”\./);
  assert.match(wrong((run) => (run.steps[2].offers[0].letter = "C")), /steps\[2\]\.offers must be offers to its writers/);
  assert.match(wrong((run) => run.steps.pop()), /steps must be a list of 5, one more than there are grants, and is a list of 4/);
  assert.match(wrong((run) => (run.steps[1].rows[0] = ["x"])), /steps\[1\]\.rows must be rows of 3 values/);
  assert.match(wrong((run) => (run.steps[1].rows = {})), /steps\[1\]\.rows must be a list .* is an object/);
  assert.match(wrong((run) => (run.steps[1].t = "soon")), /steps\[1\]\.t must be a whole number .* is “soon”/);
  assert.match(wrong((run) => (run.steps[1].t = 5)), /steps\[2\]\.t must be no earlier than the step before/);
  assert.match(wrong((run) => (run.events[0].kind = "constructor")), /events\[0\]\.kind must be “operation” or/);
  assert.match(wrong((run) => (run.events[0].grant = 99)), /events\[0\]\.grant must be one of 4 grants, and is 99/);
  assert.match(wrong((run) => (run.events[0].rows = [3])), /events\[0\]\.rows\[0\] must be a list/);
  assert.match(wrong((run) => (run.grants = "ABAZ")), /grants must be letters/);
  assert.match(wrong((run) => (run.writers[1].letter = "A")), /writers must be at least one writer, each with a letter of its own/);
  assert.match(wrong((run) => (run.writers = [])), /writers must be at least one/);
  assert.match(wrong((run) => delete run.told.blind), /told\.blind must be there, and is missing/);
  assert.match(wrong((run) => (run.steps[1].rows[0][0] = { toString: 1 })), /rows\[0\]\[0\] must be without such a field, and is “toString”/);
  assert.match(wrong((run) => (run.steps[1].rows[0][0] = "x\n".repeat(5000))), /at most 4000 lines/);
  assert.match(wrong((run) => (run.watch.columns = run.watch.columns.fill("y".repeat(300)))), /watch\.columns\[0\] must be a text of at most 200 characters, and is “y{60}…”\./);
});

test("what nobody asked for does not come in, and nothing reaches the prototype", () => {
  const text = JSON.stringify(section.run).replace('"engine"', '"__proto__":{"polluted":1},"evil":"x","engine"');
  const { run } = read(text);
  assert.ok(!("evil" in run) && !("polluted" in run));
  assert.equal({}.polluted, undefined);
  assert.match(refusal(JSON.stringify(section.run).replace('"holds":{}', '"holds":{"__proto__":"x"}')), /steps\[0\]\.holds must be a letter from A to E, and is “__proto__”/);
});

// Fuzz: whatever is read can be drawn, whole and at every step, and is nothing but text.

/** Mulberry32: the same numbers every time. */
function dice(seed) {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

const PAYLOAD = "<img src=x onerror=alert(1)>\"'&${1}\u0000";
const STRANGERS = [null, true, -1, 0, 3, 1e308, "", "A", "t", "a", "E", PAYLOAD, [], {}, [[]], { length: 3 }, ["A"], "constructor", "__proto__", "9".repeat(400), 2 ** 53, 1.5, "x\ny\nz", { blob: "00" }];

/** Every place of a value: [holder, key]. */
function places(value, found = []) {
  if (value === null || typeof value !== "object") return found;
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    places(value[key], found);
  }
  return found;
}

function mutate(run, roll) {
  const all = places(run);
  for (let times = 1 + roll(3); times > 0; times -= 1) {
    const [holder, key] = all[roll(all.length)];
    const other = all[roll(all.length)];
    const ways = [
      () => (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key]),
      () => (holder[key] = STRANGERS[roll(STRANGERS.length)]),
      () => (holder[key] = copy(other[0][other[1]] ?? null)),
      () => Array.isArray(holder) && holder.push(copy(holder[key] ?? null)),
    ];
    ways[roll(ways.length)]();
  }
  return run;
}

/** The same run with a payload for every text that is free to be anything. */
function spiced(run) {
  for (const [holder, key] of places(run)) {
    if (["label", "detail", "invariant", "title", "why", "message", "error", "sql", "name"].includes(key) && typeof holder[key] === "string" && !holder.letter && holder !== run.schema) holder[key] = PAYLOAD;
  }
  return run;
}

/** A page's data in which the opening run is this one, under whatever recipe opens the scenario. */
function shipping(run, known) {
  const opening = parse(known.opening, [known]);
  return { ...data, scenario: known, families: [{ recipe: format(family(opening), known), seeds: [], runs: [run], opening: 0 }], start: Date.UTC(2026, 6, 10, 9) };
}

function drawAll(run, known) {
  const state = { ...initial(shipping(run, known)), recipe: parse(run.recipe, [known]), run, daggers: true };
  const last = run.steps.length - 1;
  for (const step of new Set([0, Math.floor(last / 2), last])) {
    const text = inkOf(page(stringPen, view({ ...state, step })));
    assert.ok(!text.includes("<img"), "a payload became markup");
  }
  readXml(inkOf(picture(stringPen, viewOf({ run, scenario: known }))));
}

const TURNS = Number(process.env.FUZZ ?? 700);

test("whatever is read draws, whatever was done to it", () => {
  const roll = dice(Number(process.env.FUZZ_SEED ?? 20260710));
  const tally = { read: 0, refused: 0 };
  for (let turn = 0; turn < TURNS; turn += 1) {
    const { run, scenario: known } = golden[roll(golden.length)];
    const bent = mutate(turn % 4 ? copy(run) : spiced(copy(run)), roll);
    let found;
    try {
      found = read(JSON.stringify(bent)).run;
    } catch (error) {
      assert.ok(error instanceof TraceError, `${error.stack}\n${JSON.stringify(bent).slice(0, 300)}`);
      assert.match(error.message, /^[^\n]+[.]$/);
      tally.refused += 1;
      continue;
    }
    drawAll(found, known);
    tally.read += 1;
  }
  assert.ok(tally.read > TURNS / 10 && tally.refused > TURNS / 10, JSON.stringify(tally));
});

test("a payload in every free field is read, and drawn as text", () => {
  for (const { run, scenario: known } of golden) drawAll(read(spiced(copy(run))).run, known);
});

test("the pytest copy dictates the order, names itself after the recipe, and fits its lines", () => {
  const text = pytestCopy(section.run, parse("sections?mode=warn&seed=16&step=2", [section.scenario]), section.scenario);
  assert.match(text, /^def test_sections_mode_warn_seed_16\(\) -> None:$/m);
  assert.match(text, new RegExp(`"sections\\?mode=warn&seed=16&grants=${section.run.grants}"`));
  for (const one of golden) assert.ok(pytestCopy(one.run, recipe(one), one.scenario).split("\n").every((line) => line.length <= 99));
});
