// Python's side of the thread: loads Pyodide and sim_core from our own files, then answers
// one question at a time through bridge.handle. It is a script of its own because Python
// must never hold up a page. No Python is written here, and nothing knows a scenario.
//
//   in   {parts: [{name, url, bytes}]}         once, to start
//   in   {id, text}                            a request for the bridge
//   out  {loaded, total} · {ready: true} · {failed: sentence} · {id, text} · {id, error}
//        and before the text of a long answer {id, piece}, as often as it takes

import { inPieces } from "./pieces.js";

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

async function start(parts) {
  try {
    const files = await download(parts);
    self.postMessage({ starting: true });
    serve(files);
    const { loadPyodide } = await import(files.get("pyodide.mjs").url);
    const python = await loadPyodide({
      indexURL: new URL(".", files.get("pyodide.mjs").url).href,
      env: { PYTHONHASHSEED: "0", HOME: "/home/pyodide" }, // set order differs between loads without it
    });
    python.unpackArchive(files.get("sim_core.zip").body, "zip");
    handle = python.pyimport("sim_core.bridge").handle;
    self.postMessage({ ready: true });
  } catch (error) {
    self.postMessage({ failed: String(error?.message ?? error).split("\n")[0].slice(0, 200) });
  }
}

/** All parts at once, counted as they come in. Scripts are imported, all else is fetched. */
async function download(parts) {
  const total = parts.reduce((sum, part) => sum + part.bytes, 0);
  let loaded = 0;
  const count = (bytes) => {
    loaded += bytes;
    self.postMessage({ loaded, total });
  };
  count(0);
  const files = await Promise.all(parts.map((part) => (part.name.endsWith(".mjs") ? importing(part, count) : fetching(part, count))));
  return new Map(files.map((file) => [file.name, file]));
}

async function importing(part, count) {
  await import(part.url);
  count(part.bytes);
  return part;
}

async function fetching(part, count) {
  const response = await fetch(part.url);
  if (!response.ok) throw new Error(`${part.name}: the server answered ${response.status}`);
  const body = new Uint8Array(part.bytes);
  const reader = response.body.getReader();
  let at = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    if (at + piece.value.length > body.length) throw new Error(`${part.name} is longer than it was when the page was built`);
    body.set(piece.value, at);
    at += piece.value.length;
    count(piece.value.length);
  }
  if (at < body.length) throw new Error(`${part.name} ended early`);
  return { ...part, body };
}

/** Pyodide fetches its files by address; they are here already, and nothing else is to be had. */
function serve(files) {
  const types = { wasm: "application/wasm", json: "application/json", zip: "application/zip" };
  const byUrl = new Map([...files.values()].filter((file) => file.body).map((file) => [file.url, file]));
  self.fetch = async (address) => {
    const file = byUrl.get(String(address?.url ?? address));
    if (!file) throw new TypeError(`${address} is not one of the page's own files`);
    return new Response(file.body, { headers: { "content-type": types[file.name.split(".").at(-1)] } });
  };
}
