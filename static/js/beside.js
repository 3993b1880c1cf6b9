// The same order under another choice of an option, grant by grant: which rows belong together.
// The other run follows the order as far as it can; a grant that could not go there is passed
// over. Pure. What would be wrong here: choosing the option.

/** Two schedules, the second made by following the first → pairs of grants, null where one has
 * nothing to put beside. */
export function aligned(left, right) {
  let at = 0;
  const rows = [...left].map((letter, place) => [place + 1, right[at] === letter ? (at += 1) : null]);
  const more = Array.from({ length: right.length - at }, (_, place) => [null, at + place + 1]);
  return [...rows, ...more];
}
