// Seeds by the thousand: up to two hundred as buttons, like the strip; beyond, columns with the
// same meaning, ink for red. The sentence counts what was run, and how sure that makes one.

import { interval, many, percent, some } from "../amounts.js";
import { familyText } from "../explore.js";
import { MOST_BUTTONS, columnsOf, seedsIn } from "../range.js";
import { breaks, red } from "../story.js";
import { HELD, MOST_SEEDS, RED } from "../sweeps.js";
import { CROSS, TICK } from "./marks.js";

const NUMBERED = 5;

export function range(pen, view) {
  const { html } = pen;
  const found = view.explore.range[familyText(view)];
  return html`<section class="panel range" aria-labelledby="range-title">
    <h2 id="range-title">more seeds</h2>
    ${asking(pen, view, found)}
    ${found ? html`<p class="verdict"><b>${sentence(found, view.scenario)}</b> ${behind(found, view.scenario)}</p>${found.last < MOST_BUTTONS ? buttons(pen, view, found) : columns(pen, view, found)}` : ""}
  </section>`;
}

function asking(pen, { explore }, found) {
  const { html, nothing } = pen;
  const { last, refused } = explore;
  const going = found?.phase === "going";
  return html`<p class="does"><label>seeds 0 to <input type="text" inputmode="numeric" autocomplete="off" maxlength="12" data-action="range-last" value=${refused ? refused.text : last} aria-invalid=${refused ? "true" : nothing} aria-describedby=${refused ? "range-refused" : nothing}></label>
    <button type="button" data-action=${going ? "range-stop" : "range-run"}>${going ? "Stop" : "Run these seeds"}</button>
    ${refused ? html`<span id="range-refused" class="refused" role="alert">${refused.sentence}</span>` : ""}</p>`;
}

/** What was counted; said aloud once, when it is over. */
export function sentence({ phase, problem, done, bad, last }, scenario) {
  if (phase === "failed") return `The sweep ended: ${problem}`;
  const sofar = phase === "done" ? "" : phase === "stopped" ? `, stopped of ${many(last + 1)}` : `, so far of ${many(last + 1)}`;
  if (!done) return phase === "stopped" ? "Stopped before the first seed." : "Workers will run them, once they are free.";
  const lost = bad ? `${many(bad)} of ${some(done, "seed")}` : `None of ${some(done, "seed")}`;
  return `${lost}${sofar}${sofar && ","} ${breaks(scenario, bad || 1)}.`;
}

function behind({ done, bad, by, grants, failing, phase }, scenario) {
  if (!done || phase === "failed") return "";
  const red = [...grants.values()].filter(Boolean).length;
  const promises = Object.entries(by).filter(([, count]) => count !== bad);
  return [
    `That is ${percent(bad / done)} (95 % interval ${interval(bad, done)}).`,
    ...promises.map(([name, count]) => `“${name}” breaks in ${many(count)}.`),
    failing ? `In ${many(failing)} a writer ends in an error.` : "",
    `${some(grants.size, "different order")} ${grants.size === 1 ? "was" : "were"} met; ${red ? `${grants.size === 1 ? "it" : `${red === grants.size ? "all" : many(red)} of them`} ${breaks(scenario, red)}` : `none of them ${breaks(scenario, 1)}`}.`,
  ].filter(Boolean).join(" ");
}

function buttons(pen, view, found) {
  const { html } = pen;
  const seeds = seedsIn(found);
  const stop = stopOf(view, seeds.map(({ seed }) => seed));
  return html`<div class="seeds" role="group" aria-labelledby="range-title">${seeds.map((each) => seedButton(pen, view, each, stop))}</div>`;
}

/** The one that the Tab key stops at. */
const stopOf = ({ rover, recipe }, values) => (values.includes(rover) ? rover : values.includes(recipe.seed) ? recipe.seed : values[0]);
const isCurrent = ({ recipe, run }, seed) => run && !recipe.grants && recipe.seed === seed;

function seedButton(pen, view, { seed, mark }, stop) {
  const { html, nothing } = pen;
  const word = mark === RED ? red(view.scenario) : mark === HELD ? "held" : "not run yet";
  return html`<span class="seed"><button type="button" class=${mark === RED ? "red" : "held"} data-action="range-seed" data-value=${seed} tabindex=${seed === stop ? "0" : "-1"} title=${`seed ${seed}`} aria-label=${`seed ${seed}, ${word}`} aria-current=${isCurrent(view, seed) ? "true" : nothing}>${mark === RED ? CROSS : mark === HELD ? TICK : "·"}</button><small aria-hidden="true">${seed % NUMBERED ? "" : seed}</small></span>`;
}

function columns(pen, view, found) {
  const { html } = pen;
  const all = columnsOf(found);
  const stop = stopOf(view, all.map(({ goes }) => goes));
  return html`<div class="seeds columns" role="group" aria-labelledby="range-title">${all.map((each, place) => columnButton(pen, view, each, place, stop))}</div>
    <p class="scope">Each column is ${some(all[0].to - all[0].from + 1, "seed")}; its ink is the share of them that ${breaks(view.scenario, 2)}. A press goes to its first such seed.</p>`;
}

const HIGH = 40;

function columnButton(pen, view, { from, to, red: bad, run, goes }, place, stop) {
  const { html, svg, nothing } = pen;
  const high = run ? Math.round((HIGH * bad) / run) : 0;
  const ink = bad ? Math.max(high, 1) : 0;
  const label = run ? `seeds ${from} to ${to}: ${bad} of ${run} ${red(view.scenario)}; go to seed ${goes}` : `seeds ${from} to ${to}: not run yet`;
  return html`<span class="seed"><button type="button" data-action="range-seed" data-value=${goes} tabindex=${goes === stop ? "0" : "-1"} title=${label} aria-label=${label} aria-current=${view.run && !view.recipe.grants && view.recipe.seed >= from && view.recipe.seed <= to ? "true" : nothing}>
    <svg viewBox=${`0 0 10 ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">${run ? svg`<rect class="ink" y=${HIGH - ink} width="10" height=${ink}></rect>` : svg`<path class="todo" d=${`M5 0V${HIGH}`}></path>`}</svg></button><small aria-hidden="true">${place % NUMBERED ? "" : many(from)}</small></span>`;
}
