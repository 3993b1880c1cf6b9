// Runs of other shapes, in few words: several losers, recoveries, time, deadlock, injected
// errors. Each grant is one line: [letter, body after it, events]. A helper, not a test.

import { lost, scenario } from "./told.js";

export { scenario };
const BARE = "UPDATE sections SET body = ?";

/** A run from its grants; offers say who is there, `ready` or how they ended. */
export function play({ roles, told = {}, ended = {}, violations = [], grants, absent = () => [] }) {
  const letters = Object.keys(roles);
  const writers = letters.map((letter) => ({ letter, name: roles[letter], role: roles[letter].replace(/\d| again/g, "") }));
  const status = (letter, step) => {
    const dead = grants.slice(0, step).some(([, , events]) => events?.some((event) => event.writer === letter && ["crash", "told", "failed"].includes(event.kind)));
    return dead ? (ended[roles[letter]] ?? "finished") : "ready";
  };
  const offers = (step) => letters.filter((letter) => !absent(step).includes(letter)).map((letter) => ({ letter, status: status(letter, step), op: 1, sql: status(letter, step) === "ready" ? BARE : null, why: null }));
  const events = grants.flatMap(([letter, , extra], place) => {
    const named = (extra ?? [{ kind: "operation", op: 1, call: "execute", sql: BARE, params: [""], rows: null, rowcount: 1, error: null }]);
    return named.map((event) => ({ grant: place + 1, t: 0, writer: letter, op: 1, ...event }));
  });
  const steps = [["", "draft"], ...grants].map(([, body], step) => ({ t: step * 1000, rows: [[body, step + 1]], pending: null, holds: {}, offers: offers(step) }));
  const answers = Object.fromEntries(writers.map(({ name }) => [name, told[name] ?? null]));
  const ends = Object.fromEntries(writers.map(({ name }) => [name, ended[name] ?? "finished"]));
  return { ...lost, writers, grants: grants.map(([letter]) => letter).join(""), violations, told: answers, ended: ends, events, steps };
}

const line = (name) => `${name}’s line`;
const success = (...names) => Object.fromEntries(names.map((name) => [name, "success"]));
const broken = (invariant, ...grants) => grants.map((grant) => ({ invariant, promise: "", detail: "it is gone", grant }));

/** Three blinds: the second writes over the first, the third over the second. */
export const threeBlinds = play({
  roles: { A: "blind", B: "blind2", C: "blind3" },
  told: success("blind", "blind2", "blind3"),
  violations: broken("lost update", 2, 3),
  grants: [["A", `draft\n${line("blind")}`], ["B", `draft\n${line("blind2")}`], ["C", `draft\n${line("blind3")}`]],
});

/** Two careful writers, one after the other, and an overwriter who takes both their lines. */
export const twoLinesAtOnce = play({
  roles: { A: "careful", B: "careful2", C: "overwriter", D: "reader" },
  told: { ...success("careful", "careful2", "overwriter"), reader: "read 3 lines" },
  violations: broken("acknowledged work survives", 3),
  grants: [["A", `draft\n${line("careful")}`], ["B", `draft\n${line("careful")}\n${line("careful2")}`], ["C", line("overwriter")]],
});

const crash = (more = {}) => ({ kind: "crash", op: 2, place: "before", ...more });

/** Careful is killed at grant 2 and comes back; blind dies with its process at the same time. */
export const recovered = play({
  roles: { A: "careful", B: "blind", a: "careful again" },
  told: success("careful again"),
  ended: { careful: "crashed", blind: "crashed" },
  grants: [["A", "draft"], ["A", "draft", [crash(), { ...crash(), writer: "B" }]], ["a", `draft\n${line("careful")}`]],
  absent: (step) => (step < 2 ? ["a"] : []),
});

/** A start, an implicit BEGIN, an injected error, a clock that is set back, time, a deadlock. */
export const eventful = play({
  roles: { A: "careful", B: "blind" },
  ended: { careful: "waiting", blind: "waiting" },
  grants: [
    ["A", "draft", [{ kind: "start" }]],
    ["A", "draft", [{ kind: "clock", writer: "t", set_by: -3600 }, { kind: "operation", op: 1, call: "commit", sql: "COMMIT", params: [], rows: null, rowcount: -1, error: null }, { kind: "implicit", sql: "BEGIN" }]],
    ["B", "draft", [{ kind: "operation", op: 1, call: "execute", sql: BARE, params: [], rows: null, rowcount: -1, error: "SQLITE_FULL", message: "injected SQLITE_FULL" }]],
    ["t", "draft", [{ kind: "advance" }, { kind: "wait", writer: "A", lock: "SHARED", holders: "B", deadline: null }, { kind: "deadlock", writer: "A", lock: "SHARED", holders: "B" }, { kind: "deadlock", writer: "B", lock: "RESERVED", holders: "A" }]],
  ],
});
