// A day in UTC, a row a time zone: hatched hours are those whose events were filed under another
// day than their own timestamp. The picture says nothing that the cell beside it does not say in
// words. Beside it what an export of the same day left out, for there two local days meet.

import { exportOf, hoursOf, spansOf } from "../day.js";
import { runLink } from "./link.js";
import { CROSS, TICK } from "./marks.js";
import { unbroken } from "./text.js";

export const day = { name: "The hours that carry two days", figure, caption };

const HIGH = 26;

function rowsOf({ zones, answers }) {
  return zones.map((zone, place) => {
    const [run, exported] = answers.slice(2 * place, 2 * place + 2);
    const hours = hoursOf(run) ?? [];
    return { ...zone, run, hours, wrong: hours.filter((each) => each?.wrong).length, exported, made: exportOf(exported) };
  });
}

function figure(pen, data, state) {
  const { html } = pen;
  const rows = rowsOf(data);
  return html`<p class="lead">${lead(rows)}</p><table>
    <caption class="unseen">Time zones down; the hours of UTC in which an event’s two days differ, and what an export leaves out</caption>
    <thead><tr><th scope="col">local time</th><th scope="col" class="hours"><span class="unseen">hours of UTC in which the day differs</span>${ruler(pen)}</th><th scope="col">another day</th><th scope="col">an export of the day</th></tr></thead>
    <tbody>${rows.map((row) => zoneRow(pen, row, state))}</tbody>
  </table>`;
}

function lead(rows) {
  const [none, ...others] = [...rows].sort((a, b) => a.wrong - b.wrong);
  return `One event an hour for a day, filed by the local day and stamped in UTC. ${others.reverse().map(({ place, wrong }, at) => `${at ? "in" : "In"} ${place} ${wrong} of 24 carry two days`).join(", ")}; in ${none.place} ${none.wrong === 0 ? "none does" : `${none.wrong} do`}.`;
}

function zoneRow(pen, row, state) {
  const { html } = pen;
  const zone = row.offset === row.place ? row.place : html`${row.place} <small>${row.offset.replace("-", "−")}</small>`;
  return html`<tr><th scope="row">${runLink(pen, state, row.run.recipe, zone)}</th>
    <td class="hours">${band(pen, row.hours)}</td>
    <td><b>${row.wrong} of 24</b> <small>${wordsOf(row.hours)}</small></td>
    <td>${exported(pen, row, state)}</td></tr>`;
}

function exported(pen, { exported: run, made }, state) {
  const { html } = pen;
  if (!made) return "none was made";
  const left = made.left ? html`<b>${sign(pen, CROSS)} leaves out ${made.left} event${made.left === 1 ? "" : "s"}</b>` : html`${sign(pen, TICK)} leaves out none`;
  return html`${left} <small>${runLink(pen, state, run.recipe, `made at ${made.at.slice(11, 16)} UTC`)} and headed ${unbroken(pen, made.headed)}</small>`;
}

const sign = ({ html }, text) => html`<span class="sign" aria-hidden="true">${text}</span>`;

const clock = (hour) => `${String(hour % 24).padStart(2, "0")}:00`;
const wordsOf = (hours) => spansOf(hours).map(([from, to]) => `${clock(from)} to ${to === 24 ? "24:00" : clock(to)} UTC`).join(", ");
const percent = (hour) => `${Math.round((hour / 24) * 10000) / 100}%`;

function ruler({ html, svg }) {
  return html`<svg class="ruler" width="100%" height="18" aria-hidden="true">${[0, 6, 12, 18, 24].map((hour) => svg`<text class=${hour === 0 ? "first" : hour === 24 ? "last" : "mid"} x=${percent(hour)} y="13">${hour}</text>`)}</svg>`;
}

function band({ html, svg }, hours) {
  return html`<svg class="band" width="100%" height=${HIGH} aria-hidden="true">
    ${hours.map((each, hour) => svg`<svg class=${each?.wrong ? "hour wrong" : "hour"} x=${percent(hour)} width=${percent(1)} height=${HIGH}>${each?.wrong ? svg`<path class="hatch" d=${HATCH}></path>` : ""}<rect class="edge" width="100%" height="100%"></rect></svg>`)}
  </svg>`;
}

const HATCH = Array.from({ length: 16 }, (_, place) => `M0 ${place * 6}l60 -60`).join("");

function caption({ html }, { zones }) {
  return html`Each row is one run in virtual time, and its name leads there: an event an hour, on the hour. Hatched: the day it was filed under is not the day of its timestamp. The last column is another run: two events and an export on one day of UTC; the export looks for its own local day, and leaves out what was filed under another one. ${zones.some(({ offset }) => offset.endsWith(":30")) ? "Where the zone is half an hour off, events on the hour miss that half." : ""}`;
}
