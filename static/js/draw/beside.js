// Broken beside fixed: the same order under two choices of an option, one row a grant, so that
// one sees where they part. It steps with the figure's own slider.

import { aligned } from "../beside.js";
import { eventLines, toldWords } from "../lines.js";
import { arrange } from "../model.js";
import { red } from "../story.js";
import { CROSS, TICK, mark } from "./marks.js";

export function beside(pen, view) {
  const { html } = pen;
  const { explore, recipe, run, scenario } = view;
  const others = scenario.options.flatMap(({ name, choices }) => choices.filter((choice) => choice !== recipe.options[name]).map((choice) => `${name}=${choice}`));
  if (!others.length || !run) return "";
  const found = explore.beside;
  return html`<section class="panel beside" aria-labelledby="beside-title">
    <h2 id="beside-title">side by side</h2>
    ${found ? "" : html`<p>This order of grants beside the same order under another choice.</p>`}
    <p class="does">${others.map((each) => html`<button type="button" data-action="beside" data-value=${each} aria-pressed=${found?.asked === each ? "true" : "false"}>${each.replace("=", " ")}</button>`)}</p>
    ${found?.problem ? html`<p>${found.problem}</p>` : found?.run && found.of === run ? pair(pen, view, found) : found ? html`<p>Python runs the same order.</p>` : ""}
  </section>`;
}

let kept = { run: null, model: null };
const modelOf = (run) => (kept.run === run ? kept : (kept = { run, model: arrange(run) })).model;

function pair(pen, view, { asked, run: other, recipe }) {
  const { html } = pen;
  const [name, choice] = asked.split("=");
  const sides = [view.model, modelOf(other)];
  const names = [`${name} ${view.recipe.options[name]}`, `${name} ${choice}`];
  const rows = aligned(view.run.grants, other.grants);
  return html`<table class="pair"><caption class="unseen">The same order under two choices of ${name}</caption>
    <thead><tr><th scope="col">grant</th>${names.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>
    <tbody>${rows.map(([mine, its]) => row(pen, view, sides, names, mine, its))}</tbody>
    <tfoot><tr><th scope="row">end</th>${sides.map((model, side) => html`<td><span class="side">${names[side]}</span> ${end(pen, view.scenario, model)}</td>`)}</tr></tfoot>
  </table>
  <p class="does"><button type="button" data-action="open-run" data-value=${recipe}>Open the run under ${name} ${choice}</button></p>`;
}

function row(pen, { step, model, run }, sides, names, mine, its) {
  const { html } = pen;
  const when = (mine ?? model.last + 1) > step ? (mine === null && step === model.last ? "" : "later") : mine === step ? "here" : "";
  const parted = mine === null || its === null;
  return html`<tr class=${`${when}${parted ? " parted" : ""}`}>
    <th scope="row">${mine === null ? "–" : html`<button type="button" class="go" data-action="go" data-value=${mine} aria-label=${`go to grant ${mine}`}>${mine}</button>`}</th>
    ${[mine, its].map((grant, side) => html`<td><span class="side">${names[side]}</span> ${grant === null ? html`<span class="none">${side ? passed(run.grants[mine - 1], sides[1]) : "over by now"}</span>` : cell(pen, sides[side], grant)}</td>`)}
  </tr>`;
}

const passed = (letter, { lanes }) => `${lanes.find((lane) => lane.letter === letter)?.name ?? letter} has nothing to do here`;

function cell(pen, { lanes, rows }, grant) {
  const { html } = pen;
  const row = rows[grant];
  const told = lanes.map((lane) => [lane, eventLines(row, lane.letter)]).filter(([lane, lines]) => lines.length || lane.letter === row.letter);
  const broke = row.violations.length ? html`<b class="broke">${CROSS} broken: ${row.violations.map((each) => each.invariant).filter((name, at, all) => all.indexOf(name) === at).join(", ")}</b>` : "";
  if (row.letter === "t") return html`${mark(pen, "t")} time passes ${broke}`;
  return html`${told.map(([lane, lines]) => html`<span class="act">${mark(pen, lane.letter)} <span class="name">${lane.letter} ${lane.name}</span> ${lines.map((each) => line(pen, each))}</span> `)}${broke}`;
}

const line = ({ html }, { kind, text }) => (kind === "code" ? html`<code>${text}</code> ` : html`<span class="out">${text}</span> `);

function end({ html }, scenario, { run, lanes }) {
  const broken = run.violations.length > 0;
  const answers = lanes.map((lane) => `${lane.name} ${lane.ended === "finished" ? `told ${toldWords(lane.told)}` : lane.ended}`);
  return html`<b class="word">${broken ? CROSS : TICK} ${broken ? red(scenario) : "held"}</b> ${answers.join("; ")}`;
}
