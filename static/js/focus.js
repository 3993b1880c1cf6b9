// Where the keyboard and the eye are after a drawing. A control that was pressed may be gone
// from the next drawing, and a browser then drops the focus on the page's body: here is its
// neighbour. And a row that has become the current one may be out of sight, or under the
// sticky bar. What would be wrong here: knowing why something changed.

/** Action → where the focus goes when its control is gone, the nearest first. */
const NEIGHBOURS = {
  crash: ["[data-action=uncrash]", "[data-action=daggers]", "tr.now .go"],
  spare: ["tr.now .go"],
  cast: ["[data-action=cast]", ".slot:last-of-type select"],
  uncrash: ["[data-action=uncrash]", "[data-action=daggers]"],
  daggers: ["[data-action=uncrash]"],
  add: [".slot:last-of-type select"],
  writer: [".slot:last-of-type select"],
  default: ["[data-action=default]", "[data-action=daggers]"],
  grant: [".choose [data-action=grant][aria-disabled=false]", "[data-action=try]", "[data-action=forward]"],
  try: ["[data-action=forward]", "[data-action=try]"],
  forward: ["[data-action=try]"],
  violation: ["[data-action=watch]"],
  dismiss: ["tr.now .go"],
  go: ["tr.now .go"],
  weigh: [".paths summary"],
};

/** Call before a drawing; call what it returns after it. */
export function holdFocus(root) {
  const held = document.activeElement;
  if (!root.contains(held) || held === root) return () => {};
  const selectors = [...(NEIGHBOURS[held.dataset.action] ?? []), "figure"];
  const { value } = held.dataset;
  const inTable = held.matches(".run .go"); // of a long run, its row may have become another grant's
  const mine = value === undefined ? null : `${inTable ? ".run " : ""}:not(g)[data-action="${held.dataset.action}"][data-value="${CSS.escape(value)}"]`;
  return () => {
    const kept = !inTable || held.dataset.value === value;
    if (kept && held.isConnected && document.activeElement === held && held.getClientRects().length) return;
    const next = (mine && root.querySelector(mine)) || selectors.map((each) => root.querySelector(each)).find((each) => each?.getClientRects().length);
    next?.focus({ preventScroll: true });
  };
}

/** Bring the current row, and what broke there, clear of the sticky bar. */
export function land(root) {
  const row = root.querySelector("tr.now");
  if (!row) return;
  const bar = root.querySelector(".scrub");
  document.documentElement.style.scrollPaddingBottom = `${Math.ceil(bar.getBoundingClientRect().height) + 12}px`;
  for (const each of [...root.querySelectorAll("tr.now ~ tr.loss:not(.later)")].slice(0, 1)) each.scrollIntoView({ block: "nearest" });
  for (const each of [...root.querySelectorAll("tr.now")].reverse()) each.scrollIntoView({ block: "nearest" });
}
