// What the database holds after a grant, as it is drawn: a grid where it has several rows,
// marks on every column that changed, and nothing beside another row than its own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { changedRows } from "../../static/js/draw/watch.js";
import { table } from "../../static/js/draw/table.js";
import { unbroken } from "../../static/js/draw/text.js";
import { arrange } from "../../static/js/model.js";
import { inkOf, stringPen } from "../../static/js/pen.js";
import { lost } from "./told.js";

const idle = (letter) => ({ letter, status: "ready", op: 1, sql: "x", why: null });
const step = (rows, pending = null) => ({ t: 0, rows, pending, holds: {}, offers: [idle("A"), idle("B")] });
const run = (columns, grants, ...steps) => ({ ...lost, grants, violations: [], events: [], watch: { title: "rows", columns }, steps });

/** A handoff that B opens again and closes with another result, and that A removes. */
const cleared = run(["id", "status", "result"], "BBA",
  step([[1, "open", ""], [2, "done", "keys rotated"]]),
  step([[1, "open", ""], [2, "open", null]]),
  step([[1, "open", ""], [2, "done", "keys\nleaked"]]),
  step([[1, "open", ""]]));

/** Each row of the database as it is drawn: struck or not, its mark, its values. */
function drawn(model, grant) {
  const view = { model, run: model.run, step: model.last, daggers: false };
  const html = inkOf(table(stringPen, view)).split("go to ").slice(1)[grant];
  return html.split(/<tr/).filter((row) => row.includes('class="db')).map((row) => row.split(/<td class="db/).slice(1).map((cell) =>
    (/mark w(\w)( hollow)?/.exec(cell) ?? ["", ""])[1] + (/hollow/.test(cell) ? "°" : "") + (/<del>/.test(cell) ? "~" : "") + cell.replace(/^[^>]*>/, "").replace(/<span class="(label|unseen)">.*?<\/span>/g, "").replace(/<[^>]*>/g, "").trim()));
}

test("several rows are a grid: every value stands beside its own row", () => {
  const model = arrange(cleared);
  assert.ok(model.many);
  assert.deepEqual(drawn(model, 0), [["1", "open", "–"], ["2", "done", "keys rotated"]]);
  assert.deepEqual(drawn(model, 1), [["1", "open", "–"], ["B2", "open", "–"]]);
  assert.deepEqual(drawn(model, 2), [["1", "open", "–"], ["B2", "done", "keys / leaked"]]);
});

test("a removed row is struck through whole and keeps its mark", () => {
  assert.deepEqual(drawn(arrange(cleared), 3), [["1", "open", "–"], ["B~2", "~done", "~keys / leaked"]]);
  assert.ok(arrange(cleared).struck);
});

test("each value of a row has its column's name, for whom there are no columns", () => {
  const html = inkOf(table(stringPen, { model: arrange(cleared), run: cleared, step: 3, daggers: false }));
  assert.match(html, /<span class="label">status <\/span><span class="line whole"><del>done<\/del>/);
  assert.match(html, /<th scope="col" class="db">id<\/th>/);
  assert.match(html, /rowspan="2"/);
});

test("a grant that changes nothing is one dot, and no rows are the word none", () => {
  const still = run(["id", "at"], "AB", step([]), step([]), step([[1, "x"]]));
  const model = arrange(still);
  assert.deepEqual(changedRows(model.rows[0].records), [{ words: "none" }]);
  assert.deepEqual(changedRows(model.rows[1].records), [null]);
  assert.deepEqual(drawn(model, 2), [["B1", "x"]]);
});

test("of many rows only the news are listed, and the rest is counted", () => {
  const rows = Array.from({ length: 12 }, (_, place) => [place, "x"]);
  const model = arrange(run(["id", "what"], "A", step(rows), step([...rows.slice(0, 11), [11, "y"]])));
  assert.deepEqual(changedRows(model.rows[1].records).map((each) => each.words ?? each.values), [{ words: "11 rows as before" }.words, ["11", "y"]]);
});

test("a row in an open transaction is hollow, and its COMMIT fills it", () => {
  const model = arrange(run(["id", "what"], "ABA", step([[1, "x"]]), step([[1, "x"]], { writer: "A", rows: [[1, "x"], [2, "y"]] }), step([[1, "x"]], { writer: "A", rows: [[1, "x"], [2, "y"]] }), step([[1, "x"], [2, "y"]])));
  assert.deepEqual(drawn(model, 1), [["1", "x"], ["A°2", "y"]]);
  assert.deepEqual(model.rows[2].records, null);
  assert.deepEqual(drawn(model, 3), [["1", "x"], ["A2", "y"]]);
  assert.ok(model.hollow);
});

test("every changed column carries the mark, hollow until it is committed", () => {
  const model = arrange(run(["owner", "receipts"], "BB", step([["agent", "none"]]), step([["agent", "none"]], { writer: "B", rows: [["agent", "crew"]] }), step([["agent", "crew"]])));
  assert.deepEqual(drawn(model, 1)[0].slice(1), ["B°crew"]);
  assert.deepEqual(drawn(model, 2)[0].slice(1), ["Bcrew"]);
  assert.ok(model.hollow);
});

test("what an earlier transaction of the same writer committed is not hollow again", () => {
  const model = arrange(run(["body"], "AA", step([["x"]]), step([["x\na"]]), step([["x\na"]], { writer: "A", rows: [["x\na\nb"]] })));
  assert.deepEqual(model.rows[2].cells[0].lines.map(({ text, pending }) => [text, pending]), [["x", false], ["a", false], ["b", true]]);
});

test("what a ROLLBACK puts back belongs to whom it belonged", () => {
  const model = arrange(run(["body"], "ABB", step([["x"]]), step([["x\na"]]), step([["x\na"]], { writer: "B", rows: [["x"]] }), step([["x\na"]])));
  assert.deepEqual(model.rows[3].cells[0].lines.map(({ text, owner, pending }) => [text, owner, pending]), [["x", null, false], ["a", "A", false]]);
});

test("a timestamp is never broken over two lines", () => {
  const said = unbroken(stringPen, "it is stamped 2026-07-10T15:30:00Z and filed under 2026-07-11.");
  assert.deepEqual(said.map((each) => each.text ?? each), ["it is stamped ", '<span class="whole">2026-07-10T15:30:00Z</span>', " and filed under ", '<span class="whole">2026-07-11</span>', "."]);
});
