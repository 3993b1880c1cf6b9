// The axis of virtual time, arranged and drawn, as one script: most pages have no axis, and do
// without it.

import "./core.js";
import { arrangeAxis } from "./axis.js";
import { once } from "./once.js";

export { axis } from "./draw/axis.js";

/** null where a run has none. */
export const axisOf = once((model) => arrangeAxis(model.run, model.lanes));
