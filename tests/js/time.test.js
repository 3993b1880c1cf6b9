import assert from "node:assert/strict";
import { test } from "node:test";
import { timeWords } from "../../static/js/lines.js";
import { arrange } from "../../static/js/model.js";
import { duration, instant, zoneOf } from "../../static/js/time.js";
import { eventful } from "./more.js";

const NINE = Date.UTC(2026, 6, 10, 9);

test("a length of time is said in hours, minutes and seconds", () => {
  assert.deepEqual([0, 250, 5000, 60_000, 23_400_000, 90_061_001].map(duration), ["0 s", "0.25 s", "5 s", "1 min", "6 h 30 min", "25 h 1 min 1.001 s"]);
});

test("an instant is a time of day, and in another zone also the one there", () => {
  const late = NINE + 6.5 * 3_600_000;
  assert.equal(instant(NINE, late, "UTC"), "15:30 UTC");
  assert.equal(instant(NINE, late, "+09:00"), "15:30 UTC, 00:30 the next day at +09:00");
  assert.equal(instant(NINE, NINE + 5000, "-10:00"), "09:00:05 UTC, 23:00:05 the day before at -10:00");
  assert.equal(instant(NINE, NINE + 15 * 3_600_000, "Asia/Tokyo"), "2026-07-11 00:00 UTC", "a name is for the core to know");
  assert.equal(zoneOf("seams?seam=local&tz=%2B09:00&grants=A"), "+09:00");
  assert.equal(zoneOf("seams"), "UTC");
});

test("time that passes is a length and a time of day, or a length since the start", () => {
  assert.equal(timeWords({ passed: 23_400_000, t: 23_400_000, at: "15:30 UTC" }), "6 h 30 min pass: 15:30 UTC");
  assert.equal(timeWords({ passed: 3_600_000, t: 7_200_000, at: "" }), "1 h passes, to 2 h");
});

test("a clock that somebody set is set from then on", () => {
  assert.deepEqual(arrange(eventful, NINE).rows.map((row) => row.at), ["09:00 UTC", "09:00:01 UTC", "08:00:02 UTC", "08:00:03 UTC", "08:00:04 UTC"]);
});
