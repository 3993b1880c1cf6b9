// What the page knows, in one frozen object, and who wants to hear of a change. Small on
// purpose: a change is a new object, so a view can be drawn from any of them and the build
// draws from the first. What would be wrong here: asking Python, or touching the address.

import { parse } from "./recipe.js";
import { find } from "./shipped.js";

/** Where a figure stands: alone on its scenario's page with all that belongs to it, or in an essay. */
const EXPLORER = { id: "figure", kind: "explorer", number: 1, look: "", home: "" };

/** `moments` draws the axis of time, where the page has brought it. */
export function initial(data, moments = null) {
  const recipe = parse(data.scenario.opening, [data.scenario]);
  const run = find(data, recipe);
  return Object.freeze({
    data,
    moments,
    frame: data.frame ?? EXPLORER,
    recipe,
    run,
    step: recipe.step ?? run.steps.length - 1,
    live: false, // a script is there to answer a press
    panels: null, // what is drawn for those who explore, once its script is here
    base: `…/${data.scenario.slug}/`, // where the scenario's page is; a script knows all of it
    problem: null, // one sentence: what was wrong with an address or a choice
    note: null, // {sent, here, engine}: an outcome that a link claimed and this run does not keep
    refused: null, // {text, sentence}: what was typed as a seed and is none
    waiting: false, // the recipe is known, its run is being computed
    claim: null, // the outcome a link claims for a run that is not here yet
    long: null, // what only long runs need, once it has come (long.js)
    eye: null, // where in a long run the reader looks (eye.js)
    ghost: "", // the grants of the run that a branch left behind
    unfit: {}, // recipes with a schedule that the core refused, by their text
    daggers: false,
    keys: false,
    playing: false,
    walking: false, // being shown it happen, one press a grant
    rover: null, // the seed in the strip that has the focus
    copied: null, // {what, text, failed}
    said: "",
    landings: 0, // how often a run has come that is to be brought into view
    sweeps: data.sweeps ?? {},
    python: { phase: "asleep" },
  });
}

export function createStore(first) {
  let state = first;
  const listeners = new Set();
  return {
    get: () => state,
    set(change) {
      state = Object.freeze({ ...state, ...change });
      for (const listener of listeners) listener(state);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
