// Runs on stdin, one PNG each into a folder: node preview.mjs FOLDER. Drawn by the page's own
// functions and rendered without a browser and without any font of this machine, so that the
// same sources give the same bytes. What would be wrong here: what a preview shows.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Resvg, initWasm } from "@resvg/resvg-wasm";
import { INK } from "../js/draw/paper.js";
import { preview } from "../js/draw/preview.js";
import { arrange } from "../js/model.js";
import { inkOf, stringPen } from "../js/pen.js";
import { indexed } from "./png.mjs";

const FACES = { serif: "Source Serif 4", mono: "IBM Plex Mono" };
const FILES = [
  "@expo-google-fonts/source-serif-4/400Regular/SourceSerif4_400Regular.ttf",
  "@expo-google-fonts/ibm-plex-mono/400Regular/IBMPlexMono_400Regular.ttf",
  "@expo-google-fonts/ibm-plex-mono/400Regular_Italic/IBMPlexMono_400Regular_Italic.ttf",
  "@expo-google-fonts/ibm-plex-mono/600SemiBold/IBMPlexMono_600SemiBold.ttf",
];

const here = createRequire(import.meta.url);
const read = (name) => readFileSync(here.resolve(name));
const { paper, ...inks } = INK;

await initWasm(read("@resvg/resvg-wasm/index_bg.wasm"));
const font = { fontBuffers: FILES.map(read), defaultFontFamily: FACES.serif };

function rendered({ run, scenario, opening, start }) {
  const view = { model: arrange(run, start), run, scenario, opening };
  const image = new Resvg(inkOf(preview(stringPen, view, FACES)), { font }).render();
  return indexed(image.pixels, image.width, image.height, Object.values(inks), paper);
}

const [folder] = process.argv.slice(2);
for (const { name, ...wanted } of JSON.parse(readFileSync(0, "utf8"))) writeFileSync(join(folder, `${name}.png`), rendered(wanted));
