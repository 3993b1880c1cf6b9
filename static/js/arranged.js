// A run is arranged once, and a long one in slices. Apart from the model, which knows nothing of
// time that passes. What would be wrong here: what a row is made of.

import { arrange, arranging } from "./model.js";
import { inSlices } from "./slices.js";
import { isLong } from "./window.js";

const kept = new WeakMap();

/** The model of a run; `start` is the instant of its t = 0, and the same for all of a page's. */
export function modelOf(run, start) {
  if (!kept.has(run)) kept.set(run, arrange(run, start));
  return kept.get(run);
}

/** The run, once its model is there: at once where it is short. */
export async function prepared(run, start) {
  if (isLong(run) && !kept.has(run)) kept.set(run, await inSlices(arranging(run, start)));
  return run;
}
