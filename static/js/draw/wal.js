// The log of a WAL file, checkpoint by checkpoint: a bar as high as the log has frames, filled as
// far as they are copied back, hatched where they are not. Two runs stand beside each other on
// one scale, each with its name above it. The picture is hidden from assistive technology, the
// table under it has every figure. On a run's own page a bar leads to its grant.

import { variantOf, walOf } from "../wal.js";
import { runLink } from "./link.js";
import { CROSS, named } from "./marks.js";

export const wal = { name: "Frames in the log, write by write", figure, caption };

const HIGH = 112;
const TOP = 36;
const FLOOR = TOP + HIGH;
/** Fewer bars than this leave room: a bar that is wider than high is no bar. */
const BERTHS = 8;

function figure(pen, { answers }, state) {
  const charts = answers.map((run) => ({ run, name: variantOf(run), ...walOf(run) }));
  return [chart(pen, charts, {}), figures(pen, charts, state)];
}

function caption({ html }) {
  return html`One bar a checkpoint, in order: its height is the frames in the log, its filled part what is copied back, its hatched part what waits. The number under a bar counts the writes so far. A bar on a double line is a checkpoint that waits for the readers; ${CROSS} above it, and it was told busy. Both runs have the same writers and the same seed.`;
}

/** For the page of a run: nothing where it has no checkpoint that found a log. */
export function walSection(pen, { run, step }) {
  const found = run && walOf(run);
  if (!found) return "";
  const { html } = pen;
  return html`<section class="exhibit wal" aria-labelledby="wal-title"><h2 id="wal-title">the log <small>frames at each checkpoint: filled where they are copied back</small></h2>${chart(pen, [{ run, name: "", ...found }], { step })}${figures(pen, [{ run, name: variantOf(run), ...found }], null)}</section>`;
}

function chart(pen, charts, { step = Infinity }) {
  const { html } = pen;
  const most = Math.max(1, ...charts.map((each) => each.most));
  return html`<div class="charts">${charts.map((each) => html`<div class="chart">${each.name ? html`<p><b>${each.name}</b> ${cameTo(each)}</p>` : ""}${bars(pen, each.points, most, step)}</div>`)}</div>`;
}

const frames = (count) => `${count} frame${count === 1 ? "" : "s"}`;

function cameTo({ points, most }) {
  const last = points.at(-1);
  const told = points.filter((each) => each.busy).length;
  if (!told) return `${last.writes} writes, and never more than ${frames(most)} in the log`;
  return `${last.writes} writes, ${frames(last.log)} in the log and ${last.copied} copied back; ${told} checkpoint${told === 1 ? "" : "s"} that waited ${told === 1 ? "was" : "were"} told busy`;
}

function bars(pen, points, most, step) {
  const { svg, html } = pen;
  const wide = 1 / Math.max(points.length, BERTHS);
  return html`<svg class="bars" width="100%" height=${FLOOR + 26} aria-hidden="true">
    ${points.map((each, place) => bar(pen, each, { x: place * wide, wide, most, later: each.grant > step, leads: step < Infinity }))}
    ${svg`<line class="floor" x1="0" x2="100%" y1=${FLOOR} y2=${FLOOR}></line>`}
  </svg>`;
}

const percent = (share) => `${Math.round(share * 10000) / 100}%`;

/** A bar in a picture of its own, so that its parts are in per cent of its berth. */
function bar(pen, point, { x, wide, most, later, leads }) {
  const { svg, nothing } = pen;
  const [tall, full] = [point.log, point.copied].map((count) => (count / most) * HIGH);
  return svg`<svg class=${later ? "column later" : "column"} x=${percent(x)} y="0" width=${percent(wide)} height=${FLOOR + 26} data-action=${leads ? "go" : nothing} data-value=${leads ? point.grant : nothing}>
    ${leads ? svg`<rect class="hit" width="100%" height="100%"></rect>` : ""}
    ${tall > full ? hatched(pen, FLOOR - tall, tall - full) : ""}
    <rect class="full" x="16%" width="68%" y=${FLOOR - full} height=${full}></rect>
    ${point.busy ? svg`<text x="50%" y=${FLOOR - tall - 20}>${CROSS}</text>` : ""}<text x="50%" y=${FLOOR - tall - 5}>${point.log}</text>
    ${point.waits ? svg`<line class="foot" x1="16%" x2="84%" y1=${FLOOR + 4} y2=${FLOOR + 4}></line>` : ""}
    <text class="under" x="50%" y=${FLOOR + 20}>${point.writes}</text>
  </svg>`;
}

/** Hatching is drawn, and not a pattern by name: names are one to a page, figures are not. */
function hatched({ svg }, y, height) {
  const lines = Array.from({ length: Math.ceil((height + 80) / 6) }, (_, place) => `M0 ${place * 6}l80 -80`).join("");
  return svg`<svg class="hatched" x="16%" y=${y} width="68%" height=${height}><path class="hatch" d=${lines}></path><rect class="edge" width="100%" height="100%"></rect></svg>`;
}

function figures(pen, charts, state) {
  const { html } = pen;
  return html`<details><summary>These figures as a table</summary>${charts.map(({ run, name, points }) => html`<table class="sheet">
    <caption>${state ? runLink(pen, state, run.recipe, name) : name}</caption>
    <thead><tr>${["writes so far", "asked by", "checkpoint", "busy", "in the log", "copied back"].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${points.map((each) => html`<tr><th scope="row">${each.writes}</th><td>${named(pen, each)}</td><td>${each.mode}</td><td>${each.busy}</td><td>${each.log}</td><td>${each.copied}</td></tr>`)}</tbody>
  </table>`)}</details>`;
}
