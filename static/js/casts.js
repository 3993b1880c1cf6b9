// Other casts of a scenario that are worth a look: its opening's own, and those that it names.
// Each is a recipe that keeps the reader's options. Apart from the pickers because the offer at
// the end of a run asks here too. What would be wrong here: a cast that nobody wrote down.

import { faultWords, nameFault } from "./faults.js";
import { format, parse, withChange } from "./recipe.js";
import { familyOf, find } from "./shipped.js";

/** [{words, recipe, text, broken}], without the present one; `broken` where its run has shipped. */
export function otherCasts(data, recipe) {
  const { scenario } = data;
  const seen = new Set([castOf(recipe)]);
  return [scenario.opening, ...(scenario.casts ?? [])].flatMap((text) => {
    const cast = parse(text, [scenario]);
    if (seen.has(castOf(cast))) return [];
    seen.add(castOf(cast));
    const chosen = kept(data, cast, recipe);
    return [{ words: words(cast), recipe: chosen, text: format(chosen, scenario), broken: Boolean(find(data, chosen)?.violations.length) }];
  });
}

const castOf = ({ writers, faults }) => `${writers} ${faults.map(nameFault)}`;

/** The cast's own run where it has the reader's options, else its telling seed under them. */
function kept(data, cast, { options }) {
  if (Object.keys(options).every((name) => options[name] === cast.options[name]) && find(data, cast)) return withChange(cast);
  const base = withChange(cast, { options, seed: 0, grants: "" });
  return withChange(base, { seed: Number(Object.keys(familyOf(data, base)?.telling ?? {})[0] ?? 0) });
}

function words({ writers, faults }) {
  const names = writers.map((role, place) => nameAt(writers, role, place));
  const together = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
  return [together, ...faults.map(faultWords)].join(", ");
}

/** A repeated role is numbered, as in the lanes. */
export function nameAt(writers, role, place) {
  const before = writers.slice(0, place).filter((each) => each === role).length;
  return before ? `${role}${before + 1}` : role;
}
