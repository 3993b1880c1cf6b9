import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "../../static/js/draw/page.js";
import { walk } from "../../static/js/draw/lattice.js";
import { inkOf, stringPen } from "../../static/js/pen.js";
import { initial } from "../../static/js/store.js";
import { headline, verdict, wordFor } from "../../static/js/story.js";
import { arrange } from "../../static/js/model.js";
import { view } from "../../static/js/view.js";
import { data, lost, refused, waiting } from "./told.js";

const { html, nothing } = stringPen;
const drawn = (change = {}) => inkOf(page(stringPen, view({ ...initial(data), ...change })));

test("the string pen escapes text and attributes, nests, and leaves out what is nothing", () => {
  const bad = `<b "x" & 'y'>`;
  assert.equal(inkOf(html`<p title=${bad}>${bad}</p>`), "<p title=\"&lt;b &quot;x&quot; &amp; &#39;y&#39;&gt;\">&lt;b &quot;x&quot; &amp; &#39;y&#39;&gt;</p>");
  assert.equal(inkOf(html`<a b=${nothing} ?c=${true} ?d=${false}>${[html`<i>1</i>`, null, nothing, 0]}</a>`), '<a c=""><i>1</i>0</a>');
});

test("the headline is made from the run: lost, refused, nothing lost", () => {
  assert.match(headline(lost), /lost its line/);
  assert.match(headline(refused), /turned away. Nothing was lost/);
  assert.match(headline(waiting), /still waiting/);
  assert.match(headline({ ...lost, violations: [] }), /and this time it is true/);
  assert.match(headline({ ...lost, violations: [{ invariant: "acknowledged work survives", grant: 4 }] }), /written over/);
  const text = (run) => verdict(arrange(run)).map((piece) => piece.name ?? piece).join("");
  assert.match(text(lost), /At grant 4 blind writes over the line that careful had saved/);
  assert.match(text(refused), /blind was told “refused.*Every line that was acknowledged/);
  assert.equal(wordFor("acknowledged work survives"), "lost");
  assert.equal(wordFor("exactly once"), "broken");
});

test("Figure 1 stands complete as text: the struck line, both answers, the word lost", () => {
  const text = drawn();
  assert.match(text, /<del>careful’s line<\/del>/);
  assert.equal(text.match(/told “success”/g).length, 2);
  assert.match(text, /<strong>lost</);
  assert.match(text, /aria-current="step"/);
  assert.doesNotMatch(text, /undefined|\[object|NaN|style=|on(click|input)=/);
});

test("every step of every run draws, and nothing in it is undefined", () => {
  for (const run of [lost, refused, waiting]) {
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

test("a path goes right for A, up for B, and nowhere for time", () => {
  assert.deepEqual(walk("AtBA"), [{ x: 0, y: 0 }, { x: 1, y: 0 }, { x: 1, y: 0 }, { x: 1, y: 1 }, { x: 2, y: 1 }]);
});
