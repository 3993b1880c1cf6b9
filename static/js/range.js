// A range of seeds as columns: each a sixtieth of it, with the share of red runs in it. Pure.

import { HELD, RED } from "./sweeps.js";

export const MOST_BUTTONS = 200;
const COLUMNS = 60;

/** [{from, to, red, run, goes}]: `goes` is the first red seed of a column, or its first of all. */
export function columnsOf({ marks, last }) {
  const wide = Math.ceil((last + 1) / COLUMNS);
  return Array.from({ length: Math.ceil((last + 1) / wide) }, (_, at) => column(marks, at * wide, Math.min(at * wide + wide - 1, last)));
}

function column(marks, from, to) {
  const mine = marks.subarray(from, to + 1);
  const count = (mark) => mine.reduce((sum, each) => sum + (each === mark ? 1 : 0), 0);
  const red = count(RED);
  return { from, to, red, run: red + count(HELD), goes: from + Math.max(mine.indexOf(RED), 0) };
}

/** One entry a seed that was run, and what is still to come. */
export const seedsIn = ({ marks }) => [...marks].map((mark, seed) => ({ seed, mark }));
