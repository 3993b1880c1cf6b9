// What makes a run what it is, each part to be changed: writers, options, journal, seed and
// crash points. Every change is a new recipe and therefore a new address.

import { mark } from "./marks.js";

export function pickers(pen, view) {
  const { html } = pen;
  const { scenario, recipe } = view;
  return html`<section class="pickers"><h2>this run</h2><dl>
    ${scenario.options.map((option) => row(pen, option.name, radios(pen, `option-${option.name}`, option.choices, recipe.options[option.name], option.meaning)))}
    ${row(pen, "writers", writers(pen, view))}
    ${row(pen, "journal", radios(pen, "journal", scenario.journals ?? ["delete", "wal"], recipe.journal))}
    ${row(pen, "seed", html`<input type="number" data-action="seed" min="0" max="9007199254740991" step="1" value=${recipe.seed} aria-label="seed">`)}
    ${row(pen, "crash", crashes(pen, view))}
  </dl></section>`;
}

const row = ({ html }, name, content) => html`<div><dt>${name}</dt><dd>${content}</dd></div>`;

function radios({ html }, name, choices, chosen, meaning = {}) {
  return html`<span role="radiogroup" aria-label=${name.replace("option-", "")}>${choices.map(
    (choice) => html`<label title=${meaning[choice] ?? choice}><input type="radio" name=${name} data-action=${name} data-value=${choice} ?checked=${choice === chosen}>${choice}</label>`,
  )}</span>`;
}

function writers(pen, { recipe, scenario }) {
  const { html } = pen;
  const full = recipe.writers.length >= scenario.most_writers;
  return html`<span class="slots">${recipe.writers.map((role, place) => slot(pen, scenario, role, place, recipe.writers.length))}${full ? "" : html`<button type="button" data-action="add">add</button>`}</span>`;
}

function slot(pen, scenario, chosen, place, many) {
  const { html } = pen;
  const letter = "ABCDE"[place];
  return html`<span class="slot">${mark(pen, letter)}<select data-action="writer" data-value=${place} aria-label=${`writer ${letter}`}>
    ${scenario.roles.map((role) => html`<option value=${role.name} ?selected=${role.name === chosen}>${role.name}</option>`)}${many > 1 ? html`<option value="">nobody</option>` : ""}
  </select></span>`;
}

function crashes(pen, { recipe, daggers, run }) {
  const { html } = pen;
  const placed = recipe.faults.map(({ letter, op, place }, at) => html`<button type="button" data-action="uncrash" data-value=${at}>† ${letter} ${place} operation ${op}, remove</button>`);
  return html`${placed.length || run ? placed : "none"}${run ? html`<button type="button" data-action="daggers" aria-pressed=${daggers ? "true" : "false"}>† ${daggers ? "hide the points" : "choose a point"}</button>` : ""}`;
}
