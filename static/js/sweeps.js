// A sweep over thousands of seeds, some at a time, by all workers; what is kept of it is one
// mark a seed, so that a hundred thousand are no burden. What would be wrong here: a claim
// beyond the seeds that were run.

import { ask } from "./contract.js";
import { createTask } from "./task.js";

export const MOST_SEEDS = 100_000;
const SLICE = 25;
export const HELD = 1;
export const RED = 2;

/** A sweep that nobody has begun: `marks` has one byte a seed, 0 where it was not run yet. */
const empty = (text, last) => ({ text, last, phase: "going", problem: "", marks: new Uint8Array(last + 1), grants: new Map(), by: {}, done: 0, bad: 0, failing: 0 });

/** Enter one slice's answer. */
export function enter(sweep, answer) {
  for (const { seed, grants, broken } of answer.runs) {
    sweep.marks[seed] = broken.length ? RED : HELD;
    sweep.done += 1;
    sweep.bad += broken.length ? 1 : 0;
    if (!sweep.grants.has(grants)) sweep.grants.set(grants, broken.length > 0);
    for (const name of broken) sweep.by[name] = (sweep.by[name] ?? 0) + 1;
  }
  sweep.failing += answer.failing;
}

export function createSweeps({ notes, pool, sentence }) {
  const task = createTask({ pool, notes });

  /** Seeds 0 to `last` of a family. */
  function run(text, last) {
    task.stop();
    const sweep = empty(text, last);
    const slices = Array.from({ length: Math.ceil((last + 1) / SLICE) }, (_, at) => [at * SLICE, Math.min(at * SLICE + SLICE - 1, last)]);
    const note = (change) => notes.put("range", text, { ...sweep, ...change });
    note({});
    async function each(put, [from, to], mine) {
      const answer = await put(ask.sweep(text, from, to));
      if (mine.stopped) return;
      enter(sweep, answer);
      notes.soon("range", () => note({}));
    }
    function end(how) {
      note(how);
      notes.say(sentence(notes.now().range[text]));
    }
    return task.run(text, slices, each, end);
  }

  return { ...task, run };
}
