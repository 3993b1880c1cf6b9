// What a reader does with the paths: weigh every order, pick two writers, press a corner or drag
// the path through it. A new order follows the wish as far as SQLite lets it, so it always is one
// that can be had. What would be wrong here: geometry (flows.js), or lines (draw/paths.js).

import { ask } from "./contract.js";
import { familyText } from "./explore.js";
import { grantAt, through } from "./flows.js";
import { format, parse, withChange } from "./recipe.js";
import { find } from "./shipped.js";
import { pairOf } from "./draw/paths.js";

export const MOST_ORDERS = 300;

export function createWays({ root, store, notes, pool, put, session, state }) {
  const { scenario } = store.get().data;

  async function weigh() {
    const text = familyText(state());
    const note = (change) => notes.set({ flows: { ...notes.now().flows, [text]: { most: MOST_ORDERS, orders: null, problem: "", ...change } } });
    note({ going: true });
    const job = pool.begin([text], async (ask_, recipe) => note({ orders: (await ask_(ask.orders(recipe, MOST_ORDERS))).orders }));
    await job.done.catch((error) => note({ problem: `The orders could not be run: ${error.message}` }));
  }

  function pick(place, letter) {
    const pair = [...pairOf(state())];
    pair[Number(place)] = letter;
    notes.set({ pair });
  }

  /** `corner` is x,y. */
  async function pass(corner) {
    const { data, recipe, run } = store.get();
    const pair = pairOf(state());
    const [x, y] = corner.split(",").map(Number);
    const wanted = withChange(recipe, { grants: through(run.grants, pair, { x, y }) });
    const show = (text, grants) => session.show(text, "push", { ghost: run.grants, step: Math.max(grantAt(grants, pair, { x, y }), 0) || null });
    if (find(data, wanted)) return show(wanted, wanted.grants);
    try {
      const { recipe: text, grants } = await put(ask.follow(format(wanted, scenario)));
      await show(parse(text, [scenario]), grants);
      if (grantAt(grants, pair, { x, y }) < 0) store.set({ problem: "No order passes there: somebody waits, or is done before. The nearest order is shown." });
    } catch (error) {
      store.set({ problem: `No order could be made through there (${error.message}).` });
    }
    return undefined;
  }

  // The path is dragged by one of its nodes.
  let from = null;
  let dragged = false;
  const nodeAt = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest(".ways [data-node]")?.dataset.node ?? null;
  const draft = (node) => node !== (notes.now().draft && `${notes.now().draft.x},${notes.now().draft.y}`) && notes.set({ draft: node && { x: Number(node.split(",")[0]), y: Number(node.split(",")[1]) } });

  root.addEventListener("pointerdown", (event) => {
    dragged = false;
    draft(null);
    from = (event.button === 0 && event.target.closest(".ways .knot")?.dataset.node) || null;
    if (from) event.preventDefault(); // no text is selected on the way
  });
  root.addEventListener("pointermove", (event) => {
    if (!from) return;
    const node = nodeAt(event);
    if (node && node !== from) dragged = true;
    if (dragged) draft(node === from ? null : node);
  });
  const end = (event) => {
    if (!from) return;
    const node = event.type === "pointerup" && dragged ? nodeAt(event) : null;
    const moved = node && node !== from;
    from = null;
    draft(null);
    if (moved) pass(node);
  };
  for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, end); // it may end outside
  // the click that ends a drag is no press
  root.addEventListener("click", (event) => dragged && event.target.closest(".ways") && (event.stopPropagation(), (dragged = false)), { capture: true });

  return { weigh, pick, pass };
}
