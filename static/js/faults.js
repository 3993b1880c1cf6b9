// What goes wrong, and where, as it is written in a recipe: A2after:crash, B1before:SQLITE_FULL,
// *.update-sections.1after:cancel, *:crash. The twin of the core's faults.py, held to the same
// golden file. What would be wrong here: knowing which SQLite errors there are (Python does).

import { byCode } from "./sorting.js";

const FAULT = /^([A-Ea-e*])(?:([1-9]\d{0,4})|\.([a-z0-9_-]{1,80}?)(?:\.([1-9]\d{0,4}))?)?(before|after)?:(crash|cancel|SQLITE_[A-Z_]{2,40})$/;

/** `a,b` → {faults} in canonical order, or {culprit}, the first that is no fault. */
export function parseFaults(text) {
  const faults = [];
  for (const part of text.split(",")) {
    const found = FAULT.exec(part);
    if (!found) return { faults: [], culprit: part };
    const [, letter, number, slug, nth, place, kind] = found;
    faults.push({ letter, op: Number(number ?? nth ?? 0), slug: slug ?? "", place: place ?? "before", kind });
  }
  return { faults: faults.sort(byPlace) };
}

const byPlace = (a, b) => byCode(a.letter, b.letter) || a.op - b.op || byCode(a.slug, b.slug) || byCode(a.place, b.place) || byCode(a.kind, b.kind);

export function nameFault({ letter, op, slug = "", place, kind = "crash" }) {
  const where = slug ? `.${slug}${op ? `.${op}` : ""}` : op || "";
  return `${letter}${where}${place}:${kind}`;
}

const END = { crash: "killed", cancel: "cancelled" };

export const killWords = ({ kind }) => END[kind] ?? `meets ${kind}`;

/** A fault in a few words, for the list of what was placed. */
export function faultWords({ letter, op, slug, place, kind }) {
  const who = letter === "*" ? "anyone" : letter;
  const what = slug ? `${op ? `${slug} no. ${op}` : `every ${slug}`}` : op ? `operation ${op}` : "every operation";
  return `${who} ${killWords({ kind })} ${place} ${what}`;
}

/** A crash of one writer at one operation: the only kind that a dagger places. */
export const isDagger = ({ letter, op, slug, kind }) => letter !== "*" && op > 0 && !slug && kind === "crash";
