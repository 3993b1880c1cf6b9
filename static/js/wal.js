// A run's checkpoints: after how many writes each was asked for, and what SQLite answered (busy,
// frames in the log, frames copied back). All of it is in the run's own events, so the figure on
// the chapter's page and the one beside a reader's own run are read by the same few lines. What
// would be wrong here: a file's size, or where a bar stands.

const CHECKPOINT = /^\s*PRAGMA\s+(?:\w+\.)?wal_checkpoint\b\s*(?:[(=]\s*'?(\w+))?/i;

/** Run → {points, most}, or null where no checkpoint found a log. */
export function walOf(run) {
  let writes = 0;
  const points = [];
  for (const event of run.events) {
    if (event.kind !== "operation") continue;
    const asked = CHECKPOINT.exec(event.sql);
    if (asked) points.push(...pointOf(run, event, asked[1], writes));
    else if (event.rowcount > 0) writes += 1;
  }
  return points.length ? { points, most: Math.max(...points.map((each) => each.log)) } : null;
}

/** Without a log, in rollback mode, SQLite answers -1: that is no point. */
function pointOf(run, { grant, writer, rows }, mode = "PASSIVE", writes) {
  const [busy, log, copied] = rows?.[0] ?? [];
  if (!(log >= 0)) return [];
  const name = run.writers.find(({ letter }) => letter === writer)?.name ?? writer;
  const how = mode.toUpperCase();
  return [{ grant, letter: writer, name, mode: how, waits: how !== "PASSIVE", writes, busy, log, copied }];
}

/** What the run has in words: its first option, as `leak=on`. */
export const variantOf = (run) => Object.entries(run.options).slice(0, 1).map((pair) => pair.join("=")).join("");

