// "Watch it happen": walks from the start to the loss, one grant a beat. It waits between
// grants, and that is all; who asks for less motion gets the start of the walk and steps on
// alone. What would be wrong here: deciding what a step shows.

import { nextViolation } from "./model.js";

const BEAT = 1300;

export function createPlayer({ store, go, quiet }) {
  let timer = null;

  function stop() {
    clearTimeout(timer);
    timer = null;
    if (store.get().playing) store.set({ playing: false });
  }

  function beat(goal) {
    const { step, run } = store.get();
    if (!run || step >= goal) return stop();
    go(step + 1);
    timer = setTimeout(beat, BEAT, goal);
    return undefined;
  }

  function toggle() {
    if (store.get().playing) return stop();
    const { run } = store.get();
    if (!run) return undefined;
    go(1);
    if (quiet()) return undefined;
    store.set({ playing: true });
    timer = setTimeout(beat, BEAT, nextViolation(run, 0) ?? run.steps.length - 1);
    return undefined;
  }

  return { toggle, stop };
}
