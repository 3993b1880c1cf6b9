// A kill at each point: the present order once for every place where one of its writers may be
// killed. Each is a recipe like any other. What would be wrong here: working out where a kill
// is legal (choices.js knows).

import { crashPoints, crashing } from "./choices.js";
import { Refusal, ask } from "./contract.js";
import { isDagger } from "./faults.js";
import { family, format, withChange } from "./recipe.js";
import { createTask } from "./task.js";

/** The variant without its kills: what a strip of kills belongs to. */
export const bare = (recipe, scenario) => format(family({ ...recipe, faults: recipe.faults.filter((fault) => !isDagger(fault)) }), scenario);

/** Every place, by writer: {letter, name, where, text, broken}; `broken` is not known yet. */
export function points({ recipe, run, model, scenario }) {
  return model.lanes.flatMap((lane) => crashPoints(model, lane).map(({ step, act, fault }) => ({
    letter: lane.letter,
    name: lane.name,
    op: fault.op,
    place: fault.place,
    act,
    seed: recipe.seed,
    text: format(crashing(recipe, run, step, fault), scenario),
    broken: null,
    failing: false,
  })));
}

/** What a kill comes to. A writer that waits can be killed while it waits, and then time does not
 * pass as it did: such an order is followed as far as it goes. */
async function killed(put, { text, seed }) {
  try {
    const { runs, failing } = await put(ask.sweep(text, seed, seed));
    return { broken: runs[0].broken, failing: failing > 0 };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { recipe, violations, ended } = await put(ask.follow(text));
    return { text: recipe, broken: violations.map(({ invariant }) => invariant), failing: Object.values(ended).includes("failed") };
  }
}

export function createKills({ notes, pool, scenario, sentence }) {
  const task = createTask({ pool, notes });

  function run(view) {
    task.stop();
    const kills = { kin: bare(view.recipe, scenario), text: format(withChange(view.recipe), scenario), grants: view.run.grants, phase: "going", problem: "", points: points(view) };
    const note = (change) => notes.set({ kills: Object.assign(kills, change) && { ...kills } });
    note({});
    async function each(put, point, mine) {
      const found = await killed(put, point);
      if (mine.stopped) return;
      Object.assign(point, found);
      notes.soon("kills", () => note({}));
    }
    function end(how) {
      note(how);
      notes.say(sentence(notes.now().kills));
    }
    return task.run(kills.kin, kills.points, each, end);
  }

  return { ...task, run };
}
