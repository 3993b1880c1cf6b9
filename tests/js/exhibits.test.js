import assert from "node:assert/strict";
import { test } from "node:test";
import { exportOf, hoursOf, spansOf } from "../../static/js/day.js";
import { drawExhibit } from "../../static/js/draw/exhibits.js";
import { addressOf } from "../../static/js/draw/link.js";
import { walSection } from "../../static/js/draw/wal.js";
import { answered, compared } from "../../static/js/exhibits.js";
import { inkOf, stringPen } from "../../static/js/pen.js";
import { walOf } from "../../static/js/wal.js";
import { lost } from "./told.js";

const drawn = (data, state) => inkOf(drawExhibit(stringPen, data.kind, data, state));
const words = (text) => text.replace(/<svg.*?<\/svg>/gs, "").replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

// The log.

const insert = (grant, writer = "B") => ({ grant, writer, kind: "operation", sql: "INSERT INTO entries (log) VALUES (?)", rows: null, rowcount: 1 });
const checkpoint = (grant, mode, rows, writer = "B") => ({ grant, writer, kind: "operation", sql: `PRAGMA wal_checkpoint${mode}`, rows, rowcount: -1 });
const starving = {
  recipe: "checkpoint?leak=on",
  options: { leak: "on" },
  writers: [{ letter: "A", name: "reporter", role: "reporter" }, { letter: "B", name: "recorder", role: "recorder" }],
  events: [insert(1), checkpoint(2, "(PASSIVE)", [[0, 1, 1]]), { grant: 3, writer: "B", kind: "wait", lock: "SNAPSHOT" }, insert(3), checkpoint(4, "", [[0, 2, 1]]), checkpoint(5, " = truncate", [[1, 2, 1]])],
};

test("each checkpoint is a point: after how many writes, asked how, and what SQLite answered", () => {
  const { points, most } = walOf(starving);
  assert.deepEqual(points.map(({ grant, writes, mode, waits, busy, log, copied }) => [grant, writes, mode, waits, busy, log, copied]), [
    [2, 1, "PASSIVE", false, 0, 1, 1],
    [4, 2, "PASSIVE", false, 0, 2, 1],
    [5, 2, "TRUNCATE", true, 1, 2, 1],
  ]);
  assert.equal(points[0].name, "recorder");
  assert.equal(most, 2);
});

test("a run without a log has no chart: none was asked for, or SQLite answered -1", () => {
  assert.equal(walOf(lost), null);
  assert.equal(walOf({ ...starving, events: [insert(1), checkpoint(2, "", [[0, -1, -1]]), checkpoint(3, "", null)] }), null);
  assert.equal(walSection(stringPen, { run: lost, step: 0 }), "");
  assert.equal(walSection(stringPen, { run: null, step: 0 }), "");
});

test("in a run's own view a bar leads to its grant, and what is still to come is empty", () => {
  const text = inkOf(walSection(stringPen, { run: starving, step: 4 }));
  assert.deepEqual([...text.matchAll(/class="(column[^"]*)"[^>]*data-action="go" data-value="(\d)"/g)].map((found) => found.slice(1)), [["column", "2"], ["column", "4"], ["column later", "5"]]);
  assert.match(text, /<svg class="bars"[^>]*aria-hidden="true"/);
  assert.match(words(text), /1 recorder PASSIVE 0 1 1 2 recorder PASSIVE 0 2 1 2 recorder TRUNCATE 1 2 1/);
});

// The day.

const watch = { columns: ["event", "day", "at"] };
const filed = { watch, violations: [], steps: [{ rows: [] }, { rows: [["at 14:00 UTC", "2026-07-10", "2026-07-10T14:00:00Z"], ["at 15:00 UTC", "2026-07-11", "2026-07-10T15:00:00Z"], ["at 16:00 UTC", "2026-07-11", "2026-07-10T16:00:00Z"], ["at 02:00 UTC", "2026-07-10", "2026-07-11T02:00:00Z"]] }] };

test("an hour is wrong where an event’s two days differ, and unknown where nothing was logged", () => {
  const hours = hoursOf(filed);
  assert.deepEqual([2, 14, 15, 16].map((hour) => hours[hour].wrong), [true, false, true, true]);
  assert.equal(hours[3], null);
  assert.deepEqual(spansOf(hours), [[2, 3], [15, 17]]);
  assert.equal(hoursOf({ watch, violations: [], steps: [{ rows: [["the export", "2026-07-10", "2026-07-10T14:00:00Z"]] }] }), null);
});

test("an export says how it is headed and how many events it left out", () => {
  const rows = [...filed.steps[1].rows, ["the export", "2026-07-11", "2026-07-10T15:30:00Z"]];
  const violations = [{ invariant: "an export leaves nothing out" }, { invariant: "an event has one day" }];
  assert.deepEqual(exportOf({ watch, violations, steps: [{ rows }] }), { headed: "2026-07-11", at: "2026-07-10T15:30:00Z", left: 1 });
  assert.equal(exportOf(filed), null);
});

// The matrix, the frame, and what is said of running it again.

const seen = { exits: ["<b> failed"], owners: ["1 of 2"] };
const failure = (name, found) => ({ name, recipe: `owners?seed=${name.length}`, broke: {}, cells: Object.fromEntries(["exits", "owners"].map((check) => [check, found.includes(check) ? "catches" : "blind"])), found: Object.fromEntries(["exits", "owners"].map((check) => [check, found.includes(check) ? seen[check] : []])) });
const matrix = { kind: "matrix", asks: [{ ask: "matrix", scenario: "owners" }], answers: [{ checks: [{ name: "exits", promise: "Each ends with 0." }, { name: "owners", promise: "Each has its own." }], failures: [failure("loss", ["exits", "owners"]), failure("theft", ["owners"])], quiet: { recipe: "owners", red: {} } }] };

test("every cell is a word and a mark, each column leads to its run, and the check that sees all stands out", () => {
  const text = drawn(matrix);
  const table = text.slice(text.indexOf("<table"), text.indexOf("</table>"));
  assert.equal(table.match(/✓<\/span> catches/g).length, 3);
  assert.equal(table.match(/–<\/span> blind/g).length, 1);
  assert.match(table, /<th scope="col"><a href="..\/owners\/\?seed=5">theft<\/a>/);
  assert.match(table, /<tr class="every"><th scope="row">owners/);
  assert.match(words(text), /Only owners catches every one of these 2 failures. Where it is theft, every other check stays green./);
  assert.doesNotMatch(text, /<b> failed|undefined|NaN|style=/);
});

test("a check that cries wolf is named", () => {
  const [answer] = matrix.answers;
  const text = words(drawn({ ...matrix, answers: [{ ...answer, quiet: { recipe: "owners", red: { exits: ["1"] } } }] }));
  assert.match(text, /exits is red even where nothing fails/);
});

test("the same answers agree in every cell; one that differs is named, as it was and as it is", () => {
  assert.deepEqual(compared("matrix", matrix, structuredClone(matrix)), { same: 4, total: 4, first: null });
  const other = structuredClone(matrix);
  other.answers[0].failures[1].cells.exits = "catches";
  const result = compared("matrix", matrix, other);
  assert.deepEqual(result, { same: 3, total: 4, first: { label: "exits, theft", built: "blind", here: "catches" } });
  const said = drawn(other, { live: true, phase: "differs", result: { ...result, python: "3", sqlite: "3" } });
  assert.match(said, /<strong role="alert">.*Only 3 of 4 cells came out the same.*exits, theft, “blind” when the page was built, “catches” here/);
  assert.match(drawn(matrix, { live: true, phase: "same", result: { same: 4, total: 4, python: "3.14", sqlite: "3.39" } }), /4 of 4 cells the same in your browser, by Python 3.14 and SQLite 3.39/);
});

test("a figure that is gone or new counts as different", () => {
  const fewer = structuredClone(matrix);
  fewer.answers[0].failures.pop();
  assert.deepEqual(compared("matrix", matrix, fewer), { same: 2, total: 4, first: { label: "exits, theft", built: "blind", here: "nothing" } });
  assert.equal(compared("matrix", fewer, matrix).total, 4);
});

test("before a script runs no button can be pressed; while Python works, it says how far", () => {
  assert.match(drawn(matrix), /<fieldset disabled="">/);
  assert.doesNotMatch(drawn(matrix, { live: true }), /<fieldset disabled/);
  const busy = drawn(matrix, { live: true, phase: "running", done: 0, of: 1 });
  assert.match(busy, /Python is running it again: 0 of 1 answers/);
  assert.match(busy, /data-action="again" aria-disabled="true"/);
  assert.match(drawn(matrix, { live: true, phase: "loading", loading: { phase: "loading", loaded: 2.1e6, total: 3.8e6 } }), /Python is loading, 2.1 of 3.8 MB/);
  assert.match(drawn(matrix, { live: true, phase: "failed", reason: "no network." }), /no network\. What is shown was computed when the page was built\..*Try again/s);
});

test("a recipe without options leads to its run, and not to the page’s opening", () => {
  assert.equal(addressOf("../", "owners"), "../owners/?seed=0");
  assert.equal(addressOf("https://a.example/b/", "owners?seed=3"), "https://a.example/b/owners/?seed=3");
});

// Incidence and greens.

const sweep = { schema: { name: "sweep" }, recipe: "sections?mode=warn", seeds: 30, broken: [1, 2], interval: [0.02, 0.21] };
const orders = { schema: { name: "exhaust" }, recipe: "sections?mode=warn", verdict: "broken", interleavings: 6, broken: 2, probability: { exact: "1/4", value: 0.25 }, done: true };
const real = { recipe: "sections?mode=warn", options: { mode: "warn" }, writers: ["careful", "blind"], runs: 1000, judged: 1000, broken: 3, interval: [0.001, 0.0088], by_invariant: {}, left_out: { "lost update": "asks for `events`" } };
const incidence = { kind: "incidence", measured: { date: "2026-11-30", python: "3", sqlite: "3", recipes: [real] }, asks: [], answers: [sweep, orders] };

test("three figures of three things stand beside each other, each with what it is of", () => {
  const text = words(drawn(incidence));
  for (const said of ["3 of 1,000", "0.3 % (0.1–0.88)", "2 of 30", "2 of 6", "probability 1/4 (25 %)", "one machine on one day", "“lost update” asks for events"]) assert.ok(text.includes(said), said);
});

test("a sweep made again keeps its interval while its count stands, and loses it when it does not", () => {
  const { interval, ...bare } = sweep;
  assert.deepEqual(answered(incidence, [bare, orders]).answers[0].interval, interval);
  const other = answered(incidence, [{ ...bare, broken: [1] }, orders]);
  assert.equal(other.answers[0].interval, undefined);
  assert.deepEqual(compared("incidence", incidence, other).first, { label: "sections?mode=warn, seeds", built: "2 of 30", here: "1 of 30" });
  assert.doesNotMatch(drawn(other), /undefined|NaN/);
});

const table = { question: "table", confidence: 0.95, report: "R", rates: [{ what: "alone", failure_rate: 0.067, needed: 44, passes: { 2: 0.87, 10: 0.5 }, said: ["6.7 %  alone", "87 %", "50 %", "44"] }], rows: [{ what: "fix 1", failed: 1, runs: 10, said: ["One sentence.", "Another."] }] };
const greens = { kind: "greens", asks: [{ ask: "greens" }, { ask: "greens", failure_rate: "6.7%", greens: 10 }], answers: [table, { said: ["Ten greens say little."] }] };

test("the fields wait for Python, which gives their answer or says what is wrong with them", () => {
  const asleep = drawn(greens, { live: true });
  assert.match(asleep, /name="failure_rate" value="6.7" disabled=""/);
  assert.match(words(asleep), /Ten greens say little\. Python works this out/);
  const ready = drawn(greens, { live: true, ready: true, question: { said: ["An answer."] } });
  assert.doesNotMatch(ready, /name="greens"[^>]*disabled/);
  assert.match(words(ready), /An answer\./);
  assert.match(drawn(greens, { live: true, ready: true, question: { refused: "<i> is no share" } }), /class="problem">&lt;i&gt; is no share/);
});
