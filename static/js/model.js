// Arrange, then draw: run/1 becomes lanes, rows and cells here, and everything that is
// drawn (table, scrubber, lattice, headline) is given these and nothing else. It touches
// no DOM, so `node --test` can hold it to the letter. What would be wrong here: a colour,
// a tag, or a word that only one scenario understands.

import { compare, linesOf, standing } from "./difference.js";

/** Everything about a run that does not depend on the step. */
export function arrange(run) {
  const lanes = run.writers.map((writer) => ({ ...writer, told: run.told[writer.name] ?? null, ended: run.ended[writer.name] }));
  const byGrant = group(run.events);
  const rows = [startRow(run)];
  let seen = visible(run, 0);
  let lines = rows[0].cells.map((cell) => standing(cell.lines));
  for (let grant = 1; grant < run.steps.length; grant += 1) {
    const letter = run.grants[grant - 1];
    const now = visible(run, grant);
    const cells = cellsOf(run, lines, seen, now, letter);
    lines = cells.map((cell) => standing(cell.lines));
    rows.push({
      grant,
      letter,
      t: run.steps[grant].t,
      ...happening(byGrant.get(grant) ?? [], letter),
      target: offerOf(run, letter, grant - 1)?.sql ?? null,
      lanes: lanes.map((lane) => laneState(run, lane.letter, grant)),
      holds: newHolds(run, grant),
      cells,
      violations: run.violations.filter((each) => each.grant === grant),
    });
    seen = now;
  }
  return { run, lanes, rows, columns: run.watch.columns, title: run.watch.title, last: run.steps.length - 1 };
}

function group(events) {
  const groups = new Map();
  for (const event of events) groups.set(event.grant, [...(groups.get(event.grant) ?? []), event]);
  return groups;
}

function startRow(run) {
  const cells = run.watch.columns.map((name, column) => ({
    name,
    changed: true,
    lines: linesOf(run.steps[0].rows.map((row) => row[column])).map((text) => ({ text, owner: null, change: "kept" })),
  }));
  return { grant: 0, letter: null, t: 0, lanes: run.writers.map((writer) => laneState(run, writer.letter, 0)), holds: [], cells, violations: [] };
}

/** The rows as one sees them: an open transaction's own rows where there is one. */
function visible(run, grant) {
  const { rows, pending } = run.steps[grant];
  return { rows: pending ? pending.rows : rows, writer: pending?.writer ?? null };
}

/** One cell a column: changed or not, and its lines with owners. */
function cellsOf(run, lines, before, now, letter) {
  return run.watch.columns.map((name, column) => {
    const wrote = now.writer ?? letter;
    const shown = compare(lines[column], linesOf(now.rows.map((row) => row[column])), wrote);
    const settled = before.writer !== null && now.writer === null;
    const changed = shown.some((line) => line.change !== "kept") || (settled && shown.some((line) => line.owner === before.writer));
    const hollow = (line) => now.writer !== null && line.owner === now.writer && line.change !== "removed";
    const undone = (line) => settled && line.change === "removed" && line.owner === before.writer;
    const filled = (line) => settled && line.change === "kept" && line.owner === before.writer;
    return { name, changed, lines: shown.map((line) => ({ ...line, pending: hollow(line) || undone(line), settled: filled(line) })) };
  });
}

/** What the events of one grant come to: the act, its outcome, what was told. */
function happening(events, letter) {
  const own = (kind) => events.find((event) => event.kind === kind && (event.writer === letter || letter === "t"));
  const act = own("operation") ?? own("crash") ?? own("wait") ?? own("advance") ?? null;
  const told = events.find((event) => event.kind === "told") ?? null;
  return { act, told: told?.told ?? null, failed: events.find((event) => event.kind === "failed") ?? null, wait: events.find((event) => event.kind === "wait") ?? null };
}

/** How a writer's lane is drawn beside a grant: open, holding, waiting or over. */
export function laneState(run, letter, grant) {
  const offer = offerOf(run, letter, grant);
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
  const before = run.steps[grant - 1].holds;
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

/** A statement with its values filled in and what is not worth a lane's width left out. */
export function shorten(sql, params = []) {
  const text = fill(sql.replace(/\s+/g, " ").trim(), params);
  const update = /^UPDATE (\w+) SET .*?( WHERE .*)?$/i.exec(text);
  if (update) {
    const guard = /version = \S+/i.exec(update[2] ?? "");
    return guard ? `UPDATE … WHERE ${guard[0]}` : "UPDATE …";
  }
  const select = /^SELECT (.+?) FROM .*$/i.exec(text);
  if (select) return `SELECT ${select[1]}`;
  const insert = /^INSERT (?:OR \w+ )?INTO (\w+)/i.exec(text);
  if (insert) return `INSERT INTO ${insert[1]} …`;
  return text.length > 44 ? `${text.slice(0, 43)}…` : text;
}

function fill(sql, params) {
  const values = Array.isArray(params) ? [...params] : [];
  return sql.replace(/\?/g, () => (values.length ? literal(values.shift()) : "?"));
}

const literal = (value) => (typeof value === "string" ? `'${value.replaceAll("\n", " / ")}'` : cellText(value));

/** A statement's outcome in a few words. */
export function outcome(event) {
  if (event.error) return event.error;
  if (event.rows?.length) return event.rows.map((row) => row.map(cellText).join(", ")).join("; ");
  if (event.rowcount >= 0) return event.rowcount === 1 ? "1 row" : `${event.rowcount} rows`;
  return "ok";
}

const cellText = (value) => (value === null ? "NULL" : String(value).replaceAll("\n", " / "));

/** A crash in words: before which statement, or after the last. */
export const crashWords = (row) => (row.target ? `killed before its ${verb(row.target)}` : "killed after its last statement");

export const verb = (sql) => sql.trim().split(/\s/, 1)[0].toUpperCase();
