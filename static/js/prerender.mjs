// Page data on stdin, the figure's HTML on stdout: the build draws with the same functions
// as the browser, so that what stands before any script runs is what a script would draw.

import { readFileSync } from "node:fs";
import { inkOf, stringPen } from "./pen.js";
import { page } from "./draw/page.js";
import { initial } from "./store.js";
import { view } from "./view.js";

const data = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(inkOf(page(stringPen, view(initial(data)))));
