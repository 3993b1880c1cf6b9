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
  openings: ["parts", "shares", "estimate", "scope"],
  orders: ["recipe", "orders"],
  exhaust: ["recipe", "verdict", "interleavings", "explored", "runs", "outcomes", "scope", "done"],
  shrink: ["recipe", "grants", "runs", "smallest", "done"],
  matrix: ["checks", "failures", "quiet"],
  greens: ["question", "confidence"],
};

/** Two questions may have answers of one shape. */
const ANSWERS = { follow: "run" };

export const ask = {
  hello: () => request({ ask: "hello" }),
  describe: (scenario) => request({ ask: "describe", scenario }),
  run: (recipe) => request({ ask: "run", recipe }),
  bench: () => request({ ask: "bench" }),
  sweep: (recipe, first, last) => request({ ask: "sweep", recipe, seeds: [first, last] }),
  follow: (recipe) => request({ ask: "follow", recipe }),
  orders: (recipe, most) => request({ ask: "orders", recipe, most }),
  openings: (recipe, more) => request({ ask: "openings", recipe, ...more }),
  exhaust: (recipe, more) => request({ ask: "exhaust", recipe, ...more }),
  shrink: (recipe, more) => request({ ask: "shrink", recipe, ...more }),
  /** Go on with a search that one of the two has begun. */
  more: (of, steps) => request({ ask: "more", of, steps }),
  matrix: (scenario) => request({ ask: "matrix", scenario }),
  greens: (more) => request({ ask: "greens", ...more }),
};

/** The name of the shape that answers a request. */
export const answerTo = (request) => ANSWERS[request.ask] ?? request.of ?? request.ask;

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
