// What a reader may do next: let another writer go, crash one, or follow the offer at the
// end of a run. Each choice is a recipe, never a call into a run that is under way, so a
// branch has an address like any other run. Pure. What would be wrong here: a choice that
// the core would refuse; what is not offered carries its reason instead.

import { operations, shorten } from "./model.js";
import { withChange } from "./recipe.js";
import { branch, familyOf } from "./shipped.js";

const WHY_NOT = { finished: "done", failed: "failed", crashed: "crashed" };

/** One offer a writer at this step: may it go, what would it do, may it crash. */
export function offers(run, step) {
  const names = Object.fromEntries(run.writers.map((writer) => [writer.letter, writer.name]));
  const taken = run.grants[step] ?? null;
  return run.steps[step].offers.map((offer) => ({
    letter: offer.letter,
    name: names[offer.letter] ?? "time",
    ready: offer.status === "ready",
    taken: offer.letter === taken,
    act: offer.sql ? shorten(offer.sql) : offer.status === "ready" ? "go on" : "",
    reason: offer.why ?? WHY_NOT[offer.status] ?? offer.status,
    crash: offer.status === "ready" || offer.status === "waiting" ? crashAt(run, offer) : null,
  }));
}

/** Before the operation it is parked at; after the last one, where none is left. */
const crashAt = (run, { letter, op }) => (op ? { letter, op, place: "before" } : { letter, op: operations(run)[letter] || 1, place: "after" });

/** The recipe that grants `letter` at `step`; the seed decides what comes after. */
export function granting(data, recipe, run, step, letter) {
  const prefix = run.grants.slice(0, step) + letter;
  const faults = faultsUntil(recipe, run, step);
  const base = withChange(recipe, { seed: recipe.seed, grants: prefix, faults });
  if (faults.length) return base;
  const known = branch(data, base, prefix, run.grants);
  return known ? withChange(base, { seed: 0, grants: known.grants }) : base;
}

/** The recipe that kills a writer as the grant after `step`. */
export function crashing(recipe, run, step, fault) {
  const faults = [...faultsUntil(recipe, run, step), fault];
  return withChange(recipe, { seed: recipe.seed, grants: run.grants.slice(0, step) + fault.letter, faults });
}

/** Faults that have already struck; later ones belong to the future that is given up. */
function faultsUntil(recipe, run, step) {
  const struck = run.events.filter((event) => event.kind === "crash" && event.grant <= step).map((event) => event.writer);
  return recipe.faults.filter((fault) => struck.includes(fault.letter));
}

/** The dagger before the operation that a row did, and after a writer's last one. */
export function daggers(run, row) {
  if (row.act?.kind !== "operation" || row.letter === "t") return [];
  const { writer: letter, op } = row.act;
  const before = { step: row.grant - 1, fault: { letter, op, place: "before" } };
  const last = operations(run)[letter] === op && run.ended[run.writers.find((each) => each.letter === letter).name] !== "crashed";
  return last ? [before, { step: row.grant, fault: { letter, op, place: "after" } }] : [before];
}

/** What the forward button offers once a run is over. */
export function suggestion({ data, recipe, run, python }) {
  const [option] = data.scenario.options;
  if (run.violations.length && option && recipe.options[option.name] !== option.default) return healed(data, recipe, run, option);
  if (python.phase !== "failed" && recipe.options.mode === "enforce" && !recipe.writers.includes("overwriter")) {
    const options = { ...recipe.options, mode: "warn" };
    return { label: "Next: an overwriter", recipe: withChange(recipe, { options, writers: ["careful", "overwriter"], seed: 0, grants: "AAB", faults: [] }) };
  }
  const seed = recipe.seed + 1;
  return { label: `Next: seed ${seed}`, recipe: withChange(recipe, { seed, grants: "", faults: [] }) };
}

/** The fix, in the same order of writers where that order shipped, else with the same seed. */
function healed(data, recipe, run, { name, default: choice }) {
  const base = withChange(recipe, { options: { ...recipe.options, [name]: choice }, grants: "" });
  const same = familyOf(data, base)?.runs.find((each) => shortened(run.grants, each.grants) === each.grants);
  if (same) return { label: `Same order, ${name} ${choice}`, recipe: withChange(base, { seed: 0, grants: same.grants }) };
  return { label: `Same seed, ${name} ${choice}`, recipe: base };
}

/** `grants` without what the writers of `other` no longer have to do: a refused writer ends early. */
function shortened(grants, other) {
  const left = {};
  for (const letter of other) left[letter] = (left[letter] ?? 0) + 1;
  return [...grants].filter((letter) => (left[letter] = (left[letter] ?? 0) - 1) >= 0).join("");
}
