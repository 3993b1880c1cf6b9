// Whether a placed fault strikes at a writer's next grant, and in which words. Of the grant
// that the run itself makes next, its events tell; of another writer's, only a fault that is
// placed by number, and is certain, can be foreseen. What would be wrong here: a guess.

import { isDagger, killWords } from "./faults.js";

const CERTAIN = 1_000_000;

/** {fault, crash, words} where a fault strikes there, else null. */
export function strikes(recipe, run, step, letter) {
  const offer = run.steps[step].offers.find((each) => each.letter === letter);
  const fault = offer && recipe.p === CERTAIN ? recipe.faults.find((each) => foreseen(each, offer)) : undefined;
  const taken = run.grants[step] === letter;
  if (!fault || (taken && !struck(run, step, letter))) return null;
  return { fault, crash: fault.kind === "crash", words: killWords(fault) };
}

/** A crash after operation k is one before k + 1; an error after k is still k's own. */
function foreseen(fault, { letter, op, status }) {
  if (status !== "ready" || fault.letter !== letter || !fault.op || fault.slug) return false;
  return op === fault.op + (isDagger(fault) && fault.place === "after" ? 1 : 0);
}

const struck = (run, step, letter) => run.events.some((event) => event.grant === step + 1 && event.writer === letter && (event.kind === "crash" || event.error));
