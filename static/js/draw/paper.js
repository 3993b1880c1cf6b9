// A laid-out run in ink: lanes, marks, values, the double rule. Everything is an attribute of
// its own and every face a family that each system has, so that the picture looks the same in
// a slide, in somebody's README and in the build's own renderer. What would be wrong here: a
// class, a style, or working out where something stands (sheet.js).

import { PADDING } from "../sheet.js";
import { fit } from "../wrapping.js";
import { isSmall, shape } from "./marks.js";

/** The light colours of base.css; a picture that was taken along cannot ask for the reader's. */
export const INK = { paper: "#fffdf8", ink: "#1c1b19", soft: "#66625a", rule: "#d9d4c8", A: "#0072b2", B: "#d55e00", C: "#009e73", D: "#cc79a7", E: "#8a6d00" };
/** Families by kind, which each system has; the build names the files that it brings. */
export const FACES = { serif: "serif", mono: "monospace" };

const colour = (letter) => INK[letter.toUpperCase()] ?? INK.soft;
const round = (number) => Number(number.toFixed(2));

/** Head, rows and the rule under them, in a group of its own. */
export function paper(pen, sheet, faces = FACES) {
  const { svg } = pen;
  const top = headHeight(sheet);
  return svg`<g font-family=${faces.mono} font-size=${sheet.size} fill=${INK.ink}>${head(pen, sheet)}<g transform=${`translate(0 ${round(top)})`}>${sheet.rows.map((row) => svg`<g transform=${`translate(0 ${round(row.y)})`}>${BLOCKS[row.kind](pen, row, sheet, faces)}</g>`)}</g></g>`;
}

export const headHeight = ({ lead, values }) => lead * (values.length > 1 ? 3.1 : 2);
export const paperHeight = (sheet) => headHeight(sheet) + sheet.height;

export const line = ({ svg }, x1, y1, x2, y2, stroke = INK.rule, more = {}) =>
  svg`<line x1=${round(x1)} y1=${round(y1)} x2=${round(x2)} y2=${round(y2)} stroke=${stroke} stroke-width=${more.width ?? 1} stroke-dasharray=${more.dash ?? "none"}></line>`;

function head(pen, sheet) {
  const { svg } = pen;
  const { lead, lanes, values, width, title, size } = sheet;
  const two = values.length > 1;
  const base = lead * (two ? 2.5 : 1.35);
  const over = lead * 1.35;
  return svg`${line(pen, 0, 0, width, 0)}
    ${lanes.map(({ x, lane }) => svg`${mark(pen, x, base, lane.letter, false, size)}<text x=${round(x + LANE_TEXT(sheet))} y=${round(base)} font-weight="600">${lane.letter}<tspan font-weight="400" dx=${round(size * 0.55)}>${fit(lane.name)}</tspan></text>`)}
    <text x=${round(values[0].x)} y=${round(over)} font-weight="500">${title}</text>
    ${two ? values.map(({ x, name }) => svg`<text x=${round(x)} y=${round(base)} fill=${INK.soft}>${name}</text>`) : ""}
    ${line(pen, 0, headHeight(sheet), width, headHeight(sheet))}`;
}

const LANE_TEXT = ({ letter }) => letter * 3;
const baseOf = (sheet, place) => sheet.lead * (PADDING + place + 0.72);

/** A writer's shape, its middle on a line of text. */
function mark(pen, x, base, letter, hollow, size) {
  const scale = (size / 15) * (isSmall(letter) ? 0.8 : 1.06);
  const [left, top] = [x + (size / 15) * 8 - 8 * scale, base - size * 0.34 - 8 * scale];
  const ink = colour(letter);
  return pen.svg`<g transform=${`translate(${round(left)} ${round(top)}) scale(${round(scale)})`} fill=${hollow ? INK.paper : ink} stroke=${hollow ? ink : "none"} stroke-width="1.6">${shape(pen, letter)}</g>`;
}

const BLOCKS = {
  gap,
  clock: (pen, { text, height }, sheet) => pen.svg`${line(pen, 0, 1, sheet.width, 1, INK.rule, { dash: "3 4" })}${mark(pen, sheet.lanes[0].x, height * 0.64, "t", false, sheet.size)}<text x=${round(sheet.lanes[0].x + LANE_TEXT(sheet))} y=${round(height * 0.64)} fill=${INK.soft}>${fit(text)}</text>`,
  grant,
  loss,
};

/** Grants that are left out: in words, or as a lane's line in dots. */
function gap(pen, { text, height, open }, sheet) {
  const { svg } = pen;
  if (text) return svg`<text x=${round(sheet.lanes[0].x)} y=${round(height * 0.62)} fill=${INK.soft} font-style="italic">… ${text}</text>`;
  return sheet.lanes.map(({ x }, at) => (open[at] ? line(pen, x + 8 * (sheet.size / 15), 3, x + 8 * (sheet.size / 15), height - 1, INK.soft, { dash: "2 4", width: 1.5 }) : ""));
}

function grant(pen, row, sheet) {
  const { svg } = pen;
  const number = svg`<text x=${round(sheet.number)} y=${round(baseOf(sheet, 0))} text-anchor="end" fill=${INK.soft}>${row.grant || "start"}</text>`;
  const lanes = row.lanes.map((lane, at) => stem(pen, row, lane, sheet.lanes[at], sheet));
  const texts = row.time ? time(pen, row, sheet) : row.lanes.map((lane, at) => laneTexts(pen, lane, sheet.lanes[at], sheet));
  return svg`${number}${row.time ? "" : lanes}${texts}${values(pen, row, sheet)}`;
}

/** The line of a lane beside one grant: thick where it holds a lock, dashed where it waits. */
function stem(pen, row, { state, mark: acted, lane }, { x }, sheet) {
  const middle = x + 8 * (sheet.size / 15);
  const dot = baseOf(sheet, 0) - sheet.size * 0.34;
  if (state === "none" || state === "over") return "";
  const from = row.grant === 0 ? dot : 0;
  const to = state.startsWith("ends") && acted ? dot : row.height;
  const drawn = state === "holds" ? line(pen, middle, from, middle, to, colour(lane.letter), { width: 3 }) : state === "waits" ? line(pen, middle, from, middle, to, INK.ink, { dash: "3 3" }) : line(pen, middle, from, middle, to, INK.soft, { width: 0.8 });
  return pen.svg`${drawn}${state === "ends crashed" ? torn(pen, middle, dot + sheet.size * 0.95) : ""}`;
}

const torn = ({ svg }, x, y) => svg`<path d=${`M${round(x - 8)} ${round(y)}l4-4 4 5 4-5 4 4`} fill="none" stroke=${INK.ink} stroke-width="1.6"></path>`;

const LOOKS = {
  code: { fill: INK.ink },
  told: { fill: INK.ink },
  crash: { fill: INK.ink, italic: true },
  quiet: { fill: INK.soft, italic: true },
  wait: { fill: INK.soft, italic: true },
};

function laneTexts(pen, lane, { x }, sheet) {
  const { svg, nothing } = pen;
  const sign = lane.mark ? svg`${backing(pen, x, sheet)}${mark(pen, x, baseOf(sheet, 0), lane.lane.letter, lane.mark.hollow, sheet.size)}` : "";
  return svg`${sign}${lane.lines.map(({ kind, text }, place) => svg`<text x=${round(x + LANE_TEXT(sheet))} y=${round(baseOf(sheet, place))} fill=${LOOKS[kind]?.fill ?? INK.soft} font-style=${LOOKS[kind]?.italic ? "italic" : nothing}>${text}</text>`)}`;
}

/** Paper under a mark, so that the lane's line does not run through a hollow one. */
const backing = ({ svg }, x, sheet) => svg`<circle cx=${round(x + 8 * (sheet.size / 15))} cy=${round(baseOf(sheet, 0) - sheet.size * 0.34)} r=${round(sheet.size * 0.5)} fill=${INK.paper}></circle>`;

function time(pen, row, sheet) {
  const { svg } = pen;
  const { x } = sheet.lanes[0];
  return svg`${mark(pen, x, baseOf(sheet, 0), "t", false, sheet.size)}${row.time.map((text, place) => svg`<text x=${round(x + LANE_TEXT(sheet))} y=${round(baseOf(sheet, place))} fill=${INK.soft}>${text}</text>`)}`;
}

function values(pen, row, sheet) {
  let place = 0;
  return row.values.map(({ words, cells, high }) => {
    const from = place;
    place += high;
    if (words) return text(pen, sheet.values[0].x, baseOf(sheet, from), { text: words, soft: true });
    return cells.map((lines, at) => (lines === null ? text(pen, sheet.values[at].x, baseOf(sheet, from), { text: "·", soft: true }) : lines.map((each, down) => value(pen, sheet.values[at].x, baseOf(sheet, from + down), each, sheet))));
  });
}

const value = (pen, x, y, each, sheet) => pen.svg`${each.mark ? mark(pen, x, y, each.mark.letter, each.mark.hollow, sheet.size) : ""}${text(pen, x + each.indent, y, each)}`;

const text = ({ svg, nothing }, x, y, { text: words, soft, struck }) => svg`<text x=${round(x)} y=${round(y)} fill=${soft ? INK.soft : nothing} text-decoration=${struck ? "line-through" : nothing}>${words}</text>`;

/** The double rule, the mark, the word, and each promise with what became of it. */
function loss(pen, row, sheet, faces) {
  const { svg } = pen;
  const { x } = sheet.lanes[0];
  const left = x + sheet.size * 0.08;
  const sign = row.calm ? "" : svg`<path d=${cross(left, sheet.lead * 1.36 - sheet.size * 0.36, sheet.size * 0.32)} fill="none" stroke=${INK.ink} stroke-width=${round(sheet.size / 7)}></path>`;
  return svg`${line(pen, 0, 1, sheet.width, 1, INK.ink)}${line(pen, 0, 4, sheet.width, 4, INK.ink)}
    ${sign}<text x=${round(row.calm ? left : left + sheet.size * 1.25)} y=${round(sheet.lead * 1.36)} font-weight="700" font-size=${round(sheet.size * 1.12)}>${row.words}</text>
    ${row.lines.map(({ name, text: words, indent }, place) => svg`${name ? svg`<text x=${round(left)} y=${round(sheet.lead * (2.5 + place))} font-weight="600">${name}</text>` : ""}${words ? svg`<text x=${round(left + indent)} y=${round(sheet.lead * (2.5 + place))} font-family=${faces.serif} font-size=${round(sheet.size * 1.1)}>${words}</text>` : ""}`)}
    ${row.last ? "" : line(pen, 0, row.height - 3, sheet.width, row.height - 3, INK.ink)}`;
}

/** Drawn, since not every face has the sign. */
export const cross = (x, y, arm) => `M${round(x)} ${round(y - arm)}l${round(2 * arm)} ${round(2 * arm)}m0 ${round(-2 * arm)}l${round(-2 * arm)} ${round(2 * arm)}`;
