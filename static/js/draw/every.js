// Every interleaving: the sentence first, then the ends that the orders come to, each with its
// share and its smallest witness, which is a link that opens that run. While a search goes on
// its one honest line stands there, and Stop. What would be wrong here: working anything out.

import { many, percent, some } from "../amounts.js";
import { resultOf } from "../explore.js";
import { faultWords, isDagger } from "../faults.js";
import { parse, queryFor } from "../recipe.js";
import { red } from "../story.js";
import { behind, ends, progress, scope, sentence } from "../verdicts.js";
import { CROSS, TICK } from "./marks.js";

const MOST = 8;
const LONGEST = 28;

export function every(pen, view) {
  const { html } = pen;
  const found = resultOf(view);
  return html`<section class="panel every" aria-labelledby="every-title">
    <h2 id="every-title">every interleaving</h2>
    ${found ? first(pen, view, found) : html`<p>Seeds are a sample. This runs every order that these writers can take.</p>`}
    ${buttons(pen, view, found)}
    ${found?.answer && !isGoing(found) ? html`${list(pen, view, found)}<p class="scope">${scope(found, view.scenario)}</p>` : ""}
  </section>`;
}

const isGoing = (found) => found?.phase === "starting" || found?.phase === "going";

function buttons(pen, { explore }, found) {
  const { html } = pen;
  const going = isGoing(found);
  const button = (crashes, label) => {
    const mine = going && found.crashes === crashes;
    return html`<button type="button" data-action=${mine ? "prove-stop" : "prove"} data-value=${crashes} aria-disabled=${going && !mine ? "true" : "false"}>${mine ? "Stop" : label}</button>`;
  };
  return html`<p class="does">${button(0, "Prove over every order")} ${button(1, "… with one kill anywhere")}
    <label><input type="checkbox" data-action="brute" ?checked=${explore.brute} ?disabled=${going}>unreduced: each order by itself</label></p>`;
}

/** How far it is, or what it came to. */
function first(pen, view, found) {
  const { html } = pen;
  if (isGoing(found)) return html`<p>${progress(found, view.scenario)}</p>${found.estimate && found.shares ? html`<progress max=${Math.max(found.estimate, found.explored)} value=${found.explored} aria-label="orders run"></progress>` : ""}`;
  return html`<p class="verdict"><b>${sentence(found, view.scenario)}</b>${behind(found, view.scenario).map((each) => html` ${each}`)}</p>`;
}

function list(pen, view, { answer }) {
  const { html } = pen;
  if (!answer.outcomes.length) return answer.witness ? html`<p>Met so far: ${link(pen, view, answer.witness)}</p>` : "";
  const shown = view.explore.all ? answer.outcomes : answer.outcomes.slice(0, MOST);
  const left = answer.outcomes.length - shown.length;
  return html`<table class="outcomes"><caption class="unseen">How the orders end</caption>
    <thead><tr><th scope="col">orders</th><th scope="col">end</th><th scope="col">smallest</th></tr></thead>
    <tbody>${ends(shown).map((end) => row(pen, view, end))}</tbody></table>
    ${left ? html`<p class="does"><button type="button" data-action="ends-all">${some(left, "more end")}</button></p>` : ""}`;
}

function row(pen, view, end) {
  const { html } = pen;
  const odd = !end.serial && !view.scenario.invariants.length; // where nothing else is promised
  const word = end.broken.length ? red(view.scenario) : odd ? "not serial" : "held";
  return html`<tr class=${end.broken.length ? "red" : "held"}>
    <th scope="row"><b>${many(end.count)}</b> <small>${percent(end.share)}</small></th>
    <td><b class="word">${end.broken.length || odd ? CROSS : TICK} ${word}</b> ${end.answers.map(([name, how], at) => html`${at ? "; " : ""}${name} ${how}`)}${end.held.map((each) => html`<span class="rows">${each}</span>`)}${odd ? html`<span class="rows">${end.apart}</span>` : ""}</td>
    <td>${link(pen, view, end.witness)}</td>
  </tr>`;
}

/** A witness is a run like any other: a link with its address, which the figure opens in place. */
export function link({ html, nothing }, view, text) {
  const recipe = parse(text, [view.scenario]);
  const { grants, faults } = recipe;
  const current = view.run && (grants ? view.run.grants === grants : view.recipe.seed === recipe.seed) && view.recipe.faults.length === faults.length;
  const short = grants.length > LONGEST ? `${grants.slice(0, LONGEST - 1)}…` : grants || `seed ${recipe.seed}`;
  const kills = faults.map((fault) => (isDagger(fault) ? ` †${fault.letter} ${fault.place} ${fault.op}` : `, ${faultWords(fault)}`)).join("");
  return html`<a class="witness" data-run=${view.frame.id} href=${view.base + queryFor(recipe, view.scenario)} aria-current=${current ? "true" : nothing} title=${short === grants ? nothing : grants || nothing}><code>${short}</code>${kills}</a>`;
}
