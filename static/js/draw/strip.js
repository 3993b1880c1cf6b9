// Thirty seeds, one button each: mark and pattern, a number under every fifth, and the label
// in words. The sentence under it counts what the data say, by promise, beside what the report
// counted. The strip is one stop for the Tab key; arrows walk inside it.

import { breaks, losesThings, red } from "../story.js";
import { isLong } from "../window.js";
import { CROSS, TICK } from "./marks.js";

const NUMBERED = 5;

export function strip(pen, view) {
  const { html } = pen;
  const { seeds } = view;
  const many = seeds?.length || 30;
  return html`<section class="strip" aria-labelledby="seeds-title">
    <h2 id="seeds-title">${many} seeds <small class="screen">Each button is one run.</small></h2>
    ${seeds?.length ? html`<div class="seeds" role="group" aria-labelledby="seeds-title">${seeds.map((each) => seedButton(pen, view, each))}</div><p>${counted(pen, view)}</p>` : html`<p>${unknown(view)}</p>`}
  </section>`;
}

function seedButton(pen, view, { seed, broken, grants }) {
  const { html, nothing } = pen;
  const current = view.run && view.recipe.seed === seed && view.run.grants === grants;
  const word = broken.length ? red(view.scenario) : "held";
  const stop = Math.min(view.rover ?? view.recipe.seed, view.seeds.length - 1);
  return html`<span class="seed"><button type="button" class=${broken.length ? "red" : "held"} data-action="seed" data-value=${seed} tabindex=${seed === stop ? "0" : "-1"} title=${`seed ${seed}`} aria-label=${`seed ${seed}, ${word}`} aria-current=${current ? "true" : nothing}>${broken.length ? CROSS : TICK}</button><small aria-hidden="true">${seed % NUMBERED ? "" : seed}</small></span>`;
}

function counted(pen, view) {
  const { html } = pen;
  const { seeds, scenario, published } = view;
  const bad = seeds.filter((each) => each.broken.length).length;
  const per = scenario.invariants.map(({ name }) => [name, seeds.filter((each) => each.broken.includes(name)).length]).filter(([, count]) => count);
  const alike = per.every(([, count]) => count === bad);
  const sum = html`${losesThings(scenario) ? "A line is lost" : "A promise breaks"} in <b>${bad} of ${seeds.length}</b>${alike ? "" : html` (${per.map(([name, count], place) => `${place ? "; " : ""}“${name}” breaks in ${count}`)})`}.`;
  return html`${sum} ${orders(pen, view)} ${published ? html`<span class="source">The report counted ${published.broken} of ${published.seeds} on its own code (95 % interval ${published.interval[0]}–${published.interval[1]} %).</span>` : ""}`;
}

function orders(pen, { distinct, scenario }) {
  if (!distinct) return "";
  const bad = distinct.filter((run) => run.violations.length).length;
  if (distinct.length === 1) return `These seeds meet one order${bad ? `, and it ${breaks(scenario, 1)}` : ""}.`;
  const how = bad === distinct.length ? "all" : bad || "none";
  return `These seeds meet ${distinct.length} different orders, and ${how} of them ${breaks(scenario, Math.max(bad, 1))}.`;
}

function unknown({ python, seeds, run }) {
  if (run && isLong(run)) return "A run as long as this one is not made thirty times unasked; any seed can be chosen below.";
  if (seeds) return "These thirty seeds could not be run.";
  if (["ready", "disagrees", "checking"].includes(python.phase)) return "Python is running these thirty seeds.";
  if (python.phase === "failed") return "This variant was not run when the page was built, and Python did not load.";
  return "This variant was not run when the page was built; Python fills this strip when it is ready.";
}
