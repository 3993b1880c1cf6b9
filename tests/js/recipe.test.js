import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { family, format, parse, queryFor, withChange } from "../../static/js/recipe.js";
import { scenario } from "./told.js";

const golden = JSON.parse(readFileSync(new URL("../golden/recipes.json", import.meta.url), "utf8"));

test("the golden file has enough of both kinds to mean something", () => {
  assert.ok(golden.filter((each) => "canonical" in each).length > 10);
  assert.ok(golden.filter((each) => "part" in each).length > 10);
});

for (const { text, canonical, part } of golden) {
  const shown = text.length > 70 ? `${text.slice(0, 70)}…` : text;
  if (canonical !== undefined) {
    test(`${shown} is written ${canonical}`, () => {
      assert.equal(format(parse(text, [scenario]), scenario), canonical);
      assert.equal(format(parse(canonical, [scenario]), scenario), canonical);
    });
  } else {
    test(`${shown} is refused because of ${part.slice(0, 50)}`, () => {
      assert.throws(
        () => parse(text, [scenario]),
        (error) => {
          assert.equal(error.name, "RecipeError");
          assert.equal(error.part, part);
          assert.match(error.message, /^[^\n]+\.$/, "one sentence");
          return true;
        },
      );
    });
  }
}

test("a change drops step and check, which point into the run that was", () => {
  const recipe = parse("sections?mode=warn&seed=7&step=3&check=1.0123abcd", [scenario]);
  assert.equal(format(withChange(recipe, { seed: 8 }), scenario), "sections?mode=warn&seed=8");
});

test("a family is what a sweep is over: no seed and no grants", () => {
  const recipe = parse("sections?mode=warn&seed=7&grants=AB&faults=A1before:crash", [scenario]);
  assert.equal(format(family(recipe), scenario), "sections?mode=warn&faults=A1before:crash");
});

test("an address is never empty, because the bare page means its opening run", () => {
  assert.equal(queryFor(parse("sections", [scenario]), scenario), "?mode=enforce");
  assert.equal(queryFor(parse("sections?seed=3", [scenario]), scenario), "?seed=3");
});
