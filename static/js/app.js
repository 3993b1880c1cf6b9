// The entry of every page that has a script: it reads what the page says it has, and starts
// just that. Addresses are made absolute first, because the figure on the front page moves
// the address below a folder, and a relative one would then lead elsewhere.

import { ownPage } from "./addresses.js";
import { startFigure } from "./figure.js";
import { ownScript } from "./own.js";
import { createRunner } from "./runner.js";

const data = (id) => JSON.parse(document.getElementById(id).textContent);
const absolute = (path) => new URL(path, document.baseURI).href;
const EMBED = "embed=1";

for (const link of document.links) {
  if (!link.getAttribute("href").startsWith("#")) link.setAttribute("href", link.href);
}
const site = data("runtime-data");
const parts = site.parts.map((part) => ({ ...part, url: absolute(part.path) }));
const runner = createRunner({ worker: absolute(site.worker), parts });
const embedded = location.search.slice(1).split("&").includes(EMBED);

async function mount(root, placeIn) {
  const { figure: name } = root.dataset;
  const found = data(`${name}-data`);
  const home = absolute(found.frame.home);
  const own = found.frame.kind === "explorer";
  const kind = own && embedded ? "embed" : found.frame.kind;
  const place = own ? ownPage(home, embedded ? `&${EMBED}` : "") : placeIn(name);
  const loadPanels = kind === "explorer" ? () => import("./panels.js") : null;
  const timed = found.families.some(({ runs }) => runs.some((run) => run.axis));
  const moments = timed ? await import("./moments.js") : null;
  startFigure({ root, moments, data: { ...found, frame: { ...found.frame, kind } }, home, place, runner, loadPanels });
}

/** Each a task of its own, so that a page of many figures never holds up its reader. */
async function start() {
  const essay = document.querySelector(".essay") && (await import("./essay.js"));
  const placeIn = essay?.sharedPage(location.pathname);
  for (const root of document.querySelectorAll("[data-figure]")) {
    await new Promise((resolve) => setTimeout(resolve));
    await mount(root, placeIn);
  }
  for (const root of document.querySelectorAll("[data-exhibit]")) {
    const { startExhibit } = await import("./exhibit.js");
    const found = data(`${root.id}-data`);
    const { hear } = startExhibit({ root, kind: found.kind, data: found.data, runner, base: found.base, label: found.label, look: found.look });
    runner.listen(hear);
  }
  essay?.startWords();
  const bench = document.getElementById("bench");
  if (bench) (await import("./bench.js")).startBench({ root: bench, runner });
  if (embedded) (await import("./embed.js")).startEmbed();
  document.documentElement.dataset.ready = "";
  if (!embedded) (await import("./offline.js")).startOffline(ownScript(absolute(site.offline)), runner);
}

start();
