// Long work, a slice a task, so that it never holds up whoever scrolls or types meanwhile. What
// would be wrong here: knowing what the work is.

const SLICE = 8; // milliseconds, half of what a frame has

/** Lets whatever waits for the page go first. */
export const pause = () => new Promise((resolve) => setTimeout(resolve));

/** What a generator returns, once it has been gone on with long enough. */
export async function inSlices(work) {
  for (;;) {
    const end = performance.now() + SLICE;
    while (performance.now() < end) {
      const { done, value } = work.next();
      if (done) return value;
    }
    await pause();
  }
}
