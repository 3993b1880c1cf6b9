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
    const files = new Map(parts.map((part) => [part.name, part]));
    const { incoming, scripts, broken } = loading(parts);
    const core = incoming(files.get("sim_core.zip")).then((response) => response.arrayBuffer());
    core.catch(() => {}); // it is waited for below
    serve(parts, incoming);
    const [{ loadPyodide }] = await scripts;
    const python = loadPyodide({
      indexURL: new URL(".", files.get("pyodide.mjs").url).href,
      env: { PYTHONHASHSEED: "0", HOME }, // set order differs between loads without it
    });
    install(await Promise.race([python, broken]), await Promise.race([core, broken]));
    handle = (await python).pyimport("sim_core.bridge").handle;
    self.postMessage({ ready: true });
  } catch (error) {
    const [first, ...more] = String(error?.message ?? error).trim().split("\n");
    self.postMessage({ failed: (first.startsWith("Traceback") ? more.at(-1) : first).slice(0, 200) });
  }
}

function install(python, packed) {
  for (const { path, content } of stored(new Uint8Array(packed))) {
    python.FS.mkdirTree(`${HOME}/${path.slice(0, path.lastIndexOf("/"))}`);
    python.FS.writeFile(`${HOME}/${path}`, content);
  }
}

/** All parts at once, counted as they come in. Scripts are imported, all else is fetched.
 * Pyodide waits for ever for a file that does not come; `broken` ends that. */
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
  const [scripts, others] = [true, false].map((wanted) => parts.filter(({ name }) => name.endsWith(".mjs") === wanted));
  let fail;
  const broken = new Promise((_, reject) => (fail = reject));
  const answers = new Map(others.map((part) => [part, coming(part)]));
  for (const promise of [broken, ...answers.values()]) promise.catch(fail);

  async function coming(part) {
    const response = await fetchNow(part.url);
    if (!response.ok) throw new Error(`${part.name}: the server answered ${response.status}`);
    const { readable, writable } = counted(part, count);
    response.body.pipeTo(writable).catch(fail);
    return new Response(readable, { headers: { "content-type": TYPES[part.name.split(".").at(-1)] } });
  }
  return { broken, incoming: (part) => answers.get(part), scripts: Promise.all(scripts.map((part) => importing(part, count))) };
}

async function importing(part, count) {
  const module = await import(part.url);
  count(part.bytes);
  return module;
}

const TYPES = { wasm: "application/wasm", json: "application/json", zip: "application/zip" };

/** The same bytes, counted; a file of another length is another build's. */
function counted({ name, bytes }, count) {
  let left = bytes;
  return new TransformStream({
    transform(piece, controller) {
      left -= piece.length;
      if (left < 0) throw new Error(`${name} is longer than it was when the page was built`);
      count(piece.length);
      controller.enqueue(piece);
    },
    flush() {
      if (left > 0) throw new Error(`${name} ended early`);
    },
  });
}

/** Pyodide fetches its files by address; they are on their way, and nothing else is to be had. */
function serve(parts, incoming) {
  const byUrl = new Map(parts.map((part) => [part.url, part]));
  self.fetch = async (address) => {
    const answer = incoming(byUrl.get(String(address?.url ?? address)));
    if (!answer) throw new TypeError(`${address} is not one of the page's own files`);
    return answer;
  };
}
