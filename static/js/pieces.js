// An answer of many megabytes would hold up the page that reads it; it travels in pieces, which
// bridge.js reads one a task and puts together. Apart from there because only the worker cuts,
// and only the page reads. What would be wrong here: which fields an answer has.

const WHOLE = 400_000; // characters that are read in one go
const PIECE = 200_000;

/** An answer's text → texts: {field, items} for what was cut out, and the answer at the end. */
export function inPieces(text) {
  if (text.length <= WHOLE) return [text];
  const answer = JSON.parse(text);
  const pieces = Object.entries(answer).flatMap(([field, value]) => (Array.isArray(value) ? piecesOf(field, value) : []));
  for (const { field } of pieces) answer[field] = [];
  return [...pieces, answer].map((each) => JSON.stringify(each));
}

function piecesOf(field, items) {
  const many = Math.ceil(JSON.stringify(items).length / PIECE);
  const size = Math.ceil(items.length / many);
  return many > 1 ? Array.from({ length: many }, (_, at) => ({ field, items: items.slice(at * size, (at + 1) * size) })) : [];
}
