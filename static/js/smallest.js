// The smallest story of a red run: asked of the core in slices, and opened when it is found.
// What would be wrong here: knowing what makes one story smaller than another.

import { ask } from "./contract.js";
import { format, parse, withChange } from "./recipe.js";
import { sliced } from "./search.js";

export function createSmallest({ notes, pool, session, scenario, sentence }) {
  let going = null;

  async function run({ recipe }) {
    stop();
    const of = format(withChange(recipe), scenario);
    const note = (change) => notes.set({ smallest: { ...notes.now().smallest, ...change } });
    notes.set({ smallest: { of, phase: "going", runs: 0, answer: null, problem: "" } });
    let answer = null;
    const job = pool.begin([of], async (put, text, mine) => {
      const heard = (found) => {
        answer = found;
        notes.soon("smallest", () => note({ runs: found.runs, answer }));
      };
      await sliced(put, (steps) => ask.shrink(text, { steps }), "shrink", { stopped: () => mine.stopped, heard });
    });
    const end = async (change) => {
      going = null;
      notes.flush();
      note({ ...change, answer, runs: answer?.runs ?? 0 });
      if (answer) await session.show(parse(answer.recipe, [scenario]));
      notes.say(sentence(notes.now().smallest));
    };
    going = { job, end, of };
    try {
      await job.done;
      if (!job.stopped) await end({ phase: "done" });
    } catch (error) {
      await end({ phase: "failed", problem: error.message });
    }
  }

  function stop() {
    going?.job.stop();
    return going?.end({ phase: "stopped" });
  }

  return { run, stop, drop: () => going?.job.stop() || (going = null), about: () => going?.of ?? null };
}
