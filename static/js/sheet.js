// A run laid out on paper of a fixed width: which grants, how wide each column, where every
// line breaks, how high each row. A browser does this for the table by itself; a picture that
// stands alone has to know. Letters of the one width that monospaced faces nearly share make
// it possible. What would be wrong here: a colour, a tag, or what an event means (lines.js).

import { changedRows } from "./draw/watch.js";
import { clockWords, deadlockWords, eventLines, timeWords } from "./lines.js";
import { EMPTY, remaining } from "./records.js";
import { wordFor } from "./story.js";
import { fit, length, longestWord, wrap } from "./wrapping.js";

export const LETTER = 0.602; // of a type's size: how wide a letter of it is
const PROSE = 0.5; // the same for letters of different widths, on the safe side
const LEADING = 1.48;
export const PADDING = 0.45; // of a line, above and below a row
const MARK = 2.4; // letters that a mark takes before a value
const LANE = 3; // letters that a lane's line takes before its texts
const GAP = 2.2; // letters between two columns
const NUMBER = 7; // letters that the number of a grant takes, with what lies behind it
const MOST = { lane: 34, db: 28 };
const LEAST = { lane: 10, db: 5 };
const LONG_WORD = { lane: 14, db: 20 }; // a longer one is broken rather than given its width
const MOST_LINES = 6; // of one text
const DULL = /^(ok|\d+ rows?|wal|delete)$/;
const SIZES = [15, 14, 13, 12, 11];

/** `letters` and `columns` leave out the others; `grants` are shown, and those between them are
 * named as left out. A `brief` sheet leaves them, and outcomes that are no news, out in silence. */
export function sheet(model, { width, sizes = SIZES, grants = model.rows.map((row) => row.grant), letters = null, columns = null, brief = false }) {
  const lanes = model.lanes.map((lane, place) => ({ ...lane, place })).filter((lane) => !letters || letters.includes(lane.letter));
  const names = model.columns.map((name, place) => ({ name, place })).filter((each) => !columns || columns.includes(each.place));
  const told = grants.map((grant, at) => tell(model, grant, at ? grants[at - 1] : null, lanes, names, brief));
  const plan = divide(told, lanes, names.length > 1 ? names : [{ ...names[0], name: model.title }], width, sizes);
  const rows = [];
  let y = 0;
  const add = (block) => {
    rows.push({ ...block, y });
    y += block.height;
  };
  const leftOut = (from, to, next) => from <= to && add({ kind: "gap", open: lanes.map(({ place }) => !["none", "over"].includes(model.rows[next]?.lanes[place])), text: brief ? "" : gapWords(from, to), height: plan.lead * (brief ? 0.5 : 1.7) });
  told.forEach((each, at) => {
    leftOut(at ? grants[at - 1] + 1 : 1, each.row.grant - 1, each.row.grant);
    for (const block of blocks(model, each, plan, width, brief)) add(block);
  });
  if (!brief) leftOut(grants.at(-1) + 1, model.last);
  return { ...plan, title: fit(model.title), rows: rows.map((row, at) => ({ ...row, last: at === rows.length - 1 })), height: y, width };
}

const gapWords = (from, to) => (from === to ? `grant ${from} is left out` : `grants ${from} to ${to} are left out`);

// What there is to say, before anybody knows where.

/** One grant: its texts lane by lane, and what the database then holds. */
function tell(model, grant, before, lanes, names, brief) {
  const row = model.rows[grant];
  const time = row.letter === "t" ? [timeWords(row), ...model.lanes.flatMap((lane) => eventLines(row, lane.letter).map((each) => `${lane.name} ${each.text}`))].join("; ") : null;
  return {
    row,
    time,
    lanes: lanes.map((lane) => ({ lane, state: row.lanes[lane.place], ...(time === null ? laneTexts(row, lane, brief) : { texts: [], mark: null }) })),
    records: model.many ? recordsOf(model, grant, before, names) : [{ cells: names.map(({ place }) => cellOf(model, grant, before, place)) }],
  };
}

function laneTexts(row, lane, brief) {
  const lines = eventLines(row, lane.letter).filter(({ kind, text }) => !brief || kind !== "out" || !DULL.test(text));
  const held = row.holds.find((each) => each.letter === lane.letter);
  const texts = [...lines.map(({ kind, text }) => ({ kind, text: kind === "crash" ? `† ${text}` : text })), ...(held ? [{ kind: "lock", text: `holds ${held.lock}` }] : [])];
  const acted = (row.letter === lane.letter && lines.length > 0) || lines.some((each) => each.kind === "crash");
  return { texts, mark: acted ? { hollow: lines.some((each) => each.kind === "wait") } : null };
}

/** Whether anything changed since the last grant that is shown, in rows that are not. */
const unseen = (model, grant, before) => model.rows.slice((before ?? grant) + 1, grant);

/** A value as lines; null where it is as it was. Only the first column shows what was removed. */
function cellOf(model, grant, before, place) {
  const cell = model.rows[grant].cells[place];
  if (!cell.changed && before !== null && !unseen(model, grant, before).some((row) => row.cells[place].changed)) return null;
  const shown = place === 0 ? cell.lines : cell.lines.filter((each) => each.change !== "removed");
  if (!shown.length) return [{ text: "none", soft: true }];
  return shown.map((each) => ({ text: each.text, mark: each.owner && { letter: each.owner, hollow: Boolean(each.pending) }, struck: each.change === "removed", soft: grant > 0 && each.change === "kept" && !each.settled && cell.changed }));
}

function recordsOf(model, grant, before, names) {
  const { records } = model.rows[grant];
  const missed = before === null || unseen(model, grant, before).some((row) => row.records);
  const shown = records ?? (missed ? standingBefore(model, grant) : null);
  return changedRows(shown).map((each) => {
    if (!each) return { words: "·" };
    if (each.words) return { words: each.words };
    const gone = each.change === "removed";
    return {
      cells: names.map(({ place }) => [{
        text: each.values[place] ?? EMPTY,
        mark: place === 0 && each.owner ? { letter: each.owner, hollow: Boolean(each.pending) } : null,
        berth: place === 0,
        struck: gone,
        soft: !gone && !(each.changed?.[place] || each.settled),
      }]),
    };
  });
}

/** The rows as the last grant that changed any of them left them. */
const standingBefore = (model, grant) => remaining(model.rows.slice(0, grant).findLast((row) => row.records)?.records ?? []);

// Where it stands.

/** The largest type in which all columns fit, and each column's place and width. */
function divide(told, lanes, names, width, sizes) {
  const wishes = [...lanes.map((lane, at) => laneWish(lane, told.map((each) => each.lanes[at]))), ...names.map(({ name }, at) => valueWish(name, told, at))];
  const fixed = NUMBER + GAP * (wishes.length - 1);
  const room = (size) => width / (size * LETTER) - fixed;
  const sum = (key) => wishes.reduce((all, wish) => all + wish[key], 0);
  const size = sizes.find((each) => sum("most") <= room(each)) ?? sizes.find((each) => sum("least") * 1.08 <= room(each)) ?? sizes.at(-1);
  const letter = size * LETTER;
  const widths = share(wishes, room(size)).map((each) => each * letter);
  let x = NUMBER * letter;
  const columns = wishes.map((wish, at) => {
    const column = { kind: wish.kind, x, width: widths[at], letters: widths[at] / letter + 0.01, lane: lanes[at] ?? null, name: wish.name };
    x += widths[at] + GAP * letter;
    return column;
  });
  return { size, letter, fits: sum("least") <= room(size), lead: size * LEADING, lanes: columns.filter((each) => each.kind === "lane"), values: columns.filter((each) => each.kind === "db"), number: (NUMBER - 2) * letter };
}

function laneWish(lane, told) {
  const texts = told.flatMap((each) => each.texts.map(({ text }) => fit(text)));
  const head = length(lane.name) + 2;
  return wish("lane", lane.name, [head, ...texts.map(length)], [head, ...texts.map(longestWord)], LANE);
}

function valueWish(name, told, at) {
  const lines = told.flatMap(({ records }) => records.flatMap((each) => each.cells?.[at] ?? []));
  const texts = lines.map(({ text }) => fit(text));
  return wish("db", fit(name), [length(name), ...texts.map(length)], [length(name), ...texts.map(longestWord)], lines.some((each) => each.mark || each.berth) ? MARK : 0);
}

function wish(kind, name, whole, words, before) {
  const least = Math.max(LEAST[kind], Math.min(LONG_WORD[kind], Math.max(...words)));
  return { kind, name, least: least + before, most: Math.max(least, Math.min(MOST[kind], Math.max(...whole))) + before };
}

/** Letters for each: what is left over goes to the lanes, what is missing is taken where most is. */
function share(wishes, room) {
  const over = room - wishes.reduce((sum, { most }) => sum + most, 0);
  if (over >= 0) {
    const lanes = wishes.filter((each) => each.kind === "lane").length;
    return wishes.map(({ kind, most }) => most + (kind === "lane" ? over / lanes : 0));
  }
  const slack = wishes.reduce((sum, { most, least }) => sum + most - least, 0);
  if (slack >= -over) return wishes.map(({ most, least }) => most + (over * (most - least)) / slack);
  const least = wishes.reduce((sum, each) => sum + each.least, 0);
  return wishes.map((each) => (each.least * room) / least);
}

/** A grant as blocks, each so high: a clock that is set, the grant, what broke, who waits for ever. */
function* blocks(model, each, plan, width, brief) {
  const { row } = each;
  const wide = Math.floor((width - NUMBER * plan.letter) / (plan.size * PROSE * 1.1)); // prose is set a little larger
  for (const event of row.clock) yield { kind: "clock", text: clockWords(event), height: plan.lead * 1.7 };
  yield grantBlock(each, plan, brief);
  if (brief) return; // whoever wants it brief says below what broke
  if (row.violations.length) yield lossBlock(row, plan, wide);
  if (row.deadlock.length) yield deadlockBlock(model, row, plan, wide);
}

function grantBlock({ row, time, lanes, records }, plan, brief) {
  const drawn = lanes.map(({ texts, ...more }, at) => ({ ...more, lines: texts.flatMap(({ kind, text }) => wrap(text, whole(plan.lanes[at].letters - LANE), brief && kind === "out" ? 1 : MOST_LINES).map((line) => ({ kind, text: line }))) }));
  const values = records.map((each) => valueLines(each, plan));
  const across = plan.values[0].x - plan.lanes[0].x;
  const timeLines = time === null ? null : wrap(time, Math.floor(across / plan.letter) - LANE, MOST_LINES);
  const lines = Math.max(1, timeLines?.length ?? 0, ...drawn.map((each) => each.lines.length), values.reduce((sum, each) => sum + each.high, 0));
  return { kind: "grant", grant: row.grant, letter: row.letter, time: timeLines, lanes: drawn, values, height: (lines + 2 * PADDING) * plan.lead };
}

const whole = (letters) => Math.max(1, Math.floor(letters));

/** One row of the database: its cells' lines, and how many lines high it is. */
function valueLines({ words, cells }, plan) {
  if (words) return { words, high: 1 };
  const broken = cells.map((lines, at) => lines && lines.flatMap((line) => {
    const indent = line.mark || line.berth ? MARK : 0;
    return wrap(line.text, whole(plan.values[at].letters - indent), MOST_LINES).map((text, place) => ({ ...line, text, indent: indent * plan.letter, mark: place ? null : line.mark }));
  }));
  return { cells: broken, high: Math.max(1, ...broken.map((lines) => lines?.length ?? 1)) };
}

/** What broke: each promise, and behind it, or under it where it is long, what became of it. */
function lossBlock(row, plan, wide) {
  const words = [...new Set(row.violations.map((each) => wordFor(each.invariant)))].join(", ");
  const different = new Map(row.violations.map((each) => [`${each.invariant}\n${each.detail}`, each]));
  const lines = [...different.values()].slice(0, MOST_LINES).flatMap(({ invariant, detail }) => {
    const name = `broken: ${fit(invariant)}`;
    const indent = (length(name) + 1.5) * plan.letter;
    const texts = wrap(`${detail}.`, wide, MOST_LINES).map((text) => ({ text, indent: 0 }));
    const fits = texts.length === 1 && length(texts[0].text) * plan.size * PROSE * 1.1 + indent < wide * plan.size * PROSE;
    return fits ? [{ name, text: texts[0].text, indent }] : [{ name }, ...texts];
  });
  if (different.size > MOST_LINES) lines.push({ text: `and ${different.size - MOST_LINES} more`, indent: 0 });
  return { kind: "loss", words, lines, height: (lines.length + 2.4) * plan.lead };
}

function deadlockBlock(model, row, plan, wide) {
  const nameOf = (letter) => model.lanes.find((lane) => lane.letter === letter)?.name ?? letter;
  const lines = wrap(deadlockWords(row.deadlock, nameOf), wide, MOST_LINES).map((text) => ({ text, indent: 0 }));
  return { kind: "loss", words: row.deadlock.length > 1 ? "deadlock" : "waits for ever", calm: true, lines, height: (lines.length + 2.4) * plan.lead };
}
