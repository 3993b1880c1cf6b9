// Several Pythons at once, for searches and sweeps, apart from the one that answers a press: a
// reader steps on while thousands of runs are made. Workers come when there is work for them
// and stay. A job is a list of tasks; whoever is free takes the next one, from each job in turn.
// What would be wrong here: knowing what a task is about.

import { createBridge } from "./bridge.js";
import { Refusal } from "./contract.js";

const MOST = 4;
const LEAST = 2;
/** How long a stopped task may go on before its worker is ended; a fresh one comes when needed. */
const PATIENCE = 700;

const sizeHere = () => Math.min(MOST, Math.max(LEAST, navigator.hardwareConcurrency || LEAST));

/** `another` makes one more Python: {start, send, end}. */
export function createPool(another, size = sizeHere()) {
  const members = [];
  const jobs = new Set();

  function hire() {
    const runner = another();
    const member = { runner, put: createBridge(runner.send), job: null };
    members.push(member);
    return member;
  }

  /** Its place is free for another, who takes what waits. */
  function dismiss(member) {
    members.splice(members.indexOf(member), 1);
    member.runner.end();
    recruit();
  }

  /** Jobs take turns. */
  function next() {
    const job = [...jobs].find(({ tasks }) => tasks.length);
    if (!job) return null;
    jobs.delete(job);
    jobs.add(job);
    return { job, task: job.tasks.shift() };
  }

  function recruit() {
    const waiting = [...jobs].reduce((sum, { tasks }) => sum + tasks.length, 0);
    const free = members.filter(({ job }) => !job).slice(0, waiting);
    while (members.length < size && free.length < waiting) free.push(hire());
    free.forEach(work);
  }

  async function work(member) {
    for (let found = next(); found; found = next()) {
      const { job, task } = found;
      member.job = job;
      job.busy.add(member);
      const error = await job.each(member.put, task, job).then(() => null, (reason) => reason);
      settle(job, member, error);
      if (error && !(error instanceof Refusal)) return members.includes(member) && dismiss(member);
    }
    return undefined;
  }

  /** A task is over; with the last one, so is its job. */
  function settle(job, member, error) {
    job.busy.delete(member);
    member.job = null;
    if (error && !job.stopped) {
      job.fail(error); // the first word counts: what ends it now is this
      job.stop();
    } else if (!job.busy.size && !job.tasks.length) {
      jobs.delete(job);
      job.end();
    }
  }

  /** Begin a job: `each(put, task, job)` does one task, and looks between two slices of it whether
   * the job was stopped. */
  function begin(tasks, each) {
    const job = { tasks: [...tasks], each, busy: new Set(), stopped: false };
    job.done = new Promise((resolve, reject) => Object.assign(job, { end: resolve, fail: reject }));
    job.add = (more) => {
      job.tasks.push(...more);
      recruit();
    };
    job.stop = () => {
      job.stopped = true;
      job.tasks.length = 0;
      jobs.delete(job);
      job.end();
      setTimeout(() => [...job.busy].forEach(dismiss), PATIENCE);
    };
    jobs.add(job);
    recruit();
    return job;
  }

  /** Let one come before there is work: who points at a panel is about to press in it. */
  const warm = () => members.length || hire().runner.start();

  return { begin, warm, size };
}
