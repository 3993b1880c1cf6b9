// What happens between an action and a picture: a recipe is found among the shipped runs or
// computed, the address follows, Python wakes. The store holds the facts, this decides. What
// would be wrong here: anything about how it looks, or how Python is reached.

import { Refusal, ask } from "./contract.js";
import { announce } from "./announce.js";
import { modelOf, prepared } from "./arranged.js";
import { RecipeError, clip, family, format, parse, queryFor, withChange } from "./recipe.js";
import { claims, find, opening, sampledFamilyOf } from "./shipped.js";
import { sparingly } from "./sparingly.js";
import { withStep } from "./view.js";
import { isLong } from "./window.js";

const SEEDS = 30;

/** `place` is where addresses are kept: push and replace (of a choice), open (of what came in). */
export function createSession({ store, put, wakeRunner, place }) {
  const scenario = store.get().data.scenario;
  let latest = 0;
  let lastGood = store.get().recipe;

  const address = () => {
    const { recipe, run, step } = store.get();
    return queryFor(withStep(recipe, run, step), scenario);
  };

  /** Show what an address names: at the start, on Back and Forward, and from a link. */
  function open(query, { how = "open", ...more } = {}) {
    if (query === "" || query === "?") return show(parse(scenario.opening, [scenario]), how, more);
    try {
      const recipe = parse(scenario.slug + query, [scenario]);
      return show(recipe, how, { land: recipe.step !== null, ...more });
    } catch (error) {
      if (!(error instanceof RecipeError)) throw error;
      return refuse(error.message, how);
    }
  }

  /** Show a recipe's run: at once where it shipped, else when Python has computed it. Where the
   * core refuses it, `instead` is shown, if there is one, with the reason. */
  async function show(recipe, how = "push", { instead, ...more } = {}) {
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
      const run = await prepared(await put(ask.run(format(withChange(recipe), scenario))), data.start);
      if (turn === latest) settle(recipe, run, ready ? how : "replace", { ...more, land: more.land || !ready || how === "open" });
    } catch (error) {
      if (turn === latest && error instanceof Refusal && instead) await replace(recipe, instead, error);
      else if (turn === latest && error instanceof Refusal) refuse(sentenceOf(error), how);
      else if (turn === latest && store.get().python.phase !== "failed") refuse(`Python could not do this (${error.message}).`, how);
      else if (turn === latest) store.set({ waiting: false, said: "Python did not load." });
    }
    return undefined;
  }

  async function replace(recipe, instead, error) {
    store.set({ unfit: { ...store.get().unfit, [format(withChange(recipe), scenario)]: true } });
    await show(instead);
    store.set({ problem: `This order does not fit that variant (${sentenceOf(error)}) The same seed is shown instead.` });
  }

  /** The recipe is shown at once, and no other run in its place. */
  function expect(recipe, how) {
    store.set({ ...FRESH, recipe, run: null, step: 0, waiting: true, claim: recipe.check || null, ghost: "", said: "Python computes this run." });
    place[how](queryFor(recipe, scenario));
  }

  function settle(recipe, run, how, { ghost = "", step = recipe.step, land = false, ...more }) {
    const last = run.steps.length - 1;
    if (step !== null && step > last) return refuse(`step=${step} is not allowed; this run has ${last} grants, so step is 0 to ${last}.`, how);
    const here = digest(run);
    const note = recipe.check && recipe.check !== here ? { sent: recipe.check, here, engine: run.engine } : null;
    const before = store.get();
    const said = before.live && run !== before.run ? announce(lastGood, recipe, modelOf(run, before.data.start), step ?? last, { scenario, opening: opening(before.data) }) : "";
    lastGood = recipe;
    store.set({ ...FRESH, recipe: withChange(recipe), run, step: step ?? last, waiting: false, claim: null, note, ghost, said, landings: before.landings + (land ? 1 : 0), ...more });
    if (how !== "keep") place[how](address());
    fillStrip();
    return undefined;
  }

  /** One sentence; the last good run stays (or comes back), and a bad address stays to be read. */
  function refuse(sentence, how) {
    latest += 1;
    let shown = "";
    if (store.get().run === null) {
      const recipe = find(store.get().data, lastGood) ? lastGood : parse(scenario.opening, [scenario]);
      settle(withChange(recipe), find(store.get().data, recipe), "keep", {});
    }
    if (how === "open") shown = format(withChange(lastGood), scenario) === format(withChange(parse(scenario.opening, [scenario])), scenario) ? " The opening run is shown instead." : " The last good run is shown instead.";
    store.set({ problem: sentence + shown, said: "" });
  }

  const follow = sparingly((run) => store.get().run === run && place.replace(address()));

  function go(step, said) {
    const { run } = store.get();
    if (!run) return;
    store.set({ step: Math.min(Math.max(step, 0), run.steps.length - 1), said, copied: null });
    follow(run);
  }

  /** Seeds of writers that did not ship: swept once Python is there, but not where a run takes
   * so long that thirty would keep Python from all else for minutes. */
  async function fillStrip() {
    const { data, recipe, run, sweeps, python } = store.get();
    const text = format(family(recipe), scenario);
    if ((run && isLong(run)) || sampledFamilyOf(data, recipe) || sweeps[text] || python.phase === "asleep" || python.phase === "failed") return;
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
    const total = claims(store.get().data);
    store.set({ python: { phase: "starting" } });
    try {
      await wakeRunner();
      store.set({ python: { phase: "checking", total } });
      const { reproduce } = await import("./proof.js");
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

  /** Show a run that somebody brought, with what there is to say about it. */
  async function bring(recipe, found, problem) {
    const mine = (latest += 1);
    const run = await prepared(found, store.get().data.start);
    if (mine === latest) settle(recipe, run, "push", { problem, land: true });
  }

  return { open, show, go, wake, bring, address, digest };
}

export const digest = (run) => `${run.engine}.${run.hash.slice(0, 8)}`;

/** What a new run clears away. */
const FRESH = { problem: null, note: null, refused: null, playing: false, walking: false, daggers: false, copied: null, rover: null };
const MOST_OF_A_SENTENCE = 400;

/** The core's own sentence, with a culprit of thousands of characters cut short. */
function sentenceOf({ message, part }) {
  const text = part.length > clip(part).length - 1 ? message.replaceAll(part, clip(part)) : message;
  return text.length > MOST_OF_A_SENTENCE ? `${text.slice(0, MOST_OF_A_SENTENCE)}…` : text;
}
