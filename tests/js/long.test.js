// Runs that are too long to be drawn whole, or read in one go.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createBridge } from "../../static/js/bridge.js";
import { crashPoints } from "../../static/js/choices.js";
import { density } from "../../static/js/density.js";
import { compare } from "../../static/js/difference.js";
import { arrangeAxis } from "../../static/js/axis.js";
import { axis } from "../../static/js/draw/axis.js";
import { longLattice } from "../../static/js/draw/lattice.js";
import { table } from "../../static/js/draw/table.js";
import { eyeOf } from "../../static/js/eye.js";
import { prepared, modelOf } from "../../static/js/arranged.js";
import { arrange, losses, operations } from "../../static/js/model.js";
import { inPieces } from "../../static/js/pieces.js";
import { inkOf, stringPen } from "../../static/js/pen.js";
import { sparingly } from "../../static/js/sparingly.js";
import { verdict } from "../../static/js/story.js";
import { near, shownRows } from "../../static/js/window.js";
import { play } from "./more.js";
import { lost, waiting } from "./told.js";

/** Two writers in turn; `body` says what the row holds after each grant. */
const turns = (count, body = (grant) => `line ${grant}`, more = {}) => play({ roles: { A: "careful", B: "blind" }, grants: Array.from({ length: count }, (_, place) => ["AB"[place % 2], body(place + 1)]), ...more });

const drawn = (run, step, more = {}) => inkOf(table(stringPen, { run, model: arrange(run), step, daggers: false, ...more }));
const grantsIn = (text) => [...text.matchAll(/data-action="go" data-value="(\d+)"/g)].map(([, grant]) => Number(grant));
const gapsIn = (text) => [...text.matchAll(/data-grants="(\d+)".*?height="(\d+)"/gs)].map(([, ...numbers]) => numbers.map(Number));

test("a run of two hundred grants is drawn whole, one more is not", () => {
  assert.equal(grantsIn(drawn(turns(200), 200)).length, 201);
  assert.deepEqual(gapsIn(drawn(turns(200), 200)), []);
  assert.ok(grantsIn(drawn(turns(201), 201)).length < 201);
});

test("of a long run the rows around the current grant are drawn, and the rest keeps its height", () => {
  const text = drawn(turns(1000), 500);
  const grants = grantsIn(text);
  assert.deepEqual([grants[0], grants.at(-1), grants.length], [480, 529, 50]);
  const [[above, high], [below, low]] = gapsIn(text);
  assert.deepEqual([above, below], [480, 471]);
  assert.equal(high / above, low / below);
  assert.match(text, /<caption class="unseen">Grants 480 to 529 of 1000, in order/);
  assert.match(text, /Of 1000 grants, 480 to 529 are drawn here/);
  assert.equal(text.match(/aria-current="step"/g).length, 1);
});

test("at either end of a long run there is nothing left out beyond it", () => {
  const [first, last] = [drawn(turns(1000), 0), drawn(turns(1000), 1000)];
  assert.deepEqual([grantsIn(first)[0], gapsIn(first)[0]], [0, [0, 0]]);
  assert.deepEqual([grantsIn(last).at(-1), gapsIn(last)[1]], [1000, [0, 0]]);
});

test("every grant from the first to the last is drawn when it is the current one", () => {
  const model = arrange(turns(1000));
  for (let step = 0; step <= 1000; step += 1) {
    const { first, last } = shownRows({ model, step, eye: null });
    assert.ok(first <= step && step <= last && (first === 0 || step - first >= 20) && (last === 1000 || last - step >= 20), `step ${step}`);
  }
});

test("where the reader has scrolled to is drawn until a step is taken", () => {
  const run = turns(1000);
  const model = arrange(run);
  const eye = eyeOf({ run, step: 500, eye: null }, { grant: 90, tall: 50 });
  assert.deepEqual(shownRows({ model, step: 500, eye }), { whole: false, first: 70, last: 119, above: 3500, below: 44_050 });
  assert.equal(shownRows({ model, step: 501, eye }).first, 480);
  assert.equal(shownRows({ model, step: 501, eye }).above, 480 * 50);
});

test("a height that is nearly the one before leaves the scroll bar alone", () => {
  const run = turns(1000);
  const eye = eyeOf({ run, step: 0, eye: null }, { grant: 0, tall: 50 });
  assert.equal(eyeOf({ run, step: 0, eye }, { grant: 60, tall: 55 }).tall, 50);
  assert.equal(eyeOf({ run, step: 0, eye }, { grant: 60, tall: 80 }).tall, 80);
  assert.equal(eyeOf({ run: turns(300), step: 0, eye }, { grant: 60, tall: 55 }).tall, 55);
});

test("a list too long to be drawn is cut to what is near", () => {
  const list = Array.from({ length: 1000 }, (_, place) => place);
  assert.deepEqual(near(list, 0, 4), [0, 1, 2, 3]);
  assert.deepEqual(near(list, 500, 4), [498, 499, 500, 501]);
  assert.deepEqual(near(list, 999, 4), [996, 997, 998, 999]);
  assert.equal(near(list.slice(0, 4), 9, 4).length, 4);
});

test("a run that is arranged in slices comes to the same rows", async () => {
  const run = turns(1000, (grant) => `line ${Math.floor(grant / 3)}`);
  assert.equal(await prepared(run, 0), run);
  const seen = ({ rows }) => rows.map((row) => [row.grant, row.letter, row.at, row.passed, row.lanes, row.cells, row.events, row.targets]);
  assert.deepEqual(seen(modelOf(run, 0)), seen(arrange(run, 0)));
  assert.equal(modelOf(run, 0), modelOf(run, 0));
});

test("what every step asks of a run is worked out once", () => {
  const model = arrange(lost);
  assert.equal(losses(model), losses(model));
  assert.equal(operations(lost), operations(lost));
  assert.equal(density(model), density(model));
});

test("grants that change nothing share their cells, and a change after them is seen", () => {
  const still = { ...waiting, steps: waiting.steps.map((step, grant) => ({ ...step, rows: [[grant < 4 ? "draft" : "end", 1]], pending: null })) };
  const { rows } = arrange(still);
  assert.equal(rows[2].cells, rows[3].cells);
  assert.deepEqual(rows.map((row) => row.cells[0].changed), [true, false, false, false, true]);
});

test("lines that stand at the head of both are kept as a whole comparison would keep them", () => {
  const owned = (...texts) => texts.map((text) => ({ text, owner: "A" }));
  const told = (shown) => shown.map(({ text, change }) => `${change} ${text}`);
  assert.deepEqual(told(compare(owned("a", "b", "c"), ["a", "b", "c", "d"], "B")), ["kept a", "kept b", "kept c", "added d"]);
  assert.deepEqual(told(compare(owned("a", "b", "c"), ["a", "c"], "B")), ["kept a", "removed b", "kept c"]);
  assert.deepEqual(told(compare(owned("a", "x", "a"), ["a", "a", "y", "a"], "B")), ["kept a", "removed x", "kept a", "added y", "added a"]);
  assert.deepEqual(told(compare(owned("a"), [], "B")), ["removed a"]);
});

test("the slider of a long run shows each writer's share, and where a promise broke", () => {
  const run = turns(1000, undefined, { violations: [1, 500, 501, 1000].map((grant) => ({ invariant: "lost update", promise: "", detail: "gone", grant })) });
  const { rows, broke, of } = density(arrange(run));
  assert.deepEqual(rows.map(({ letter }) => letter), ["A", "B"]);
  assert.equal(of, 200);
  const heights = [...rows[0].path.matchAll(/v-([\d.]+)h1/g)].map(([, high]) => Number(high));
  assert.equal(heights.length, 200);
  assert.ok(heights.every((high) => high > 2 && high < 5));
  assert.deepEqual([...broke.matchAll(/M([\d.]+) /g)].map(([, x]) => x), ["0.5", "99.5", "100.5", "199.5"]);
});

test("a writer that gets nothing for a while has a gap there", () => {
  const run = turns(1000);
  const starved = { ...run, grants: "A".repeat(500) + run.grants.slice(500) };
  const [, b] = density(arrange(starved)).rows;
  assert.equal(Math.min(...[...b.path.matchAll(/M(\d+) /g)].map(([, x]) => Number(x))), 100);
});

test("the path of a long run is one path, and what has been walked is the part behind", () => {
  const run = turns(1000);
  const text = inkOf(longLattice(stringPen, { run, step: 500, ghost: "" }, ["A", "B"]));
  const paths = [...text.matchAll(/class="way[^"]*" d="([^"]*)"/g)].map(([, d]) => d);
  assert.equal(paths.length, 2);
  assert.equal(paths[0], paths[1]);
  assert.ok(paths[0].length < 20_000);
  assert.ok(paths[0].startsWith("M0 420L") && paths[0].endsWith("L420 0"));
  assert.match(text, /class="spot" cx="210" cy="210"/);
  assert.doesNotMatch(text, /knot/);
});

test("a long answer travels in pieces and is the same at the other end", async () => {
  const run = turns(1000, (grant) => `line ${grant} `.repeat(40));
  const answer = { schema: { name: "run", version: 1 }, ...run };
  const pieces = inPieces(JSON.stringify(answer));
  assert.ok(pieces.length > 3);
  assert.ok(pieces.every((piece) => piece.length < 250_000));
  assert.deepEqual(await createBridge(() => Promise.resolve(pieces))({ ask: "run" }), answer);
  assert.deepEqual(inPieces('{"a":[1]}'), ['{"a":[1]}']);
});

test("a list of thousands of crash points, or of moments, is cut to those near the step", () => {
  const run = turns(1000);
  const numbered = { ...run, events: run.events.map((event, place) => ({ ...event, op: 1 + Math.floor(place / 2) })), axis_title: "moments", axis: Array.from({ length: 1000 }, (_, at) => ({ at: at * 1000, label: `moment ${at}`, writer: "A", grant: at + 1 })) };
  const model = arrange(numbered);
  assert.ok(crashPoints(model, model.lanes[0]).length >= 500);
  assert.equal(crashPoints(model, model.lanes[0]), crashPoints(model, model.lanes[0]));
  const text = inkOf(axis(stringPen, { run: numbered, model, axis: arrangeAxis(numbered, model.lanes), step: 500, frame: { id: "figure", number: 1 } }));
  assert.deepEqual(grantsIn(text).length, 200);
  assert.ok(text.includes("moment 499") && !text.includes("moment 700"));
  assert.match(text, /<li class="past"><small>1 s later/);
});

test("what broke a thousand times is told a few times, and counted", () => {
  const run = turns(1000, undefined, { violations: Array.from({ length: 1000 }, (_, at) => ({ invariant: "counts", promise: "", detail: `step ${at} is lost`, grant: at + 1 })) });
  const [words] = verdict(arrange(run), { scenario: { invariants: [{ name: "counts" }] } });
  assert.ok(words.startsWith("Step 0 is lost. Step 1 is lost.") && words.endsWith("And so 992 times more."), words);
});

test("what is asked for at every frame is done a while at once, and then when asking has ended", () => {
  const done = [];
  let waiting = [];
  const later = (work) => {
    waiting.push(work);
    return () => (waiting = waiting.filter((each) => each !== work));
  };
  const act = sparingly((value) => done.push(value), later);
  for (let value = 1; value <= 300; value += 1) act(value);
  assert.deepEqual([done.length, done.at(-1), waiting.length], [30, 30, 1]);
  waiting[0]();
  assert.deepEqual([done.length, done.at(-1)], [31, 300]);
});
