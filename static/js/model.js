// Arrange, then draw: run/1 becomes lanes, rows and cells here, and everything that is
// drawn (table, scrubber, lattice, headline) is given these and nothing else. It touches
// no DOM, so `node --test` can hold it to the letter. What would be wrong here: a colour,
// a tag, or a word that only one scenario understands.

import { compare, linesOf, staged, standing } from "./difference.js";
import { once } from "./once.js";
import { firstRecords, follow, remaining } from "./records.js";
import { Row } from "./rows.js";
import { besides } from "./sorting.js";
import { instant, zoneOf } from "./time.js";

/** Everything about a run that does not depend on the step; `start` is the instant of its t = 0. */
export function arrange(run, start = null) {
  const work = arranging(run, start);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** The same, to be gone on with after every grant: ten thousand of them are no one moment's work. */
export function* arranging(run, start = null) {
  const lanes = run.writers.map((writer) => ({ ...writer, told: run.told[writer.name] ?? null, ended: run.ended[writer.name] })).sort((a, b) => besides(a.letter, b.letter));
  const many = run.steps.some((step) => step.rows.length !== 1 || (step.pending ?? step).rows.length !== 1);
  const watch = many ? records(run) : columns(run);
  const about = { run, lanes, events: byGrant(run.events), violations: byGrant(run.violations), clock: wallClock(run, start) };
  const rows = [];
  const seen = { struck: false, hollow: false };
  for (let grant = 0; grant < run.steps.length; grant += 1) {
    const watched = watch(grant);
    look(seen, watched);
    rows.push(new Row(about, grant, watched));
    yield;
  }
  return { run, lanes, rows, many, columns: run.watch.columns, title: run.watch.title, last: run.steps.length - 1, ...seen };
}

/** Events, violations or losses by the grant that they came with, in its order. */
export function byGrant(things) {
  const groups = new Map();
  for (const thing of things) {
    if (groups.has(thing.grant)) groups.get(thing.grant).push(thing);
    else groups.set(thing.grant, [thing]);
  }
  return groups;
}

/** Whether anything is struck or hollow, for the legend. */
function look(seen, { cells, records: several }) {
  seen.struck ||= (several ?? cells[0]?.lines ?? []).some((line) => line.change === "removed");
  seen.hollow ||= (several ?? cells.flatMap((cell) => cell.lines)).some((line) => line.pending);
}

/** What a clock on the wall says beside a grant, in words; somebody may have set it by then. */
function wallClock(run, start) {
  const set = run.events.filter((event) => event.kind === "clock");
  const zone = zoneOf(run.recipe);
  return (t, grant) => (start === null ? "" : instant(start, start + t + set.reduce((sum, event) => sum + (event.grant <= grant ? event.set_by * 1000 : 0), 0), zone));
}

/** The rows as one sees them: an open transaction's own rows where there is one. */
function visible(run, grant) {
  const { rows, pending } = run.steps[grant];
  return { rows: pending ? pending.rows : rows, writer: pending?.writer ?? null };
}

/** Whether a grant left all as it was, whoever looks. */
const alike = (before, now) => before.writer === now.writer && before.rows.length === now.rows.length && before.rows.every((row, place) => row.every((value, column) => value === now.rows[place][column]));

/** One row of the database: for each grant its columns, each changed or not, lines with owners.
 * Grants are to be asked for in order; a grant that changes nothing has the cells of the last
 * one that did not either. */
function columns(run) {
  let before = visible(run, 0);
  let lines = run.watch.columns.map((_, column) => linesOf(run.steps[0].rows.map((row) => row[column])).map((text) => ({ text, owner: null })));
  let base = lines;
  let calm = null;
  return (grant) => {
    const now = visible(run, grant);
    const still = grant > 0 && alike(before, now);
    if (still && calm) return calm;
    const cells = run.watch.columns.map((name, column) => {
      const shown = compare(lines[column], linesOf(now.rows.map((row) => row[column])), now.writer ?? run.grants[grant - 1]);
      const told = staged(shown, before, now, base[column]);
      return { name, changed: grant === 0 || told.some((line) => line.change !== "kept" || line.settled), lines: told };
    });
    lines = cells.map((cell) => standing(cell.lines));
    if (now.writer === null) base = lines;
    before = now;
    const watched = { cells, records: null };
    calm = still ? watched : null;
    return watched;
  };
}

const NO_NEWS = { cells: [], records: null };

/** Several rows, or none: for each grant all of them, or nothing where none has changed. */
function records(run) {
  let before = visible(run, 0);
  let lines = firstRecords(run.steps[0].rows);
  let base = lines;
  return (grant) => {
    if (grant === 0) return { cells: [], records: lines };
    const now = visible(run, grant);
    if (alike(before, now)) return NO_NEWS;
    const told = staged(follow(lines, now.rows, now.writer ?? run.grants[grant - 1]), before, now, base);
    lines = remaining(told);
    if (now.writer === null) base = lines;
    before = now;
    return told.some((each) => each.fresh || each.settled) ? { cells: [], records: told } : NO_NEWS;
  };
}

/** Lines of writers who were told success that are gone for good: where, whose, by whom. */
export const losses = once(({ run, rows, lanes }) => {
  const trusting = new Set(lanes.filter((lane) => lane.told === "success").map((lane) => lane.letter));
  const final = new Set(run.steps.at(-1).rows.flat().flatMap((value) => linesOf([value])));
  return rows.flatMap((row) => (row.cells[0]?.lines ?? [])
    .filter((line) => line.change === "removed" && trusting.has(line.owner) && !line.pending && !final.has(line.text))
    .map((line) => ({ grant: row.grant, owner: line.owner, text: line.text, by: line.by })));
});

/** How many operations each writer did in this run, crashes not counted. */
export const operations = once((run) => {
  const most = Object.fromEntries(run.writers.map(({ letter }) => [letter, 0]));
  for (const event of run.events) {
    if (event.kind === "operation") most[event.writer] = Math.max(most[event.writer], event.op);
  }
  return most;
});

/** The grant of the first violation after `step`, or the first of all, or null. */
export function nextViolation(run, step) {
  const grants = run.violations.map((each) => each.grant).sort((a, b) => a - b);
  return grants.find((grant) => grant > step) ?? grants[0] ?? null;
}

/** The next (or previous) grant of the writer who has the current one. */
export function sameWriter(run, step, direction) {
  const letter = run.grants[Math.max(step, 1) - 1];
  for (let grant = step + direction; grant >= 1 && grant < run.steps.length; grant += direction) {
    if (run.grants[grant - 1] === letter) return grant;
  }
  return step;
}
