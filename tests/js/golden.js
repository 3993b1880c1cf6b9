// Real runs with their scenarios, as the core answered them (tests/core/make_runs.py). A
// helper, not a test.

import { readFileSync } from "node:fs";
import { arrange } from "../../static/js/model.js";
import { parse } from "../../static/js/recipe.js";

export const golden = JSON.parse(readFileSync(new URL("../golden/runs.json", import.meta.url), "utf8"));
const START = Date.UTC(2026, 6, 10, 9);

/** A view of the whole run, with as much as a picture asks for. */
export const viewOf = ({ run, scenario }, more = {}) => ({
  model: arrange(run, START),
  run,
  scenario,
  recipe: parse(run.recipe, [scenario]),
  opening: run,
  base: `https://example.org/${scenario.slug}/`,
  query: run.recipe.slice(run.recipe.indexOf("?")),
  ...more,
});
