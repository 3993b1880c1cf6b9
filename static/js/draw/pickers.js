// What makes a run what it is, each part to be changed: writers, options, journal, seed and
// crash points. Every change is a new recipe and therefore a new address. What has no picker
// of its own and is not at its default is named, and can be put back.

import { crashPoints } from "../choices.js";
import { otherCasts, nameAt } from "../casts.js";
import { faultWords } from "../faults.js";
import { said } from "../recipe.js";
import { near } from "../window.js";
import { introduced, mark } from "./marks.js";

const ZONES = ["UTC", "+09:00", "-10:00", "+05:30"];
const OTHERS = ["tz", "timers", "timeout", "granularity", "policy", "p"];

export function pickers(pen, view) {
  const { html } = pen;
  const { scenario, recipe } = view;
  const zoned = view.data.local_time;
  const others = said(recipe, scenario).filter(([key]) => OTHERS.includes(key) && !(zoned && key === "tz"));
  const casts = otherCasts(view.data, recipe);
  return html`<section class="pickers"><h2>this run</h2><dl>
    ${scenario.options.map((option) => row(pen, option.name, radios(pen, `option-${option.name}`, option.choices, recipe.options[option.name], option.meaning)))}
    ${row(pen, "writers", writers(pen, view))}
    ${casts.length ? row(pen, "or else", casts.map(({ words, text }) => html`<button type="button" class="cast" data-action="cast" data-value=${text}>${words}</button>`)) : ""}
    ${row(pen, "journal", radios(pen, "journal", scenario.journals ?? ["delete", "wal"], recipe.journal))}
    ${row(pen, "seed", seed(pen, view))}
    ${zoned ? row(pen, "zone", zone(pen, recipe.tz)) : ""}
    ${others.length ? row(pen, "also", others.map(([key, value]) => html`<button type="button" data-action="default" data-value=${key}>${key} ${value}, put back</button>`)) : ""}
    ${row(pen, "crash", crashes(pen, view))}
  </dl></section>`;
}

const row = ({ html }, name, content) => html`<div><dt>${name}</dt><dd>${content}</dd></div>`;

function radios({ html }, name, choices, chosen, meaning = {}) {
  return html`<span role="radiogroup" aria-label=${name.replace("option-", "")}>${choices.map(
    (choice) => html`<label title=${meaning[choice] ?? choice}><input type="radio" name=${name} data-action=${name} data-value=${choice} ?checked=${choice === chosen}>${choice}</label>`,
  )}</span>`;
}

/** What was typed and is no seed stays in the field, with the sentence, until it is mended. */
function seed({ html, nothing }, { recipe, refused }) {
  return html`<button type="button" data-action="seed-by" data-value="-1" aria-label="the seed before">‹</button>
    <input type="text" inputmode="numeric" autocomplete="off" maxlength="60" data-action="seed" value=${refused ? refused.text : recipe.seed} aria-label="seed" aria-invalid=${refused ? "true" : nothing} aria-describedby=${refused ? "seed-refused" : nothing}>
    <button type="button" data-action="seed-by" data-value="1" aria-label="the seed after">›</button>
    ${refused ? html`<span id="seed-refused" class="refused" role="alert">${refused.sentence}</span>` : ""}`;
}

/** Local time is asked for in this scenario: what the day is depends on where one is. */
function zone({ html }, tz) {
  return html`<select data-action="tz" data-value="tz" aria-label="time zone">${[...new Set([...ZONES, tz])].map((each) => html`<option value=${each} ?selected=${each === tz}>${each}</option>`)}</select>`;
}

function writers(pen, { recipe, scenario }) {
  const { html } = pen;
  const full = recipe.writers.length >= scenario.most_writers;
  return html`<span class="slots">${recipe.writers.map((role, place) => slot(pen, scenario, recipe, role, place))}${full ? "" : html`<button type="button" data-action="add">add</button>`}</span>`;
}

function slot(pen, scenario, { writers: all }, chosen, place) {
  const { html } = pen;
  const letter = "ABCDE"[place];
  const name = nameAt(all, chosen, place);
  return html`<span class="slot">${mark(pen, letter)}<b class="letter">${letter}</b><select data-action="writer" data-value=${place} aria-label=${`writer ${letter}, ${name}`}>
    ${scenario.roles.map((role) => html`<option value=${role.name} ?selected=${role.name === chosen}>${role.name === chosen ? name : role.name}</option>`)}${all.length > 1 ? html`<option value="">nobody</option>` : ""}
  </select></span>`;
}

function crashes(pen, view) {
  const { html } = pen;
  const { recipe, run } = view;
  const placed = recipe.faults.map((fault, at) => html`<button type="button" data-action="uncrash" data-value=${at}>${fault.kind === "crash" ? "† " : ""}${faultWords(fault)}, remove</button>`);
  if (!run) return placed.length ? placed : "none";
  return html`${placed}<button type="button" data-action="daggers" aria-expanded=${view.daggers ? "true" : "false"} aria-controls="points">† ${view.daggers ? "hide the points" : "choose a point"}</button>
    <div id="points" class="points" ?hidden=${!view.daggers}>${view.daggers ? points(pen, view) : ""}</div>`;
}

const MOST_POINTS = 60;

/** Of a writer with a great many, those around the current grant. */
function points(pen, { model, step }) {
  const { html } = pen;
  const pointsOf = (lane) => {
    const all = crashPoints(model, lane);
    return near(all, all.filter((point) => point.step < step).length, MOST_POINTS);
  };
  return html`<p>Kill a process before one of its operations, or after its last. After operation 1 is the same place as before operation 2.</p>
    ${model.lanes.map((lane) => html`<p>${introduced(pen, lane)} ${pointsOf(lane).map((point) => pointButton(pen, lane, point))}</p>`)}`;
}

function pointButton({ html }, lane, { step, act, fault: { letter, op, place } }) {
  const what = place === "after" ? `after ${op}, its last` : `before ${op}${act && `, ${act}`}`;
  return html`<button type="button" class="dagger" data-action="crash" data-value=${`${step}:${letter}${op}${place}`} aria-label=${`crash ${lane.name} ${what}`}>† ${what}</button>`;
}
