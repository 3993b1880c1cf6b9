// Arrange, then draw: run/1 becomes lanes, rows and cells here, and everything that is
// drawn (table, scrubber, lattice, headline) is given these and nothing else. It touches
// no DOM, so `node --test` can hold it to the letter. What would be wrong here: a colour,
// a tag, or a word that only one scenario understands.

import { compare, linesOf, staged, standing } from "./difference.js";
import { firstRecords, follow, remaining } from "./records.js";
import { instant, zoneOf } from "./time.js";

/** Everything about a run that does not depend on the step; `start` is the instant of its t = 0. */
export function arrange(run, start = null) {
  const lanes = run.writers.map((writer) => ({ ...writer, told: run.told[writer.name] ?? null, ended: run.ended[writer.name] })).sort(besides);
  const many = run.steps.some((step) => step.rows.length !== 1 || (step.pending ?? step).rows.length !== 1);
  const watch = many ? records(run) : columns(run);
  const byGrant = group(run.events);
  const clock = wallClock(run, start);
  const rows = run.steps.map((step, grant) => ({
    grant,
    letter: run.grants[grant - 1] ?? null,
    t: step.t,
    passed: step.t - (run.steps[grant - 1]?.t ?? 0),
    at: clock(step.t, grant),
    ...happening(run, byGrant.get(grant) ?? [], grant),
    lanes: lanes.map((lane) => laneState(run, lane.letter, grant)),
    holds: newHolds(run, grant),
    ...watch[grant],
  }));
  const struck = rows.flatMap((row) => row.records ?? row.cells.slice(0, 1).flatMap((cell) => cell.lines));
  const all = rows.flatMap((row) => row.records ?? row.cells.flatMap((cell) => cell.lines));
  return {
    run,
    lanes,
    rows,
    many,
    columns: run.watch.columns,
    title: run.watch.title,
    last: run.steps.length - 1,
    struck: struck.some((line) => line.change === "removed"),
    hollow: all.some((line) => line.pending),
  };
}

/** A recovery stands right of the one that it came back for. */
const besides = (a, b) => a.letter.toUpperCase().localeCompare(b.letter.toUpperCase()) || (a.letter < b.letter ? -1 : 1);

function group(events) {
  const groups = new Map();
  for (const event of events) groups.set(event.grant, [...(groups.get(event.grant) ?? []), event]);
  return groups;
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

/** One row of the database: for each grant its columns, each changed or not, lines with owners. */
function columns(run) {
  let lines = run.watch.columns.map((_, column) => linesOf(run.steps[0].rows.map((row) => row[column])).map((text) => ({ text, owner: null })));
  let base = lines;
  return run.steps.map((_, grant) => {
    const [before, now] = [visible(run, Math.max(grant - 1, 0)), visible(run, grant)];
    const cells = run.watch.columns.map((name, column) => {
      const shown = compare(lines[column], linesOf(now.rows.map((row) => row[column])), now.writer ?? run.grants[grant - 1]);
      const told = staged(shown, before, now, base[column]);
      return { name, changed: grant === 0 || told.some((line) => line.change !== "kept" || line.settled), lines: told };
    });
    lines = cells.map((cell) => standing(cell.lines));
    if (now.writer === null) base = lines;
    return { cells, records: null };
  });
}

/** Several rows, or none: for each grant all of them, or nothing where none has changed. */
function records(run) {
  let lines = firstRecords(run.steps[0].rows);
  let base = lines;
  return run.steps.map((_, grant) => {
    if (grant === 0) return { cells: [], records: lines };
    const [before, now] = [visible(run, grant - 1), visible(run, grant)];
    const told = staged(follow(lines, now.rows, now.writer ?? run.grants[grant - 1]), before, now, base);
    lines = remaining(told);
    if (now.writer === null) base = lines;
    return { cells: [], records: told.some((each) => each.fresh || each.settled) ? told : null };
  });
}

/** What a grant's row needs of its events: all of them, what was targeted, what broke. */
function happening(run, events, grant) {
  return {
    events,
    clock: events.filter((event) => event.kind === "clock"),
    deadlock: events.filter((event) => event.kind === "deadlock"),
    targets: Object.fromEntries((run.steps[grant - 1]?.offers ?? []).map((offer) => [offer.letter, offer.sql])),
    violations: run.violations.filter((each) => each.grant === grant),
  };
}

/** How a writer's lane is drawn beside a grant: not begun, open, holding, waiting or over. */
export function laneState(run, letter, grant) {
  const offer = offerOf(run, letter, grant);
  if (!offer) return "none";
  if (run.steps[grant].holds[letter]) return "holds";
  if (offer?.status === "waiting") return "waits";
  if (offer && offer.status !== "ready") {
    const before = grant > 0 ? offerOf(run, letter, grant - 1)?.status : "ready";
    return before === "ready" || before === "waiting" ? `ends ${offer.status}` : "over";
  }
  return "open";
}

export const offerOf = (run, letter, grant) => run.steps[grant].offers.find((offer) => offer.letter === letter);

function newHolds(run, grant) {
  const before = run.steps[grant - 1]?.holds ?? {};
  return Object.entries(run.steps[grant].holds).filter(([letter, lock]) => before[letter] !== lock).map(([letter, lock]) => ({ letter, lock }));
}

/** Lines of writers who were told success that are gone for good: where, whose, by whom. */
export function losses({ run, rows, lanes }) {
  const trusting = new Set(lanes.filter((lane) => lane.told === "success").map((lane) => lane.letter));
  const final = new Set(run.steps.at(-1).rows.flat().flatMap((value) => linesOf([value])));
  return rows.flatMap((row) => row.cells.flatMap((cell) => cell.lines
    .filter((line) => line.change === "removed" && trusting.has(line.owner) && !line.pending && !final.has(line.text) && cell === row.cells[0])
    .map((line) => ({ grant: row.grant, owner: line.owner, text: line.text, by: line.by }))));
}

/** How many operations each writer did in this run, crashes not counted. */
export function operations(run) {
  const most = Object.fromEntries(run.writers.map(({ letter }) => [letter, 0]));
  for (const event of run.events) {
    if (event.kind === "operation") most[event.writer] = Math.max(most[event.writer], event.op);
  }
  return most;
}

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
