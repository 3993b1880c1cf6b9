// One short sentence for a run that has just come: what was changed, and what it came to. For
// the live region, so that whoever does not see the figure hears that it is another one. Pure.
// What would be wrong here: a sentence for a step (story.js has that), or two sentences where
// one will do.

import { faultWords, nameFault } from "./faults.js";
import { headline } from "./story.js";
import { LETTERS, said } from "./recipe.js";

/** What differs from the recipe before, in words; "The same run" where nothing does. */
export function changed(before, after, scenario) {
  const old = new Map(said(before, scenario));
  const now = new Map(said(after, scenario));
  const placed = after.faults.filter((fault) => !before.faults.some((each) => nameFault(each) === nameFault(fault)));
  const removed = before.faults.filter((fault) => !after.faults.some((each) => nameFault(each) === nameFault(fault)));
  if (placed.length) return `${placed.map((fault) => faultWords(named(fault, after))).join(", ")}`;
  const keys = [...new Set([...now.keys(), ...old.keys()])].filter((key) => !["grants", "faults", "step", "check"].includes(key) && old.get(key) !== now.get(key));
  if (keys.length) return keys.map((key) => `${key} ${valueOf(key, after)}`).join(", ");
  if (removed.length) return "fault removed";
  return after.grants !== before.grants ? "another order" : "this run";
}

const valueOf = (key, recipe) => {
  if (key === "writers") return recipe.writers.join(", ");
  if (key === "timeout") return `${recipe.timeout / 1000} s`;
  return recipe.options[key] ?? recipe[key];
};

/** A writer's letter, with its role where it is one of ours. */
const named = (fault, { writers }) => ({ ...fault, letter: writers[LETTERS.indexOf(fault.letter)] ?? fault.letter });

export function announce(before, after, model, step, about) {
  const what = changed(before, after, about.scenario);
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}. ${headline(model, about)} Grant ${step} of ${model.last}.`;
}
