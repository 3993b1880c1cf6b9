// Other casts of a scenario that are worth a look: its opening's own, and those that it names.
// Each is a recipe that keeps the reader's options. Apart from the pickers because the offer at
// the end of a run asks here too. What would be wrong here: a cast that nobody wrote down.

import { faultWords, nameFault } from "./faults.js";
import { format, parse, withChange } from "./recipe.js";
import { familyOf, find } from "./shipped.js";

/** [{words, recipe, text, broken}], without the present one; `broken` where its run has shipped. */
export function otherCasts(data, recipe) {
  const { scenario } = data;
  const seen = new Set([castOf(recipe), variantOf(recipe)]);
  return [scenario.opening, ...(scenario.casts ?? [])].flatMap((text) => {
    const cast = parse(text, [scenario]);
    const alone = (scenario.particular ?? []).includes(text);
    const key = alone ? variantOf(cast) : castOf(cast);
    if (seen.has(key)) return [];
    seen.add(key);
    const chosen = alone ? telling(data, cast) : kept(data, cast, recipe);
    return [{ words: words(cast, alone ? scenario : null), recipe: chosen, text: format(chosen, scenario), broken: Boolean(find(data, chosen)?.violations.length) }];
  });
}

const castOf = ({ writers, faults }) => `${writers} ${faults.map(nameFault)}`;
const variantOf = (recipe) => `${castOf(recipe)} ${JSON.stringify(Object.entries(recipe.options).sort())}`;

/** The cast's own run where it has the reader's options, else its telling seed under them. */
function kept(data, cast, { options }) {
  if (Object.keys(options).every((name) => options[name] === cast.options[name]) && find(data, cast)) return withChange(cast);
  return telling(data, withChange(cast, { options }));
}

function telling(data, cast) {
  const base = withChange(cast, { seed: 0, grants: "" });
  return withChange(base, { seed: Number(Object.keys(familyOf(data, base)?.telling ?? {})[0] ?? 0) });
}

/** Who takes part; of a cast that is about one variant, that variant too. */
function words({ writers, faults, options }, scenario) {
  const names = writers.map((role, place) => nameAt(writers, role, place));
  const together = names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : names[0];
  const variant = (scenario?.options ?? []).filter(({ name, default: usual }) => options[name] !== usual);
  const named = variant.map(({ name }) => `${name} ${options[name]}`).join(", ");
  return `${named && `${named}: `}${[together, ...faults.map(faultWords)].join(", ")}`;
}

/** A repeated role is numbered, as in the lanes. */
export function nameAt(writers, role, place) {
  const before = writers.slice(0, place).filter((each) => each === role).length;
  return before ? `${role}${before + 1}` : role;
}
