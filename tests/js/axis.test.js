// Where moments stand on the axis of virtual time: to scale, or marked as not; no label on
// another; what broke beside its moment; and the same told as a list.

import assert from "node:assert/strict";
import { test } from "node:test";
import { arrangeAxis, scaleOf } from "../../static/js/axis.js";
import { axis } from "../../static/js/draw/axis.js";
import { arrange } from "../../static/js/model.js";
import { inkOf, stringPen } from "../../static/js/pen.js";
import { lost } from "./told.js";

const WIDTH = 620;
const moment = (at, writer, grant, label) => ({ at, label, writer, grant });
const until = (end) => [...lost.steps.slice(0, 4), { ...lost.steps[4], t: end }];
const run = (end, moments, violations = []) => ({ ...lost, violations, steps: until(end), axis_title: "the window", axis: moments });

const timed = (each) => ({ ...arrange(each), axis: arranged(each) });

/** A claims, shows after ten minutes; B looks and evicts after two. */
const theft = run(600_000, [
  moment(0, "A", 1, "claim registered"),
  moment(120_000, "B", 2, "looks for it: not there"),
  moment(120_000, "B", 3, "evicted"),
  moment(600_000, "A", 4, "its sentinel shows"),
], [{ invariant: "only the dead are reaped", promise: "", detail: "it lives", grant: 3 }]);

const arranged = (of) => arrangeAxis(of, of.writers);
const percent = (text) => Number(text.slice(0, -1));
const moments = ({ picture }) => picture.lanes.flatMap((lane) => lane.moments);

/** What a moment covers, in pixels of the narrowest picture. */
function box({ x, y, side, wide, high }) {
  const middle = (percent(x) * WIDTH) / 100;
  const [left, right] = side === "right" ? [middle - 12, middle - 12 + wide] : [middle + 12 - wide, middle + 12];
  return { left, right, top: y - 12, bottom: y - 12 + high };
}

function free(found) {
  const boxes = moments(found).map(box);
  for (const [place, a] of boxes.entries()) {
    assert.ok(a.left >= -13 && a.right <= WIDTH + 13, JSON.stringify(a));
    for (const b of boxes.slice(0, place)) {
      const apart = a.left >= b.right - 1 || b.left >= a.right - 1 || a.top >= b.bottom || b.top >= a.bottom;
      assert.ok(apart, `${JSON.stringify(a)} is on ${JSON.stringify(b)}`);
    }
  }
}

test("a run without moments has no axis", () => {
  assert.equal(arranged({ ...theft, axis: [] }), null);
  assert.equal(arranged(lost), null);
  assert.equal(inkOf(stringPen.html`${axis(stringPen, { axis: arranged(lost) })}`), "");
});

test("the theft is to scale: the eviction stands at a fifth of the time until the sentinel", () => {
  const { picture } = arranged(theft);
  assert.deepEqual(picture.cuts, []);
  assert.deepEqual(picture.lanes.map((lane) => [lane.letter, lane.name, lane.moments.map((each) => each.x)]), [["A", "careful", ["0%", "100%"]], ["B", "blind", ["20%", "20%"]]]);
  assert.deepEqual(picture.lanes.map((lane) => lane.brackets.map(({ from, to, text }) => [from, to, text])), [[["0%", "100%", "10 min"]], []]);
  assert.equal(picture.place(300_000), "50%");
});

test("what happens at one time stands in one column, in the order of its grants", () => {
  const [looks, evicts] = arranged(theft).picture.lanes[1].moments;
  assert.equal(looks.x, evicts.x);
  assert.ok(evicts.y >= looks.y + 24);
});

test("no label is on another, and none leaves the picture", () => {
  free(arranged(theft));
  const many = Array.from({ length: 30 }, (_, at) => moment(Math.floor(at / 2) * 7000, "AB"[at % 3 ? 0 : 1], at % 5, `moment number ${at} of this long run`));
  free(arranged(run(120_000, many)));
  const long = "a label that is far too long for any one line of this picture, however one may turn it ".repeat(2).trim();
  free(arranged(run(100, [moment(0, "A", 0, long), moment(50, "A", 1, long), moment(100, "A", 2, long)])));
});

test("a label in several lines loses no word", () => {
  const label = "a label that is far too long for one line beside a mark that stands in the middle of the picture";
  const [one] = moments(arranged(run(100, [moment(50, "A", 1, label)])));
  assert.ok(one.lines.length > 1);
  assert.equal(one.lines.map(({ text }) => text).join(" "), label);
});

test("what broke stands under its moment, or is a moment of its own", () => {
  assert.deepEqual(arranged(theft).moments.map((each) => each.broke), [[], [], ["broken: only the dead are reaped"], []]);
  const other = arranged({ ...theft, violations: [{ invariant: "one holder", grant: 0 }] });
  assert.deepEqual(other.moments.filter((each) => each.broke.length).map(({ at, label, writer, grant }) => [at, label, writer, grant]), [[0, "", "t", 0]]);
  assert.ok(other.picture.lanes.some((lane) => lane.letter === "t" && lane.name === "time"));
});

test("only where marks would touch is the longest wait cut, and all that are cut look the same", () => {
  assert.deepEqual(scaleOf([0, 120_000, 600_000]).cuts, []);
  const { place, cuts } = scaleOf([0, 3000, 123_000, 424_000, 427_000]);
  assert.deepEqual(cuts.map(({ from, to }) => [from, to]), [[3000, 123_000], [123_000, 424_000]]);
  assert.equal(Math.round(place(3000)), 24);
  assert.equal(Math.round(place(427_000) - place(424_000)), 24);
  assert.equal(Math.round(place(123_000) - place(3000)), Math.round(place(424_000) - place(123_000)));
  assert.equal(Math.round(place(427_000)), WIDTH);
  assert.ok(place(60_000) > place(3000) && place(60_000) < place(123_000));
});

test("what is not cut keeps its proportion", () => {
  const { place, cuts } = scaleOf([0, 1, 3, 1000]);
  assert.deepEqual(cuts.map(({ from }) => from), [3]);
  assert.equal(Math.round((place(3) - place(1)) / (place(1) - place(0))), 2);
});

test("a cut is on the ruler, on the bracket over it and in words", () => {
  const cut = arranged(run(427_000, [moment(0, "A", 1, "x"), moment(3000, "A", 2, "y"), moment(424_000, "A", 3, "z")]));
  assert.equal(cut.picture.cuts.length, 1);
  assert.deepEqual(cut.picture.lanes[0].brackets.map((each) => each.text), ["", "// 7 min 1 s //"]);
  const model = timed(run(427_000, cut.moments));
  assert.match(inkOf(axis(stringPen, { frame: { id: "figure", number: 1 }, axis: model.axis, model, run: model.run, step: 0 })), /except where \/\/ cuts it short/);
});

test("the ruler names every moment’s time, and round ones between", () => {
  const { ticks } = arranged(theft).picture;
  assert.deepEqual(ticks.filter((each) => !each.round).map((each) => each.text), ["0 s", "2 min", "10 min"]);
  assert.deepEqual(ticks.filter((each) => each.round && each.text).map((each) => each.text), ["4 min", "6 min", "8 min"]);
});

test("moments that are too many to draw are a list", () => {
  const many = arranged(run(40_000, Array.from({ length: 40 }, (_, at) => moment(at * 1000, "A", 1, "x"))));
  assert.equal(many.picture, null);
  assert.equal(many.moments.length, 40);
});

test("the list says all that the picture does, and where one is", () => {
  const model = timed(theft);
  const html = inkOf(axis(stringPen, { frame: { id: "figure", number: 1 }, axis: model.axis, model, run: theft, step: 3 }));
  const list = /<ol>.*<\/ol>/s.exec(html)[0];
  assert.deepEqual([...list.matchAll(/data-value="(\d)"/g)].map(([, grant]) => grant), ["1", "2", "3", "4"]);
  assert.deepEqual([...list.matchAll(/<li class="(\w+)"( aria-current="step")?/g)].map(([, kind, current]) => kind + (current ?? "")), ["past", "past", 'now aria-current="step"', "later"]);
  assert.match(list, /8 min later.*10 min.*<b class="letter">A<\/b> careful.*its sentinel shows/s);
  assert.match(list, /✗ broken: only the dead are reaped/);
  assert.match(html, /<svg class="timeline"[^>]* aria-hidden="true">/);
  assert.doesNotMatch(html, /style=|undefined|NaN/);
});
