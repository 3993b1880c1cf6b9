// Writes a standard library that holds only what the page's Python uses, and sim_core compiled.
//
//   node trim.mjs STOCK_PYODIDE SHIPPED_PYODIDE SIM_CORE_ZIP
//
// The stock Pyodide is started here, in Node, does everything that the page may
// ask of it, and compiles the modules that it came to need, and ours (trim.py).
// The results go into the folder that ships, and are then proved: a second Pyodide
// starts from that folder alone and has to give the same answers. Kept apart from
// the bundler because it runs Python at build time.

import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

async function start(folder, simCore) {
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")));
  const python = await loadPyodide({
    indexURL: folder,
    // the first two as in the page's worker; without columns bytecode is a fifth smaller
    env: { PYTHONHASHSEED: "0", HOME: "/home/pyodide", PYTHONNODEBUGRANGES: "1" },
  });
  python.unpackArchive(new Uint8Array(await readFile(simCore)), "zip");
  python.runPython(await readFile(join(here, "trim.py"), "utf8"));
  return python;
}

async function main(stockFolder, shippedFolder, simCore) {
  const stock = await start(stockFolder, simCore);
  const expected = stock.globals.get("exercise")();
  const packed = stock.globals.get("pack")().toJs();
  await writeFile(join(shippedFolder, "python_stdlib.zip"), packed);
  const ours = join(shippedFolder, "sim_core.zip");
  await writeFile(ours, stock.globals.get("pack_ours")().toJs());

  const shipped = await start(shippedFolder, ours);
  if (shipped.globals.get("exercise")() !== expected) {
    throw new Error("the trimmed Python answers otherwise than the stock one");
  }
}

try {
  await main(...process.argv.slice(2).map((path) => resolve(path)));
} catch (error) {
  // Node would print the one line of minified source that threw: a megabyte.
  console.error(`trim.mjs: ${error.message}`);
  process.exitCode = 1;
}
