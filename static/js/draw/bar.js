// The line over the table: which run this is, and the one button that shows it happen.

import { faultWords } from "../faults.js";
import { said } from "../recipe.js";
import { wordFor } from "../story.js";

export function bar(pen, view) {
  const { html } = pen;
  return html`<div class="bar">
    ${what(pen, view)}
    <div class="show">
      ${view.walking ? html`<span class="hint">One grant a press, as you asked for less motion.</span>` : ""}
      <button type="button" data-action="watch">${view.playing ? "Pause" : view.walking ? "Next grant ▸" : "Watch it happen"}</button>
      ${view.run.violations.length ? html`<button type="button" data-action="violation">✗ ${wordFor(view.run.violations[0].invariant) === "lost" ? "The loss" : "What broke"}</button>` : ""}
    </div>
  </div>`;
}

const LONGEST = 16;
const MOST_OPTIONS = 2; // that are named even at their default

/** The recipe in words; it stands even where the run itself is still being computed. */
export function what(pen, view) {
  const { html } = pen;
  const { recipe, scenario } = view;
  const parts = new Map(said(recipe, scenario));
  const [variant, ...more] = scenario.options.map(({ name }) => name);
  for (const name of more.length > MOST_OPTIONS ? [variant] : [variant, ...more]) if (name) parts.set(name, recipe.options[name]);
  for (const key of ["step", "check", "faults"]) parts.delete(key);
  if (parts.has("writers")) parts.set("writers", recipe.writers.join(", "));
  if (parts.has("timeout")) parts.set("timeout", `${recipe.timeout / 1000} s`);
  if (!recipe.grants) parts.set("seed", recipe.seed);
  if (recipe.grants.length > LONGEST) parts.set("grants", `${recipe.grants.slice(0, LONGEST - 1)}…`);
  const pairs = [...parts, ...recipe.faults.map((fault) => ["fault", faultWords(fault)])];
  return html`<p class="what"><b>${scenario.slug}</b>${pairs.map(([key, value]) => html` <span>${key} <b>${value}</b></span>`)}</p>`;
}
