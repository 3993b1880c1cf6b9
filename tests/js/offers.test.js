// What a reader may do next where a fault was placed, and what the end of a run offers: the
// fix in the same order, the next choice, a cast that breaks what held.

import assert from "node:assert/strict";
import { test } from "node:test";
import { granting, offers, sparing, suggestion } from "../../static/js/choices.js";
import { otherCasts } from "../../static/js/casts.js";
import { createActions } from "../../static/js/actions.js";
import { page } from "../../static/js/draw/page.js";
import { inkOf, stringPen } from "../../static/js/pen.js";
import { format, leaks, parse } from "../../static/js/recipe.js";
import { createSession } from "../../static/js/session.js";
import { Refusal } from "../../static/js/contract.js";
import { createStore, initial } from "../../static/js/store.js";
import { headline, verdict } from "../../static/js/story.js";
import { arrange } from "../../static/js/model.js";
import { view } from "../../static/js/view.js";
import { lost, scenario as sections } from "./told.js";

const scenario = {
  ...sections,
  slug: "receipts",
  title: "The loser was killed, and nothing shows it.",
  options: [{ name: "round", choices: ["2", "1", "0"], default: "2", meaning: {} }],
  roles: ["agent", "worker", "watcher"].map((name) => ({ name, summary: "Claims." })),
  writers: ["agent", "agent"],
  invariants: [{ name: "every loser has a receipt", promise: "" }, { name: "one receipt a conflict", promise: "" }],
  opening: "receipts?round=0&grants=ABAB&faults=B1after:crash",
  casts: ["receipts?writers=agent,worker,watcher&faults=B2before:crash"],
  leaky: ["round=1"],
};
const recipe = (text) => parse(text, [scenario]);
const text = (each) => format(each, scenario);
const broken = (invariant) => [{ invariant, promise: "", detail: "there is none", grant: 4 }];
const kill = { grant: 4, t: 0, writer: "B", kind: "crash", op: 2, place: "before" };
const made = (round, more) => ({ ...lost, options: { round }, told: {}, violations: [], ...more });
const killed = made("0", { recipe: scenario.opening, events: [...lost.events.slice(0, 4), kill], violations: broken("every loser has a receipt") });
const held = made("1", { events: killed.events });
const twice = made("1", { grants: "ABBA", violations: broken("one receipt a conflict") });
const data = {
  scenario,
  start: null,
  families: [
    { recipe: "receipts?round=1&faults=B1after:crash", seeds: [0], runs: [held] },
    { recipe: "receipts?round=0&faults=B1after:crash", seeds: [], runs: [killed], opening: 0 },
    { recipe: "receipts?round=1&writers=agent,worker,watcher&faults=B2before:crash", seeds: [], runs: [twice], telling: { 7: 0 } },
  ],
};
const state = (change = {}) => ({ ...initial(data), ...change });
const drawn = (change) => inkOf(page(stringPen, view(state(change))));

test("where a placed fault will strike, the button says so, and beside it one goes on without", () => {
  const at = state({ step: 3 });
  const [, b] = offers(at.run, 3, at.recipe);
  assert.deepEqual([b.strike.words, b.strike.crash], ["killed", true]);
  assert.match(drawn({ step: 3 }), /agent2|blind: † killed here, as placed/);
  assert.match(drawn({ step: 3 }), /data-action="spare" data-value="B"[^>]*>or goes on: <code>UPDATE …/);
  assert.doesNotMatch(drawn({ step: 3 }), /data-action="crash" data-value=":B/);
  assert.equal(text(sparing(at.recipe, at.run, 3, "B")), "receipts?round=0&grants=ABAB");
});

test("before that, and without a fault, the button says the statement", () => {
  assert.deepEqual(offers(killed, 1, state().recipe).map((each) => each.strike), [null, null]);
  assert.deepEqual(offers(killed, 3, recipe("receipts?round=0&grants=ABAB")).map((each) => each.strike), [null, null]);
  assert.equal(offers(killed, 3, recipe("receipts?round=0&faults=B1after:crash&p=0.5"))[1].strike, null, "what may strike is not foretold");
});

test("another writer than the run's own, who is struck at once, keeps the fault that strikes", () => {
  const early = recipe("receipts?round=0&faults=B1before:crash,A2before:crash");
  assert.equal(text(granting(data, early, killed, 0, "B")), "receipts?round=0&grants=B&faults=B1before:crash");
});

test("a broken order leads to the next choice, not to the last", () => {
  const offer = suggestion(state());
  assert.deepEqual([offer.label, text(offer.recipe)], ["Same order, round 1", "receipts?round=1&grants=ABAB&faults=B1after:crash"]);
});

test("where the first option is at its default, the next that is not leads on", () => {
  const two = { ...scenario, options: [{ name: "fix", choices: ["all", "none"], default: "all", meaning: {} }, ...scenario.options] };
  const at = parse("receipts?round=0&writers=agent,worker&seed=2", [two]);
  assert.equal(suggestion({ ...state(), data: { ...data, scenario: two }, recipe: at }).label, "Same seed, round 1");
});

test("a promise that held leads to the cast that breaks it, and that to the next choice", () => {
  const offer = suggestion(state({ recipe: recipe("receipts?round=1&grants=ABAB&faults=B1after:crash"), run: held }));
  assert.equal(offer.label, "Next: agent, worker and watcher, B killed before operation 2");
  assert.equal(text(offer.recipe), "receipts?round=1&writers=agent,worker,watcher&seed=7&faults=B2before:crash");
  const on = suggestion(state({ recipe: offer.recipe, run: twice }));
  assert.deepEqual([on.label, text(on.recipe)], ["Same seed, round 2", "receipts?writers=agent,worker,watcher&seed=7&faults=B2before:crash"]);
});

test("the other casts keep the reader's options, and lead back to the opening", () => {
  const [crew] = otherCasts(data, state().recipe);
  assert.equal(crew.text, "receipts?round=0&writers=agent,worker,watcher&faults=B2before:crash");
  assert.deepEqual(otherCasts(data, recipe(crew.text)).map((each) => [each.words, each.text]), [["agent and agent2, B killed after operation 1", scenario.opening]]);
  assert.match(drawn(), /data-action="cast"[^>]*>agent, worker and watcher, B killed before operation 2</);
  assert.deepEqual(otherCasts({ ...data, scenario: { ...scenario, casts: undefined } }, state().recipe), []);
});

test("a dictated order is dictated to the fix; refused, it is offered by seed", async () => {
  const dictated = recipe("receipts?round=0&writers=agent,worker&grants=ABAB&faults=B1after:crash");
  const offer = suggestion(state({ recipe: dictated }));
  assert.deepEqual([offer.label, text(offer.recipe)], ["Same order, round 1", "receipts?round=1&writers=agent,worker&grants=ABAB&faults=B1after:crash"]);
  const store = createStore({ ...initial(data), recipe: dictated, live: true });
  const answer = (request) => (/grants/.test(request.recipe) ? Promise.reject(new Refusal("Grant 4 goes nowhere.", "grants=ABAB")) : Promise.resolve(held));
  const nowhere = () => {};
  const session = createSession({ store, put: answer, wakeRunner: () => Promise.resolve(), place: { push: nowhere, replace: nowhere, open: nowhere } });
  await createActions({ store, session, say: () => "", player: { stop: nowhere }, copy: nowhere }).try();
  assert.equal(text(store.get().recipe), "receipts?round=1&writers=agent,worker&faults=B1after:crash");
  assert.equal(store.get().problem, "This order does not fit that variant (Grant 4 goes nowhere.) The same seed is shown instead.");
  const again = suggestion({ ...store.get(), recipe: dictated, run: killed });
  assert.deepEqual([again.label, text(again.recipe)], ["Seed 0, round 1", "receipts?round=1&writers=agent,worker&faults=B1after:crash"], "no seed is called the same that nobody chose");
});

test("the title is the headline where the run proves it, else what broke is named", () => {
  const about = { scenario, opening: killed };
  assert.equal(headline(arrange(killed), about), scenario.title);
  assert.deepEqual(verdict(arrange(killed), about), ["There is none."]);
  assert.equal(headline(arrange(twice), about), "Broken in this order: “one receipt a conflict”.");
  assert.equal(headline(arrange({ ...killed, events: lost.events }), about), "Broken in this order: “every loser has a receipt”.", "nobody was killed");
  assert.equal(headline(arrange({ ...killed, options: { round: "1" } }), about), "Broken in this order: “every loser has a receipt”.");
  assert.equal(headline(arrange(made("2", { told: { careful: "success", blind: "claimed" } })), about), "No promise was broken in this order.", "an answer that is no success is not passed over");
});

test("a variant that reads the machine says so, and boasts of nothing", () => {
  const leaky = recipe("receipts?round=1&faults=B1after:crash");
  assert.deepEqual([leaks(scenario, leaky), leaks(scenario, state().recipe), leaks(sections, state().recipe)], [true, false, false]);
  const ready = { phase: "ready", matched: 1, total: 1, python: "3", sqlite: "3" };
  assert.match(drawn({ recipe: leaky, run: held, python: ready }), /no two days give the same run/);
  assert.doesNotMatch(drawn({ recipe: leaky, run: held, python: ready }), /1 of 1 reproduced/);
  assert.match(drawn({ python: ready }), /1 of 1 reproduced/);
  assert.doesNotMatch(drawn(), /no two days/);
});

test("zones are offered where local time is asked for, the present one among them", () => {
  const zoned = { data: { ...data, local_time: true }, recipe: recipe("receipts?round=0&tz=Asia/Tokyo") };
  const select = /<select data-action="tz".*?<\/select>/s.exec(drawn(zoned))[0];
  assert.deepEqual([...select.matchAll(/value="([^"]*)"/g)].map(([, zone]) => zone), ["tz", "UTC", "+09:00", "-10:00", "+05:30", "Asia/Tokyo"]);
  assert.doesNotMatch(drawn(zoned), /put back/);
  assert.match(drawn({ ...zoned, data }), /tz Asia\/Tokyo, put back/);
});

test("a promise that no seed breaks is not counted", () => {
  assert.doesNotMatch(drawn({ recipe: recipe("receipts?round=1&faults=B1after:crash"), run: held }), /breaks in 0/);
});
