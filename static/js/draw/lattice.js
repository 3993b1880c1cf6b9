// Two writers' grants as two axes, and the run as a path that only goes right and up. Every
// order of the two is one such path, so one sees at a glance which one this is and where it
// parted from the one before (dashed). It says nothing that the table does not, so it is
// hidden from assistive technology; a node can be clicked, and the slider does the same. Of a
// long run only the path itself is drawn, and where on it one stands.

import { shorten } from "../lines.js";
import { once } from "../once.js";
import { wordFor } from "../story.js";
import { CROSS, shape } from "./marks.js";

const CELL = 74;
const LEFT = 92;
const TOP = 26;
const MOST_KNOTS = 60;
const WIDE = 420; // of a long path; it is as high as the other writer's part of it asks for
const LEAST = 60;

export function lattice(pen, view) {
  const { run } = view;
  if (run.writers.length !== 2) return "";
  if (run.grants.length > MOST_KNOTS) return pen.html`<section class="paths"><h2>this order as a path <small class="screen">${run.grants.length} grants</small></h2>${longLattice(pen, view)}</section>`;
  const path = walk(run.grants);
  const across = path.at(-1).x;
  const up = path.at(-1).y;
  const at = ({ x, y }) => [LEFT + x * CELL, TOP + (up - y) * CELL];
  const { html, svg } = pen;
  const width = LEFT + across * CELL + 70;
  const height = TOP + up * CELL + 56;
  return html`<section class="paths"><h2>this order as a path</h2>
    <svg class="lattice" viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} aria-hidden="true">
      <path class="grid" d=${grid(across, up, at)}></path>
      ${view.ghost ? svg`<path class="ghost" d=${line(walk(view.ghost).filter(({ x, y }) => x <= across && y <= up), at)}></path>` : ""}
      <path class="way ahead" d=${line(path, at)}></path>
      <path class="way" d=${line(path.slice(0, view.step + 1), at)}></path>
      ${labels(pen, run, across, up, at)}
      ${path.map((node, grant) => knot(pen, view, node, grant, at))}
    </svg></section>`;
}

/** Grants → nodes; time's own grants move nobody. */
export function walk(grants) {
  const nodes = [{ x: 0, y: 0 }];
  for (const letter of grants) {
    const { x, y } = nodes.at(-1);
    nodes.push({ x: x + (letter === "A" ? 1 : 0), y: y + (letter === "B" ? 1 : 0) });
  }
  return nodes;
}

/** A run of many grants: no node, no word, one path that is drawn once. What has been walked is
 * the part of it left of and below where one stands, since it never goes back. */
export function longLattice(pen, view) {
  const { run, step, ghost } = view;
  const { html, svg } = pen;
  const { nodes, d, width, height, at } = longPath(run);
  const [x, y] = at(nodes[step]);
  const way = (kind) => svg`<path class=${kind} d=${d}></path>`;
  return html`<svg class="lattice" viewBox=${`0 0 ${LEFT + width + 12} ${TOP + height + 56}`} width=${LEFT + width + 12} height=${TOP + height + 56} aria-hidden="true">
      <svg x=${LEFT} y=${TOP} width=${width} height=${height} overflow="visible">
        <path class="grid" d=${`M0 0V${height}H${width}V0z`}></path>
        ${ghost ? svg`<svg width=${width} height=${height}><path class="ghost" d=${ghostPath(run, ghost, at)}></path></svg>` : ""}
        ${way("way ahead")}
        <svg x="-2" y=${y - 2} width=${x + 4} height=${height - y + 4} viewBox=${`-2 ${y - 2} ${x + 4} ${height - y + 4}`}>${way("way")}</svg>
        <circle class="spot" cx=${x} cy=${y} r="6"></circle>
      </svg>
      ${axes(pen, run, LEFT, TOP + height)}
    </svg>`;
}

const longPath = once((run) => {
  const nodes = walk(run.grants);
  const { x: across, y: up } = nodes.at(-1);
  const height = Math.round(Math.max(LEAST, Math.min(WIDE, (WIDE * up) / Math.max(1, across))));
  const at = ({ x, y }) => [round((x * WIDE) / Math.max(1, across)), round(height - (y * height) / Math.max(1, up))];
  return { nodes, d: drawn(nodes, at), width: WIDE, height, at };
});

const ghosts = once(() => new Map());

/** Of one run there is one ghost at a time, and a branch asks for it at every step. */
function ghostPath(run, ghost, at) {
  const known = ghosts(run);
  if (!known.has(ghost)) known.set(ghost, drawn(walk(ghost), at));
  return known.get(ghost);
}

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

const line = (nodes, at) => nodes.map((node, place) => `${place ? "L" : "M"}${at(node).join(" ")}`).join("");

function grid(across, up, at) {
  const upright = Array.from({ length: across + 1 }, (_, x) => line([{ x, y: 0 }, { x, y: up }], at));
  const level = Array.from({ length: up + 1 }, (_, y) => line([{ x: 0, y }, { x: across, y }], at));
  return [...upright, ...level].join("");
}

function labels(pen, run, across, up, at) {
  const { svg } = pen;
  const words = (letter) => run.events.filter((event) => event.writer === letter && (event.kind === "operation" || event.kind === "crash")).map((event) => (event.kind === "crash" ? "†" : shorten(event.sql || event.call).split(" ")[0]));
  const [left, bottom] = at({ x: 0, y: 0 });
  const columns = words("A").slice(0, across).map((word, place) => svg`<text x=${left + (place + 0.5) * CELL} y=${bottom + 20} class="mid">${word}</text>`);
  const rows = words("B").slice(0, up).map((word, place) => svg`<text x=${left - 12} y=${bottom - (place + 0.5) * CELL + 4} class="end">${word}</text>`);
  return svg`${columns}${rows}${axes(pen, run, left, bottom)}`;
}

/** Who goes right, and who goes up. */
function axes(pen, run, left, bottom) {
  const { svg } = pen;
  const [a, b] = run.writers;
  return svg`<g class="axis wA" transform=${`translate(${left} ${bottom + 32})`}>${shape(pen, "A")}<text x="20" y="12">A ${a.name} →</text></g>
    <g class="axis wB" transform=${`translate(${left - 88} 0)`}>${shape(pen, "B")}<text x="20" y="12">B ${b.name} ↑</text></g>`;
}

function knot(pen, view, node, grant, at) {
  const { svg } = pen;
  const [x, y] = at(node);
  const broke = view.model.rows[grant].violations.length > 0;
  const kind = `knot${grant === view.step ? " here" : ""}${grant > view.step ? " ahead" : ""}`;
  return svg`<g class=${kind} data-action="go" data-value=${grant}><circle class="hit" cx=${x} cy=${y} r="13"></circle><circle class="dot" cx=${x} cy=${y} r=${grant === view.step ? 6 : 4}></circle>${broke ? svg`<text class="cross" x=${x + 10} y=${y - 10}>${CROSS} ${wordFor(view.model.rows[grant].violations[0].invariant)}</text>` : ""}</g>`;
}
