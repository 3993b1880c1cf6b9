import assert from "node:assert/strict";
import { test } from "node:test";
import { announce, changed } from "../../static/js/announce.js";
import { describe, eventLines } from "../../static/js/lines.js";
import { arrange } from "../../static/js/model.js";
import { parse } from "../../static/js/recipe.js";
import { headline, losesThings, spoken, verdict, wordFor } from "../../static/js/story.js";
import { eventful, play, recovered, scenario, threeBlinds, twoLinesAtOnce } from "./more.js";
import { lost, refused, waiting } from "./told.js";

const head = (run) => headline(arrange(run));
const told = (run) => verdict(arrange(run)).map((piece) => piece.name ?? piece).join("");
const recipe = (text) => parse(text, [scenario]);

test("the headline of two writers: lost, refused, waiting, nothing lost", () => {
  assert.equal(head(lost), "Both heard “success”. One of them lost its line.");
  assert.equal(head(refused), "blind was turned away. Nothing acknowledged was lost.".replace("blind", "Blind"));
  assert.equal(head(waiting), "Blind is still waiting. Nothing acknowledged was lost.");
  assert.equal(head({ ...lost, violations: [] }), "Both heard “success”, and this time it is true.");
});

test("the headline counts losers and listeners, whoever they are", () => {
  assert.equal(head(threeBlinds), "All three heard “success”. Two of them lost their lines.");
  assert.equal(head(twoLinesAtOnce), "Two saved, were told so, and were written over.");
  assert.equal(head({ ...twoLinesAtOnce, violations: [] }), "Three of four agents heard “success”, and this time it is true.");
  const two = { ...threeBlinds, told: { blind: "success", blind2: "conflict", blind3: "success" } };
  assert.equal(head(two), "Two of three agents heard “success”. One of them lost its line.");
  const one = { ...threeBlinds, told: { blind: "success", blind2: null, blind3: null } };
  assert.equal(head(one), "One agent heard “success” and lost its line.");
});

test("the headline names one or two who died, counts more, and puts the worst first", () => {
  const ends = (ended, answers = {}) => head(play({ roles: { A: "careful", B: "blind", C: "reader" }, ended, told: answers, grants: [["A", "draft"]] }));
  assert.equal(ends({ careful: "crashed", blind: "crashed" }), "Careful and blind died on the way. No promise was broken.");
  assert.equal(ends({ careful: "crashed", blind: "crashed", reader: "crashed" }), "Three agents died on the way. No promise was broken.");
  assert.equal(ends({ careful: "failed", blind: "waiting" }, { reader: "success" }), "Careful gave up, blind is still waiting. Nothing acknowledged was lost.");
  assert.equal(head(eventful), "Careful and blind wait for ever. No promise was broken.");
});

test("the headline of another scenario's promises speaks of promises", () => {
  const red = { ...lost, violations: [{ invariant: "exactly once", detail: "sent twice", grant: 2 }] };
  assert.equal(head({ ...red, told: {} }), "One promise was broken in this order.");
  assert.equal(told({ ...red, told: {} }), "Sent twice.");
  assert.equal(wordFor("exactly once"), "broken");
  assert.equal(wordFor("acknowledged work survives"), "lost");
  assert.ok(losesThings(scenario));
  assert.ok(!losesThings({ invariants: [{ name: "exactly once" }] }));
  assert.equal(head({ ...lost, violations: [], told: { careful: "added", blind: 2 } }), "No promise was broken in this order.");
});

test("the verdict names every loss, its grant, who did it and whose it was", () => {
  assert.match(told(lost), /^In this order SQLite has nothing to object to. At grant 4 blind writes over the line that careful had saved. Nobody is told.$/);
  assert.match(told(threeBlinds), /At grant 2 blind2 writes over the line that blind had saved; at grant 3 blind3 writes over the line that blind2 had saved\. Nobody/);
  assert.match(told(twoLinesAtOnce), /At grant 3 overwriter writes over the lines that careful and careful2 had saved\./);
  assert.match(told(refused), /^blind was told “refused.*Everything that was acknowledged is still there.$/);
  assert.match(told(recovered), /careful was killed.*blind was killed/);
  assert.doesNotMatch(told({ ...lost, events: [...lost.events, { grant: 1, writer: "A", kind: "crash" }] }), /nothing to object/);
});

test("each event is a line of whoever it befell", () => {
  const rows = arrange(eventful).rows;
  const lines = (grant, letter) => eventLines(rows[grant], letter).map((each) => each.text);
  assert.deepEqual(lines(1, "A"), ["starts"]);
  assert.deepEqual(lines(2, "A"), ["COMMIT", "ok", "BEGIN, implicit"]);
  assert.deepEqual(lines(3, "B"), ["UPDATE …", "SQLITE_FULL, injected"]);
  assert.deepEqual(lines(4, "A"), ["waits for SHARED, held by B"]);
  assert.deepEqual(eventLines(arrange(waiting).rows[3], "B").map((each) => each.text), ["waits for RESERVED, held by A"]);
  assert.deepEqual(eventLines(arrange(waiting).rows[3], "A"), [], "a wait is not the holder's");
});

test("a sleep says how long, a look what was found, and whoever shows under which name", () => {
  const event = (more) => ({ grant: 1, t: 0, writer: "B", op: 1, ...more });
  const lines = (more) => eventLines({ events: [event(more)] }, "B").map((each) => each.text);
  assert.deepEqual(lines({ kind: "operation", call: "sleep", sql: "", params: [120], rows: null, rowcount: -1, error: null }), ["sleep 2 min", "ok"]);
  assert.deepEqual(lines({ kind: "looks", name: "auto-a", found: false }), ["looks for auto-a: not there"]);
  assert.deepEqual(lines({ kind: "looks", name: "auto-a", found: true }), ["looks for auto-a: there"]);
  assert.deepEqual(lines({ kind: "shows", name: "auto-a" }), ["shows as auto-a"]);
});

test("a row is told in one sentence", () => {
  const say = (run, grant) => describe(arrange(run), arrange(run).rows[grant]);
  assert.equal(say(lost, 3), "careful, UPDATE … WHERE version = 1, 1 row, told success");
  assert.equal(say(recovered, 2), "careful killed before its UPDATE; blind killed with its process");
  assert.equal(say(eventful, 2), "the clock is set back by 1 h; careful, COMMIT, ok, BEGIN, implicit");
  assert.equal(say(eventful, 4), "1 s passes, to 4 s; careful waits for SHARED, held by B");
  assert.match(spoken(arrange(lost), 4), /^Grant 4 of 4: blind, .*Lost: careful’s line is gone\.$/);
});

test("a new run is announced by what was changed and what it came to", () => {
  const words = (from, to) => changed(recipe(from), recipe(to), scenario);
  assert.equal(words("sections?seed=1", "sections?seed=2"), "seed 2");
  assert.equal(words("sections?seed=1", "sections"), "seed 0");
  assert.equal(words("sections", "sections?mode=warn"), "mode warn");
  assert.equal(words("sections", "sections?writers=careful,blind,reader"), "writers careful, blind, reader");
  assert.equal(words("sections", "sections?grants=AB"), "another order");
  assert.equal(words("sections", "sections?grants=AA&faults=A2before:crash"), "careful killed before operation 2");
  assert.equal(words("sections?faults=A2before:crash", "sections"), "fault removed");
  assert.equal(words("sections?timeout=1", "sections?timeout=0.25"), "timeout 0.25 s");
  assert.equal(announce(recipe("sections?mode=warn"), recipe("sections?mode=warn&seed=1"), arrange(lost), 4, { scenario, opening: lost }), "Seed 1. Both heard “success”. One of them lost its line. Grant 4 of 4.");
});
