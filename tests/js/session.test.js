import assert from "node:assert/strict";
import { test } from "node:test";
import { createBridge } from "../../static/js/bridge.js";
import { crashing, daggers, granting, offers, suggestion } from "../../static/js/choices.js";
import { check, Refusal } from "../../static/js/contract.js";
import { arrange } from "../../static/js/model.js";
import { reproduce } from "../../static/js/proof.js";
import { format, parse } from "../../static/js/recipe.js";
import { createSession } from "../../static/js/session.js";
import { find } from "../../static/js/shipped.js";
import { createStore, initial } from "../../static/js/store.js";
import { data, lost, refused, scenario } from "./told.js";

const recipe = (text) => parse(text, [scenario]);
const text = (each) => format(each, scenario);

/** A session over a core of our own, and a log of where its addresses went. */
function opened(answer = () => Promise.reject(new Error("no Python here"))) {
  const store = createStore(initial(data));
  const went = [];
  const place = { push: (query) => went.push(["push", query]), replace: (query) => went.push(["replace", query]) };
  const session = createSession({ store, put: answer, wakeRunner: () => answer({ ask: "wake" }), place });
  return { store, session, went };
}

test("the bare address spells out the opening run", async () => {
  const { session, went } = opened();
  await session.open("");
  assert.deepEqual(went, [["replace", "?mode=warn"]]);
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
    const { store, session } = opened();
    await session.open(query);
    assert.ok(store.get().problem.includes(culprit), store.get().problem);
    assert.equal(store.get().run, lost);
  });
}

test("a digest that does not fit is said, one that fits is not", async () => {
  const { store, session } = opened();
  await session.open("?mode=warn&check=1.01234567");
  assert.equal(store.get().note, null);
  await session.open("?mode=warn&check=1.ffffffff");
  assert.match(store.get().note, /copied from an outcome 1.ffffffff; here .* 1.01234567/);
  await session.open("?mode=warn&check=2.01234567");
  assert.match(store.get().note, /another version of the engine/);
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
  assert.equal(store.get().problem, "Grant 3 goes nowhere.");
  assert.equal(store.get().run, lost);
  assert.deepEqual(went.at(-1), ["replace", "?mode=warn"]);
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
  const rows = arrange(lost).rows;
  assert.deepEqual(daggers(lost, rows[1]).map(({ step, fault }) => [step, fault.letter + fault.op + fault.place]), [[0, "A1before"]]);
  assert.deepEqual(daggers(lost, rows[3]).map(({ step, fault }) => [step, fault.letter + fault.op + fault.place]), [[2, "A2before"], [3, "A2after"]]);
});

test("a writer that cannot go carries its reason", () => {
  assert.deepEqual(offers(lost, 3).map(({ name, ready, reason, crash }) => [name, ready, reason, crash?.op ?? null]), [["careful", false, "done", null], ["blind", true, "ready", 2]]);
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
