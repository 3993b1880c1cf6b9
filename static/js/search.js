// The search of every order: which question goes to which worker, how far it is, and when it is
// over. Where the core can make a search in parts, the workers share it; where it leaves equal
// orders out, or kills somebody at every place, one worker makes it whole. What would be wrong
// here: a verdict (the core has it), or a sentence (draw/every.js has it).

import { many } from "./amounts.js";
import { ask } from "./contract.js";
import { merged } from "./merged.js";
import { createTask } from "./task.js";

/** A slice takes about so long: short enough to stop between two, long enough to be worth asking. */
const AIM = 150;
const FIRST = 40;
const MOST_STEPS = 20_000;
/** From so many orders on, parts are worth a second worker. */
const WORTH = 1_500;
const PARTS = 32;
/** Runs that a search may take; running out is a result. */
export const BUDGET = 1_000_000;

/** Makes one search in slices of one length: `begin` and `more` are what to ask. */
export async function sliced(put, first, of, { stopped, heard }) {
  let steps = FIRST;
  let answer = null;
  while (!answer?.done && !stopped()) {
    const from = performance.now();
    answer = await put(answer ? ask.more(of, steps) : first(steps));
    const took = Math.max(performance.now() - from, 1);
    steps = Math.min(Math.max(Math.round((steps * AIM) / took), 5), MOST_STEPS);
    heard(answer);
  }
  return answer;
}

export function createSearch({ notes, pool, sentence }) {
  const task = createTask({ pool, notes });

  /** `text` is the recipe whose orders are meant. */
  function prove(text, { crashes, brute }) {
    task.stop();
    const answers = new Map();
    const all = () => [...answers.values()];
    const sum = (key) => all().reduce((sofar, each) => sofar + each[key], 0);
    const note = (change) => notes.put("every", text, change);
    note({ text, crashes, brute, phase: "starting", runs: 0, explored: 0, estimate: null, workers: 1, red: false, answer: null, problem: "" });
    notes.set({ all: false });

    async function each(put, { prefix }, job) {
      if (prefix === undefined) return open(put, job);
      const first = (steps) => ask.exhaust(text, { crashes, brute, steps, budget: BUDGET, ...(prefix ? { prefix } : {}) });
      await sliced(put, first, "exhaust", { stopped: () => job.stopped, heard: (answer) => job.stopped || hear(prefix, answer) });
      return undefined;
    }

    async function open(put, job) {
      const { parts, shares, estimate } = await put(ask.openings(text, { crashes, brute, parts: PARTS }));
      if (job.stopped) return;
      const shared = shares && estimate >= WORTH;
      note({ phase: "going", estimate, shares, workers: shared ? pool.size : 1 });
      job.add((shared ? parts : [""]).map((prefix) => ({ prefix })));
    }

    function hear(prefix, answer) {
      answers.set(prefix, answer);
      notes.soon(text, () => note({ runs: sum("runs"), explored: sum("explored"), red: all().some(({ verdict }) => verdict === "broken") }));
      if (sum("runs") >= BUDGET && !answer.done) task.stop(`the budget of ${many(BUDGET)} runs is used up`);
    }

    /** Where it was stopped, what was found until now stands, and nothing is proved. */
    function end(how) {
      const kept = { done: merged, stopped: (found) => unfinished(merged(found)) }[how.phase];
      const answer = kept ? { answer: kept(all()) } : {};
      const { runs, explored } = answer.answer ?? notes.now().every[text];
      note({ ...how, ...answer, runs, explored });
      notes.say(sentence(notes.now().every[text]));
    }

    return task.run(text, [{}], each, end);
  }

  return { ...task, prove };
}

const unfinished = (answer) => answer && { ...answer, verdict: answer.verdict === "proved" ? "held" : answer.verdict, interleavings: null, outcomes: [] };
