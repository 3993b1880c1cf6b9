// The strip of kills: one dagger a place, with what the order comes to when the writer dies
// there, in a mark and a word. A press opens that run; the strip stays, for the next one.

import { many, some } from "../amounts.js";
import { bare } from "../kills.js";
import { format, withChange } from "../recipe.js";
import { breaks, red } from "../story.js";
import { CROSS, TICK, introduced } from "./marks.js";

export function kills(pen, view) {
  const { html } = pen;
  const { scenario, recipe, explore, run } = view;
  const found = explore.kills?.kin === bare(recipe, scenario) ? explore.kills : null;
  const going = found?.phase === "going";
  return html`<section class="panel kills" aria-labelledby="kills-title">
    <h2 id="kills-title">a kill at each point</h2>
    ${found ? html`<p class="verdict"><b>${sentence(found, scenario)}</b> The order is ${short(found.grants)}, as far as the kill lets it go; behind it the seed decides.</p>` : html`<p>This order, once for each place where one of its writers may be killed.</p>`}
    <p class="does"><button type="button" data-action=${going ? "kill-stop" : "kill-each"} aria-disabled=${run || going ? "false" : "true"}>${going ? "Stop" : found ? "Kill at each point of this order" : "Kill at each point"}</button></p>
    ${found ? lanes(found.points).map((each) => lane(pen, view, each)) : ""}
  </section>`;
}

const short = (grants) => (grants.length > 28 ? `${grants.slice(0, 27)}…` : grants);

/** Read aloud once, when the last of them is done. */
export function sentence({ phase, problem, points }, scenario) {
  if (phase === "failed") return `The kills ended: ${problem}`;
  const done = points.filter(({ broken }) => broken);
  const bad = done.filter(({ broken }) => broken.length).length;
  if (!done.length) return phase === "going" ? "A worker will make them, once one is free." : points.length ? "Stopped before the first kill." : "Nobody can be killed in this order.";
  const sofar = done.length < points.length ? `, of ${many(points.length)},` : "";
  return `${bad ? many(bad) : "None"} of ${some(done.length, "kill")}${sofar} ${breaks(scenario, bad || 1)}.`;
}

const lanes = (points) => [...new Set(points.map(({ letter }) => letter))].map((letter) => points.filter((point) => point.letter === letter));

function lane(pen, view, points) {
  return pen.html`<p class="daggers">${introduced(pen, points[0])} ${points.map((point) => button(pen, view, point))}</p>`;
}

function button({ html, nothing }, { scenario, recipe }, { name, op, place, act, text, broken, failing }) {
  const word = broken === null ? "not run yet" : broken.length ? red(scenario) : failing ? "held, with an error" : "held";
  const where = place === "after" ? `after ${op}, its last` : `before ${op}${act && `, ${act}`}`;
  const current = format(withChange(recipe), scenario) === text;
  return html`<button type="button" class=${broken?.length ? "red" : "held"} data-action="open-run" data-value=${text} aria-current=${current ? "true" : nothing} aria-label=${`kill ${name} ${where}: ${word}`}>† ${where} <span class="word">${broken === null ? "·" : broken.length ? CROSS : TICK} ${broken === null ? "" : word}</span></button>`;
}
