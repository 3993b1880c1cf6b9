// The run as a table: the one truth that every reader gets, by eye, ear or printer. Lanes
// side by side, time down, one row a grant, and the database row after it. The current step
// is marked; what is still to come keeps its place but not its outcome, so that nothing
// jumps while one steps. What would be wrong here: working out who owns a line, or what an
// event means.

import { daggers } from "../choices.js";
import { clockWords, deadlockWords, eventLines, timeWords } from "../lines.js";
import { wordFor } from "../story.js";
import { CROSS, introduced, mark } from "./marks.js";

export function table(pen, view) {
  const { html } = pen;
  const { model } = view;
  return html`<table class=${`run lanes-${model.lanes.length}`}>
    <caption class="unseen">${model.last} grants, in order, and ${model.title} after each</caption>
    <thead><tr>
      <th scope="col" class="n"><span class="unseen">grant</span></th>
      ${model.lanes.map((lane) => html`<th scope="col" class="lane">${introduced(pen, lane)}</th>`)}
      ${model.columns.map((name, place) => html`<th scope="col" class=${place ? "db narrow" : "db"}>${place ? name : model.title}</th>`)}
    </tr></thead>
    <tbody>${model.rows.map((row) => [clock(pen, view, row), line(pen, view, row), loss(pen, view, row), deadlock(pen, view, row)])}</tbody>
  </table>`;
}

const width = ({ model }) => 1 + model.lanes.length + model.columns.length;
const whenOf = (view, row) => (row.grant === view.step ? "now" : row.grant > view.step ? "later" : "past");

function line(pen, view, row) {
  const { html, nothing } = pen;
  const kind = whenOf(view, row);
  return html`<tr class=${kind} aria-current=${kind === "now" ? "step" : nothing}>
    <th scope="row" class="n"><button type="button" class="go" data-action="go" data-value=${row.grant} aria-label=${row.grant ? `go to grant ${row.grant}` : "go to the start"}>${row.grant || "start"}</button></th>
    ${row.letter === "t" ? time(pen, view, row) : view.model.lanes.map((lane, place) => laneCell(pen, view, row, lane, place))}
    ${row.cells.map((cell, place) => valueCell(pen, view, cell, place, row.grant))}
  </tr>`;
}

/** Time passes for everybody: one cell across the lanes. */
function time(pen, { model }, row) {
  const { html } = pen;
  const notes = model.lanes.flatMap((lane) => eventLines(row, lane.letter).map((each) => `${lane.name} ${each.text}`));
  return html`<td class="time mine" colspan=${model.lanes.length}>${mark(pen, "t")} ${[timeWords(row.t), ...notes].join("; ")}</td>`;
}

/** A clock that somebody sets: time's row too, above the grant that it comes with. */
function clock(pen, view, row) {
  return row.clock.map((event) => pen.html`<tr class=${`clock ${whenOf(view, row)}`}><td colspan=${width(view)}>${mark(pen, "t")} ${clockWords(event)}</td></tr>`);
}

function laneCell(pen, view, row, lane, place) {
  const { html } = pen;
  const lines = eventLines(row, lane.letter);
  const begun = row.lanes[place] !== "none" && row.grant > 0 && view.model.rows[row.grant - 1].lanes[place] === "none";
  const mine = row.letter === lane.letter || lines.length > 0;
  const kind = `lane w${lane.letter} ${row.lanes[place]}${mine ? " mine" : ""}${row.grant === 0 || begun ? " first" : ""}`;
  if (!mine) return html`<td class=${kind}>${holding(pen, row, lane)}</td>`;
  const acted = row.letter === lane.letter || lines.some((each) => each.kind === "crash");
  return html`<td class=${kind}>${acted ? mark(pen, lane.letter, lines.some((each) => each.kind === "wait")) : ""}
    <span class="name">${lane.letter} ${lane.name} </span>${lines.map((each) => eventLine(pen, each))}${holding(pen, row, lane)}${view.daggers ? crosses(pen, view, row, lane) : ""}</td>`;
}

function eventLine({ html }, { kind, text, title }) {
  if (kind === "code") return html`<code class="act" title=${title}>${text}</code> `;
  const name = { crash: "act crash", out: "out" }[kind] ?? `out ${kind}`;
  return html`<span class=${name}>${kind === "crash" ? "† " : ""}${text}</span> `;
}

function holding(pen, row, lane) {
  const mine = row.holds.find((each) => each.letter === lane.letter);
  return mine ? pen.html`<span class="lock">holds ${mine.lock}</span>` : "";
}

function crosses(pen, view, row, lane) {
  return daggers(view.run, row, lane).map(({ step, fault }) => {
    const value = `${step}:${fault.letter}${fault.op}${fault.place}`;
    return pen.html`<button type="button" class="dagger" data-action="crash" data-value=${value}>† crash ${fault.place} this</button>`;
  });
}

function valueCell(pen, view, cell, place, grant) {
  const { html } = pen;
  const kind = `${place ? "db narrow" : "db"}${cell.changed ? "" : " same"}`;
  if (!cell.changed) return html`<td class=${kind}><span aria-hidden="true">·</span><span class="unseen">${cell.name} unchanged</span></td>`;
  const scalar = place > 0;
  const lines = scalar ? cell.lines.filter((each) => each.change !== "removed") : cell.lines;
  return html`<td class=${kind}>${scalar ? html`<span class="label">${cell.name} </span>` : ""}${lines.length ? lines.map((each) => valueLine(pen, view, each, scalar, grant)) : html`<span class="quiet">none</span>`}</td>`;
}

function valueLine(pen, view, each, scalar, grant) {
  const { html } = pen;
  const owner = view.model.lanes.find((lane) => lane.letter === each.owner);
  const sign = owner && !scalar ? mark(pen, owner.letter, each.pending) : "";
  if (each.change === "removed") {
    return html`<span class="line">${sign}<del>${each.text}</del><span class="unseen"> (removed${owner ? `, ${owner.name}’s` : ""})</span></span>`;
  }
  const kind = `line ${each.change}${grant && each.change === "kept" && !each.settled ? " quiet" : ""}`;
  return html`<span class=${kind}>${sign}${each.text}${each.pending ? html`<span class="unseen"> (not committed)</span>` : ""}</span>`;
}

function loss(pen, view, row) {
  const { html } = pen;
  if (!row.violations.length) return "";
  const words = [...new Set(row.violations.map((each) => wordFor(each.invariant)))];
  return html`<tr class=${row.grant > view.step ? "loss later" : "loss"}><td colspan=${width(view)}>
    <strong><span aria-hidden="true">${CROSS}</span> ${words.join(", ")}</strong>
    <ul>${row.violations.map((each) => html`<li><b>broken: ${each.invariant}</b> ${each.detail}.</li>`)}</ul>
  </td></tr>`;
}

/** At the end of a run in which writers wait for each other, and nothing ends the wait. */
function deadlock(pen, view, row) {
  const { html } = pen;
  if (!row.deadlock.length) return "";
  const nameOf = (letter) => view.model.lanes.find((lane) => lane.letter === letter)?.name ?? letter;
  return html`<tr class=${row.grant > view.step ? "loss later" : "loss"}><td colspan=${width(view)}><strong>${row.deadlock.length > 1 ? "deadlock" : "waits for ever"}</strong> <span class="why">${deadlockWords(row.deadlock, nameOf)}</span></td></tr>`;
}
