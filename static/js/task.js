// What the workers do for one panel: one thing at a time, which ends once, by itself, by a press
// or by an error. The panels differ in what is asked and what is kept of it; how a thing comes to
// its end is the same for all. What would be wrong here: knowing what it is about.

export function createTask({ pool, notes }) {
  let going = null;

  /** Begin it: `about` is the text that names it, `tasks` and `each` are the pool's, and `end` keeps
   * what it came to: {phase: done, stopped or failed, problem}. */
  async function run(about, tasks, each, end) {
    const job = pool.begin(tasks, each);
    const over = (how) => {
      going = null;
      notes.flush();
      return end(how);
    };
    going = { about, job, over };
    try {
      await job.done;
      if (!job.stopped) await over({ phase: "done" });
    } catch (error) {
      await over({ phase: "failed", problem: error.message });
    }
  }

  /** End what is going on; what was found until now stands. */
  function stop(problem = "") {
    going?.job.stop();
    return going?.over({ phase: "stopped", problem });
  }

  return { run, stop, about: () => going?.about ?? null };
}
