// What only those need who explore, as a script of its own that comes when it is wanted: the
// first view stays small. It joins the panels' actions and drawings. What would be wrong here:
// anything that a reader of one run needs.

import { lattice } from "./draw/lattice.js";

export function createPanels() {
  return { actions: {}, draw: (pen, view) => ({ path: view.run ? lattice(pen, view) : "", below: "" }) };
}
