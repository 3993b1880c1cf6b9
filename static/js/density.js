// A run of thousands of grants in the width of a slider: it is cut into stretches, and each
// writer's share of a stretch is a bar in that writer's row; above them, where a promise broke.
// Starvation and turn-taking show as they do in the table. Pure. What would be wrong here: a
// pixel, or one element a grant.

import { once } from "./once.js";
import { besides } from "./sorting.js";

const STRETCHES = 200;
export const HIGH = 8; // of a row; a bar is as high as its share of that, less what parts two rows

/** {rows: [{letter, path}], broke, of}: paths in a box `of` wide, a row HIGH high; `broke` is ""
 * where nothing did. */
export const density = once(({ run, last }) => {
  const of = Math.min(STRETCHES, last);
  const stretch = (grant) => Math.min(of - 1, Math.floor(((grant - 1) * of) / last));
  const broken = [...new Set(run.violations.map(({ grant }) => stretch(Math.max(1, grant))))];
  const letters = [...new Set(run.grants)].sort(timeLast);
  const top = broken.length ? 1 : 0;
  const rows = letters.map((letter, place) => ({ letter, path: bars(sharesOf(run.grants, letter, of, stretch), (place + top + 1) * HIGH) }));
  return { rows, broke: broken.map((at) => `M${at + 0.5} 1v${HIGH - 2}`).join(""), of };
});

/** As the lanes stand, and time at the end. */
const timeLast = (a, b) => (a === "t") - (b === "t") || besides(a, b);

function sharesOf(grants, letter, of, stretch) {
  const all = new Array(of).fill(0);
  const own = new Array(of).fill(0);
  for (let place = 0; place < grants.length; place += 1) {
    const at = stretch(place + 1);
    all[at] += 1;
    if (grants[place] === letter) own[at] += 1;
  }
  return own.map((count, at) => count / all[at]);
}

const bars = (shares, floor) => shares.map((share, at) => (share ? `M${at} ${floor}v${-Number((share * (HIGH - 1)).toFixed(2))}h1V${floor}z` : "")).join("");
