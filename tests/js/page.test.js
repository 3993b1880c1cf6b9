import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "../../static/js/draw/page.js";
import { inkOf, stringPen } from "../../static/js/pen.js";
import { initial } from "../../static/js/store.js";
import { parse } from "../../static/js/recipe.js";
import { view } from "../../static/js/view.js";
import { eventful, recovered, threeBlinds, twoLinesAtOnce } from "./more.js";
import { data, lost, refused, scenario, waiting } from "./told.js";

const { html, nothing } = stringPen;
const drawn = (change = {}) => inkOf(page(stringPen, view({ ...initial(data), ...change })));

test("the string pen escapes text and attributes, nests, and leaves out what is nothing", () => {
  const bad = `<b "x" & 'y'>`;
  assert.equal(inkOf(html`<p title=${bad}>${bad}</p>`), "<p title=\"&lt;b &quot;x&quot; &amp; &#39;y&#39;&gt;\">&lt;b &quot;x&quot; &amp; &#39;y&#39;&gt;</p>");
  assert.equal(inkOf(html`<a b=${nothing} ?c=${true} ?d=${false}>${[html`<i>1</i>`, null, nothing, 0]}</a>`), '<a c=""><i>1</i>0</a>');
});

test("Figure 1 stands complete as text: the struck line, both answers, the word lost", () => {
  const text = drawn();
  assert.match(text, /<del>careful’s line<\/del>/);
  assert.equal(text.match(/told “success”/g).length, 2);
  assert.match(text, /<strong>.*✗.* lost</);
  assert.match(text, /<fieldset disabled="">/, "no button is dead: none can be pressed before a script is there");
  assert.match(text, /aria-current="step"/);
  assert.doesNotMatch(text, /undefined|\[object|NaN|style=|on(click|input)=/);
});

test("every step of every run draws, and nothing in it is undefined", () => {
  for (const run of [lost, refused, waiting, eventful, recovered, threeBlinds, twoLinesAtOnce]) {
    for (let step = 0; step < run.steps.length; step += 1) {
      for (const daggers of [false, true]) {
        assert.doesNotMatch(drawn({ run, step, daggers }), /undefined|\[object|NaN/, `${run.recipe} step ${step}`);
      }
    }
  }
});

test("a run that is not here shows its recipe and never another run", () => {
  const text = drawn({ run: null, waiting: true, python: { phase: "loading", loaded: 2.1e6, total: 3.8e6 } });
  assert.match(text, /Python is loading, 2.1 of 3.8 MB/);
  assert.doesNotMatch(text, /<table|careful’s line/);
});

test("what a hostile core might say stays text", () => {
  const run = { ...lost, writers: [{ letter: "A", name: "<img src=x>", role: "careful" }, lost.writers[1]], told: { "<img src=x>": "<script>", blind: "success" } };
  assert.doesNotMatch(drawn({ run }), /<img|<script/);
});

const recipe = (text) => parse(text, [scenario]);

test("letters are introduced where a lane begins, and a repeated role has one name everywhere", () => {
  const text = drawn({ run: threeBlinds, step: 0, recipe: recipe("sections?mode=warn&writers=blind,blind,blind") });
  assert.match(text, /<b class="letter">B<\/b> blind2/);
  assert.match(text, /aria-label="writer B, blind2"/);
  assert.match(text, /<option value="blind" selected="">blind2</);
});

test("what is not at its default is named, and can be put back", () => {
  const text = drawn({ recipe: recipe("sections?mode=warn&timeout=0.25&timers=any&policy=pct3&p=0.5&faults=*.update-sections.1after:cancel") });
  assert.match(text, /timeout <b>0.25 s</);
  assert.match(text, /timers any, put back/);
  assert.match(text, /policy pct3, put back/);
  assert.match(text, /anyone cancelled after update-sections no. 1, remove/);
});

test("the legend explains only what there is", () => {
  assert.doesNotMatch(drawn(), /hollow/);
  assert.match(drawn({ run: waiting }), /a hollow mark is not committed yet/);
  assert.doesNotMatch(drawn({ run: waiting }), /struck/);
  assert.match(drawn({ run: recovered, step: 0 }), /A small letter is the process that starts after a crash/);
});

test("a broken promise is called broken", () => {
  assert.match(drawn({ run: twoLinesAtOnce, step: 0 }), /broken: acknowledged work survives/);
  assert.doesNotMatch(drawn({ run: twoLinesAtOnce, step: 0 }), /✗ acknowledged/);
});

test("a deadlock is explained, a clock step and time have rows of their own", () => {
  const text = drawn({ run: eventful, step: 4 });
  assert.match(text, /deadlock<.*careful waits for SHARED, held by blind; blind waits for RESERVED, held by careful. No timeout will end this./);
  assert.match(text, /<tr class="clock past">.*the clock is set back by 1 h/);
  assert.match(text, /<td class="time mine" colspan="2">.*1 s passes, to 4 s/s);
  assert.match(text, /<span class="out quiet">BEGIN, implicit<|quiet">BEGIN, implicit/);
});

test("the published count stands beside the opening's own family alone", () => {
  const published = { broken: 17, seeds: 30, interval: [39, 73] };
  const told = { ...data, scenario: { ...scenario, published } };
  const at = (text) => drawn({ data: told, recipe: recipe(text) });
  assert.match(at("sections?mode=warn&seed=1"), /17 of 30/);
  for (const text of ["sections", "sections?mode=warn&writers=blind,careful", "sections?mode=warn&faults=A1before:crash", "sections?mode=warn&journal=wal"]) {
    assert.doesNotMatch(at(text), /17 of 30/, text);
  }
});

test("the strip says what Python is about, and one seed is the stop for Tab", () => {
  const strange = { recipe: recipe("sections?mode=warn&writers=reader") };
  assert.match(drawn(strange), /Python fills this strip when it is ready/);
  for (const phase of ["ready", "disagrees", "checking"]) assert.match(drawn({ ...strange, python: { phase } }), /Python is running these/);
  assert.match(drawn({ ...strange, python: { phase: "failed", reason: "x" } }), /Python did not load/);
  assert.match(drawn({ ...strange, sweeps: { "sections?mode=warn&writers=reader": [] } }), /could not be run/);
  assert.equal(drawn().match(/data-action="seed" data-value="\d+" tabindex="0"/g).length, 1);
});

test("every legal crash point is offered by its place", () => {
  const text = drawn({ daggers: true });
  for (const words of ["before 1, SELECT", "before 2, UPDATE", "after 2, its last"]) assert.equal(text.split(`† ${words}`).length, 3, words);
});

test("a seed that is none stays in its field with the sentence", () => {
  const text = drawn({ refused: { text: "1e3", sentence: "seed=1e3 is not allowed." } });
  assert.match(text, /value="1e3"[^>]* aria-invalid="true"/);
  assert.match(text, /role="alert">seed=1e3 is not allowed/);
});
