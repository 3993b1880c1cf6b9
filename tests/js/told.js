// The scenario and a run in the shapes of describe/1 and run/1, told in a few words: what
// the tests here are about. A helper, not a test.

export const scenario = {
  slug: "sections",
  options: [{ name: "mode", choices: ["enforce", "warn"], default: "enforce", meaning: {} }],
  roles: ["careful", "blind", "overwriter", "reader"].map((name) => ({ name, summary: "Writes." })),
  writers: ["careful", "blind"],
  most_writers: 5,
  invariants: [{ name: "lost update", promise: "" }, { name: "acknowledged work survives", promise: "" }],
  opening: "sections?mode=warn",
  journals: ["delete", "wal"],
  journal: "delete",
};

const SELECT = "SELECT body, version FROM sections WHERE name = 'plan'";
const GUARDED = "UPDATE sections SET body = ?, version = version + 1 WHERE name = 'plan' AND version = ?";
const BARE = "UPDATE sections SET body = ?, version = version + 1 WHERE name = 'plan'";

const operation = (grant, writer, op, sql, params, rows, rowcount) => ({ grant, t: 0, writer, kind: "operation", op, call: "execute", sql, params, rows, rowcount, error: null });
const offer = (letter, status, op, sql, why = null) => ({ letter, status, op, sql, why });
const step = (rows, a, b, more = {}) => ({ t: 0, rows, pending: null, holds: {}, offers: [a, b], ...more });

const read = [["draft", 1]];
const careful = [["draft\ncareful’s line", 2]];
const blind = [["draft\nblind’s line", 3]];

/** careful and blind both read, careful writes, blind writes over it. */
export const lost = {
  engine: 1,
  recipe: "sections?mode=warn",
  options: { mode: "warn" },
  journal: "delete",
  seed: 0,
  writers: [
    { letter: "A", name: "careful", role: "careful" },
    { letter: "B", name: "blind", role: "blind" },
  ],
  grants: "ABAB",
  hash: "0123456789abcdef".repeat(4),
  verdict: "broken",
  violations: [{ invariant: "lost update", promise: "", detail: "careful’s line is gone", grant: 4 }],
  told: { careful: "success", blind: "success" },
  ended: { careful: "finished", blind: "finished" },
  watch: { title: "section “plan”", columns: ["body", "version"] },
  events: [
    operation(1, "A", 1, SELECT, [], read, -1),
    operation(2, "B", 1, SELECT, [], read, -1),
    operation(3, "A", 2, GUARDED, ["draft\ncareful’s line", 1], null, 1),
    { grant: 3, t: 0, writer: "A", kind: "told", op: 3, told: "success" },
    operation(4, "B", 2, BARE, ["draft\nblind’s line"], null, 1),
    { grant: 4, t: 0, writer: "B", kind: "told", op: 3, told: "success" },
  ],
  steps: [
    step(read, offer("A", "ready", 1, SELECT), offer("B", "ready", 1, SELECT)),
    step(read, offer("A", "ready", 2, GUARDED), offer("B", "ready", 1, SELECT)),
    step(read, offer("A", "ready", 2, GUARDED), offer("B", "ready", 2, BARE)),
    step(careful, offer("A", "finished", 3, null), offer("B", "ready", 2, BARE)),
    step(blind, offer("A", "finished", 3, null), offer("B", "finished", 3, null)),
  ],
};

/** A opens a transaction and writes, B has to wait, A commits. */
export const waiting = {
  ...lost,
  recipe: "sections?grants=AABA",
  grants: "AABA",
  verdict: "ok",
  violations: [],
  told: { careful: "success", blind: null },
  ended: { careful: "finished", blind: "waiting" },
  events: [
    operation(1, "A", 1, "BEGIN IMMEDIATE", [], null, -1),
    operation(2, "A", 2, BARE, ["draft\ncareful’s line"], null, 1),
    { grant: 3, t: 0, writer: "B", kind: "wait", op: 1, lock: "RESERVED", holders: "A", deadline: 5000 },
    operation(4, "A", 3, "COMMIT", [], null, -1),
    { grant: 4, t: 0, writer: "A", kind: "told", op: 4, told: "success" },
  ],
  steps: [
    step(read, offer("A", "ready", 1, "BEGIN IMMEDIATE"), offer("B", "ready", 1, BARE)),
    step(read, offer("A", "ready", 2, BARE), offer("B", "waiting", 1, BARE, "waits for RESERVED, held by A"), { holds: { A: "RESERVED" } }),
    step(read, offer("A", "ready", 3, "COMMIT"), offer("B", "waiting", 1, BARE, "waits for RESERVED, held by A"), { holds: { A: "RESERVED" }, pending: { writer: "A", rows: careful } }),
    step(read, offer("A", "ready", 3, "COMMIT"), offer("B", "waiting", 1, BARE, "waits for RESERVED, held by A"), { holds: { A: "RESERVED" }, pending: { writer: "A", rows: careful } }),
    step(careful, offer("A", "finished", 4, null), offer("B", "ready", 1, BARE)),
  ],
};

/** The same order under enforce: blind reads, and its write is refused before any statement. */
export const refused = {
  ...lost,
  recipe: "sections",
  options: { mode: "enforce" },
  grants: "ABA",
  hash: "f".repeat(64),
  verdict: "ok",
  violations: [],
  told: { careful: "success", blind: "refused: a write must name the version it read" },
  events: [lost.events[0], lost.events[1], { grant: 2, t: 0, writer: "B", kind: "told", op: 2, told: "refused: a write must name the version it read" }, lost.events[2], lost.events[3]],
  steps: [lost.steps[0], lost.steps[1], step(read, offer("A", "ready", 2, GUARDED), offer("B", "finished", 2, null)), step(careful, offer("A", "finished", 3, null), offer("B", "finished", 2, null))],
};

export const data = {
  scenario,
  families: [
    { recipe: "sections", seeds: [0, 0], runs: [refused] },
    { recipe: "sections?mode=warn", seeds: [0, 0], runs: [lost] },
  ],
};
