// This order as a path among all orders of two writers. Where every order was run, each edge has
// two lines: solid for the orders that break a promise, dashed for those that keep them all, as
// wide as their number. A press on a corner, or the path dragged there, makes an order that
// comes through it. It says nothing that the table does not, and is hidden from assistive
// technology; who goes next is chosen by button, too.

import { many } from "../amounts.js";
import { familyText } from "../explore.js";
import { barredIn, flowsOf, nodesOf, through } from "../flows.js";
import { shorten } from "../lines.js";
import { breaks, wordFor } from "../story.js";
import { LEFT, TOP, axes, grid, line, longLattice } from "./lattice.js";
import { CROSS } from "./marks.js";

const CELL = 74;
const LEAST = 40;
const LETTER = 7.3; // how wide one is
const WIDE = 460;
/** Beyond so many grants corners would touch, and the path alone is drawn. */
const LONGEST = 36;

export const pairOf = ({ explore, run }) => {
  const letters = run.writers.map(({ letter }) => letter);
  return explore.pair?.every((letter) => letters.includes(letter)) ? explore.pair : letters.slice(0, 2);
};

export function paths(pen, view) {
  const { html } = pen;
  const { run, explore } = view;
  if (!run || run.writers.length < 2) return "";
  const pair = pairOf(view);
  const drawn = picture(pen, view, pair);
  return html`<section class="paths"><details ?open=${!explore.narrow}>
    <summary><h2>this order as a path</h2></summary>
    ${run.writers.length > 2 ? selects(pen, run, pair) : ""}
    ${drawn}
    ${weighing(pen, view)}
  </details></section>`;
}

function picture(pen, view, pair) {
  const { run, explore } = view;
  const nodes = nodesOf(run.grants, pair);
  if (nodes.length > LONGEST) return longLattice(pen, view, pair);
  const found = explore.flows[familyText(view)]?.orders;
  const flows = found ? flowsOf(found, pair) : { edges: [], barred: barredIn(run, pair), across: 0, up: 0 };
  const across = Math.max(flows.across, nodes.at(-1).x);
  const up = Math.max(flows.up, nodes.at(-1).y);
  return svgOf(pen, view, { pair, nodes, flows, across, up, cell: Math.max(Math.min(CELL, WIDE / Math.max(across, 1)), LEAST) });
}

function selects({ html }, run, pair) {
  const select = (place) => html`<select data-action="pair" data-value=${place} aria-label=${place ? "upwards" : "across"}>${run.writers.map(({ letter, name }) => html`<option value=${letter} ?selected=${pair[place] === letter} ?disabled=${pair[1 - place] === letter}>${letter} ${name}</option>`)}</select>`;
  return html`<p class="does">${select(0)} across, ${select(1)} up; the others’ grants stay where they are</p>`;
}

function weighing({ html }, view) {
  const { explore, scenario } = view;
  const known = explore.flows[familyText(view)];
  const again = html`<p class="does"><button type="button" data-action="weigh">Weigh every order</button></p>`;
  if (!known) return again;
  if (known.going) return html`<p class="scope">A worker runs every order, once one is free.</p>`;
  if (known.problem) return html`<p class="scope">${known.problem}</p>${again}`;
  if (!known.orders) return html`<p class="scope">There are more than ${many(known.most)} orders, too many to weigh each.</p>`;
  return html`<p class="scope">${legend(known.orders, scenario)}</p>`;
}

/** Only what the picture has to show is explained. */
function legend(orders, scenario) {
  const bad = orders.filter(({ broken }) => broken.length).length;
  const good = orders.length - bad;
  const kinds = [bad ? `solid, the ${many(bad)} that ${breaks(scenario, bad)}` : "", good ? `dashed, the ${many(good)} that ${good === 1 ? "does" : "do"} not` : ""].filter(Boolean);
  const barred = orders.some(({ waits, busy }) => waits.length || busy.length) ? " Hatched: there a writer waits, or SQLite answers BUSY." : "";
  return `All ${many(orders.length)} orders, by the width of a line: ${bad ? kinds.join("; ") : `dashed, for none ${breaks(scenario, 1)}`}.${barred}`;
}

function svgOf(pen, view, { pair, nodes, flows, across, up, cell }) {
  const { html, svg } = pen;
  const { run, explore, ghost, step, frame } = view;
  const at = ({ x, y }) => [LEFT + x * cell, TOP + (up - y) * cell];
  const width = LEFT + across * cell + 70;
  const height = TOP + up * cell + 56;
  const passed = nodes.filter(({ grant }) => grant <= step);
  const hatch = `${frame.id}-hatch`;
  return html`<svg class="lattice ways" viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} aria-hidden="true">
    <defs><pattern id=${hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 0V5"></path></pattern></defs>
    ${flows.barred.map((place) => barred(pen, place, at, cell, hatch))}
    <path class="grid" d=${grid(across, up, at)}></path>
    ${weights(pen, flows.edges, at)}
    ${ghost ? svg`<path class="ghost" d=${line(nodesOf(ghost, pair).filter(({ x, y }) => x <= across && y <= up), at)}></path>` : ""}
    <path class="way ahead" d=${line(nodes, at)}></path>
    <path class="way" d=${line(passed, at)}></path>
    ${explore.draft ? svg`<path class="draft" d=${line(nodesOf(through(run.grants, pair, explore.draft), pair), at)}></path>` : ""}
    ${labels(pen, run, pair, across, up, at, cell)}
    ${corners(across, up).map((corner) => knot(pen, view, corner, nodes, at, cell))}
  </svg>`;
}

/** Beside the edge that cannot be taken there: half of the cell that it leads along. */
function barred({ svg }, { x, y, side }, at, cell, hatch) {
  const [left, bottom] = at({ x, y });
  const half = cell / 6;
  const box = side ? [left - half, bottom - cell, 2 * half, cell] : [left, bottom - half, cell, 2 * half];
  return svg`<rect x=${box[0]} y=${box[1]} width=${box[2]} height=${box[3]} fill=${`url(#${hatch})`}></rect>`;
}

const THICK = 6;
/** The present order lies on the edge itself; the others' lines beside it, one on each side. */
const APART = 3;

function weights({ svg }, edges, at) {
  const most = Math.max(1, ...edges.flatMap(({ kept, lost }) => [kept, lost]));
  return edges.flatMap(({ x, y, side, kept, lost }) => {
    const [left, bottom] = at({ x, y });
    const [right, top] = at(side ? { x, y: y + 1 } : { x: x + 1, y });
    const drawn = (count, kind, sign) => {
      const wide = 1 + (THICK * count) / most;
      const shift = sign * (APART + wide / 2);
      const [dx, dy] = side ? [shift, 0] : [0, shift];
      return count ? svg`<path class=${kind} stroke-width=${wide.toFixed(1)} d=${`M${left + dx} ${bottom + dy}L${right + dx} ${top + dy}`}></path>` : "";
    };
    return [drawn(kept, "kept", -1), drawn(lost, "lost", 1)];
  });
}

const corners = (across, up) => Array.from({ length: (across + 1) * (up + 1) }, (_, at) => ({ x: at % (across + 1), y: Math.floor(at / (across + 1)) }));

function knot(pen, view, { x, y }, nodes, at, cell) {
  const { svg } = pen;
  const mine = nodes.find((node) => node.x === x && node.y === y);
  const [left, top] = at({ x, y });
  const hit = svg`<circle class="hit" cx=${left} cy=${top} r=${cell * 0.42}></circle>`;
  if (!mine) return svg`<g class="corner" data-node=${`${x},${y}`} data-action="through" data-value=${`${x},${y}`}>${hit}<circle class="spot" cx=${left} cy=${top} r="3"></circle></g>`;
  const { grant } = mine;
  const here = nodes.findLast((node) => node.grant <= view.step) === mine;
  const broke = view.model.rows[grant].violations;
  return svg`<g class=${`knot${here ? " here" : ""}${grant > view.step ? " ahead" : ""}`} data-node=${`${x},${y}`} data-action="go" data-value=${grant}>${hit}<circle class="dot" cx=${left} cy=${top} r=${here ? 6 : 4}></circle>${broke.length ? svg`<text class="cross" x=${left + 10} y=${top - 10}>${CROSS} ${wordFor(broke[0].invariant)}</text>` : ""}</g>`;
}

function labels(pen, run, [a, b], across, up, at, cell) {
  const { svg } = pen;
  const fits = Math.floor((cell - 6) / LETTER);
  const words = (letter) => run.events.filter((event) => event.writer === letter && (event.kind === "operation" || event.kind === "crash")).map((event) => (event.kind === "crash" ? "†" : shorten(event.sql || event.call).split(" ")[0].slice(0, fits)));
  const [left, bottom] = at({ x: 0, y: 0 });
  const columns = words(a).slice(0, across).map((word, place) => svg`<text x=${left + (place + 0.5) * cell} y=${bottom + 20} class="mid">${word}</text>`);
  const rows = words(b).slice(0, up).map((word, place) => svg`<text x=${left - 12} y=${bottom - (place + 0.5) * cell + 4} class="end">${word}</text>`);
  return svg`${columns}${rows}${axes(pen, run, [a, b], left, bottom)}`;
}
