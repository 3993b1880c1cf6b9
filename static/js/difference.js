// The line-level difference inside one value, and whose each line is. A whole cell
// that turns from one text into another hides the loss; the line that vanished, with
// the mark of the writer who wrote it, is the whole point of the picture. Apart from
// the model because it is the one piece with an algorithm (longest common run of
// lines). It knows nothing about grants, columns or pixels.

/** The lines of a cell: `rows` of one column, in order. */
export const linesOf = (values) => values.flatMap((value) => (value === null || value === "" ? ["–"] : String(value).split("\n")));

/** Lines that both have, as pairs of places, by the classic table. */
function common(before, after) {
  const width = after.length + 1;
  const table = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const at = i * width + j;
      table[at] = before[i].text === after[j] ? table[at + width + 1] + 1 : Math.max(table[at + width], table[at + 1]);
    }
  }
  return (i, j) => table[i * width + j];
}

/**
 * Owned lines before, plain lines after, and who wrote → owned lines to show, each
 * "kept", "added" or "removed". Removed lines keep the owner they had.
 */
export function compare(before, after, writer) {
  let same = 0;
  while (same < before.length && before[same].text === after[same]) same += 1;
  const shown = before.slice(0, same).map((line) => ({ ...line, change: "kept" }));
  return same === before.length && same === after.length ? shown : [...shown, ...rest(before.slice(same), after.slice(same), writer)];
}

/** The same from the first line on in which they differ. */
function rest(before, after, writer) {
  const length = common(before, after);
  const shown = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i].text === after[j]) {
      shown.push({ ...before[i], change: "kept" });
      i += 1;
      j += 1;
    } else if (j >= after.length || (i < before.length && length(i + 1, j) >= length(i, j + 1))) {
      shown.push({ ...before[i], change: "removed", by: writer });
      i += 1;
    } else {
      shown.push({ text: after[j], owner: writer, change: "added" });
      j += 1;
    }
  }
  return shown;
}

/**
 * Which of these are not committed yet, which a COMMIT has just filled, which a ROLLBACK took
 * back. What it put back belongs to whom it belonged in `base`, the last committed state.
 */
export function staged(shown, before, now, base) {
  const ends = before.writer !== null && now.writer === null;
  return shown.map((line) => {
    const fresh = line.fresh ?? line.change === "added";
    const gone = line.change === "removed";
    const owner = ends && fresh && !gone ? (base.find((each) => each.text === line.text)?.owner ?? null) : line.owner;
    const open = now.writer !== null && !gone && Boolean(fresh ? line.owner === now.writer : line.open);
    return { ...line, owner, open, pending: open || (ends && gone && Boolean(line.open)), settled: ends && !gone && !fresh && Boolean(line.open) };
  });
}

/** What stands after a comparison: the lines that were not removed. */
export const standing = (shown) => shown.filter((line) => line.change !== "removed").map(({ text, owner, open }) => ({ text, owner, open }));
