// The run as a table: the one truth that every reader gets, by eye, ear or printer. Lanes
// side by side, time down, one row a grant, and the database row after it. The current step
// is marked; what is still to come keeps its place but not its outcome, so that nothing
// jumps while one steps. What would be wrong here: working out who owns a line.

import { daggers } from "../choices.js";
import { crashWords, outcome, shorten } from "../model.js";
import { wordFor } from "../story.js";
import { CROSS, mark } from "./marks.js";

export function table(pen, view) {
  const { html } = pen;
  const { model } = view;
  return html`<table class=${`run lanes-${model.lanes.length}`}>
    <caption class="unseen">${model.last} grants, in order, and ${model.title} after each</caption>
    <thead><tr>
      <th scope="col" class="n"><span class="unseen">grant</span></th>
      ${model.lanes.map((lane) => html`<th scope="col" class="lane">${mark(pen, lane.letter)}<span>${lane.name}</span></th>`)}
      ${model.columns.map((name, place) => html`<th scope="col" class=${place ? "db narrow" : "db"}>${place ? name : model.title}</th>`)}
    </tr></thead>
    <tbody>${model.rows.map((row) => [line(pen, view, row), loss(pen, view, row)])}</tbody>
  </table>`;
}

function line(pen, view, row) {
  const { html, nothing } = pen;
  const now = row.grant === view.step;
  const kind = now ? "now" : row.grant > view.step ? "later" : "past";
  return html`<tr class=${kind} aria-current=${now ? "step" : nothing}>
    <th scope="row" class="n"><button type="button" class="go" data-action="go" data-value=${row.grant} aria-label=${row.grant ? `go to grant ${row.grant}` : "go to the start"}>${row.grant || "start"}</button></th>
    ${view.model.lanes.map((lane, place) => laneCell(pen, view, row, lane, place))}
    ${row.cells.map((cell, place) => valueCell(pen, view, cell, place, row.grant))}
  </tr>`;
}

function laneCell(pen, view, row, lane, place) {
  const { html } = pen;
  const state = row.lanes ? row.lanes[place] : "open";
  const mine = row.letter === lane.letter || (row.letter === "t" && row.failed?.writer === lane.letter);
  const kind = `lane w${lane.letter} ${state}${mine ? " mine" : ""}${row.grant === 0 ? " first" : ""}`;
  if (!mine) return html`<td class=${kind}>${holding(pen, row, lane)}</td>`;
  return html`<td class=${kind}>${mark(pen, lane.letter, row.act?.kind === "wait")}
    <span class="name">${lane.name} </span>${act(pen, row)}
    <span class="out">${result(pen, row)}${holding(pen, row, lane)}</span>${view.daggers ? crosses(pen, view, row) : ""}</td>`;
}

function act(pen, row) {
  const { html } = pen;
  const event = row.act;
  if (!event || event.kind === "advance") return html`<span class="act">time passes</span>`;
  if (event.kind === "crash") return html`<span class="act crash">† ${crashWords(row)}</span>`;
  const sql = event.sql ?? row.target ?? event.call ?? "";
  return html`<code class="act" title=${sql}>${shorten(sql, event.params)}</code>`;
}

function result(pen, row) {
  const { html } = pen;
  const event = row.act;
  if (row.failed) return html`gave up: ${row.failed.error}`;
  if (row.wait) return html`waits for ${row.wait.lock}, held by ${row.wait.holders}`;
  if (event?.kind !== "operation") return "";
  return html`${outcome(event)}${row.told ? html`<span class="told">told “${row.told}”</span>` : ""}`;
}

function holding(pen, row, lane) {
  const mine = row.holds.find((each) => each.letter === lane.letter);
  return mine ? pen.html`<span class="lock">holds ${mine.lock}</span>` : "";
}

function crosses(pen, view, row) {
  return daggers(view.run, row).map(({ step, fault }) => {
    const value = `${step}:${fault.letter}${fault.op}${fault.place}`;
    const label = `crash ${fault.place} this`;
    return pen.html`<button type="button" class="dagger" data-action="crash" data-value=${value}>† ${label}</button>`;
  });
}

function valueCell(pen, view, cell, place, grant) {
  const { html } = pen;
  const kind = `${place ? "db narrow" : "db"}${cell.changed ? "" : " same"}`;
  if (!cell.changed) return html`<td class=${kind}><span aria-hidden="true">·</span><span class="unseen">${cell.name} unchanged</span></td>`;
  const scalar = place > 0;
  const lines = scalar ? cell.lines.filter((each) => each.change !== "removed") : cell.lines;
  return html`<td class=${kind}>${scalar ? html`<span class="label">${cell.name} </span>` : ""}${lines.map((each) => valueLine(pen, view, each, scalar, grant))}</td>`;
}

function valueLine(pen, view, each, scalar, grant) {
  const { html } = pen;
  const owner = view.model.lanes.find((lane) => lane.letter === each.owner);
  const sign = owner && !scalar ? mark(pen, owner.letter, each.pending) : "";
  if (each.change === "removed") {
    return html`<span class="line">${sign}<del>${each.text}</del><span class="unseen"> (removed${each.owner ? `, ${owner?.name}’s` : ""})</span></span>`;
  }
  const kind = `line ${each.change}${grant && each.change === "kept" && !each.settled ? " quiet" : ""}`;
  return html`<span class=${kind}>${sign}${each.text}${each.pending ? html`<span class="unseen"> (not committed)</span>` : ""}</span>`;
}

function loss(pen, view, row) {
  const { html } = pen;
  if (!row.violations.length) return "";
  const width = 1 + view.model.lanes.length + view.model.columns.length;
  const words = [...new Set(row.violations.map((each) => wordFor(each.invariant)))];
  return html`<tr class=${row.grant > view.step ? "loss later" : "loss"}><td colspan=${width}>
    <strong>${words.join(", ")}</strong>
    <ul>${row.violations.map((each) => html`<li><b><span aria-hidden="true">${CROSS}</span> ${each.invariant}</b> ${each.detail}</li>`)}</ul>
  </td></tr>`;
}
