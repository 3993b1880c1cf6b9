// The detection matrix: checks down, failures across, and in each cell a word, its mark, and
// what the check saw. On a narrow page the same as one list a failure. The row that catches
// everything is the point, so it stands out by a rule and weight; so does the failure that only
// one check sees, by a sentence.

import { TICK } from "./marks.js";
import { runLink } from "./link.js";

export const matrix = { name: "Which check sees which failure", figure, caption };

function figure(pen, { answers: [answer] }, state) {
  return [lead(pen, answer), table(pen, answer, state), list(pen, answer, state)];
}

const catches = (failure, check) => failure.cells[check.name] === "catches";
const everyOf = ({ checks, failures }) => checks.filter((check) => failures.every((failure) => catches(failure, check)));

function lead({ html }, answer) {
  const every = everyOf(answer).map(({ name }) => name);
  const alone = answer.failures.filter((failure) => answer.checks.filter((check) => catches(failure, check)).length < 2);
  const all = every.length ? `Only ${every.join(" and ")} catch${every.length === 1 ? "es" : ""} every one of these ${answer.failures.length} failures.` : `No check catches every one of these ${answer.failures.length} failures.`;
  return html`<p class="lead">${all}${alone.map(({ name, cells }) => {
    const seen = Object.keys(cells).find((check) => cells[check] === "catches");
    return ` Where it is ${name}, ${seen ? "every other check stays green" : "every check stays green"}.`;
  })}</p>`;
}

function table(pen, answer, state) {
  const { html } = pen;
  const every = everyOf(answer);
  return html`<div class="wide"><table class="sheet">
    <caption class="unseen">Checks down, failures across; each cell says whether the check catches the failure or is blind to it</caption>
    <thead><tr><td></td>${answer.failures.map(({ name, recipe }) => html`<th scope="col">${runLink(pen, state, recipe, name)}</th>`)}</tr></thead>
    <tbody>${answer.checks.map((check) => html`<tr class=${every.includes(check) ? "every" : "some"}><th scope="row">${check.name}<small>${check.promise}</small></th>${answer.failures.map((failure) => html`<td>${cell(pen, failure, check)}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

function cell(pen, failure, check) {
  const { html } = pen;
  const found = failure.found[check.name];
  if (!catches(failure, check)) return html`<span class="blind"><span class="sign" aria-hidden="true">–</span> blind</span>`;
  return html`<b class="catches"><span class="sign" aria-hidden="true">${TICK}</span> catches</b><small>${found.join("; ")}</small>`;
}

/** For a narrow page: what each failure is caught by. */
function list(pen, answer, state) {
  const { html, nothing } = pen;
  const every = everyOf(answer);
  return html`<div class="slim">${answer.failures.map((failure) => html`<section><h2>${runLink(pen, state, failure.recipe, failure.name)}</h2><dl>${answer.checks.map((check) => html`<div class=${every.includes(check) ? "sees" : nothing}><dt>${check.name}</dt><dd>${cell(pen, failure, check)}</dd></div>`)}</dl></section>`)}</div>`;
}

function caption(pen, { answers: [answer] }, state) {
  const { html } = pen;
  const wolf = Object.keys(answer.quiet.red);
  return html`Each column is one run that fails in one way, and its heading leads there; each check was asked about that very run. ${TICK} and what it saw where it turned red, blind where it stayed green. ${wolf.length ? `${wolf.join(", ")} is red even ` : "Every check is green "}${runLink(pen, state, answer.quiet.recipe, "where nothing fails")}.`;
}
