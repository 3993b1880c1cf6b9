// A watch that shows several rows of the database, or none: which row is which from one grant
// to the next, what changed in it, and whose it is now. A row is known by its first value, as
// a reader knows it. Apart from the lines inside one value (difference.js), because here a
// value belongs to its row and must never be read beside another.

import { compare } from "./difference.js";

export const EMPTY = "–";

/** A value as it stands in a row: one line, and a dash where there is none. */
const textOf = (value) => (value === null || value === "" ? EMPTY : String(value).replaceAll("\n", " / "));

/** The rows at the start: nobody's yet, and all of them news. */
export const firstRecords = (rows) => rows.map((row) => record(row.map(textOf), { owner: null, change: "kept", fresh: true }));

/** Rows before, values after and who wrote → rows to show: kept, added or removed. */
export function follow(before, rows, writer) {
  const values = rows.map((row) => row.map(textOf));
  let place = 0;
  return compare(before, values.map(([key]) => key), writer).map((found) => {
    if (found.change === "removed") return { ...found, fresh: true, changed: found.values.map(() => true) };
    const now = values[place];
    place += 1;
    const changed = now.map((value, column) => found.change === "added" || value !== found.values[column]);
    const fresh = changed.includes(true);
    return { ...found, owner: fresh ? writer : found.owner, values: now, changed, fresh };
  });
}

const record = (values, more) => ({ text: values[0], values, changed: values.map(() => true), ...more });

/** The rows that stand after a grant, in the shape that the next one is compared with. */
export const remaining = (records) => records.filter((each) => each.change !== "removed").map(({ text, values, owner, open }) => ({ text, values, owner, open }));
