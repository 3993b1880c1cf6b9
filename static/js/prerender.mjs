// Figures' data by name on stdin, their HTML by name on stdout: the build draws with the same functions
// as the browser, so that what stands before any script runs is what a script would draw.

import { readFileSync } from "node:fs";
import * as moments from "./moments.js";
import { inkOf, stringPen } from "./pen.js";
import { drawExhibit } from "./draw/exhibits.js";
import { page } from "./draw/page.js";
import { initial } from "./store.js";
import { view } from "./view.js";

const draw = (data) => inkOf(data.frame ? page(stringPen, view(initial(data, moments))) : drawExhibit(stringPen, data.kind, data.data, data));
const figures = Object.entries(JSON.parse(readFileSync(0, "utf8")));
process.stdout.write(JSON.stringify(Object.fromEntries(figures.map(([name, data]) => [name, draw(data)]))));
