import assert from "node:assert/strict";
import { test } from "node:test";
import { createBridge } from "../../static/js/bridge.js";
import { crashPoints, crashing, daggers, granting, offers, suggestion } from "../../static/js/choices.js";
import { check, Refusal } from "../../static/js/contract.js";
import { arrange } from "../../static/js/model.js";
import { reproduce } from "../../static/js/proof.js";
import { format, parse } from "../../static/js/recipe.js";
import { createSession } from "../../static/js/session.js";
import { find } from "../../static/js/shipped.js";
import { createStore, initial } from "../../static/js/store.js";
import { data, lost, refused, scenario, waiting } from "./told.js";

const recipe = (text) => parse(text, [scenario]);
const text = (each) => format(each, scenario);

/** A session over a core of our own, and a log of where its addresses went. */
function opened(answer = () => Promise.reject(new Error("no Python here"))) {
  const store = createStore(initial(data));
  const went = [];
  const place = { push: (query) => went.push(["push", query]), replace: (query) => went.push(["replace", query]), open: (query) => went.push(["open", query]) };
  const session = createSession({ store, put: answer, wakeRunner: () => answer({ ask: "wake" }), place });
  return { store, session, went };
}

test("the bare address spells out the opening run", async () => {
  const { session, went } = opened();
  await session.open("");
  assert.deepEqual(went, [["open", "?mode=warn"]]);
});

test("a step replaces the address, a new run pushes one", async () => {
  const { store, session, went } = opened();
  session.go(2, "said");
  await session.show(recipe("sections?seed=1"));
  assert.deepEqual(went, [["replace", "?mode=warn&step=2"], ["push", "?seed=1"]]);
  assert.equal(store.get().run, refused);
});

for (const [query, culprit] of [["?mode=blue", "mode=blue"], ["?colour=red", "colour"], ["?writers=careful,nobody", "nobody"], ["?seed=-1", "seed=-1"], ["?mode=warn&step=9", "step=9"], [`?grants=${"A".repeat(9000)}`, "9016 characters"]]) {
  test(`${query.slice(0, 30)} is refused in one sentence, and the last good run stays`, async () => {
    const { store, session, went } = opened();
    await session.open(query);
    assert.ok(store.get().problem.includes(culprit), store.get().problem);
    assert.match(store.get().problem, /The opening run is shown instead\.$/);
    assert.deepEqual(went, [], "the culprit stays in the address");
    assert.equal(store.get().run, lost);
  });
}

test("a digest that does not fit is said, one that fits is not", async () => {
  const { store, session } = opened();
  await session.open("?mode=warn&check=1.01234567");
  assert.equal(store.get().note, null);
  await session.open("?mode=warn&check=1.ffffffff");
  assert.deepEqual(store.get().note, { sent: "1.ffffffff", here: "1.01234567", engine: 1 });
});

test("a run that did not ship shows no other run, not even when Python fails", async () => {
  const { store, session } = opened();
  await session.open("?mode=warn&writers=careful,overwriter");
  assert.equal(store.get().run, null);
  assert.equal(store.get().python.phase, "failed");
  await session.open("?mode=warn");
  assert.equal(store.get().run, lost);
});

test("a refusal by the core brings the last good run back, with its address", async () => {
  const { store, session, went } = opened((request) => (request.ask === "run" ? Promise.reject(new Refusal("Grant 3 goes nowhere.", "grants=AAAA")) : Promise.reject(new Error("later"))));
  await session.open("?mode=warn&grants=AAAA");
  assert.equal(store.get().problem, "Grant 3 goes nowhere. The opening run is shown instead.");
  assert.equal(store.get().run, lost);
  assert.deepEqual(went.at(-1), ["open", "?mode=warn&grants=AAAA"], "the culprit stays in the address");
});

test("what is echoed of an over-long value is cut, the core's sentences too", async () => {
  const grants = "A".repeat(3000);
  const { store, session } = opened((request) => (request.ask === "run" ? Promise.reject(new Refusal(`grants=${grants} goes nowhere.`, `grants=${grants}`)) : Promise.reject(new Error("later"))));
  for (const query of [`?mode=${grants}`, `?${grants}=1`, `?${grants}`, `?seed=${grants}`, `?mode=%zz${grants}`, `?writers=${grants}`, `?tz=${grants}!`, `?faults=${grants}`, `?mode=warn&grants=${grants}`]) {
    await session.open(query);
    assert.ok(store.get().problem.length < 350, `${query.slice(0, 20)}: ${store.get().problem.length}`);
    assert.match(store.get().problem, /A…/);
  }
});

test("a run to come keeps the step of its address from the first moment", async () => {
  const { session, went } = opened(() => new Promise(() => {}));
  session.open("?mode=warn&writers=careful,overwriter&step=2");
  assert.deepEqual(went, [["open", "?mode=warn&writers=careful,overwriter&step=2"]]);
});

test("a run that comes is to be brought into view; one that was there is not", async () => {
  const { store, session } = opened((request) => Promise.resolve(request.ask === "run" ? lost : { runs: [] }));
  await session.open("");
  assert.equal(store.get().landings, 0);
  await session.open("?mode=warn&step=2");
  assert.equal(store.get().landings, 1);
  await session.open("?mode=warn&writers=careful,overwriter");
  assert.equal(store.get().landings, 2);
  await session.show(recipe("sections?seed=1"));
  assert.equal(store.get().landings, 2);
});

test("every new run is announced in the live region, a run to come too", async () => {
  const { store, session } = opened((request) => Promise.resolve(request.ask === "run" ? { ...lost, hash: "e".repeat(64) } : { runs: [] }));
  store.set({ live: true });
  await session.show(recipe("sections?seed=1"));
  assert.match(store.get().said, /^Seed 1, mode enforce\. Blind was turned away\. .* Grant 3 of 3\.$/);
  const coming = session.show(recipe("sections?seed=1&faults=A2before:crash&grants=ABA"));
  assert.equal(store.get().said, "Python computes this run.");
  await coming;
  assert.match(store.get().said, /^Careful killed before operation 2\. /);
});

test("a shipped run is found by seed or by its whole schedule, else not at all", () => {
  assert.equal(find(data, recipe("sections?mode=warn&seed=1")), lost);
  assert.equal(find(data, recipe("sections?mode=warn&seed=2")), null);
  assert.equal(find(data, recipe("sections?mode=warn&grants=ABAB")), lost);
  assert.equal(find(data, recipe("sections?mode=warn&grants=AB")), null);
  assert.equal(find(data, recipe("sections?mode=warn&journal=wal")), null);
  assert.equal(find(data, recipe("sections?mode=warn&faults=A1before:crash")), null);
});

test("another writer's grant is a recipe; where that order shipped, its whole schedule", () => {
  const warn = recipe("sections?mode=warn");
  assert.equal(text(granting(data, warn, lost, 1, "A")), "sections?mode=warn&grants=AA");
  assert.equal(text(granting(data, warn, lost, 3, "B")), "sections?mode=warn&grants=ABAB");
});

test("a crash is one more grant of its writer, at that place", () => {
  const warn = recipe("sections?mode=warn&seed=7");
  const crashed = crashing(warn, lost, 2, { letter: "A", op: 2, place: "before" });
  assert.equal(text(crashed), "sections?mode=warn&seed=7&grants=ABA&faults=A2before:crash");
  const { rows, lanes } = arrange(lost);
  assert.deepEqual(daggers(lost, rows[1], lanes[0]).map(({ step, fault }) => [step, fault.letter + fault.op + fault.place]), [[0, "A1before"]]);
  assert.deepEqual(daggers(lost, rows[3], lanes[0]).map(({ step, fault }) => [step, fault.letter + fault.op + fault.place]), [[2, "A2before"], [3, "A2after"]]);
});

test("a writer that never left its place may be killed there", () => {
  const point = ({ fault }) => fault.letter + fault.op + fault.place;
  const at = (run, place) => crashPoints(arrange(run), arrange(run).lanes[place]).map(point);
  assert.deepEqual(at(waiting, 1), ["B1before"]);
  assert.deepEqual(at(lost, 1), ["B1before", "B2before", "B2after"]);
});

test("a crash that was waiting further on is given up with the future, other faults stay", () => {
  const both = recipe("sections?mode=warn&faults=A2before:crash,B1before:SQLITE_FULL,*.update:cancel");
  assert.equal(text(crashing(both, lost, 1, { letter: "B", op: 1, place: "before", kind: "crash" })), "sections?mode=warn&grants=AB&faults=%2A.updatebefore:cancel,B1before:SQLITE_FULL,B1before:crash");
});

test("a writer that cannot go carries its reason", () => {
  assert.deepEqual(offers(lost, 3, recipe("sections?mode=warn")).map(({ name, ready, reason, crash }) => [name, ready, reason, crash?.op ?? null]), [["careful", false, "done", null], ["blind", true, "ready", 2]]);
});

test("the end of a lost run offers the other mode; under enforce, the overwriter", () => {
  const state = initial(data);
  assert.deepEqual([suggestion(state).label, text(suggestion(state).recipe)], ["Same order, mode enforce", "sections?grants=ABA"]);
  const held = { ...state, recipe: recipe("sections"), run: refused };
  assert.match(text(suggestion(held).recipe), /writers=careful,overwriter/);
});

test("hashes that agree are counted, and the first that does not is named", async () => {
  const answer = (hash) => (request) => Promise.resolve({ runs: data.families.find((home) => home.recipe === request.recipe).seeds.map((_, seed) => ({ seed, hash })) });
  assert.deepEqual(await reproduce({ families: [data.families[1]] }, answer(lost.hash)), { matched: 2, total: 2, first: "" });
  const other = await reproduce({ families: [data.families[1]] }, answer("e".repeat(64)));
  assert.equal(other.matched, 0);
  assert.match(other.first, /sections\?mode=warn, seed 0, came to eeeeeeee and was shipped as 01234567/);
});

test("an answer of another shape or version is an error, and an error answer a refusal", async () => {
  assert.throws(() => check({ schema: { name: "run", version: 2 } }, "run"), /run\/2; run\/1/);
  assert.throws(() => check({ schema: { name: "run", version: 1 } }, "run"), /has no engine/);
  const put = createBridge(() => Promise.resolve('{"schema":{"name":"error","version":1},"error":"RecipeError","part":"x","message":"No x."}'));
  await assert.rejects(put({ ask: "run" }), (error) => error instanceof Refusal && error.part === "x");
});
