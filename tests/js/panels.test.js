// What the panels work out for themselves: sums of parts, ways through a grid, columns of seeds,
// rows side by side, and the sentences. Each is held to a case that one can check by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { interval, percent } from "../../static/js/amounts.js";
import { aligned } from "../../static/js/beside.js";
import { NOTHING, resultOf } from "../../static/js/explore.js";
import { barredIn, flowsOf, grantAt, nodesOf, through } from "../../static/js/flows.js";
import { bare, points } from "../../static/js/kills.js";
import { merged } from "../../static/js/merged.js";
import { columnsOf } from "../../static/js/range.js";
import { parse } from "../../static/js/recipe.js";
import { initial } from "../../static/js/store.js";
import { HELD, RED, enter } from "../../static/js/sweeps.js";
import { behind, ends, progress, sentence } from "../../static/js/verdicts.js";
import { view } from "../../static/js/view.js";
import { data, scenario, waiting } from "./told.js";

const end = (witness, count, broken = [], more = {}) => ({ rows: { sections: [["plan", broken.length]] }, told: { careful: "success" }, ended: {}, broken, failing: false, serial: true, apart: null, count, share: 1, witness: `sections?grants=${witness}`, ...more });
const part = (witness, count, broken, exact) => ({ recipe: "sections", verdict: broken ? "broken" : "proved", interleavings: count, broken: broken ? count : 0, failing: 0, not_serial: null, by_invariant: { "lost update": broken ? count : 0 }, probability: { exact, value: 0 }, explored: count, cut: 0, runs: count, chance: false, done: true, outcomes: [end(witness, count, broken ? ["lost update"] : [])], witness: null });

test("parts add up: counts, exact odds, and the smallest of their witnesses", () => {
  const whole = merged([part("ABAB", 2, true, "1/12"), part("BAAB", 1, true, "1/4"), part("AABB", 3, false, "0/1")]);
  assert.deepEqual([whole.interleavings, whole.broken, whole.by_invariant["lost update"], whole.verdict], [6, 3, 3, "broken"]);
  assert.equal(whole.probability.exact, "1/3");
  assert.ok(Math.abs(whole.probability.value - 1 / 3) < 1e-12);
  assert.deepEqual(whole.outcomes.map(({ count, witness, share }) => [count, witness, share]), [[3, "sections?grants=BAAB", 0.5], [3, "sections?grants=AABB", 0.5]]);
});

test("one part that is not done leaves nothing counted, and nothing proved", () => {
  const whole = merged([part("AABB", 3, false, "0/1"), { ...part("", 0, false, "0/1"), verdict: "held", interleavings: null, probability: null, outcomes: [], done: false }]);
  assert.deepEqual([whole.interleavings, whole.probability, whole.outcomes, whole.verdict], [null, null, [], "held"]);
});

test("a schedule is a path of nodes, each with the grant that comes to it", () => {
  assert.deepEqual(nodesOf("ACBA", ["A", "B"]), [{ x: 0, y: 0, grant: 0 }, { x: 1, y: 0, grant: 1 }, { x: 1, y: 1, grant: 3 }, { x: 2, y: 1, grant: 4 }]);
  assert.equal(grantAt("ACBA", ["A", "B"], { x: 1, y: 1 }), 3);
  assert.equal(grantAt("ACBA", ["A", "B"], { x: 0, y: 1 }), -1);
});

test("a path that is drawn through a node leaves the others' grants where they are", () => {
  const pair = ["A", "B"];
  assert.equal(through("AABB", pair, { x: 0, y: 2 }), "BBAA");
  assert.equal(through("AABB", pair, { x: 1, y: 1 }), "ABAB");
  assert.equal(through("AtABB", pair, { x: 0, y: 1 }), "BtAAB");
  for (const [x, y] of [[0, 0], [2, 1], [1, 2], [2, 2]]) assert.ok(grantAt(through("CABBA", pair, { x, y }), pair, { x, y }) >= 0);
});

test("six orders weigh the edges of their grid: each edge by who passes and what breaks", () => {
  const orders = ["AABB", "ABAB", "ABBA", "BAAB", "BABA", "BBAA"].map((grants) => ({ grants, broken: ["ABAB", "BAAB"].includes(grants) ? ["lost update"] : [], waits: [], busy: [] }));
  const { edges, across, up, barred } = flowsOf(orders, ["A", "B"]);
  const at = (x, y, side) => edges.find((edge) => edge.x === x && edge.y === y && edge.side === side);
  assert.deepEqual([across, up, barred], [2, 2, []]);
  assert.deepEqual([at(0, 0, 0).kept, at(0, 0, 0).lost], [2, 1]);
  assert.deepEqual([at(2, 1, 1).kept, at(2, 1, 1).lost], [1, 2]);
  assert.equal(edges.reduce((sum, { kept, lost }) => sum + kept + lost, 0), 24);
});

test("places where a writer waits are known from all orders, and from the one that is shown", () => {
  const orders = [{ grants: "AAB", broken: [], waits: [[1, "B"]], busy: [[2, "B"]] }];
  assert.deepEqual(flowsOf(orders, ["A", "B"]).barred, [{ x: 1, y: 0, side: 1 }, { x: 2, y: 0, side: 1 }]);
  assert.deepEqual(barredIn({ ...waiting, grants: "AABA" }, ["A", "B"]).length, 3);
});

test("a sweep keeps a mark a seed; a column leads to its first red seed", () => {
  const sweep = { last: 299, marks: new Uint8Array(300), grants: new Map(), by: {}, done: 0, bad: 0, failing: 0 };
  enter(sweep, { failing: 1, runs: [{ seed: 0, grants: "AB", broken: [] }, { seed: 3, grants: "BA", broken: ["lost update"] }, { seed: 4, grants: "BA", broken: ["lost update"] }] });
  assert.deepEqual([sweep.done, sweep.bad, sweep.failing, sweep.grants.size, sweep.by], [3, 2, 1, 2, { "lost update": 2 }]);
  assert.deepEqual([sweep.marks[0], sweep.marks[3], sweep.marks[5]], [HELD, RED, 0]);
  const columns = columnsOf(sweep);
  assert.equal(columns.length, 60);
  assert.deepEqual(columns[0], { from: 0, to: 4, red: 2, run: 3, goes: 3 });
  assert.deepEqual(columns.at(-1), { from: 295, to: 299, red: 0, run: 0, goes: 295 });
});

test("a range that sixty does not divide ends with its last seed", () => {
  const columns = columnsOf({ last: 999, marks: new Uint8Array(1000) });
  assert.deepEqual([columns.length, columns.at(-1).to], [59, 999]);
});

test("the interval is the report's, rounded outward", () => {
  assert.equal(interval(17, 30), "39.1–72.7 %");
  assert.equal(interval(0, 1000), "0.0–0.4 %");
});

test("what is neither none nor all is never printed as if it were", () => {
  assert.deepEqual([0, 1 / 5000, 0.228, 4999 / 5000, 1].map((share) => percent(share)), ["0 %", "under 0.1 %", "22.8 %", "over 99.9 %", "100 %"]);
});

test("rows of two runs meet where the same grant was followed", () => {
  assert.deepEqual(aligned("BAAB", "BAA"), [[1, 1], [2, 2], [3, 3], [4, null]]);
  assert.deepEqual(aligned("ABAB", "AAB"), [[1, 1], [2, null], [3, 2], [4, 3]]);
  assert.deepEqual(aligned("AB", "ABB"), [[1, 1], [2, 2], [null, 3]]);
});

test("every place for a kill is a recipe, and a kill does not change the kin", () => {
  const shown = view(initial(data));
  const found = points({ ...shown, scenario });
  assert.deepEqual(found.map(({ letter, op, place }) => `${letter}${op}${place}`), ["A1before", "A2before", "A2after", "B1before", "B2before", "B2after"]);
  assert.equal(found[2].text, "sections?mode=warn&grants=ABAA&faults=A2after%3Acrash".replace("%3A", ":"));
  assert.equal(bare(parse(found[2].text, [scenario]), scenario), "sections?mode=warn");
});

const search = { phase: "done", crashes: 0, brute: false, explored: 6, runs: 6, estimate: 6, workers: 1, problem: "" };
const answer = { ...part("BAAB", 2, true, "1/3"), interleavings: 6, failing: 0, probability: { exact: "1/3", value: 1 / 3 }, scope: { faults: [] } };

test("the sentence stands first: broken, proved, held, or how far it came", () => {
  const say = (more, found = search) => sentence({ ...found, answer: more && { ...answer, ...more } }, scenario);
  assert.equal(say({}), "2 of 6 interleavings lose a line.");
  assert.equal(say({ verdict: "proved", broken: 0 }), "Proved: none of 6 interleavings loses a line.");
  assert.equal(say({ verdict: "proved", broken: 0, interleavings: 1 }), "Proved: the one order there is does not lose a line.");
  const twice = { scope: { faults: ["B3after:crash"] } };
  assert.equal(say(twice, { ...search, crashes: 1 }), "2 of 6 interleavings, with at most one more kill anywhere in them, lose a line.");
  assert.match(say({ verdict: "held", broken: 0 }), /^Held: none of 6 .* dice/);
  const stopped = { ...search, phase: "stopped", explored: 12000, estimate: 35003 };
  assert.equal(say({ verdict: "held", interleavings: null }, stopped), "Held, and not proved: none of 12,000 orders, of about 35,003, loses a line; there it was stopped.");
  assert.match(say({ interleavings: null }, stopped), /^Broken: .* 12,000 orders/);
  assert.equal(sentence({ ...search, phase: "failed", problem: "it broke" }, scenario), "The search ended: it broke");
});

test("behind it stand the odds, and who failed", () => {
  assert.deepEqual(behind({ answer: { ...answer, failing: 3 } }, scenario), ["A seed meets one of them with a probability of 1/3, which is 33.3 %.", "In 3 of them a writer ends in an error."]);
});

test("progress says what is counted, and why one worker does it", () => {
  assert.equal(progress({ ...search, phase: "going", shares: true, workers: 4, explored: 1200, estimate: 35003 }, scenario), "1,200 of about 35,003 orders run, by 4 workers.");
  assert.match(progress({ ...search, phase: "going", shares: false, red: true }, scenario), /loses a line is among them.*left out, so one worker/);
  assert.match(progress({ ...search, phase: "going", shares: false, crashes: 1 }, scenario), /A kill is tried at every place/);
});

test("only what differs between two ends is told", () => {
  const [one, other] = ends([end("AABB", 3), end("BAAB", 1, ["lost update"])]);
  assert.deepEqual([one.held, other.held], [["sections: 0"], ["sections: 1"]]);
  assert.deepEqual(one.answers, [["careful", "told “success”"]]);
  assert.deepEqual(ends([end("AABB", 3)])[0].held, []);
});

test("a search is shown with its variant, and with a witness of it that was opened", () => {
  const shown = view(initial(data));
  const found = { ...search, text: "sections", answer: { ...answer, outcomes: [end("ABAB", 2), { ...end("", 1), witness: "sections?mode=warn&grants=ABAB" }] } };
  const at = (every) => resultOf({ ...shown, explore: { ...NOTHING, every } });
  assert.equal(at({ "sections?mode=warn": found }), found);
  assert.equal(at({ sections: found }), found);
  assert.equal(at({ sections: { ...found, answer: { ...answer, outcomes: [end("ABAB", 2)] } } }), undefined);
});
