// The runs that came with the page. The native core made them at build time, so that the
// figure steps before Python is there; this module only finds one by its recipe. A seed
// points to its run by place, because thirty seeds of a small scenario meet few orders.
// What would be wrong here: a near match. Either exactly this run is here, or nothing is.

import { family, format, parse, withChange } from "./recipe.js";

/** The shipped family (same recipe but for seed and schedule), or undefined. */
export const familyOf = (data, recipe) => {
  const text = format(family(recipe), data.scenario);
  return data.families.find((each) => each.recipe === text);
};

/** The same, where its seeds were shipped too: of a large scenario only the opening run is. */
export const sampledFamilyOf = (data, recipe) => {
  const home = familyOf(data, recipe);
  return home?.seeds.length ? home : undefined;
};

/** The runs that its seeds came to, without an opening run that no seed did. */
export const sampled = (home) => home.runs.filter((_, place) => home.seeds.includes(place));

/** The runs that no seed of a whole sweep came to: an opening, and what tells a cast's story. */
export const extras = (home) => home.runs.filter((_, place) => !home.seeds.includes(place));

/** How many claims a page makes: one a seed, and one a run that came without one. */
export const claims = (data) => data.families.reduce((sum, home) => sum + home.seeds.length + extras(home).length, 0);

/** The run that the page opens with: it has always shipped. */
export const opening = (data) => find(data, parse(data.scenario.opening, [data.scenario]));

/** The shipped run that this recipe names, or null. */
export function find(data, recipe) {
  const home = familyOf(data, recipe);
  if (!home) return null;
  if (home.opening !== undefined && format(withChange(recipe), data.scenario) === data.scenario.opening) return home.runs[home.opening];
  if (recipe.grants) return home.runs.find((run) => run.grants === recipe.grants) ?? null;
  return home.runs[home.seeds[recipe.seed] ?? home.telling?.[recipe.seed]] ?? null;
}

/** One entry a seed, in the shape of a sweep's runs. */
export const seedsOf = (home) =>
  home.seeds.map((place, seed) => {
    const { grants, hash, violations } = home.runs[place];
    return { seed, grants, hash, broken: [...new Set(violations.map((each) => each.invariant))] };
  });

/** A shipped run that begins with these grants, as like to the present one as there is. */
export function branch(data, recipe, prefix, present) {
  const home = familyOf(data, recipe);
  const candidates = (home?.runs ?? []).filter((run) => run.grants.startsWith(prefix));
  const likeness = (run) => [...run.grants].filter((letter, place) => letter === present[place]).length;
  return candidates.sort((a, b) => likeness(b) - likeness(a))[0] ?? null;
}
