// "Watch it happen": walks from the start to the loss, one grant a beat. Who asks for less
// motion is walked too, one grant a press. It waits between grants, and that is all. What
// would be wrong here: deciding what a step shows.

import { nextViolation } from "./model.js";

const BEAT = 1300;

export function createPlayer({ store, go, quiet }) {
  let timer = null;

  function stop() {
    clearTimeout(timer);
    timer = null;
    if (store.get().playing || store.get().walking) store.set({ playing: false, walking: false });
  }

  const goal = (run) => nextViolation(run, 0) ?? run.steps.length - 1;

  function beat(end) {
    const { step, run } = store.get();
    if (!run || step >= end) return stop();
    go(step + 1);
    timer = setTimeout(beat, BEAT, end);
    return undefined;
  }

  /** One press, one grant; the walk is over at the loss. */
  function press() {
    const { run, step, walking } = store.get();
    const next = walking ? step + 1 : Math.min(1, goal(run));
    go(next);
    store.set({ walking: next < goal(run) });
  }

  function toggle() {
    if (store.get().playing) return stop();
    const { run } = store.get();
    if (!run) return undefined;
    if (quiet()) return press();
    go(1);
    store.set({ playing: true });
    timer = setTimeout(beat, BEAT, goal(run));
    return undefined;
  }

  return { toggle, stop };
}
