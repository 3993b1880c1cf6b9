// The smallest story of a red run: asked of the core in slices, and opened when it is found.
// What would be wrong here: knowing what makes one story smaller than another.

import { ask } from "./contract.js";
import { format, parse, withChange } from "./recipe.js";
import { sliced } from "./search.js";
import { createTask } from "./task.js";

export function createSmallest({ notes, pool, store, session, scenario, sentence }) {
  const task = createTask({ pool, notes });

  const present = () => format(withChange(store.get().recipe), scenario);

  function run() {
    task.stop();
    const of = present();
    const note = (change) => notes.set({ smallest: { ...notes.now().smallest, ...change } });
    notes.set({ smallest: { of, phase: "going", runs: 0, answer: null, problem: "" } });
    let answer = null;
    function heard(found) {
      answer = found;
      notes.soon("smallest", () => note({ runs: found.runs, answer }));
    }
    const each = (put, text, mine) => sliced(put, (steps) => ask.shrink(text, { steps }), "shrink", { stopped: () => mine.stopped, heard });
    async function end(how) {
      note({ ...how, answer, runs: answer?.runs ?? 0 });
      const stayed = of === present(); // who went elsewhere meanwhile is left there
      if (answer && stayed) await session.show(parse(answer.recipe, [scenario]));
      notes.say(sentence(notes.now().smallest));
    }
    return task.run(of, [of], each, end);
  }

  return { ...task, run };
}
