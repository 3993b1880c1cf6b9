import assert from "node:assert/strict";
import { test } from "node:test";
import { compare } from "../../static/js/difference.js";
import { crashWords, outcome, shorten } from "../../static/js/lines.js";
import { arrange, losses, nextViolation, sameWriter } from "../../static/js/model.js";
import { eventful, recovered } from "./more.js";
import { lost, waiting } from "./told.js";

const body = (row) => row.cells[0].lines.map(({ text, owner, change, pending }) => [change, owner, text, ...(pending ? ["hollow"] : [])]);

test("the careful line is struck through in blind's row and keeps careful's mark", () => {
  const rows = arrange(lost).rows;
  assert.deepEqual(body(rows[0]), [["kept", null, "draft"]]);
  assert.deepEqual(body(rows[3]), [["kept", null, "draft"], ["added", "A", "careful’s line"]]);
  assert.deepEqual(body(rows[4]), [["kept", null, "draft"], ["removed", "A", "careful’s line"], ["added", "B", "blind’s line"]]);
  assert.deepEqual(losses(arrange(lost)), [{ grant: 4, owner: "A", text: "careful’s line", by: "B" }]);
});

test("an unchanged cell says so, a changed one does not", () => {
  const rows = arrange(lost).rows;
  assert.deepEqual(rows.map((row) => row.cells.map((cell) => cell.changed)), [[true, true], [false, false], [false, false], [true, true], [true, true]]);
});

test("an uncommitted line is hollow until its COMMIT fills it", () => {
  const rows = arrange(waiting).rows;
  assert.deepEqual(body(rows[2]), [["kept", null, "draft"], ["added", "A", "careful’s line", "hollow"]]);
  assert.equal(rows[3].cells[0].changed, false);
  assert.deepEqual(body(rows[4]), [["kept", null, "draft"], ["kept", "A", "careful’s line"]]);
  assert.equal(rows[4].cells[0].changed, true);
});

test("a rolled back line is struck through and hollow", () => {
  const undone = { ...waiting, steps: [...waiting.steps.slice(0, 4), { ...waiting.steps[4], rows: waiting.steps[0].rows }] };
  assert.deepEqual(body(arrange(undone).rows[4]), [["kept", null, "draft"], ["removed", "A", "careful’s line", "hollow"]]);
});

test("a lane holds, waits, ends and is over", () => {
  assert.deepEqual(arrange(waiting).rows.map((row) => row.lanes.join(" | ")), ["open | open", "holds | waits", "holds | waits", "holds | waits", "ends finished | open"]);
  assert.deepEqual(arrange(lost).rows.map((row) => row.lanes[0]), ["open", "open", "open", "ends finished", "over"]);
});

test("a lock is named in the row that takes it", () => {
  assert.deepEqual(arrange(waiting).rows.map((row) => row.holds), [[], [{ letter: "A", lock: "RESERVED" }], [], [], []]);
});

test("a line that two writers wrote in the same words keeps its first owner", () => {
  const before = [{ text: "a", owner: "A" }, { text: "b", owner: "A" }];
  assert.deepEqual(compare(before, ["b", "c"], "B").map(({ text, owner, change }) => change + owner + text), ["removedAa", "keptAb", "addedBc"]);
  assert.deepEqual(compare([], [], "B"), []);
});

test("statements are shortened to what a lane has room for, values filled in", () => {
  assert.equal(shorten("UPDATE sections SET body = ?, version = version + 1 WHERE name = 'plan' AND version = ?", ["x", 1]), "UPDATE … WHERE version = 1");
  assert.equal(shorten("UPDATE s SET body = ?, version = version + 1 WHERE name = 'plan'", ["x"]), "UPDATE …");
  assert.equal(shorten("SELECT  body,\n version FROM sections WHERE name = 'plan'"), "SELECT body, version");
  assert.equal(shorten("INSERT OR IGNORE INTO receipts (a) VALUES (?)", [1]), "INSERT INTO receipts …");
  assert.equal(shorten("SELECT key, claimer, epoch, (SELECT now FROM clock) - at AS age FROM claims WHERE key GLOB ?", ["*"]), "SELECT key, claimer, epoch, …");
  assert.equal(shorten("SELECT a, (SELECT b FROM c) FROM d"), "SELECT a, (…)");
  assert.equal(shorten("COMMIT"), "COMMIT");
});

test("an outcome is the rows, the count, the error or ok", () => {
  assert.equal(outcome({ rows: [["draft\nx", null]], rowcount: -1 }), "draft / x, NULL");
  assert.equal(outcome({ rows: null, rowcount: 0 }), "0 rows");
  assert.equal(outcome({ rows: null, rowcount: -1 }), "ok");
  assert.equal(outcome({ rows: null, rowcount: -1, error: "SQLITE_BUSY" }), "SQLITE_BUSY");
});

test("a crash says before what, that nothing was left, or that it fell with its process", () => {
  const words = (event, letter, sql) => crashWords({ writer: "A", ...event }, { letter, targets: { A: sql } });
  assert.equal(words({ place: "before" }, "A", "UPDATE s SET a = 1"), "killed before its UPDATE");
  assert.equal(words({ place: "after" }, "A", null), "killed after its last statement");
  assert.equal(words({ place: "before" }, "B", "UPDATE s SET a = 1"), "killed with its process");
});

test("a recovery has a lane of its own, right of whom it replaces, that begins at the crash", () => {
  const model = arrange(recovered);
  assert.deepEqual(model.lanes.map((lane) => lane.letter), ["A", "a", "B"]);
  assert.deepEqual(model.rows.map((row) => row.lanes[1]), ["none", "none", "open", "open"]);
  assert.deepEqual(model.rows.map((row) => row.lanes[2]), ["open", "open", "ends crashed", "over"]);
});

test("a clock step and a deadlock belong to the row of their grant", () => {
  const rows = arrange(eventful).rows;
  assert.deepEqual(rows.map((row) => row.clock.length), [0, 0, 1, 0, 0]);
  assert.deepEqual(rows.map((row) => row.deadlock.length), [0, 0, 0, 0, 2]);
});

test("a model knows whether anything in it is struck or hollow, for the legend", () => {
  assert.deepEqual([lost, waiting, eventful].map((run) => [arrange(run).struck, arrange(run).hollow]), [[true, false], [false, true], [false, false]]);
});

test("walking by writer and to the next violation", () => {
  assert.equal(sameWriter(lost, 1, 1), 3);
  assert.equal(sameWriter(lost, 3, 1), 3);
  assert.equal(sameWriter(lost, 4, -1), 2);
  assert.equal(nextViolation(lost, 0), 4);
  assert.equal(nextViolation(lost, 4), 4);
  assert.equal(nextViolation(waiting, 0), null);
});
