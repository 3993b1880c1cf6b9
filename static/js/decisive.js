// The few grants of a run that tell it: the one that broke a promise, and what led to it.
// A preview has room for four, and whoever meets it in a chat reads no more. Pure, and a
// choice among what happened; the picture names nothing that the run does not hold. What would
// be wrong here: a scenario's name.

import { losses } from "./model.js";

const MOST_LETTERS = 3;
const MOST_COLUMNS = 3;

/** Grants in order of weight, the telling one first; whoever has room for fewer takes the first. */
export function decisive(model) {
  const { rows, last } = model;
  const at = tellingGrant(model);
  const before = (found) => rows.slice(1, at).findLast(found)?.grant;
  const telling = rows[at];
  const struck = struckIn(telling);
  const wanted = [
    at,
    before((row) => row.events.some((event) => event.kind === "crash")),
    before((row) => row.events.some((event) => event.error)),
    before((row) => linesOf(row).some((line) => line.change === "added" && struck.includes(line.text))),
    struck.length ? before((row) => row.letter === telling.letter && acts(row)) : null,
    before((row) => row.letter !== telling.letter && row.letter !== "t" && changes(row)),
    before((row) => row.letter !== telling.letter && acts(row)),
    before((row) => row.letter === telling.letter && acts(row)),
    before((row) => row.letter === "t"),
    ...rows.slice(1, at).reverse().filter((row) => changes(row) || acts(row)).map((row) => row.grant),
  ];
  const grants = [...new Set(wanted.filter(Boolean))];
  return grants.length ? grants : [last];
}

/** Where something was lost, or a promise broke; else where somebody was turned away or gave up;
 * else the end. */
function tellingGrant(model) {
  const { rows, last, run } = model;
  const lost = run.violations.length ? losses(model)[0] : null;
  if (lost) return lost.grant;
  const found = rows.find((row) => row.violations.length || row.deadlock.length) ?? rows.findLast((row) => row.events.some(turnedAway)) ?? rows.findLast((row) => acts(row) || changes(row));
  return Math.max(1, found?.grant ?? last);
}

const turnedAway = ({ kind, told }) => kind === "failed" || (kind === "told" && typeof told === "string" && /^(conflict|refused)/.test(told));
const changes = (row) => Boolean(row.records?.some((each) => each.fresh)) || row.cells.some((cell) => cell.changed);
const acts = (row) => row.events.some((event) => event.kind === "operation" && event.sql && event.writer === row.letter);
const linesOf = (row) => [...(row.records ?? []), ...row.cells.flatMap((cell) => cell.lines)];
const struckIn = (row) => linesOf(row).filter((line) => line.change === "removed" && line.owner).map((line) => line.text);

/** Who goes in those grants, or dies there: the lanes worth a column, at most three. */
export function lettersIn(model, grants) {
  const went = grants.map((grant) => model.rows[grant].letter);
  const died = grants.flatMap((grant) => model.rows[grant].events.filter((event) => event.kind === "crash").map((event) => event.writer));
  const all = model.lanes.map((lane) => lane.letter);
  const found = [...new Set([...went, ...died])].filter((letter) => all.includes(letter));
  return (found.length ? found : all).slice(0, MOST_LETTERS);
}

/** Which columns of the database change there; the first one of a row says which row it is. */
export function columnsIn(model, grants) {
  const all = model.columns.map((_, place) => place);
  const changed = all.filter((place) => grants.some((grant) => model.rows[grant].records?.some((each) => each.fresh && each.changed?.[place]) || (grant > 0 && model.rows[grant].cells[place]?.changed)));
  const wanted = model.many ? [0, ...changed, ...all] : changed.length ? changed : [0];
  return [...new Set(wanted)].slice(0, MOST_COLUMNS).sort((a, b) => a - b);
}
