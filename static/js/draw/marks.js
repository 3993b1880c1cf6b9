// Each writer's mark: a shape and a colour, never the colour alone. Drawn as small inline
// pictures because text glyphs for circle, square, triangle and diamond differ in size from
// font to font. Hidden from assistive technology: the writer's name always stands near.

const SHAPES = {
  A: ({ svg }) => svg`<circle cx="8" cy="8" r="5"></circle>`,
  B: ({ svg }) => svg`<path d="M3.4 3.4h9.2v9.2H3.4z"></path>`,
  C: ({ svg }) => svg`<path d="M8 2.6 13.6 12.8H2.4z"></path>`,
  D: ({ svg }) => svg`<path d="M8 1.9 13.6 8 8 14.1 2.4 8z"></path>`,
  E: ({ svg }) => svg`<path d="M6 2.4h4V6h3.6v4H10v3.6H6V10H2.4V6H6z"></path>`,
  t: ({ svg }) => svg`<path d="M4 2.6h8L4 13.4h8z"></path>`,
};

/** The bare shape, for use inside a larger picture; a recovery has its writer's. */
export const shape = (pen, letter) => (SHAPES[letter.toUpperCase()] ?? SHAPES.t)(pen);

/** Small letters are recoveries: the same mark, smaller. */
export const isSmall = (letter) => letter !== "t" && letter === letter.toLowerCase();

export function mark(pen, letter, hollow = false) {
  const kind = `mark w${letter}${hollow ? " hollow" : ""}`;
  return pen.html`<svg class=${kind} viewBox=${isSmall(letter) ? "-3 -3 22 22" : "0 0 16 16"} aria-hidden="true">${shape(pen, letter)}</svg>`;
}

/** The mark and the name together, kept on one line. */
export const named = (pen, { letter, name }) => pen.html`<span class="who">${mark(pen, letter)} ${name}</span>`;

/** Mark, letter and name: how a writer is introduced, since addresses use the letter. */
export const introduced = (pen, { letter, name }) => pen.html`<span class="who">${mark(pen, letter)} <b class="letter">${letter}</b> ${name}</span>`;

export const CROSS = "✗";
export const TICK = "✓";
