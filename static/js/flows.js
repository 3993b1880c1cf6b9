// Every order of two writers as ways through one grid: how many pass each edge, how many of
// those break a promise, and where somebody cannot go. With more writers the two that are drawn
// are picked, and the others' grants stay where they are. Pure. What would be wrong here: a line.

const key = ({ x, y }, side) => `${x},${y},${side}`;

/** The nodes that a schedule comes through: one a grant of the two, the first at the start. */
export function nodesOf(grants, [a, b]) {
  const nodes = [{ x: 0, y: 0, grant: 0 }];
  [...grants].forEach((letter, place) => {
    const { x, y } = nodes.at(-1);
    if (letter === a || letter === b) nodes.push({ x: x + (letter === a ? 1 : 0), y: y + (letter === b ? 1 : 0), grant: place + 1 });
  });
  return nodes;
}

/** Orders (orders/1) → edges with {kept, lost}, and the places where one of the two cannot go. */
export function flowsOf(orders, pair) {
  const edges = new Map();
  const barred = new Set();
  for (const { grants, broken, waits, busy } of orders) {
    const nodes = nodesOf(grants, pair);
    nodes.slice(0, -1).forEach((node, at) => {
      const edge = key(node, nodes[at + 1].x > node.x ? 0 : 1);
      const known = edges.get(edge) ?? { ...node, side: nodes[at + 1].x > node.x ? 0 : 1, kept: 0, lost: 0 };
      known[broken.length ? "lost" : "kept"] += 1;
      edges.set(edge, known);
    });
    for (const [after, letter] of [...waits, ...busy]) {
      if (pair.includes(letter)) barred.add(key(nodes.findLast(({ grant }) => grant <= after), pair.indexOf(letter)));
    }
  }
  return { edges: [...edges.values()], barred: [...barred].map(read), across: most(edges, "x", 0), up: most(edges, "y", 1) };
}

const read = (text) => Object.fromEntries(text.split(",").map((value, at) => [["x", "y", "side"][at], Number(value)]));
const most = (edges, axis, side) => Math.max(0, ...[...edges.values()].map((edge) => edge[axis] + (edge.side === side ? 1 : 0)));

/** Where the present run kept one of the two waiting. */
export function barredIn(run, pair) {
  const nodes = nodesOf(run.grants, pair);
  const found = run.steps.flatMap(({ offers }, after) => offers.filter(({ letter, status }) => status === "waiting" && pair.includes(letter)).map(({ letter }) => key(nodes.findLast(({ grant }) => grant <= after), pair.indexOf(letter))));
  return [...new Set(found)].map(read);
}

/** A schedule like this one that comes through a node: before it no writer is ahead of the node,
 * behind it none is behind. */
export function through(grants, pair, { x, y }) {
  const nodes = nodesOf(grants, pair);
  const before = nodes.map((node) => ({ x: Math.min(node.x, x), y: Math.min(node.y, y) }));
  const after = nodes.map((node) => ({ x: Math.max(node.x, x), y: Math.max(node.y, y) }));
  const moves = [...before, ...after].flatMap((node, at, all) => (at ? [...pair[0].repeat(node.x - all[at - 1].x), ...pair[1].repeat(node.y - all[at - 1].y)] : []));
  return [...grants].map((letter) => (pair.includes(letter) ? moves.shift() : letter)).join("");
}

/** The grant at which a schedule comes to a node, or -1. */
export const grantAt = (grants, pair, { x, y }) => nodesOf(grants, pair).find((node) => node.x === x && node.y === y)?.grant ?? -1;
