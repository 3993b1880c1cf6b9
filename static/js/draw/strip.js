// Thirty seeds, one button each: mark and pattern, and the label in words. The sentence
// under it counts what the data say, by promise, beside what the report counted.

import { CROSS, TICK } from "./marks.js";

export function strip(pen, view) {
  const { html } = pen;
  const { seeds } = view;
  return html`<section class="strip" aria-labelledby="seeds-title">
    <h2 id="seeds-title">${seeds ? seeds.length : 30} seeds <small>Each button is one run.</small></h2>
    ${seeds ? html`<div class="seeds">${seeds.map((each) => seedButton(pen, view, each))}</div><p>${counted(pen, view)}</p>` : html`<p>${unknown(view)}</p>`}
  </section>`;
}

function seedButton(pen, view, { seed, broken, grants }) {
  const { html, nothing } = pen;
  const current = view.run && view.recipe.seed === seed && !view.recipe.faults.length && view.run.grants === grants;
  return html`<button type="button" class=${broken.length ? "red" : "held"} data-action="seed" data-value=${seed} aria-label=${`seed ${seed}, ${broken.length ? "lost" : "held"}`} aria-current=${current ? "true" : nothing}>${broken.length ? CROSS : TICK}</button>`;
}

function counted(pen, view) {
  const { html } = pen;
  const { seeds, scenario } = view;
  const red = seeds.filter((each) => each.broken.length).length;
  const names = scenario.invariants.map((each) => each.name);
  const per = names.map((name) => [name, seeds.filter((each) => each.broken.includes(name)).length]);
  const alike = per.every(([, count]) => count === red);
  const sum = html`A line is lost in <b>${red} of ${seeds.length}</b>${alike ? "" : html` (${per.map(([name, count], place) => `${place ? "; " : ""}${name}: ${count}`)})`}.`;
  const published = scenario.published;
  return html`${sum} ${orders(pen, view)} ${published && view.shippedSeeds && view.family.includes("mode=warn") ? html`<span class="source">The report counted ${published.broken} of ${published.seeds} on its own code (95 % interval ${published.interval[0]}–${published.interval[1]} %).</span>` : ""}`;
}

function orders(pen, { distinct }) {
  if (!distinct) return "";
  const red = distinct.filter((run) => run.violations.length).length;
  const many = distinct.length === 1 ? "one order" : `${distinct.length} different orders`;
  return pen.html`These seeds meet ${many}, and ${red || "none"} of them ${red > 1 ? "lose" : "loses"} it.`;
}

function unknown({ python }) {
  if (python.phase === "ready") return "Python is running these thirty seeds.";
  return python.phase === "failed" ? "These writers were not run at build time, and Python did not load." : "These writers were not run at build time; Python fills this strip when it is ready.";
}
