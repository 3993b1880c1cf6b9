// What the events of one grant come to, writer by writer, as short lines: the act, its
// outcome, an implicit BEGIN, a wait, a crash, an answer. The table prints them and the live
// region reads them, so they are made once, here. What would be wrong here: a tag, or a
// colour, or a sentence about the whole run.

import { duration } from "./time.js";

const quiet = (text) => ({ kind: "quiet", text });

/** The lines of `letter` in this row: {kind, text} or {kind: "code", text, title}. */
export function eventLines(row, letter) {
  return row.events.filter((event) => event.writer === letter).flatMap((event) => (LINES[event.kind] ?? nothing)(event, row));
}

const nothing = () => [];

const LINES = {
  start: () => [quiet("starts")],
  operation: (event) => [{ kind: "code", text: event.sql ? shorten(event.sql, event.params) : called(event), title: event.sql || event.call }, { kind: "out", text: outcome(event) }],
  implicit: (event) => [quiet(`${event.sql}, implicit`)],
  wait: (event) => [{ kind: "wait", text: waitWords(event) }],
  looks: ({ name, found }) => [quiet(`looks for ${name}: ${found ? "there" : "not there"}`)],
  shows: ({ name }) => [quiet(`shows as ${name}`)],
  told: (event) => [{ kind: "told", text: `told ${toldWords(event.told)}` }],
  failed: (event) => [{ kind: "out", text: `gave up: ${event.error}` }],
  crash: (event, row) => [{ kind: "crash", text: crashWords(event, row) }],
};

/** A call without a statement; how long a sleep is, is told. */
const called = ({ call, params }) => (call === "sleep" && params?.length ? `sleep ${duration(params[0] * 1000)}` : shorten(call, params));

const reads = ({ lock }) => lock === "EXCLUSIVE" || lock === "SNAPSHOT";
const who = (event, nameOf = (letter) => letter) => [...event.holders].map(nameOf).join(" and ");

/** What a writer waits for; a reader keeps others from EXCLUSIVE without having it. */
export function waitWords(event, nameOf) {
  if (!event.lock) return "waits for its own connection";
  return reads(event) ? `waits for ${event.lock}, while ${who(event, nameOf)} still reads` : `waits for ${event.lock}, held by ${who(event, nameOf)}`;
}

/** Why SQLite said BUSY: who had the lock, or that a snapshot is too old to write on. */
function barredWords(event) {
  if (!event.lock) return event.error;
  if (!event.holders) return `${event.error}: its snapshot is old`;
  return reads(event) ? `${event.error}: ${who(event)} still reads` : `${event.error}: ${event.lock} is held by ${who(event)}`;
}

/** An answer, in quotes where it is text: a writer may return anything. */
export const toldWords = (told) => (typeof told === "string" ? `“${told}”` : told === null ? "nothing" : spaced(JSON.stringify(told)));

/** JSON that may be broken between its parts, and not inside one. */
const spaced = (json) => json.replace(/"(?:[^"\\]|\\.)*"|[,:]/g, (part) => (part.length === 1 ? `${part} ` : part));

/** A crash in words: before which statement, after the last, or with its process. */
export function crashWords(event, row) {
  if (row.letter !== event.writer) return "killed with its process";
  const sql = row.targets[event.writer];
  return event.place === "before" && sql ? `killed before its ${verb(sql)}` : "killed after its last statement";
}

export const verb = (sql) => sql.trim().split(/\s/, 1)[0].toUpperCase();

/** Time's own row: how much passes, and what the clock says then, or how long it has been. */
export function timeWords({ passed, t, at }) {
  const long = duration(passed);
  return `${long} ${/^1 \w+$/.test(long) ? "passes" : "pass"}${at ? `: ${at}` : `, to ${duration(t)}`}`;
}
/** A scenario may set the clock. */
export const clockWords = ({ set_by: by }) => `the clock is set ${by < 0 ? "back" : "forward"} by ${duration(Math.abs(by) * 1000)}`;

/** Why nobody can go: who waits for whom, none of them with an end. */
export function deadlockWords(events, nameOf) {
  const waits = events.map((event) => `${nameOf(event.writer)} ${waitWords(event, nameOf)}`);
  return `${waits.join("; ")}. No timeout will end this.`;
}

/** A statement with its values filled in and what is not worth a lane's width left out. */
export function shorten(sql, params = []) {
  const text = fill(sql.replace(/\s+/g, " ").replace(/\(SELECT [^()]*\)/g, "(…)").trim(), params);
  const update = /^UPDATE (\w+) SET .*?( WHERE .*)?$/i.exec(text);
  if (update) {
    const guard = /version = \S+/i.exec(update[2] ?? "");
    return guard ? `UPDATE … WHERE ${guard[0]}` : "UPDATE …";
  }
  const select = /^SELECT (.+?) FROM .*$/i.exec(text);
  if (select) return `SELECT ${columnsOf(select[1])}`;
  const insert = /^INSERT (?:OR \w+ )?INTO (\w+)/i.exec(text);
  if (insert) return `INSERT INTO ${insert[1]} …`;
  return text.length > 44 ? `${text.slice(0, 43)}…` : text;
}

/** As many columns as a lane has room for. */
function columnsOf(text) {
  if (text.length <= 34) return text;
  const cut = text.slice(0, 32).lastIndexOf(", ");
  return `${cut > 0 ? text.slice(0, cut) : text.slice(0, 32)}, …`;
}

function fill(sql, params) {
  const values = Array.isArray(params) ? [...params] : [];
  return sql.replace(/\?/g, () => (values.length ? literal(values.shift()) : "?"));
}

const literal = (value) => (typeof value === "string" ? `'${value.replaceAll("\n", " / ")}'` : cellText(value));

/** A statement's outcome in a few words. */
export function outcome(event) {
  if (event.error) return /^injected /.test(event.message ?? "") || event.error === "CancelledError" ? `${event.error}, injected` : barredWords(event);
  if (event.rows?.length) return event.rows.map((row) => row.map(cellText).join(", ")).join("; ");
  if (event.rowcount >= 0) return event.rowcount === 1 ? "1 row" : `${event.rowcount} rows`;
  return "ok";
}

export const cellText = (value) => {
  if (value === null) return "NULL";
  return typeof value === "object" ? JSON.stringify(value) : String(value).replaceAll("\n", " / ");
};

/** A row in one sentence, for the slider and the live region. */
export function describe(model, row) {
  const named = model.lanes.map((lane) => [lane.letter, lane.name, eventLines(row, lane.letter).map((each) => each.text)]).filter(([, , lines]) => lines.length);
  const [mine, others] = [named.filter(([letter]) => letter === row.letter), named.filter(([letter]) => letter !== row.letter)];
  const parts = [
    ...row.clock.map(clockWords),
    ...(row.letter === "t" ? [timeWords(row)] : []),
    ...mine.map(([, name, lines]) => said(name, lines)),
    ...others.map(([, name, lines]) => said(name, lines)),
  ];
  return parts.join("; ").replace(/[“”]/g, "");
}

const said = (name, lines) => (/^(killed|gave up|waits|starts|shows)/.test(lines[0]) ? `${name} ${lines.join(", ")}` : [name, ...lines].join(", "));
