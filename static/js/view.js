// The one place where the state becomes what is drawn. Every drawing takes a view; none
// takes the store. What would be wrong here: a decision that a reader makes (that is an
// action).

import { modelOf } from "./arranged.js";
import { offers, suggestion } from "./choices.js";
import { family, format, leaks, parse, queryFor, withChange } from "./recipe.js";
import { opening, sampled, sampledFamilyOf, seedsOf } from "./shipped.js";

export function view(state) {
  const { data, recipe, run, step } = state;
  const scenario = data.scenario;
  const shownFamily = format(family(recipe), scenario);
  const home = sampledFamilyOf(data, recipe);
  const openingFamily = format(family(parse(scenario.opening, [scenario])), scenario);
  const common = {
    ...state,
    scenario,
    opening: opening(data),
    leaks: leaks(scenario, recipe),
    query: queryFor(withStep(recipe, run, step), scenario),
    family: shownFamily,
    seeds: home ? seedsOf(home) : (state.sweeps[shownFamily] ?? null),
    published: shownFamily === openingFamily && scenario.published?.seeds ? scenario.published : null,
    distinct: home ? sampled(home) : null,
  };
  if (!run) return common;
  const model = modelOf(run, data.start);
  return { ...common, model, axis: state.moments?.axisOf(model) ?? null, offers: offers(run, step, recipe), atEnd: step === run.steps.length - 1, suggestion: suggestion(state) };
}

/** The recipe of exactly this view: the whole run needs no step, a run to come keeps its own. */
export const withStep = (recipe, run, step) => (run ? withChange(recipe, { step: step === run.steps.length - 1 ? null : step }) : recipe);
