// The axis of virtual time, arranged and drawn, as one script: most pages have no axis, and do
// without it.

export { arrangeAxis } from "./axis.js";
export { axis } from "./draw/axis.js";
