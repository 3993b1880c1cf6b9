// Where the reader looks in a long run, of which only a part is drawn. Scrolling to what is not
// drawn asks for it; and when other rows are drawn, the row that one was reading stays where it
// was. What would be wrong here: which rows that makes (window.js), or a step.

const SAME = 1.2; // heights that differ by less are not worth moving the scroll bar for

const ROW = "tbody tr:has(> .n)"; // the first row of a grant

const scrollerOf = (root) => root.querySelector(".wide.long");
const rowsOf = (scroller) => [...scroller.querySelectorAll(ROW)];
const grantOf = (row) => Number(row.querySelector(".go").dataset.value);
const topOf = (element) => element.getBoundingClientRect().top;

/** Calls `look` with {grant, tall} when rows have to be drawn that are not. */
export function followEye(root, look) {
  let asked = false;
  const onScroll = ({ target }) => {
    if (asked || target !== scrollerOf(root)) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      const seen = target.isConnected && lookAt(target);
      if (seen) look(seen);
    });
  };
  root.addEventListener("scroll", onScroll, { capture: true, passive: true });
}

/** null while there are rows enough above and below what is in view. */
function lookAt(scroller) {
  const [above, below] = scroller.querySelectorAll(".gap");
  const frame = scroller.getBoundingClientRect();
  const [start, end] = [above.getBoundingClientRect().bottom, topOf(below)];
  const enough = (start < frame.top - frame.height / 2 || !Number(above.dataset.grants)) && (end > frame.bottom + frame.height / 2 || !Number(below.dataset.grants));
  if (enough) return null;
  const rows = rowsOf(scroller);
  return { grant: grantAt(frame.top + frame.height / 2, { above, below, start, end, rows }), tall: (end - start) / rows.length };
}

/** The grant at a height of the window; in a gap, by the part of it that lies before. */
function grantAt(y, { above, below, start, end, rows }) {
  if (y < start) return Math.max(0, Math.floor(Number(above.dataset.grants) * (1 - (start - y) / above.offsetHeight)));
  if (y > end) return grantOf(rows.at(-1)) + Math.min(Number(below.dataset.grants), Math.ceil(Number(below.dataset.grants) * ((y - end) / below.offsetHeight)));
  return grantOf(rows.findLast((row) => topOf(row) <= y) ?? rows[0]);
}

/** What the store keeps of a look; a height that is nearly the old one is the old one. */
export function eyeOf({ run, step, eye }, { grant, tall }) {
  const before = eye?.run === run ? eye.tall : 0;
  const same = before > tall / SAME && before < tall * SAME;
  return { run, step, grant, tall: same ? before : tall };
}

/** Call before a drawing; call what it returns after it. */
export function holdEye(root) {
  const scroller = scrollerOf(root);
  if (!scroller) return () => {};
  const first = grantOf(scroller.querySelector(ROW));
  const row = rowsOf(scroller).find((each) => each.getBoundingClientRect().bottom > topOf(scroller));
  const [grant, top] = [row && grantOf(row), row && topOf(row)];
  return () => {
    const rows = scroller.isConnected && scroller === scrollerOf(root) ? rowsOf(scroller) : [];
    if (!rows.length || grantOf(rows[0]) === first) return;
    const now = rows.find((each) => grantOf(each) === grant);
    if (now) scroller.scrollTop += topOf(now) - top;
  };
}
