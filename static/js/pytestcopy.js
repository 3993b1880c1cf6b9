// The run that is shown, as a test to paste into a suite of one's own: red as long as this
// order breaks a promise, green once it does not. It dictates the grants, so that it stays the
// same order when the dice or their reading change. What would be wrong here: a test that
// passes because it looked at nothing.

import { format, withChange } from "./recipe.js";

const MOST_NAME = 60;

/** The text of a file of tests with one test in it; `run` is what `recipe` came to here. */
export function pytestCopy(run, recipe, scenario) {
  const line = format(withChange(recipe, { grants: run.grants }), scenario);
  return `from sim_core import perform
from sim_core.report import run_text


def ${nameOf(withChange(recipe), scenario)}() -> None:
    outcome = perform(
${literal(line)}
    )
    assert not outcome.flaws, "\\n" + run_text(outcome, 100)
`;
}

/** A name that pytest collects, made of what the recipe says beyond the schedule. */
function nameOf(recipe, scenario) {
  const words = format(recipe, scenario).toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
  return `test_${words}`.slice(0, MOST_NAME).replace(/_+$/, "");
}

const WIDTH = 84; // of a line, with what stands before it and around it
const INDENT = " ".repeat(8);

/** A recipe as a string of Python, in lines that no linter objects to. */
function literal(line) {
  const pieces = line.match(new RegExp(`.{1,${WIDTH}}`, "g"));
  return pieces.map((piece) => INDENT + JSON.stringify(piece)).join("\n");
}
