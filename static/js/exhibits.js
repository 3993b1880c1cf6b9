// What each kind of exhibit says, figure by figure, as [label, value] pairs: the same list is
// taken of what the build computed and of what the reader's browser computed, and the two are
// compared. It stands apart from the drawing because a figure may be drawn as a bar, a word or a
// hatched cell, and is still one thing to be right or wrong about. What would be wrong here:
// working a figure out.

import { exportOf, hoursOf } from "./day.js";
import { variantOf, walOf } from "./wal.js";

export const KINDS = {
  matrix: {
    what: "cells",
    figures: ({ answers: [{ failures }] }) => failures.flatMap(({ name, cells }) => Object.entries(cells).map(([check, cell]) => [`${check}, ${name}`, cell])),
  },
  wal: {
    what: "checkpoints",
    figures: ({ answers }) => answers.flatMap((run) => (walOf(run)?.points ?? []).map((each, place) => [`${variantOf(run)}, checkpoint ${place + 1}`, `busy ${each.busy}, ${each.log} in the log, ${each.copied} copied back`])),
  },
  day: {
    what: "hours and exports",
    figures: ({ answers, zones }) => zones.flatMap(({ offset }, place) => [...hourFigures(offset, answers[2 * place]), ...exportFigures(offset, answers[2 * place + 1])]),
  },
  greens: {
    what: "figures",
    figures: ({ answers: [table] }) => [...table.rates, ...table.rows].flatMap(({ what, said }) => said.map((each, place) => [`${what}, ${place + 1}`, each])),
  },
  incidence: {
    what: "counts",
    figures: ({ answers }) => answers.flatMap(countsOf),
  },
};

const hourFigures = (offset, run) => (hoursOf(run) ?? []).map((each, hour) => [`${offset} at ${hour}:00`, each ? `${each.filed} for ${each.day}` : "nothing"]);

function exportFigures(offset, run) {
  const made = exportOf(run);
  return [[`${offset} export`, made ? `headed ${made.headed}, ${made.left} left out` : "none"]];
}

function countsOf(answer) {
  const { recipe } = answer;
  if (answer.schema.name === "sweep") return [[`${recipe}, seeds`, `${answer.broken.length} of ${answer.seeds}`]];
  return [
    [`${recipe}, orders`, `${answer.broken} of ${answer.interleavings}`],
    [`${recipe}, probability`, answer.probability?.exact ?? "not counted"],
    [`${recipe}, verdict`, answer.verdict],
  ];
}

/** Two sets of data → {same, total, first}: how many figures agree, and the first that does not. */
export function compared(kind, before, after) {
  const [then, now] = [before, after].map((data) => new Map(KINDS[kind].figures(data)));
  const labels = [...new Set([...then.keys(), ...now.keys()])];
  const odd = labels.filter((label) => then.get(label) !== now.get(label));
  const [label] = odd;
  const first = odd.length ? { label, built: then.get(label) ?? "nothing", here: now.get(label) ?? "nothing" } : null;
  return { same: labels.length - odd.length, total: labels.length, first };
}

/** The data with the browser's own answers in it; a sweep keeps its interval while its count stands. */
export function answered(data, answers) {
  return { ...data, answers: answers.map((answer, place) => withInterval(answer, data.answers[place])) };
}

function withInterval(answer, before) {
  const stands = before.interval && answer.broken.length === before.broken.length && answer.seeds === before.seeds;
  return stands ? { ...answer, interval: before.interval } : answer;
}
