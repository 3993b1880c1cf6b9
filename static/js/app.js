// The entry of every page that has a script: it reads what the page says it has, and starts
// just that. Addresses are made absolute first, because the figure on the front page moves
// the address below a folder, and a relative one would then lead elsewhere.

import { startBench } from "./bench.js";
import { startFigure } from "./figure.js";
import { createRunner } from "./runner.js";

const data = (id) => JSON.parse(document.getElementById(id).textContent);
const site = data("runtime-data");
const absolute = (path) => new URL(path, document.baseURI).href;

for (const link of document.links) {
  if (!link.getAttribute("href").startsWith("#")) link.setAttribute("href", link.href);
}
const parts = site.parts.map((part) => ({ ...part, url: absolute(part.path) }));
const runner = (onPhase) => createRunner({ worker: absolute(site.worker), parts }, onPhase);

const figure = document.getElementById("explorer");
const bench = document.getElementById("bench");
if (figure) startFigure({ root: figure, data: data("figure-data"), home: absolute(site.page), createRunner: runner });
if (bench) startBench({ root: bench, createRunner: runner });
document.documentElement.dataset.ready = "";
