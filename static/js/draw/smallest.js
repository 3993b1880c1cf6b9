// The smallest story of a red run: what it took to find, and whether there is a smaller one.

import { some } from "../amounts.js";
import { format, withChange } from "../recipe.js";
import { link } from "./every.js";

export function smallest(pen, view) {
  const { html } = pen;
  const { explore, run, recipe, scenario } = view;
  if (!run) return "";
  const present = format(withChange(recipe), scenario);
  const { smallest: mine } = explore;
  const found = mine && (mine.of === present || mine.answer?.recipe === present) ? mine : null;
  const going = found?.phase === "going";
  const red = run.violations.length > 0 || run.serial === false;
  return html`<section class="panel smallest" aria-labelledby="smallest-title">
    <h2 id="smallest-title">the smallest story</h2>
    <p>${found ? sentence(found) : red ? "The fewest writers, then faults, then switches of writer, that break the same promise in the same way." : "This run breaks no promise, so there is no story to make smaller."}${found && !going && found.answer && found.of !== found.answer.recipe ? html` It was ${link(pen, view, found.of)}.` : ""}</p>
    <p class="does"><button type="button" data-action=${going ? "smallest-stop" : "smallest"} aria-disabled=${red || going ? "false" : "true"}>${going ? "Stop" : "Smallest story"}</button></p>
  </section>`;
}

export function sentence({ phase, runs, answer, problem }) {
  if (phase === "failed") return `The search for a smaller story ended: ${problem}`;
  if (!answer) return phase === "going" ? "A worker will look for it, once one is free." : "Stopped before the first try.";
  const { writers, faults, switches, grants, invariant, smallest: complete } = answer;
  const size = [some(writers, "writer"), ...(faults ? [some(faults, "fault")] : []), some(switches, "switch", "switches"), some(grants.length, "grant")].join(", ");
  if (phase === "going") return `${some(runs, "run")} tried; the smallest so far: ${size}.`;
  return `“${invariant}” in ${size}, after ${some(runs, "run")}: ${complete ? "there is nothing smaller" : phase === "stopped" ? "stopped, so there may be a smaller one" : "the runs were used up, so there may be a smaller one"}.`;
}
