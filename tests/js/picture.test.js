import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { columnsIn, decisive, lettersIn } from "../../static/js/decisive.js";
import { INK } from "../../static/js/draw/paper.js";
import { picture, pictureFile, shownGrants } from "../../static/js/draw/picture.js";
import { preview } from "../../static/js/draw/preview.js";
import { arrange } from "../../static/js/model.js";
import { inkOf, stringPen } from "../../static/js/pen.js";
import { sheet } from "../../static/js/sheet.js";
import { balance, fit, wrap } from "../../static/js/wrapping.js";
import { golden, viewOf } from "./golden.js";
import { eventful, recovered, threeBlinds, twoLinesAtOnce } from "./more.js";
import { lost, refused, scenario, waiting } from "./told.js";
import { readXml } from "./xml.js";

const FACES = { serif: "serif", mono: "monospace" };
const drawn = (one, more) => inkOf(picture(stringPen, viewOf(one, more)));
const previewed = (one, more) => inkOf(preview(stringPen, viewOf(one, more), FACES));
const told = [lost, refused, waiting, eventful, recovered, threeBlinds, twoLinesAtOnce].map((run) => ({ run, scenario }));
const [section] = golden;

/** A run of so many grants by one writer, which ends as it began. */
function long(grants, breaks = []) {
  const { steps, events, ...rest } = lost;
  const more = Array.from({ length: grants }, (_, at) => ({ ...events[0], grant: at + 1, op: at + 1 }));
  return { run: { ...rest, grants: "A".repeat(grants), events: more, steps: Array.from({ length: grants + 1 }, () => steps[0]), violations: breaks.map((grant) => ({ ...lost.violations[0], grant })) }, scenario };
}

test("what no parser of XML would take is taken for an error by ours", () => {
  for (const bad of ["<a>", "<a></b>", "<a b=c></a>", '<a b="1" b="2"></a>', "<a>&nbsp;</a>", "<a>\u0001</a>", '<a b="<"></a>', "<a>]]></a"]) {
    assert.throws(() => readXml(bad), undefined, bad);
  }
  assert.deepEqual(readXml('<a b="&lt;">x &amp; y</a>').text, "x & y");
});

test("every run's picture is a well-formed document, and asks for nothing from outside", () => {
  for (const one of [...golden, ...told]) {
    for (const text of [drawn(one), previewed(one)]) {
      const { elements } = readXml(text);
      assert.doesNotMatch(text, /undefined|NaN|\[object|Infinity/, one.run.recipe);
      assert.equal(elements[0].attributes.xmlns, "http://www.w3.org/2000/svg");
      for (const { name, attributes } of elements) {
        assert.ok(["svg", "title", "g", "rect", "text", "tspan", "line", "circle", "path"].includes(name), name);
        assert.deepEqual(Object.keys(attributes).filter((key) => ["class", "style", "href", "onload"].includes(key)), []);
      }
    }
  }
});

test("the picture says what the table says: headline, recipe, struck line, word, promises, address", () => {
  const { elements, text } = readXml(drawn(section));
  for (const words of ["Both heard “success”. One of them lost its line.", "sections?mode=warn&seed=16", "https://example.org/sections/?mode=warn&seed=16", "broken: lost update", "broken: acknowledged work survives", "UPDATE … WHERE version = 1"]) assert.ok(text.includes(words), words);
  const struck = elements.filter(({ attributes }) => attributes["text-decoration"] === "line-through");
  assert.equal(struck.length, 1);
  assert.match(drawn(section), /text-decoration="line-through">careful’s line</);
  assert.match(drawn(section), /font-weight="700"[^>]*>lost</);
  assert.deepEqual(pictureFile(viewOf(section)), { name: "sections-mode-warn-seed-16.svg", text: drawn(section) });
});

test("a struck line keeps its owner's mark, in the owner's colour", () => {
  const text = drawn(section);
  const before = text.slice(0, text.indexOf("line-through")).lastIndexOf("<g transform");
  assert.match(text.slice(before, before + 200), new RegExp(`fill="${INK.A}"`));
});

test("no text is wider than its column, and no row reaches into the next", () => {
  for (const one of [...golden, ...told]) {
    const laid = sheet(arrange(one.run), { width: 1080 });
    const letters = (column) => column.width / laid.letter + 0.02;
    let y = 0;
    for (const row of laid.rows) {
      assert.ok(Math.abs(row.y - y) < 0.01, "rows stand on each other");
      y += row.height;
      if (row.kind !== "grant") continue;
      row.lanes.forEach((lane, at) => lane.lines.forEach((line) => assert.ok(line.text.length + 3 <= letters(laid.lanes[at]), line.text)));
      for (const { cells } of row.values) cells?.forEach((cell, column) => cell?.forEach((line) => assert.ok(line.text.length + line.indent / laid.letter <= letters(laid.values[column]), line.text)));
    }
    const end = laid.values.at(-1);
    assert.ok(end.x + end.width <= 1081, one.run.recipe);
  }
});

test("a long run is cut to the grants around what broke, and says which it leaves out", () => {
  const text = readXml(drawn(long(300, [120]))).text;
  assert.match(text, /grants 1 to 104 are left out/);
  assert.match(text, /grants 125 to 300 are left out/);
  assert.deepEqual([shownGrants(arrange(long(300, [120]).run))].map((all) => [all[0], all.at(-1)]), [[105, 124]]);
  assert.match(readXml(drawn(long(300))).text, /grants 1 to 280 are left out/);
  assert.match(readXml(drawn(long(300, [2]))).text, /grants 20 to 300 are left out/);
  assert.doesNotMatch(readXml(drawn(long(19))).text, /left out/);
});

test("the first row after a cut shows the whole row of the database", () => {
  const laid = sheet(arrange(section.run), { width: 1080, grants: [4] });
  assert.ok(laid.rows.find((row) => row.kind === "grant").values[0].cells.every(Boolean));
  const skipped = sheet(arrange(section.run), { width: 1080, grants: [1, 4] });
  assert.equal(skipped.rows.filter((row) => row.kind === "gap")[0].text, "grants 2 to 3 are left out");
});

const PAYLOADS = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</text><text x='1'>", "<![CDATA[", "]]>", "&lt;b&gt;", "<?xml?>", "<!ENTITY x 'y'>", "${alert(1)}", "\u0000\u0001\u001b[2J", "\ud800 half", "\u202e turned", "'\"`&", "a\u0085b\ufffe"];

/** The same run with one text put in every place that a run has for one. */
function poisoned(value, bad) {
  if (typeof value === "string") return value.length > 1 && !/^(operation|told|start|wait|crash|advance|looks|shows|failed|implicit|ready|waiting|finished|failed|crashed|before|after|[0-9a-f]{64})$/.test(value) ? bad : value;
  if (Array.isArray(value)) return value.map((each) => poisoned(each, bad));
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, key === "grants" || key === "recipe" ? each : poisoned(each, bad)]));
  return value;
}

test("a payload in any field is text, and the document stays well-formed", () => {
  for (const { run, scenario: known } of golden.slice(0, 7)) {
    for (const bad of PAYLOADS) {
      const { watch, writers, ended, told: answers, ...rest } = run;
      const named = writers.map((writer) => ({ ...writer, name: `${writer.letter}${bad}` }));
      const keys = (from) => Object.fromEntries(writers.map(({ name }, place) => [named[place].name, from[name]]));
      const sick = { ...poisoned(rest, bad), watch: poisoned(watch, bad), writers: named, ended: keys(ended), told: keys(poisoned(answers, bad)) };
      const one = viewOf({ run, scenario: known }, { model: arrange(sick), run: sick, base: bad, query: bad });
      for (const text of [inkOf(picture(stringPen, one)), inkOf(preview(stringPen, one, FACES))]) {
        const { elements } = readXml(text);
        assert.ok(elements.every(({ name }) => !["script", "img"].includes(name)));
      }
    }
  }
});

test("a text is broken between words, a long word where it can be, and an endless one ends", () => {
  assert.deepEqual(wrap("one two three", 7), ["one two", "three"]);
  assert.deepEqual(wrap("abcdefghij", 4), ["abcd", "efgh", "ij"]);
  assert.deepEqual(wrap("env-seat-0", 8), ["env-", "seat-0"]);
  assert.deepEqual(wrap("a b c d e f", 3, 2), ["a b", "c…"]);
  assert.deepEqual(wrap("", 3), [""]);
  assert.deepEqual(balance("one two three four", 14, 3), ["one two", "three four"]);
  assert.equal(fit("a\n\tb\u0000"), "a b\ufffd");
  assert.ok(wrap("x".repeat(1e6), 10, 6).length === 6);
});

test("the colours are those of the page's light theme", () => {
  const css = readFileSync(new URL("../../static/css/base.css", import.meta.url), "utf8");
  const light = css.slice(0, css.indexOf("@media"));
  for (const [name, colour] of Object.entries(INK)) assert.match(light, new RegExp(`--${name.toLowerCase()}: ${colour};`));
});

test("the decisive grants of the lost update: the overwriting, the line that it took, what it had read", () => {
  const model = arrange(section.run);
  assert.deepEqual(decisive(model).slice(0, 3), [4, 3, 2]);
  assert.deepEqual(lettersIn(model, [4, 3, 2]), ["B", "A"]);
});

test("of a kill, an error and a turning away, the preview shows the grant that it befell", () => {
  const grants = (name) => decisive(arrange(golden.find(({ run }) => run.recipe === name).run));
  assert.deepEqual(grants("receipts?round=1&writers=agent,worker,watcher&seed=7&faults=B2before:crash").slice(0, 2), [15, 2]);
  assert.deepEqual(grants("owners?fix1=off&fix2=off&fix3=off&writers=hook,hook,hook,hook&seed=17").slice(0, 2), [13, 10]);
  assert.equal(grants("sections?seed=16")[0], 2, "where blind is refused");
});

test("a preview names only lanes and columns that are in it", () => {
  for (const one of golden) {
    const model = arrange(one.run);
    const grants = decisive(model).slice(0, 4);
    assert.ok(lettersIn(model, grants).length <= 3);
    assert.ok(columnsIn(model, grants).every((place) => place < model.columns.length));
  }
});

test("everything in a picture stands on its paper", () => {
  for (const one of [...golden, ...told]) {
    for (const source of [drawn(one), previewed(one)]) {
      const { elements } = readXml(source);
      const [wide, high] = [Number(elements[0].attributes.width), Number(elements[0].attributes.height)];
      const placed = elements.filter(({ name }) => name === "text").map(({ attributes: { x, y }, at: [right, down] }) => [Number(x) + right, Number(y) + down]);
      assert.ok(placed.length > 8);
      for (const [x, y] of placed) assert.ok(x >= 40 && x <= wide - 40 && y >= 40 && y <= high - 20, `${one.run.recipe} ${x} ${y}`);
    }
    assert.match(previewed(one), /width="1200" height="630"/);
  }
});
