// The one module that knows there is a worker and that Pyodide takes time to load. Text
// goes in, a promise of texts comes out, which together are the answer; the phases of loading
// are told to whoever listens. Because nothing else knows, all of it can move into a sandboxed
// frame when links begin to carry code. What would be wrong here: the meaning of a request or an answer.

import { ownScript } from "./own.js";

/** `site` is {worker, parts}: addresses that the page's own data names. */
export function createRunner(site) {
  const listeners = new Set();
  const onPhase = (phase) => listeners.forEach((listener) => listener(phase));
  let worker = null;
  let ready = null;
  let next = 0;
  const asked = new Map();

  function start() {
    ready ??= new Promise((resolve, reject) => {
      worker = new Worker(ownScript(site.worker), { type: "module" });
      const fail = (reason) => {
        stop(reason);
        reject(new Error(reason));
      };
      worker.addEventListener("error", (event) => fail(event.message || "its script was not found"));
      worker.addEventListener("message", ({ data }) => hear(data, resolve, fail));
      worker.postMessage({ parts: site.parts });
    });
    ready.catch(() => {});
    return ready;
  }

  function hear(data, resolve, fail) {
    if (data.failed) fail(data.failed);
    else if (data.total) onPhase({ phase: "loading", loaded: data.loaded, total: data.total });
    else if (data.starting) onPhase({ phase: "starting" });
    else if (data.ready) resolve();
    else if (data.piece) asked.get(data.id)?.pieces.push(data.piece);
    else {
      if (data.error) asked.get(data.id)?.reject(new Error(data.error));
      else asked.get(data.id)?.resolve([...asked.get(data.id).pieces, data.text]);
      asked.delete(data.id);
    }
  }

  function stop(reason) {
    worker?.terminate();
    worker = null;
    ready = null;
    for (const { reject } of asked.values()) reject(new Error(reason));
    asked.clear();
    onPhase({ phase: "failed", reason });
  }

  async function send(text) {
    await start();
    const id = (next += 1);
    return new Promise((resolve, reject) => {
      asked.set(id, { resolve, reject, pieces: [] });
      worker.postMessage({ id, text });
    });
  }

  return { start, send, listen: (listener) => listeners.add(listener), another: () => createRunner(site), end: () => worker && stop("it was ended") };
}
