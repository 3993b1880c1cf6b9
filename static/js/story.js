// The words above the figure, made from the run that is shown: what happened, to whom,
// at which grant. Under "enforce" nobody is erased, so no headline may be a constant.
// Pure text; names that want a mark beside them are returned as {letter, name} so that
// the drawing can add it. What would be wrong here: a sentence that the run does not prove.

import { losses } from "./model.js";

const LOSSES = new Set(["lost update", "acknowledged work survives"]);
const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five"];

/** The one word that stands beside the double rule. */
export const wordFor = (invariant) => (LOSSES.has(invariant) ? "lost" : "broken");

const isRefusal = (told) => Boolean(told) && /^(conflict|refused)/.test(told);
const countOf = (run, told) => Object.values(run.told).filter((each) => each === told).length;
const endedAs = (run, how) => run.writers.filter((writer) => run.ended[writer.name] === how);
const broke = (run, invariant) => run.violations.some((each) => each.invariant === invariant);

export function headline(run) {
  const happy = countOf(run, "success");
  if (broke(run, "lost update")) return `${happy === 2 ? "Both" : `${NUMBERS[happy]} agents`} heard “success”. One of them lost its line.`;
  if (broke(run, "acknowledged work survives")) return "Saved, confirmed, and then written over.";
  if (run.violations.length) return "A promise was broken in this order.";
  if (endedAs(run, "crashed").length) return `${capital(endedAs(run, "crashed")[0].name)} died on the way. Nothing acknowledged was lost.`;
  if (endedAs(run, "waiting").length) return "Someone is still waiting. Nothing acknowledged was lost.";
  const turnedAway = Object.values(run.told).filter(isRefusal).length;
  if (turnedAway) return `${NUMBERS[turnedAway]} ${turnedAway === 1 ? "agent was" : "agents were"} turned away. Nothing was lost.`;
  if (happy > 1) return `${happy === 2 ? "Both" : `All ${NUMBERS[happy].toLowerCase()}`} heard “success”, and this time it is true.`;
  return "Nothing was lost in this order.";
}

/** What this order came to, as pieces: text, and {letter, name} for a writer. */
export function verdict({ run, rows, lanes }) {
  const [loss] = run.violations.length ? losses({ run, rows, lanes }) : [];
  if (loss) {
    const writer = (letter) => lanes.find((lane) => lane.letter === letter);
    return ["In this order SQLite has nothing to object to. At grant ", String(loss.grant), " ", writer(loss.by), " writes over the line that ", writer(loss.owner), " had saved, and nobody is told."];
  }
  if (run.violations.length) return [`${capital(run.violations[0].detail)}.`];
  const parts = [];
  for (const writer of run.writers) {
    const told = run.told[writer.name];
    if (isRefusal(told)) parts.push(writer, ` was told “${told}”. `);
    if (run.ended[writer.name] === "crashed") parts.push(writer, " was killed before it could finish. ");
    if (run.ended[writer.name] === "waiting") parts.push(writer, " never got its turn at the lock. ");
  }
  return [...parts, "Every line that was acknowledged is still in the row."];
}

/** What one grant did, in one short sentence: read aloud at every step. */
export function spoken(model, grant, describe) {
  const row = model.rows[grant];
  if (grant === 0) return `Before the first of ${model.last} grants.`;
  const losses = row.violations.map((each) => `${capital(wordFor(each.invariant))}: ${each.detail}`);
  return [`Grant ${grant} of ${model.last}: ${describe(row)}.`, ...losses.slice(0, 1)].join(" ");
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
