// Texts broken into lines of so many letters, fit to stand in a document of XML. A browser
// breaks lines by itself; a picture has to be told where. Apart from the layout because this
// is where other people's texts come in: of any length, with anything in them. What would be
// wrong here: a width in pixels.

/** What XML cannot hold at all, escaped or not: control characters and halves of letters. */
const UNFIT = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu;
const LONGEST = 4000; // letters that are looked at: more than any picture shows

/** A text as it may stand in a picture: one line, and a sign where something could not stay. */
export const fit = (text) => String(text).slice(0, LONGEST).replace(/\s+/g, " ").replace(UNFIT, "\ufffd").trim();

/** A text in lines of at most `most` letters; past `lines` of them it ends in an ellipsis. */
export function wrap(text, most, lines = Infinity) {
  const broken = [""];
  for (const word of fit(text).split(" ").flatMap((each) => pieces(each, most))) {
    const last = broken.at(-1);
    if (last === "") broken[broken.length - 1] = word;
    else if (length(last) + 1 + length(word) <= most) broken[broken.length - 1] = `${last} ${word}`;
    else broken.push(word);
  }
  if (broken.length <= lines) return broken;
  const kept = broken.slice(0, lines);
  const end = [...kept.at(-1)];
  return [...kept.slice(0, -1), `${end.slice(0, most - 1).join("").trimEnd()}…`];
}

/** The same in as few lines, and these as even as they come: for what is set large. */
export function balance(text, most, lines) {
  const few = wrap(text, most, lines);
  let narrow = most;
  while (narrow > 1 && wrap(text, narrow - 1).length === few.length && longestWord(text) < narrow) narrow -= 1;
  return wrap(text, narrow, lines);
}

/** A word longer than a line, in pieces; after a sign that is not a letter where there is one. */
function pieces(word, most) {
  const letters = [...word];
  const cut = [];
  while (letters.length > most) {
    const at = letters.slice(0, most).findLastIndex((letter) => /[-_/.,;:()=&?]/.test(letter)) + 1;
    cut.push(letters.splice(0, at > most / 3 ? at : most).join(""));
  }
  return [...cut, letters.join("")];
}

/** Letters as a reader counts them, and not as memory does. */
export const length = (text) => (/^[\x20-\x7e]*$/.test(text) ? text.length : [...text].length);

/** The longest of its words. */
export const longestWord = (text) => Math.max(...fit(text).split(" ").map(length));
