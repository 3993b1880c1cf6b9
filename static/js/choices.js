// What a reader may do next: let another writer go, crash one, or follow the offer at the
// end of a run. Each choice is a recipe, never a call into a run that is under way, so a
// branch has an address like any other run. Pure. What would be wrong here: a choice that
// the core would refuse; what is not offered carries its reason instead.

import { otherCasts } from "./casts.js";
import { isDagger } from "./faults.js";
import { shorten, verb } from "./lines.js";
import { operations } from "./model.js";
import { once } from "./once.js";
import { format, withChange } from "./recipe.js";
import { branch, familyOf } from "./shipped.js";
import { strikes } from "./strikes.js";

const WHY_NOT = { finished: "done", failed: "failed", crashed: "crashed" };

/** One offer a writer at this step: may it go, what would it do, what strikes it, may it crash. */
export function offers(run, step, recipe) {
  const names = Object.fromEntries(run.writers.map((writer) => [writer.letter, writer.name]));
  const taken = run.grants[step] ?? null;
  const time = taken === "t" || run.steps[step].passes ? [{ letter: "t", name: "time", ready: true, taken: taken === "t", act: "passes", reason: null, strike: null, crash: null }] : [];
  return run.steps[step].offers.map((offer) => ({
    letter: offer.letter,
    name: names[offer.letter],
    ready: offer.status === "ready",
    taken: offer.letter === taken,
    act: offer.sql ? shorten(offer.sql) : offer.status === "ready" ? "go on" : "",
    reason: offer.why ?? WHY_NOT[offer.status] ?? offer.status,
    strike: offer.status === "ready" ? strikes(recipe, run, step, offer.letter) : null,
    crash: offer.status === "ready" || offer.status === "waiting" ? crashAt(run, offer) : null,
  })).concat(time);
}

/** Before the operation it is parked at; after the last one, where none is left. */
function crashAt(run, { letter, op, sql }) {
  if (sql !== null) return { letter, op, place: "before" };
  return op ? { letter, op: operations(run)[letter] || 1, place: "after" } : null;
}

/** The recipe that grants `letter` at `step`; the seed decides what comes after. */
export function granting(data, recipe, run, step, letter) {
  const prefix = run.grants.slice(0, step) + letter;
  const strike = strikes(recipe, run, step, letter);
  const until = faultsUntil(recipe, run, step);
  const faults = strike && !until.includes(strike.fault) ? recipe.faults.filter((each) => each === strike.fault || until.includes(each)) : until;
  const base = withChange(recipe, { seed: recipe.seed, grants: prefix, faults });
  if (faults.length) return base;
  const known = branch(data, base, prefix, run.grants);
  return known ? withChange(base, { seed: 0, grants: known.grants }) : base;
}

/** The recipe that grants `letter` at `step` without the fault that would strike it there. */
export function sparing(recipe, run, step, letter) {
  const strike = strikes(recipe, run, step, letter);
  const faults = recipe.faults.filter((each) => each !== strike?.fault);
  return withChange(recipe, { grants: run.grants.slice(0, step) + letter, faults });
}

/** The recipe that kills a writer as the grant after `step`. */
export function crashing(recipe, run, step, fault) {
  const faults = [...faultsUntil(recipe, run, step), fault];
  return withChange(recipe, { seed: recipe.seed, grants: run.grants.slice(0, step) + fault.letter, faults });
}

/** Crashes that have already struck; later ones belong to the future that is given up. Other
 * faults are settings of the run, not moments of it, and stay. */
function faultsUntil(recipe, run, step) {
  const crashes = run.events.filter((event) => event.kind === "crash" && event.grant <= step);
  const struck = (fault) => crashes.some((event) => event.writer === fault.letter && (event.op ?? fault.op) === fault.op + (fault.place === "after" && event.op ? 1 : 0));
  return recipe.faults.filter((fault) => !isDagger(fault) || struck(fault));
}

/** The dagger before the operation that a row did, and after a writer's last one. */
export function daggers(run, row, lane) {
  const done = row.events.find((event) => event.kind === "operation" && event.writer === lane.letter);
  if (!done) return [];
  const { writer: letter, op, sql, call } = done;
  const before = { step: row.grant - 1, act: sql ? verb(sql) : call, fault: { letter, op, place: "before", kind: "crash" } };
  const last = operations(run)[letter] === op && lane.ended !== "crashed" && lane.ended !== "waiting";
  return last ? [before, { step: row.grant, act: "", fault: { letter, op, place: "after", kind: "crash" } }] : [before];
}

/** Every place where one writer of this run may be killed; the last may be one it never left. */
export const crashPoints = (model, lane) => pointsOf(model).get(lane.letter);

const pointsOf = once((model) => new Map(model.lanes.map((lane) => [lane.letter, pointsIn(model, lane)])));

function pointsIn({ run, rows }, lane) {
  const passed = rows.flatMap((row) => daggers(run, row, lane));
  const offer = (step) => run.steps[step].offers.find((each) => each.letter === lane.letter);
  const step = run.steps.findLastIndex((_, at) => ["ready", "waiting"].includes(offer(at)?.status));
  const parked = step < 0 ? null : offer(step);
  if (!parked || parked.sql === null || lane.ended === "finished" || passed.some(({ fault }) => fault.op === parked.op)) return passed;
  const act = parked.sql ? verb(parked.sql) : parked.why?.startsWith("asleep") ? "sleep" : "";
  return [...passed, { step, act, fault: { letter: lane.letter, op: parked.op, place: "before", kind: "crash" } }];
}

/** What the forward button offers once a run is over: {label, recipe, instead}. A broken promise
 * leads to the next choice on the way to the default; a kept one to a cast that breaks it. */
export function suggestion(state) {
  const { data, recipe, run, python } = state;
  const option = data.scenario.options.find(({ name, choices }) => choices.indexOf(recipe.options[name]) > 0);
  if (run.violations.length && option) return healed(state, option.name, option.choices[option.choices.indexOf(recipe.options[option.name]) - 1]);
  const cast = !run.violations.length && otherCasts(data, recipe).find((each) => each.broken && each.text !== data.scenario.opening);
  if (cast) return { label: `Next: ${cast.words}`, recipe: cast.recipe };
  if (python.phase !== "failed" && recipe.options.mode === "enforce" && !recipe.writers.includes("overwriter")) {
    const options = { ...recipe.options, mode: "warn" };
    return { label: "Next: an overwriter", recipe: withChange(recipe, { options, writers: ["careful", "overwriter"], seed: 0, grants: "AAB", faults: [] }) };
  }
  const seed = recipe.seed + 1;
  return { label: `Next: seed ${seed}`, recipe: withChange(recipe, { seed, grants: "", faults: [] }) };
}

/** The fix, in the same order of writers: as it shipped, or dictated where the reader dictated it
 * (the core may refuse that, and then the seed decides `instead`); else with the same seed. */
function healed({ data, recipe, run, unfit }, name, choice) {
  const base = withChange(recipe, { options: { ...recipe.options, [name]: choice }, grants: "" });
  const same = familyOf(data, base)?.runs.find((each) => shortened(run.grants, each.grants) === each.grants);
  if (same) return { label: `Same order, ${name} ${choice}`, recipe: withChange(base, { seed: 0, grants: same.grants }) };
  const dictated = withChange(base, { grants: run.grants });
  if (!recipe.grants) return { label: `Same seed, ${name} ${choice}`, recipe: base };
  if (unfit[format(dictated, data.scenario)]) return { label: `Seed ${base.seed}, ${name} ${choice}`, recipe: base };
  return { label: `Same order, ${name} ${choice}`, recipe: dictated, instead: base };
}

/** `grants` without what the writers of `other` no longer have to do: a refused writer ends early. */
function shortened(grants, other) {
  const left = {};
  for (const letter of other) left[letter] = (left[letter] ?? 0) + 1;
  return [...grants].filter((letter) => (left[letter] = (left[letter] ?? 0) - 1) >= 0).join("");
}
