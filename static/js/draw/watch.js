// What the database holds after a grant. One row of it: a column a value, a dot where nothing
// changed, and inside a value the lines with their writers' marks. Several rows: a grid, one
// line a row, the row's mark before it, a removed row struck through whole. What would be
// wrong here: a value beside another row than its own, or working out who owns a line.

import { EMPTY } from "../records.js";
import { introduced, mark } from "./marks.js";
import { unbroken } from "./text.js";

const MOST_WHOLE = 22;
const MOST_RECORDS = 8;

/** The title over the columns' own names; the lanes reach down beside both. */
export function head(pen, { lanes, columns, title }) {
  const { html, nothing } = pen;
  const two = columns.length > 1;
  const down = two ? "2" : nothing;
  return html`<thead><tr>
      <th scope="col" class="n" rowspan=${down}><span class="unseen">grant</span></th>
      ${lanes.map((lane) => html`<th scope="col" class="lane" rowspan=${down}>${introduced(pen, lane)}</th>`)}
      <th scope=${two ? "colgroup" : "col"} class="db title" colspan=${two ? columns.length : nothing}>${title}</th>
    </tr>${two ? html`<tr>${columns.map((name) => html`<th scope="col" class="db">${name}</th>`)}</tr>` : ""}</thead>`;
}

// One row of the database.

export function valueCell(pen, model, cell, grant) {
  const { html } = pen;
  if (!cell.changed) return html`<td class="db same"><span aria-hidden="true">·</span><span class="unseen">${cell.name} unchanged</span></td>`;
  const first = cell.name === model.columns[0];
  const lines = first ? cell.lines : cell.lines.filter((each) => each.change !== "removed");
  return html`<td class="db">${label(pen, cell.name)}${lines.length ? lines.map((each) => valueLine(pen, model, each, grant)) : html`<span class="quiet">none</span>`}</td>`;
}

const label = ({ html }, name) => html`<span class="label">${name} </span>`;

function valueLine(pen, model, each, grant) {
  const { html } = pen;
  const owner = ownerOf(model, each);
  const sign = owner ? mark(pen, owner.letter, each.pending) : "";
  if (each.change === "removed") return html`<span class="line">${sign}${struck(pen, each.text)}${removed(pen, owner)}</span>`;
  const old = grant && each.change === "kept" && !each.settled;
  return html`<span class=${`line${old ? " quiet" : ""}${whole(each.text)}`}>${sign}${written(pen, each.text)}${each.pending ? uncommitted(pen) : ""}</span>`;
}

const ownerOf = (model, { owner }) => model.lanes.find((lane) => lane.letter === owner);
const whole = (text) => (text.length <= MOST_WHOLE ? " whole" : "");
const struck = (pen, text) => pen.html`<del>${unbroken(pen, text)}</del>`;
const removed = ({ html }, owner) => html`<span class="unseen"> (removed${owner ? `, ${owner.name}’s` : ""})</span>`;
const uncommitted = ({ html }) => html`<span class="unseen"> (not committed)</span>`;
const written = (pen, text) => (text === EMPTY ? pen.html`<span aria-hidden="true">${EMPTY}</span><span class="unseen">empty</span>` : unbroken(pen, text));

// Several rows of the database.

/** What is shown of the rows: a list to draw, one line each; null where nothing has changed. */
export function changedRows(records) {
  if (!records) return [null];
  if (!records.length) return [{ words: "none" }];
  if (records.length <= MOST_RECORDS) return records;
  const news = records.filter((each) => each.fresh || each.settled);
  const rest = records.length - news.length;
  return rest ? [{ words: `${rest} ${rest === 1 ? "row" : "rows"} as before` }, ...news] : news;
}

export function recordCells(pen, model, each) {
  const { html } = pen;
  const across = model.columns.length;
  if (!each) return html`<td class="db same" colspan=${across}><span aria-hidden="true">·</span><span class="unseen">unchanged</span></td>`;
  if (each.words) return html`<td class="db quiet" colspan=${across}>${each.words}</td>`;
  const owner = ownerOf(model, each);
  const gone = each.change === "removed";
  return model.columns.map((name, column) => {
    const text = each.values[column];
    const sign = column ? "" : html`<span class="berth">${owner ? mark(pen, owner.letter, each.pending) : ""}</span>`;
    const after = column ? "" : html`${gone ? removed(pen, owner) : ""}${each.pending && !gone ? uncommitted(pen) : ""}`;
    const news = each.changed?.[column] || each.settled;
    return html`<td class=${`db${news ? "" : " quiet"}`}>${label(pen, name)}<span class=${`line${whole(text)}`}>${sign}${gone ? struck(pen, text) : written(pen, text)}${after}</span></td>`;
  });
}
