// The field on which two writers' order is a path that only goes right and up: its lines, its
// names, and a long run's path. Of thousands of grants no corner is drawn and no word, only the
// path itself, and where on it one stands. What would be wrong here: what can be pressed (paths.js).

import { nodesOf } from "../flows.js";
import { once } from "../once.js";
import { shape } from "./marks.js";

export const LEFT = 92;
export const TOP = 26;
const WIDE = 420; // of a long path; it is as high as the other writer's part of it asks for
const LEAST = 60;

/** What has been walked is the part of the path left of and below where one stands, since it never
 * goes back: so the path itself is drawn once. */
export function longLattice(pen, view, pair) {
  const { run, step, ghost } = view;
  const { html, svg } = pen;
  const { nodes, d, height, at } = longPath(run, pair);
  const [x, y] = at(nodes.findLast(({ grant }) => grant <= step));
  const way = (kind) => svg`<path class=${kind} d=${d}></path>`;
  return html`<svg class="lattice" viewBox=${`0 0 ${LEFT + WIDE + 12} ${TOP + height + 56}`} width=${LEFT + WIDE + 12} height=${TOP + height + 56} aria-hidden="true">
      <svg x=${LEFT} y=${TOP} width=${WIDE} height=${height} overflow="visible">
        <path class="grid" d=${`M0 0V${height}H${WIDE}V0z`}></path>
        ${ghost ? svg`<svg width=${WIDE} height=${height}><path class="ghost" d=${ghostPath(run, pair, ghost)}></path></svg>` : ""}
        ${way("way ahead")}
        <svg x="-2" y=${y - 2} width=${x + 4} height=${height - y + 4} viewBox=${`-2 ${y - 2} ${x + 4} ${height - y + 4}`}>${way("way")}</svg>
        <circle class="spot" cx=${x} cy=${y} r="6"></circle>
      </svg>
      ${axes(pen, run, pair, LEFT, TOP + height)}
    </svg>`;
}

const remembered = once(() => new Map());

/** The one answer of a run for this name of it. */
function kept(run, name, answer) {
  const known = remembered(run);
  if (!known.has(name)) known.set(name, answer());
  return known.get(name);
}

const longPath = (run, pair) => kept(run, pair.join(""), () => {
  const nodes = nodesOf(run.grants, pair);
  const { x: across, y: up } = nodes.at(-1);
  const height = Math.round(Math.max(LEAST, Math.min(WIDE, (WIDE * up) / Math.max(1, across))));
  const at = ({ x, y }) => [round((x * WIDE) / Math.max(1, across)), round(height - (y * height) / Math.max(1, up))];
  return { nodes, d: drawn(nodes, at), height, at };
});

/** A branch asks for its ghost at every step. */
const ghostPath = (run, pair, ghost) => kept(run, `${pair.join("")} ${ghost}`, () => drawn(nodesOf(ghost, pair), longPath(run, pair).at));

const round = (number) => Number(number.toFixed(1));

/** A path with one node a pixel, whatever the number of grants. */
function drawn(nodes, at) {
  let last = null;
  const seen = nodes.map(at).filter(([x, y], place) => {
    const far = !last || place === nodes.length - 1 || Math.abs(x - last[0]) + Math.abs(y - last[1]) >= 1;
    if (far) last = [x, y];
    return far;
  });
  return seen.map(([x, y], place) => `${place ? "L" : "M"}${x} ${y}`).join("");
}

export const line = (nodes, at) => nodes.map((node, place) => `${place ? "L" : "M"}${at(node).join(" ")}`).join("");

export function grid(across, up, at) {
  const upright = Array.from({ length: across + 1 }, (_, x) => line([{ x, y: 0 }, { x, y: up }], at));
  const level = Array.from({ length: up + 1 }, (_, y) => line([{ x: 0, y }, { x: across, y }], at));
  return [...upright, ...level].join("");
}

/** Who goes right, and who goes up. */
export function axes(pen, run, [a, b], left, bottom) {
  const { svg } = pen;
  const name = (letter) => run.writers.find((each) => each.letter === letter).name;
  return svg`<g class=${`axis w${a}`} transform=${`translate(${left} ${bottom + 32})`}>${shape(pen, a)}<text x="20" y="12">${a} ${name(a)} →</text></g>
    <g class=${`axis w${b}`} transform=${`translate(${left - 88} 0)`}>${shape(pen, b)}<text x="20" y="12">${b} ${name(b)} ↑</text></g>`;
}
