// What only a run of hundreds of grants needs, as a script of its own: no run that comes with a
// page is as long, so the first view never pays for it. Until it is there one steps all the
// same, and scrolls no further than what is drawn.

import "./core.js";

export { shares } from "./draw/shares.js";
export { eyeOf, followEye, holdEye } from "./eye.js";
