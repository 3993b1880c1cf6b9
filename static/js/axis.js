// Where the moments of a run stand on the axis of virtual time: a lane a writer, a place a
// moment, a row a label, so that no two touch. Everything is said for the narrowest width at
// which the picture is shown; on a wider page places move apart and labels do not grow. What
// would be wrong here: which moments there are (the scenario names them), a tag, or a place
// that is not to scale and not marked so.

import { wordFor } from "./story.js";
import { duration } from "./time.js";

const WIDTH = 620;
const APART = 24; // of two marks, and a target's height
const BESIDE = 14; // from a mark's middle to its label
const LETTER = 7.3; // of the picture's own type
const UNIT = 8;
const FIRST = 3; // units of a label's first line
const MORE = 2;
const BRACKET = 20;
const BETWEEN = 10;
const MINUTE = 60_000;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, ...[1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * MINUTE)];
const STEP = 72;

/** null where a run has no axis; `picture` is null where its moments are too many to draw. */
export function arrangeAxis(run, lanes) {
  if (!run.axis?.length) return null;
  const moments = momentsOf(run);
  const times = [...new Set([0, ...moments.map((each) => each.at), run.steps.at(-1).t])].sort((a, b) => a - b);
  const scale = scaleOf(times);
  return { title: run.axis_title, moments, picture: scale && picture(moments, times, scale, [...lanes, { letter: "t", name: "time" }]) };
}

/** What the scenario named, and what broke: beside the moment of its grant, or as one of its own. */
function momentsOf(run) {
  const moments = run.axis.map((each) => ({ ...each, broke: [] }));
  const last = new Map(moments.map((each) => [each.grant, each]));
  for (const { grant, invariant } of run.violations) {
    if (!last.has(grant)) {
      last.set(grant, { at: run.steps[grant].t, label: "", writer: run.grants[grant - 1] ?? "t", grant, broke: [] });
      moments.push(last.get(grant));
    }
    last.get(grant).broke.push(`${wordFor(invariant)}: ${invariant}`);
  }
  return moments.sort((a, b) => a.at - b.at || a.grant - b.grant);
}

// The scale.

/** {place, cuts}: time → pixels. To scale, but where that would put two marks on each other the
 * longest stretches in which nothing happens are cut to one length, and named in `cuts`. */
export function scaleOf(times) {
  const gaps = times.slice(1).map((time, at) => time - times[at]);
  if (!gaps.length || gaps.length * APART > WIDTH) return null;
  const longest = longestDrawn(gaps);
  const drawn = gaps.map((gap) => Math.min(gap, longest));
  const pixel = drawn.reduce((sum, gap) => sum + gap, 0) / WIDTH;
  const starts = drawn.map((_, at) => drawn.slice(0, at).reduce((sum, gap) => sum + gap, 0) / pixel);
  const place = (time) => {
    const at = Math.max(0, times.findLastIndex((each, index) => each <= time && index < gaps.length));
    return starts[at] + Math.min(1, (time - times[at]) / gaps[at]) * (drawn[at] / pixel);
  };
  const cuts = gaps.flatMap((gap, at) => (gap > longest ? [{ from: times[at], to: times[at + 1], x: starts[at] + drawn[at] / pixel / 2 }] : []));
  return { place, cuts };
}

/** The length at which longer gaps are cut, so that the shortest keeps its marks apart. */
function longestDrawn(gaps) {
  const sorted = [...gaps].sort((a, b) => a - b);
  const whole = sorted.reduce((sum, gap) => sum + gap, 0);
  const room = (WIDTH * sorted[0]) / APART;
  if (whole <= room) return Infinity;
  let left = room;
  const at = sorted.findIndex((gap, index) => {
    if (gap * (sorted.length - index) >= left) return true;
    left -= gap;
    return false;
  });
  return left / (sorted.length - at);
}

// The lanes.

function picture(moments, times, scale, writers) {
  let y = 0;
  const lanes = writers.flatMap(({ letter, name }) => {
    const own = moments.filter((each) => each.writer === letter);
    if (!own.length) return [];
    const brackets = bracketsOf(own, scale);
    const top = y + (brackets.length ? BRACKET : 0);
    const packed = pack(own, scale.place);
    y = top + packed.units * UNIT + BETWEEN;
    return [{ letter, name, bracket: top - BRACKET / 2, brackets, top, moments: packed.moments.map((each) => ({ ...each, y: top + each.unit * UNIT + APART / 2 })) }];
  });
  const ticks = ticksOf(times, scale);
  const rows = 1 + Math.max(...ticks.map((each) => each.row));
  return { lanes, ticks, cuts: scale.cuts.map(({ x }) => percent(x)), ruler: y, height: y + 8 + rows * 16, place: (time) => percent(scale.place(time)) };
}

const percent = (x) => `${Number(((x / WIDTH) * 100).toFixed(2))}%`;

/** The time from one moment of a writer to its next, in words where there is room for them. */
function bracketsOf(moments, { place, cuts }) {
  const times = [...new Set(moments.map((each) => each.at))];
  return times.slice(1).map((to, at) => {
    const from = times[at];
    const cut = cuts.some((each) => each.from < to && from < each.to) ? "//" : "";
    const text = [cut, duration(to - from), cut].join(" ").trim();
    const [a, b] = [place(from), place(to)];
    return { from: percent(a), to: percent(b), middle: percent((a + b) / 2), text: b - a > (text.length + 3) * LETTER ? text : "" };
  });
}

/** Each moment of a lane with the first row, and the side of its mark, on which its label is free. */
function pack(moments, place) {
  const taken = [];
  const free = (unit, { high, from, to }) => Array.from({ length: high }, (_, at) => taken[unit + at] ?? []).every((row) => row.every(([a, b]) => to <= a || b <= from));
  const packed = moments.map((moment) => {
    const x = place(moment.at);
    const ways = waysOf(moment, x);
    for (let unit = 0; ; unit += 1) {
      const way = ways.find((each) => free(unit, each));
      if (!way) continue;
      for (let at = 0; at < way.high; at += 1) (taken[unit + at] ??= []).push([way.from, way.to]);
      return { ...moment, x: percent(x), unit, side: way.side, lines: way.lines, wide: Math.ceil(way.to - way.from), high: way.high * UNIT };
    }
  });
  return { moments: packed, units: taken.length };
}

/** A label right of its mark, or left; only the sides on which it needs the fewest lines. */
function waysOf({ label, broke }, x) {
  const ways = [["right", WIDTH - x], ["left", x]].map(([side, room]) => {
    const letters = Math.max(8, Math.floor((room - BESIDE) / LETTER));
    const lines = [...wrap(label, letters).map((text) => ({ text })), ...broke.flatMap((text) => wrap(`✗ ${text}`, letters)).map((text) => ({ text, broke: true }))];
    const wide = BESIDE + LETTER * Math.max(...lines.map(({ text }) => text.length));
    const [from, to] = side === "right" ? [x - APART / 2, x + wide] : [x - wide, x + APART / 2];
    return { side, lines, from, to, high: FIRST + MORE * (lines.length - 1) };
  });
  const least = Math.min(...ways.map((way) => way.high));
  return ways.filter((way) => way.high === least);
}

/** A text in lines of at most so many letters. */
function wrap(text, most) {
  const lines = [];
  for (const word of text.split(" ").filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.length > most ? `${word.slice(0, most - 1)}…` : word);
  }
  return lines;
}

// The ruler.

/** Every moment's time; between them, where nothing is cut, round ones as far as they fit. */
function ticksOf(times, { place, cuts }) {
  const taken = [];
  const ticks = times.map((time) => tick(time, place, taken));
  const last = times.at(-1);
  const step = cuts.length ? 0 : STEPS.find((each) => place(each) >= STEP || each >= last);
  if (!step) return ticks;
  for (let time = step; time < last; time += step) {
    if (!times.includes(time)) ticks.push({ ...tick(time, place, taken, 1), round: true });
  }
  return ticks;
}

function tick(time, place, taken, rows = Infinity) {
  const [x, text] = [place(time), duration(time)];
  const wide = text.length * LETTER + 10;
  const anchor = x < wide / 2 ? "start" : x > WIDTH - wide / 2 ? "end" : "mid";
  const from = x - { start: 0, mid: wide / 2, end: wide }[anchor];
  let row = 0;
  while ((taken[row] ?? []).some(([a, b]) => from < b && a < from + wide)) row += 1;
  if (row >= rows) return { x: percent(x), text: "", anchor, row: 0 };
  (taken[row] ??= []).push([from, from + wide]);
  return { time, x: percent(x), text, anchor, row };
}
