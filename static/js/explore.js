// What the panels know, in one object of the store: one part a panel, each kept by the recipe
// that it is about, so that a reader who comes back to a variant finds what was found. What
// would be wrong here: a result that cannot say what it is of.

import { family, format, parse, withChange } from "./recipe.js";

/** The state before anybody has asked anything. */
export const NOTHING = Object.freeze({
  brute: false, // every order by itself
  every: {}, // family → the search of its orders
  all: false, // every end is listed, not the first few
  last: 999, // the last seed of a range
  refused: null, // {text, sentence}: what was typed as that, and is none
  range: {}, // family → the sweep of its seeds
  kills: null, // the strip of crash points, and the run it is of
  beside: null, // the other choice of an option, under the same order
  smallest: null, // the smallest story of a run
  pair: null, // the two writers that the paths are of
  flows: {}, // family → every order of it, where there are few
  draft: null, // the node that a path is being dragged through
});

/** How long apart a search tells how far it is: a drawing costs some milliseconds. */
const PAUSE = 150;

/** Changes of one part of what the panels know; `soon` gathers those that come close together. */
export function createNotes(store) {
  const now = () => store.get().explore ?? NOTHING;
  const set = (change) => store.set({ explore: { ...now(), ...change } });
  const put = (part, key, change) => set({ [part]: { ...now()[part], [key]: { ...now()[part][key], ...change } } });
  const waiting = new Map();
  let timer = null;

  /** `who` writes; of two writes that wait, the later one counts. */
  function soon(who, write) {
    waiting.set(who, write);
    timer ??= setTimeout(flush, PAUSE);
  }
  function flush() {
    clearTimeout(timer);
    timer = null;
    const writes = [...waiting.values()];
    waiting.clear();
    for (const write of writes) write();
  }
  return { now, set, put, soon, flush, say: (said) => store.set({ said }) };
}

/** The recipe whose orders, or seeds, are meant. */
export const familyText = ({ recipe, scenario }) => format(family(recipe), scenario);

/** The search of this variant's orders; or, where a reader has opened a witness that has a kill
 * in it, the search that found it. */
export function resultOf(view) {
  const { every } = view.explore;
  const mine = every[familyText(view)];
  if (mine || !view.run) return mine;
  const present = format(withChange(view.recipe, { seed: 0, grants: view.run.grants }), view.scenario);
  const bare = (text) => format(withChange(parse(text, [view.scenario]), { seed: 0 }), view.scenario);
  return Object.values(every).findLast(({ answer }) => answer?.outcomes.some(({ witness }) => witness && bare(witness) === present));
}
