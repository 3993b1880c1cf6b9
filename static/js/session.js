// What happens between an action and a picture: a recipe is found among the shipped runs or
// computed, the address follows, Python wakes. The store holds the facts, this decides. What
// would be wrong here: anything about how it looks, or how Python is reached.

import { Refusal, ask } from "./contract.js";
import { RecipeError, family, format, parse, queryFor, withChange } from "./recipe.js";
import { reproduce } from "./proof.js";
import { familyOf, find } from "./shipped.js";
import { withStep } from "./view.js";

const SEEDS = 30;

/** `place` is where addresses are kept: {query(), push(query), replace(query)}. */
export function createSession({ store, put, wakeRunner, place }) {
  const scenario = store.get().data.scenario;
  let latest = 0;
  let lastGood = store.get().recipe;

  const address = () => {
    const { recipe, run, step } = store.get();
    return queryFor(withStep(recipe, run, step), scenario);
  };

  /** Show what an address names: at the start, and on Back and Forward. */
  function open(query) {
    if (query === "" || query === "?") return show(parse(scenario.opening, [scenario]), "replace");
    try {
      return show(parse(scenario.slug + query, [scenario]), "replace");
    } catch (error) {
      if (!(error instanceof RecipeError)) throw error;
      return refuse(error.message);
    }
  }

  /** Show a recipe's run: at once where it shipped, else when Python has computed it. */
  async function show(recipe, how = "push", more = {}) {
    const turn = (latest += 1);
    const { data, python } = store.get();
    const known = find(data, recipe);
    if (known) return settle(recipe, known, how, more);
    const ready = python.phase === "ready" || python.phase === "disagrees" || python.phase === "checking";
    if (!ready) {
      expect(recipe, how);
      wake();
    }
    try {
      const run = await put(ask.run(format(withChange(recipe), scenario)));
      if (turn === latest) settle(recipe, run, ready ? how : "replace", more);
    } catch (error) {
      if (turn === latest && error instanceof Refusal) refuse(error.message);
      else if (turn === latest && ready) refuse(`Python stopped (${error.message}).`);
      else if (turn === latest) store.set({ waiting: false });
    }
    return undefined;
  }

  /** The recipe is shown at once, and no other run in its place. */
  function expect(recipe, how) {
    store.set({ recipe, run: null, step: 0, waiting: true, claim: recipe.check || null, problem: null, note: null, playing: false, ghost: "", copied: null });
    place[how](address());
  }

  function settle(recipe, run, how, { ghost = "", step = recipe.step, ...more }) {
    const last = run.steps.length - 1;
    if (step !== null && step > last) return refuse(`step=${step} is not allowed; this run has ${last} grants, so step is 0 to ${last}.`);
    const note = recipe.check && recipe.check !== digest(run) ? differs(recipe.check, run) : null;
    lastGood = recipe;
    store.set({ recipe: withChange(recipe), run, step: step ?? last, waiting: false, claim: null, problem: null, note, playing: false, ghost, daggers: false, copied: null, ...more });
    place[how](address());
    fillStrip();
    return undefined;
  }

  /** One sentence, and the last good run stays (or comes back) with its own address. */
  function refuse(sentence) {
    if (store.get().run === null) {
      const recipe = find(store.get().data, lastGood) ? lastGood : parse(scenario.opening, [scenario]);
      settle(recipe, find(store.get().data, recipe), "replace", {});
    }
    latest += 1;
    store.set({ problem: sentence });
    place.replace(address());
  }

  function go(step, said) {
    const { run } = store.get();
    if (!run) return;
    store.set({ step: Math.min(Math.max(step, 0), run.steps.length - 1), said, copied: null });
    place.replace(address());
  }

  /** Seeds of writers that did not ship: swept once Python is there. */
  async function fillStrip() {
    const { data, recipe, sweeps, python } = store.get();
    const text = format(family(recipe), scenario);
    if (familyOf(data, recipe) || sweeps[text] || python.phase === "asleep" || python.phase === "failed") return;
    try {
      const { runs } = await put(ask.sweep(text, 0, SEEDS - 1));
      store.set({ sweeps: { ...store.get().sweeps, [text]: runs } });
    } catch (error) {
      if (!(error instanceof Refusal)) return;
      store.set({ sweeps: { ...store.get().sweeps, [text]: [] } });
    }
  }

  /** Load Python, then hold what shipped against what it computes. */
  async function wake() {
    const { phase } = store.get().python;
    if (phase !== "asleep" && phase !== "failed") return;
    const total = store.get().data.families.reduce((sum, home) => sum + home.seeds.length, 0);
    store.set({ python: { phase: "starting" } });
    try {
      await wakeRunner();
      store.set({ python: { phase: "checking", total } });
      const hello = await put(ask.hello());
      const result = await reproduce(store.get().data, put);
      store.set({ python: { phase: result.matched === result.total ? "ready" : "disagrees", ...result, python: hello.python, sqlite: hello.sqlite } });
      fillStrip();
    } catch (error) {
      store.set({ python: { phase: "failed", reason: error.message } });
      return;
    }
    const { run, recipe, waiting } = store.get();
    if (!run && !waiting) show(recipe, "replace");
  }

  return { open, show, go, wake, address, digest };
}

export const digest = (run) => `${run.engine}.${run.hash.slice(0, 8)}`;

function differs(claimed, run) {
  const engine = Number(claimed.split(".")[0]) === run.engine ? "" : " The link was made by another version of the engine.";
  return `This link was copied from an outcome ${claimed}; here the same recipe comes to ${digest(run)}.${engine}`;
}
