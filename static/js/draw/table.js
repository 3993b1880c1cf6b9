// The run as a table: the one truth that every reader gets, by eye, ear or printer. Lanes
// side by side, time down, one row a grant, and the database row after it. The current step
// is marked; what is still to come keeps its place but not its outcome, so that nothing
// jumps while one steps. What the database holds is drawn in watch.js. What would be wrong here:
// working out what an event means.

import { daggers } from "../choices.js";
import { clockWords, deadlockWords, eventLines, timeWords } from "../lines.js";
import { wordFor } from "../story.js";
import { shownRows } from "../window.js";
import { CROSS, introduced, mark } from "./marks.js";
import { changedRows, head, recordCells, valueCell } from "./watch.js";
import { unbroken } from "./text.js";

export function table(pen, view) {
  const { html } = pen;
  const { model } = view;
  const shown = shownRows(view);
  const rows = (shown.whole ? model.rows : model.rows.slice(shown.first, shown.last + 1)).map((row) => [clock(pen, view, row), grant(pen, view, row), loss(pen, view, row), deadlock(pen, view, row)]);
  return html`${shown.whole ? "" : part(pen, model, shown)}<div class=${shown.whole ? "wide" : "wide long"}><table class=${`run lanes-${model.lanes.length}${model.many ? " many" : ""}`}>
    <caption class="unseen">${shown.whole ? `${model.last} grants` : `Grants ${shown.first} to ${shown.last} of ${model.last}`}, in order, and ${model.title} after each</caption>
    ${head(pen, model)}
    <tbody>${shown.whole ? rows : [gap(pen, view, shown.first, shown.above), rows, gap(pen, view, model.last - shown.last, shown.below)]}</tbody>
  </table></div>`;
}

/** Whoever searches the page, or prints it, has to know that it is not all there. */
function part(pen, model, shown) {
  return pen.html`<p class="part">Of ${model.last} grants, ${shown.first} to ${shown.last} are drawn here; others come as you step or scroll.</p>`;
}

/** As high as the grants that it stands for. */
function gap(pen, view, grants, high) {
  return pen.html`<tr class="gap" data-grants=${grants}><td colspan=${width(view)}><svg width="1" height=${high} aria-hidden="true"></svg></td></tr>`;
}

const width = ({ model }) => 1 + model.lanes.length + model.columns.length;
const whenOf = (view, row) => (row.grant === view.step ? "now" : row.grant > view.step ? "later" : "past");

/** One grant: a row of the table, or as many as there are rows of the database to show. */
function grant(pen, view, row) {
  const { html, nothing } = pen;
  const kind = whenOf(view, row);
  const shown = view.model.many ? changedRows(row.records) : [null];
  const span = shown.length > 1 ? shown.length : nothing;
  const values = (each) => (view.model.many ? recordCells(pen, view.model, each) : row.cells.map((cell) => valueCell(pen, view.model, cell, row.grant)));
  return html`<tr class=${kind} aria-current=${kind === "now" ? "step" : nothing}>
    <th scope="row" class="n" rowspan=${span}><button type="button" class="go" data-action="go" data-value=${row.grant} aria-label=${row.grant ? `go to grant ${row.grant}` : "go to the start"}>${row.grant || "start"}</button></th>
    ${row.letter === "t" ? time(pen, view, row, span) : view.model.lanes.map((lane, place) => laneCell(pen, view, row, lane, place, span))}
    ${values(shown[0])}
  </tr>${shown.slice(1).map((each, place) => html`<tr class=${`${kind} more${place === shown.length - 2 ? " last" : ""}`}>${values(each)}</tr>`)}`;
}

/** Time passes for everybody: one cell across the lanes. */
function time(pen, { model }, row, span) {
  const { html } = pen;
  const notes = model.lanes.flatMap((lane) => eventLines(row, lane.letter).map((each) => `${lane.name} ${each.text}`));
  return html`<td class="time mine" colspan=${model.lanes.length} rowspan=${span}>${mark(pen, "t")} ${unbroken(pen, [timeWords(row), ...notes].join("; "))}</td>`;
}

/** A clock that somebody sets: time's row too, above the grant that it comes with. */
function clock(pen, view, row) {
  return row.clock.map((event) => pen.html`<tr class=${`clock ${whenOf(view, row)}`}><td colspan=${width(view)}>${mark(pen, "t")} ${clockWords(event)}</td></tr>`);
}

function laneCell(pen, view, row, lane, place, span) {
  const { html } = pen;
  const lines = eventLines(row, lane.letter);
  const begun = row.lanes[place] !== "none" && row.grant > 0 && view.model.rows[row.grant - 1].lanes[place] === "none";
  const mine = row.letter === lane.letter || lines.length > 0;
  const kind = `lane w${lane.letter} ${row.lanes[place]}${mine ? " mine" : ""}${row.grant === 0 || begun ? " first" : ""}`;
  if (!mine) return html`<td class=${kind} rowspan=${span}>${holding(pen, row, lane)}</td>`;
  const acted = row.letter === lane.letter || lines.some((each) => each.kind === "crash");
  return html`<td class=${kind} rowspan=${span}>${acted ? mark(pen, lane.letter, lines.some((each) => each.kind === "wait")) : ""}
    <span class="name">${lane.letter} ${lane.name} </span>${lines.map((each) => eventLine(pen, each))}${holding(pen, row, lane)}${view.daggers ? crosses(pen, view, row, lane) : ""}</td>`;
}

/** A word up to this length widens its lane; a longer one is broken, or a value could make the table endless. */
const LONGEST_WORD = 14;

function eventLine(pen, { kind, text, title }) {
  const { html } = pen;
  const long = text.split(/\s/).some((word) => word.length > LONGEST_WORD) ? " long" : "";
  if (kind === "code") return html`<code class=${`act${long}`} title=${title}>${unbroken(pen, text)}</code> `;
  const name = { crash: "act crash", out: "out" }[kind] ?? `out ${kind}`;
  return html`<span class=${name + long}>${kind === "crash" ? "† " : ""}${unbroken(pen, text)}</span> `;
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

function loss(pen, view, row) {
  const { html } = pen;
  if (!row.violations.length) return "";
  const words = [...new Set(row.violations.map((each) => wordFor(each.invariant)))];
  return html`<tr class=${row.grant > view.step ? "loss later" : "loss"}><td colspan=${width(view)}>
    <strong><span aria-hidden="true">${CROSS}</span> ${words.join(", ")}</strong>
    <ul>${row.violations.map((each) => html`<li><b>broken: ${each.invariant}</b> ${unbroken(pen, each.detail)}.</li>`)}</ul>
  </td></tr>`;
}

/** At the end of a run in which writers wait for each other, and nothing ends the wait. */
function deadlock(pen, view, row) {
  const { html } = pen;
  if (!row.deadlock.length) return "";
  const nameOf = (letter) => view.model.lanes.find((lane) => lane.letter === letter)?.name ?? letter;
  return html`<tr class=${row.grant > view.step ? "loss later" : "loss"}><td colspan=${width(view)}><strong>${row.deadlock.length > 1 ? "deadlock" : "waits for ever"}</strong> <span class="why">${deadlockWords(row.deadlock, nameOf)}</span></td></tr>`;
}
