// The words above the figure, made from the run that is shown: what happened, to whom,
// at which grant. Under "enforce" nobody is erased, so no headline may be a constant.
// Pure text; names that want a mark beside them are returned as {letter, name} so that
// the drawing can add it. What would be wrong here: a sentence that the run does not prove.

import { describe, toldWords } from "./lines.js";
import { byGrant, losses } from "./model.js";

const LOSSES = new Set(["lost update", "acknowledged work survives"]);
const NUMBERS = ["no", "one", "two", "three", "four", "five"];

/** The one word that stands beside the double rule. */
export const wordFor = (invariant) => (LOSSES.has(invariant) ? "lost" : "broken");

/** Whether a red run of this scenario means that something was lost. */
export const losesThings = (scenario) => scenario.invariants.length > 0 && scenario.invariants.every((each) => LOSSES.has(each.name));

/** What a red run of a scenario does: `of` many, or of one. */
export function breaks(scenario, count) {
  const [more, one] = losesThings(scenario) ? ["lose a line", "loses a line"] : ["break a promise", "breaks a promise"];
  return count === 1 ? one : more;
}

/** Such a run, in a word. */
export const red = (scenario) => (losesThings(scenario) ? "lost" : "broken");

const isRefusal = (told) => typeof told === "string" && /^(conflict|refused)/.test(told);
const number = (count) => NUMBERS[count] ?? String(count);
const broke = (run, invariant) => run.violations.some((each) => each.invariant === invariant);
const unique = (list) => [...new Set(list)];

/** Names joined as one says them; more than two are counted. */
const people = (names) => (names.length > 2 ? `${number(names.length)} agents` : names.join(" and "));

/** `about` is what the page knows beside the run: its scenario, and the run it opens with. */
export function headline(model, about = {}) {
  const { run } = model;
  if (about.scenario && !losesThings(about.scenario)) return promisesHeadline(model, about);
  const lost = run.violations.length ? losses(model) : [];
  if (lost.length) return lossHeadline(model, lost);
  if (run.violations.length) {
    const promises = unique(run.violations.map((each) => each.invariant)).length;
    return `${capital(number(promises))} ${promises === 1 ? "promise was" : "promises were"} broken in this order.`;
  }
  const ends = endings(model);
  if (ends.length) return `${capital(ends.slice(0, 2).join(", "))}. ${calm(run)}`;
  return happyHeadline(run);
}

/** Where a scenario's promises are of other kinds: its own title, as long as the run proves it. */
function promisesHeadline(model, { scenario, opening }) {
  const { run } = model;
  const broken = promisesOf(run);
  if (broken.length) return sameStory(run, opening) ? scenario.title : brokenHeadline(broken);
  const ends = endings(model);
  if (ends.length) return `${capital(ends.slice(0, 2).join(", "))}. ${calm(run)}`;
  const alike = Object.values(run.told).every((told) => told === "success");
  return alike ? happyHeadline(run) : "No promise was broken in this order.";
}

const promisesOf = (run) => unique(run.violations.map((each) => each.invariant));
const brokenHeadline = (broken) => (broken.length > 2 ? `${capital(number(broken.length))} promises were broken in this order.` : `Broken in this order: ${broken.map((name) => `“${name}”`).join(" and ")}.`);

/** A title tells of the opening run; of another one, where variant, cast and what broke agree. */
function sameStory(run, opening) {
  const alike = (of) => JSON.stringify(of(run)) === JSON.stringify(of(opening));
  const known = promisesOf(opening);
  return alike((each) => each.options) && alike(roles) && alike(crashed) && promisesOf(run).every((each) => known.includes(each));
}

const roles = (run) => run.writers.filter(({ letter }) => letter === letter.toUpperCase()).map(({ role }) => role);
const crashed = (run) => run.events.some((event) => event.kind === "crash");

function lossHeadline({ run, lanes }, lost) {
  const losers = unique(lost.map((each) => each.owner)).length;
  if (!broke(run, "lost update")) {
    return losers === 1 ? "Saved, confirmed, and then written over." : `${capital(number(losers))} saved, were told so, and were written over.`;
  }
  const heard = lanes.filter((lane) => lane.told === "success").length;
  if (heard === 1) return "One agent heard “success” and lost its line.";
  return `${hearers(heard, lanes.length)} heard “success”. ${losers === 1 ? "One of them lost its line." : `${capital(number(losers))} of them lost their lines.`}`;
}

function hearers(heard, many) {
  if (heard < many) return `${capital(number(heard))} of ${number(many)} agents`;
  return heard === 2 ? "Both" : `All ${number(heard)}`;
}

/** How writers ended who did not simply finish: each a clause, worst first. */
function endings({ run, lanes }) {
  const ended = (how) => run.writers.filter((writer) => run.ended[writer.name] === how);
  const clause = (writers, one, more) => (writers.length ? [`${people(writers.map((writer) => writer.name))} ${writers.length === 1 ? one : more}`] : []);
  const stuck = run.events.some((event) => event.kind === "deadlock");
  const refused = lanes.filter((lane) => isRefusal(lane.told));
  return [
    ...clause(ended("crashed"), "died on the way", "died on the way"),
    ...clause(ended("failed"), "gave up", "gave up"),
    ...clause(ended("waiting"), stuck ? "waits for ever" : "is still waiting", stuck ? "wait for ever" : "are still waiting"),
    ...clause(refused, "was turned away", "were turned away"),
  ];
}

function happyHeadline(run) {
  const told = Object.values(run.told);
  const heard = told.filter((each) => each === "success").length;
  if (!heard) return calm(run, " in this order");
  const who = heard === 1 ? run.writers.find((writer) => run.told[writer.name] === "success").name : hearers(heard, told.length);
  return `${capital(who)} heard “success”, and this time it is true.`;
}

/** Nobody's promise is broken; where "success" was given, it held. */
const calm = (run, where = "") => (Object.values(run.told).includes("success") ? `Nothing acknowledged was lost${where}.` : `No promise was broken${where}.`);

/** What this order came to, as pieces: text, and {letter, name} for a writer. */
export function verdict(model, { scenario } = {}) {
  const { run, lanes } = model;
  const lost = run.violations.length && !(scenario && !losesThings(scenario)) ? losses(model) : [];
  if (lost.length) return lossVerdict(model, lost);
  if (run.violations.length) return [toldAtMost(unique(run.violations.map((each) => `${capital(each.detail)}.`)))];
  const parts = [];
  for (const lane of lanes) {
    if (isRefusal(lane.told)) parts.push(lane, ` was told ${toldWords(lane.told)}. `);
    if (lane.ended === "crashed") parts.push(lane, " was killed before it could finish. ");
    if (lane.ended === "failed") parts.push(lane, " gave up with an error. ");
    if (lane.ended === "waiting") parts.push(lane, " never got its turn at the lock. ");
  }
  return [...parts, Object.values(run.told).includes("success") ? "Everything that was acknowledged is still there." : "Every promise held."];
}

const MOST_TOLD = 3;
const MOST_SENTENCES = 8;

/** What broke, sentence by sentence, and how often more where it is too much to read. */
function toldAtMost(sentences) {
  const more = sentences.length - MOST_SENTENCES;
  return more > 0 ? `${sentences.slice(0, MOST_SENTENCES).join(" ")} And so ${number(more)} times more.` : sentences.join(" ");
}

function lossVerdict({ run, lanes }, lost) {
  const writer = (letter) => lanes.find((lane) => lane.letter === letter) ?? "somebody";
  const groups = [...byGrant(lost).values()];
  const calmly = run.events.every((event) => !event.error && event.kind !== "crash");
  const pieces = [calmly ? "In this order SQLite has nothing to object to. " : ""];
  groups.slice(0, MOST_TOLD).forEach((group, place) => {
    const owners = unique(group.map((each) => each.owner));
    pieces.push(place ? "; at grant " : "At grant ", String(group[0].grant), " ", writer(group[0].by), ` writes over the line${group.length > 1 ? "s" : ""} that `);
    owners.forEach((owner, at) => pieces.push(at ? (at === owners.length - 1 ? " and " : ", ") : "", writer(owner)));
    pieces.push(" had saved");
  });
  const more = groups.length - MOST_TOLD;
  return [...pieces, more > 0 ? `, and so ${more === 1 ? "once" : `${number(more)} times`} more` : "", ". Nobody is told."];
}

/** What one grant did, in one short sentence: read aloud at every step. */
export function spoken(model, grant) {
  const row = model.rows[grant];
  if (grant === 0) return `Before the first of ${model.last} grants.`;
  const breaks = row.violations.map((each) => `${capital(wordFor(each.invariant))}: ${each.detail}.`);
  return [`Grant ${grant} of ${model.last}: ${describe(model, row) || "nothing to see"}.`, ...breaks.slice(0, 1)].join(" ");
}

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
