// The hours of a day, as a run filed them: each event carries the day it was filed under and the
// timestamp that the schema gave it. Where the two name different days, the hour is wrong; that
// is looked up in the rows at the run's end, and no time zone is worked out here.

const STAMP = /^(\d{4}-\d\d-\d\d)T(\d\d):/;

/** Run → 24 hours of UTC, each {hour, filed, day, wrong}, or null where the run logged none. */
export function hoursOf(run) {
  const [what, day, at] = ["event", "day", "at"].map((name) => run.watch.columns.indexOf(name));
  const hours = new Array(24).fill(null);
  for (const row of run.steps.at(-1).rows ?? []) {
    const stamp = STAMP.exec(row[at]);
    if (stamp && row[what] !== "the export") hours[Number(stamp[2])] = { hour: Number(stamp[2]), filed: row[day], day: stamp[1], wrong: row[day] !== stamp[1] };
  }
  return hours.some(Boolean) ? hours : null;
}

/** The export of a run: how its day is called, when it was made, and how many events it left out. */
export function exportOf(run) {
  const [what, day, at] = ["event", "day", "at"].map((name) => run.watch.columns.indexOf(name));
  const made = (run.steps.at(-1).rows ?? []).find((row) => row[what] === "the export");
  if (!made) return null;
  const left = run.violations.filter((each) => each.invariant === "an export leaves nothing out");
  return { headed: made[day], at: made[at], left: left.length };
}

/** Wrong hours as spans of UTC: [[15, 24]] is 15:00 to midnight. */
export function spansOf(hours) {
  const spans = [];
  hours.forEach((each, hour) => {
    if (!each?.wrong) return;
    if (spans.at(-1)?.[1] === hour) spans.at(-1)[1] = hour + 1;
    else spans.push([hour, hour + 1]);
  });
  return spans;
}
