// The shipped runs, run again in the reader's browser: same hash or a loud word. Apart from
// the session because it is a claim of its own, and the only place that compares hashes.

import { ask } from "./contract.js";
import { seedsOf } from "./shipped.js";

/** Sweeps every shipped family; {matched, total, first} and the first difference in words. */
export async function reproduce(data, put) {
  let matched = 0;
  let total = 0;
  let first = "";
  for (const home of data.families) {
    const here = await put(ask.sweep(home.recipe, 0, home.seeds.length - 1));
    seedsOf(home).forEach((shipped, seed) => {
      const found = here.runs[seed]?.hash ?? "nothing";
      total += 1;
      if (found === shipped.hash) matched += 1;
      else first ||= `${home.recipe}, seed ${seed}, came to ${found.slice(0, 8)} and was shipped as ${shipped.hash.slice(0, 8)}`;
    });
  }
  return { matched, total, first };
}
