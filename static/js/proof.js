// The shipped runs, run again in the reader's browser: same hash or a loud word. Apart from
// the session because it is a claim of its own, and the only place that compares hashes.

import "./core.js";
import { ask } from "./contract.js";
import { extras, seedsOf } from "./shipped.js";

/** Runs every shipped run again; {matched, total, first} and the first difference in words. */
export async function reproduce(data, put) {
  const result = { matched: 0, total: 0, first: "" };
  for (const home of data.families) {
    if (home.seeds.length) {
      const here = await put(ask.sweep(home.recipe, 0, home.seeds.length - 1));
      seedsOf(home).forEach((shipped, seed) => hold(result, shipped, here.runs[seed], `${home.recipe}, seed ${seed},`));
    }
    for (const shipped of extras(home)) {
      const recipe = `${home.recipe}${home.recipe.includes("?") ? "&" : "?"}grants=${shipped.grants}`;
      hold(result, shipped, await put(ask.run(recipe)), recipe);
    }
  }
  return result;
}

function hold(result, shipped, found, name) {
  result.total += 1;
  if (found?.hash === shipped.hash) result.matched += 1;
  else result.first ||= `${name} came to ${found?.hash.slice(0, 8) ?? "nothing"} and was shipped as ${shipped.hash.slice(0, 8)}`;
}
