// Python's side of the thread: loads Pyodide and sim_core from our own files, then answers
// one question at a time through bridge.handle. It is a script of its own because Python
// must never hold up a page. No Python is written here, and nothing knows a scenario.
//
//   in   {parts: [{name, url, bytes}]}         once, to start
//   in   {id, text}                            a request for the bridge
//   out  {loaded, total} · {ready: true} · {failed: sentence} · {id, text} · {id, error}
//        and before the text of a long answer {id, piece}, as often as it takes

import { inPieces } from "./pieces.js";

import { stored } from "./stored.js";

const HOME = "/home/pyodide"; // where Python looks first
const BETWEEN = 150; // ms from one word on how much has come to the next: each is drawn
let handle = null;

self.addEventListener("message", async ({ data }) => {
  if (data.parts) await start(data.parts);
  else answer(data);
});

/** The bridge raises nothing on purpose; what it did not foresee fails this question alone. */
function answer({ id, text }) {
  try {
    const texts = inPieces(handle(text));
    for (const piece of texts.slice(0, -1)) self.postMessage({ id, piece });
    self.postMessage({ id, text: texts.at(-1) });
  } catch (error) {
    self.postMessage({ id, error: String(error?.message ?? error).trim().split("\n").at(-1).slice(0, 200) });
  }
}

/** Pyodide begins at once and takes its files as they come: the largest is compiled meanwhile. */
async function start(parts) {
  try {
    const { coming, broken } = loading(parts);
    serve(coming);
    const [python] = await Promise.race([Promise.all([started(coming), compiled(coming)]), broken]);
    handle = python.pyimport("sim_core.bridge").handle;
    self.postMessage({ ready: true });
  } catch (error) {
    const [first, ...more] = String(error?.message ?? error).trim().split("\n");
    self.postMessage({ failed: (first.startsWith("Traceback") ? more.at(-1) : first).slice(0, 200) });
  }
}

async function started(coming) {
  const byName = new Map([...coming].map(([part, answer]) => [part.name, { part, answer }]));
  const { part, answer } = byName.get("pyodide.mjs");
  const core = byName.get("sim_core.zip").answer.then((response) => response.arrayBuffer());
  core.catch(() => {}); // where it fails, so does this, below
  const { loadPyodide } = await answer;
  const python = await loadPyodide({
    indexURL: new URL(".", part.url).href,
    env: { PYTHONHASHSEED: "0", HOME }, // set order differs between loads without it
  });
  for (const { path, content } of stored(new Uint8Array(await core))) {
    python.FS.mkdirTree(`${HOME}/${path.slice(0, path.lastIndexOf("/"))}`);
    python.FS.writeFile(`${HOME}/${path}`, content);
  }
  return python;
}

/** All parts at once, counted as they come in: scripts as modules, all else as answers. Pyodide
 * waits for ever for a file that does not come; `broken` ends that. */
function loading(parts) {
  const total = parts.reduce((sum, part) => sum + part.bytes, 0);
  const fetchNow = self.fetch.bind(self);
  let [loaded, said] = [0, -Infinity];
  const count = (bytes) => {
    loaded += bytes;
    if (loaded === total) self.postMessage({ starting: true });
    else if (performance.now() - said > BETWEEN) {
      said = performance.now();
      self.postMessage({ loaded, total });
    }
  };
  count(0);
  let fail;
  const broken = new Promise((_, reject) => (fail = reject));
  const coming = new Map(parts.map((part) => [part, part.name.endsWith(".mjs") ? importing(part) : fetching(part)]));
  for (const answer of coming.values()) answer.catch(fail);

  async function importing(part) {
    const module = await import(part.url);
    count(part.bytes);
    return module;
  }
  async function fetching(part) {
    const response = await fetchNow(part.url);
    if (!response.ok) throw new Error(`${part.name}: the server answered ${response.status}`);
    const { readable, writable } = counted(part, count);
    response.body.pipeTo(writable).catch(fail);
    return new Response(readable, { headers: { "content-type": TYPES[part.name.split(".").at(-1)] } });
  }
  return { coming, broken };
}

const TYPES = { wasm: "application/wasm", json: "application/json", zip: "application/zip" };

/** The same bytes, counted; a file of another length is another build's. It takes all that comes,
 * whether or not somebody reads yet. */
function counted({ name, bytes }, count) {
  let left = bytes;
  const counting = {
    transform(piece, controller) {
      left -= piece.length;
      if (left < 0) throw new Error(`${name} is longer than it was when the page was built`);
      count(piece.length);
      controller.enqueue(piece);
    },
    flush() {
      if (left > 0) throw new Error(`${name} ended early`);
    },
  };
  return new TransformStream(counting, undefined, { highWaterMark: Infinity });
}

/** Pyodide fetches its files by address; they are on their way, and nothing else is to be had. */
function serve(coming) {
  const byUrl = new Map([...coming].map(([part, answer]) => [part.url, answer]));
  self.fetch = async (address) => {
    const answer = byUrl.get(String(address?.url ?? address));
    if (!answer) throw new TypeError(`${address} is not one of the page's own files`);
    return answer;
  };
}

/** Pyodide would have its machine code compiled once its own script is read; here both are done
 * at the same time. It is all that is ever streamed into a module. */
function compiled(coming) {
  const [, answer] = [...coming].find(([part]) => part.name.endsWith(".wasm"));
  const compiling = WebAssembly.compileStreaming(answer);
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await compiling;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  return compiling;
}
