// Text in which a date or a timestamp is never broken over two lines: a hyphen would let a
// browser do that anywhere, and half a timestamp is read as a whole date.

const STAMP = /(\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?)/;

/** A text as pieces; the stamps in it keep together. */
export const unbroken = (pen, text) => (STAMP.test(text) ? text.split(STAMP).map((part, place) => (place % 2 ? pen.html`<span class="whole">${part}</span>` : part)) : text);
