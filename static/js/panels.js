// What only those need who explore, as a script of its own that comes when it is wanted: the
// first view stays small. It joins the panels' actions and drawings. What would be wrong here:
// anything that a reader of one run needs.

import { many } from "./amounts.js";
import { NOTHING, createNotes, familyText, resultOf } from "./explore.js";
import { createPool } from "./pool.js";
import { createSearch } from "./search.js";
import { sentence } from "./verdicts.js";
import { every } from "./draw/every.js";
import { lattice } from "./draw/lattice.js";
import { range, sentence as counted } from "./draw/range.js";
import { clip, withChange } from "./recipe.js";
import { MOST_SEEDS, createSweeps } from "./sweeps.js";

export function createPanels({ root, store, put, session, runner, copy }) {
  const { scenario } = store.get().data;
  const notes = createNotes(store);
  const pool = createPool(runner.another);
  const search = createSearch({ notes, pool, sentence: (found) => sentence(found, scenario) });
  const sweeps = createSweeps({ notes, pool, sentence: (found) => counted(found, scenario) });
  const state = () => ({ ...store.get(), explore: notes.now(), scenario });

  /** Who points at a panel is about to press in it. */
  for (const intent of ["pointerover", "focusin"]) {
    root.addEventListener(intent, ({ target }) => target.closest(".panel") && pool.warm());
  }
  /** A search is about the variant that is shown; one that nobody looks at is ended. */
  store.subscribe(() => {
    for (const each of [search, sweeps]) if (each.about() && each.about() !== familyText(state())) each.stop();
  });

  const actions = {
    prove: (crashes) => search.prove(resultOf(state())?.text ?? familyText(state()), { crashes: Number(crashes), brute: notes.now().brute }),
    "prove-stop": () => search.stop(),
    brute: () => notes.set({ brute: !notes.now().brute }),
    "ends-all": () => notes.set({ all: true }),

    "range-last"(text) {
      const fits = /^(0|[1-9]\d*)$/.test(text.trim()) && Number(text) < MOST_SEEDS;
      const sentence = `“${clip(text)}” is not a last seed: it is a whole number from 0 to ${many(MOST_SEEDS - 1)}.`;
      notes.set(fits ? { last: Number(text), refused: null } : { refused: { text, sentence } });
    },
    "range-run": () => notes.now().refused || sweeps.run(familyText(state()), notes.now().last),
    "range-stop": () => sweeps.stop(),
    "range-seed": (seed) => session.show(withChange(store.get().recipe, { seed: Number(seed), grants: "" })),
  };
  const draw = (pen, view) => {
    const whole = { ...view, explore: view.explore ?? NOTHING };
    return {
      path: view.run ? lattice(pen, whole) : "",
      below: pen.html`${range(pen, whole)}${every(pen, whole)}`,
    };
  };
  return { actions, draw };
}
