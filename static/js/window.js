// Which rows of a run are drawn. Up to some hundreds all are, in the page's own flow, so that
// the browser finds and prints them. Of a longer run only those around the current grant, or
// around the place that the reader has scrolled to since; what is left out above and below
// keeps its height, so that the scroll bar tells the truth. What would be wrong here: the DOM.

const MOST_WHOLE = 200;
const BLOCK = 10; // the rows drawn change by so many at a time, and from step to step mostly not
const AROUND = 2; // blocks on either side
const TALL = 38; // pixels of a row, until somebody has measured it

export const isLong = (run) => run.steps.length - 1 > MOST_WHOLE;

/** {whole, first, last, above, below}: the first and last grant that are drawn, and the heights
 * that stand for the rest. */
export function shownRows({ model, step, eye }) {
  const all = model.last;
  if (!isLong(model.run)) return { whole: true, first: 0, last: all, above: 0, below: 0 };
  const known = eye?.run === model.run;
  const block = Math.floor((known && eye.step === step ? eye.grant : step) / BLOCK);
  const first = Math.max(0, (block - AROUND) * BLOCK);
  const last = Math.min(all, (block + AROUND + 1) * BLOCK - 1);
  const tall = known ? eye.tall : TALL;
  return { whole: false, first, last, above: first * tall, below: (all - last) * tall };
}

/** What is near a place in a list too long to be drawn whole. */
export function near(list, place, most = MOST_WHOLE) {
  if (list.length <= most) return list;
  const first = Math.min(Math.max(0, place - most / 2), list.length - most);
  return list.slice(first, first + most);
}
