// The shapes that cross the bridge: their names, their versions, and one check
// that an answer has the shape that was asked for. It stands apart so that the
// page, the worker and the tests mean the same thing by "run/1"; a change of
// shape is a change of this file. What would be wrong here: knowing how a shape
// is drawn, or how an answer travels.

export const VERSION = 1;

const REQUIRED = {
  hello: ["engine", "python", "sqlite"],
  describe: ["slug", "options", "roles", "writers", "opening"],
  run: ["engine", "recipe", "options", "writers", "grants", "hash", "violations", "told", "ended", "watch", "events", "steps"],
  sweep: ["recipe", "seeds", "broken", "by_invariant", "runs"],
  list: ["scenarios"],
  bench: ["results", "ratios"],
  matrix: ["checks", "failures", "quiet"],
  greens: ["question", "confidence"],
  exhaust: ["recipe", "verdict", "interleavings", "broken", "done"],
};

export const ask = {
  hello: () => request({ ask: "hello" }),
  describe: (scenario) => request({ ask: "describe", scenario }),
  run: (recipe) => request({ ask: "run", recipe }),
  bench: () => request({ ask: "bench" }),
  sweep: (recipe, first, last) => request({ ask: "sweep", recipe, seeds: [first, last] }),
};

const request = (fields) => ({ version: VERSION, ...fields });

/** An answer that the core gave on purpose: it names the offending part. */
export class Refusal extends Error {
  constructor(message, part = "") {
    super(message);
    this.name = "Refusal";
    this.part = part;
  }
}

/** Hand back an answer of the wanted shape; throw what else it was. */
export function check(answer, wanted) {
  const name = answer?.schema?.name;
  if (name === "error") throw new Refusal(answer.message, answer.part);
  if (name !== wanted || answer.schema.version !== VERSION) {
    throw new Error(`The core answered ${name}/${answer?.schema?.version}; ${wanted}/${VERSION} was asked for.`);
  }
  const missing = REQUIRED[wanted].filter((field) => !(field in answer));
  if (missing.length) throw new Error(`The core's ${wanted} has no ${missing.join(", ")}.`);
  return answer;
}
