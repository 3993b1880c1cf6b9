// The pool on workers that answer in this process: who gets which task, what Stop ends, what an
// error ends. A pool does not know what a task is about, so an echo will do for Python.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { createPool } from "../../static/js/pool.js";

const hello = { version: 1, ask: "hello" };
const answer = JSON.stringify({ schema: { name: "hello", version: 1 }, engine: 1, python: "3", sqlite: "3" });
const refusal = JSON.stringify({ schema: { name: "error", version: 1 }, message: "no", part: "it" });

/** Makes workers that take `took` milliseconds an answer; `made` and `ended` count them. */
function workers(took = 1, text = answer) {
  const seen = { made: 0, ended: 0 };
  const another = () => {
    seen.made += 1;
    return { start: async () => {}, send: () => pause(took).then(() => text), end: () => (seen.ended += 1) };
  };
  return { another, seen };
}

test("tasks are shared by as many workers as there may be, each done once", async () => {
  const { another, seen } = workers();
  const done = [];
  const job = createPool(another, 3).begin([1, 2, 3, 4, 5, 6, 7], async (put, task) => {
    await put(hello);
    done.push(task);
  });
  await job.done;
  assert.deepEqual(done.sort(), [1, 2, 3, 4, 5, 6, 7]);
  assert.equal(seen.made, 3);
});

test("one task needs one worker, and the next job finds it warm", async () => {
  const { another, seen } = workers();
  const pool = createPool(another, 4);
  pool.warm();
  await pool.begin([1], (put) => put(hello)).done;
  await pool.begin([2], (put) => put(hello)).done;
  assert.deepEqual(seen, { made: 1, ended: 0 });
});

test("a task may bring more tasks, and the job is over when those are", async () => {
  const { another } = workers();
  const done = [];
  const job = createPool(another, 2).begin(["first"], async (put, task, mine) => {
    await put(hello);
    if (task === "first") mine.add(["second", "third"]);
    done.push(task);
  });
  await job.done;
  assert.deepEqual(done, ["first", "second", "third"]);
});

test("two jobs take turns", async () => {
  const { another } = workers();
  const pool = createPool(another, 1);
  const done = [];
  const each = async (put, task) => {
    await put(hello);
    done.push(task);
  };
  await Promise.all([pool.begin(["a1", "a2", "a3"], each).done, pool.begin(["b1", "b2"], each).done]);
  assert.deepEqual(done, ["a1", "a2", "b1", "a3", "b2"]);
});

test("Stop ends a job at once; a worker that does not come back is ended, and a fresh one made", async () => {
  const { another, seen } = workers(5_000);
  const pool = createPool(another, 2);
  const job = pool.begin([1, 2, 3], (put) => put(hello));
  await pause(5);
  job.stop();
  await job.done;
  assert.equal(seen.ended, 0);
  await pause(800);
  assert.equal(seen.ended, 2);
  pool.begin([1], (put) => put(hello)).stop();
  assert.equal(seen.made, 3);
});

test("a worker that comes back in time is kept", async () => {
  const { another, seen } = workers(20);
  const pool = createPool(another, 1);
  const job = pool.begin([1, 2], (put) => put(hello));
  await pause(5);
  job.stop();
  await pause(800);
  await pool.begin([3], (put) => put(hello)).done;
  assert.deepEqual(seen, { made: 1, ended: 0 });
});

test("a refusal ends the job with its sentence, and not the worker", async () => {
  const { another, seen } = workers(1, refusal);
  const pool = createPool(another, 1);
  await assert.rejects(pool.begin([1, 2], (put) => put(hello)).done, /^Refusal: no$/);
  await assert.rejects(pool.begin([1], (put) => put(hello)).done, /no/);
  assert.deepEqual(seen, { made: 1, ended: 0 });
});

test("a worker that fails is replaced", async () => {
  const { another, seen } = workers(1, "not JSON");
  const pool = createPool(another, 1);
  await assert.rejects(pool.begin([1], (put) => put(hello)).done, SyntaxError);
  await assert.rejects(pool.begin([1], (put) => put(hello)).done, SyntaxError);
  assert.deepEqual(seen, { made: 2, ended: 2 });
});

test("a stopped job whose last slice comes late leaves the next job in its place", async () => {
  const pool = createPool(workers(20).another, 2);
  const stopped = pool.begin([1, 2], (put) => put(hello));
  await pause(5);
  stopped.stop();
  const done = [];
  const job = pool.begin(["first"], async (put, task, mine) => {
    await put(hello);
    if (task === "first") mine.add(["second", "third", "fourth"]);
    done.push(task);
  });
  await Promise.race([job.done, pause(2_000).then(() => assert.fail(`only ${done} done`))]);
  assert.equal(done.length, 4);
});

test("what waits for workers that do not come back is done by fresh ones", async () => {
  const { another, seen } = workers();
  const hanging = () => ({ ...another(), send: () => new Promise(() => {}) });
  const pool = createPool(() => (seen.made < 2 ? hanging() : another()), 2);
  const stopped = pool.begin([1, 2], (put) => put(hello));
  stopped.stop();
  const job = pool.begin([3], (put) => put(hello));
  await Promise.race([job.done, pause(2_000).then(() => assert.fail("nobody came"))]);
  assert.deepEqual(seen, { made: 3, ended: 2 });
});
