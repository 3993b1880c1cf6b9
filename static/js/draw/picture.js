// The run that is shown as a picture to take along: a document of its own for a slide or a
// README, with the headline, the recipe, the table as far as it fits, and the address. It says
// what the table says, from the same model; a picture that is looked at elsewhere has nothing
// else to go by. What would be wrong here: a pointer, a step, or anything that has to be pressed.

import { inkOf, stringPen } from "../pen.js";
import { format, withChange } from "../recipe.js";
import { sheet } from "../sheet.js";
import { headline } from "../story.js";
import { fileName } from "../trace.js";
import { balance, fit, wrap } from "../wrapping.js";
import { FACES, INK, line, paper, paperHeight } from "./paper.js";

const WIDTH = 1200;
const MARGIN = 60;
const TITLE = 38;
const SMALL = 14;
const MOST_GRANTS = 20;
const BEFORE = 15; // of those, before the one that broke

/** The grants that are shown: all, or those around what broke (the end, where nothing did). */
export function shownGrants({ rows, last }) {
  if (rows.length <= MOST_GRANTS) return rows.map((row) => row.grant);
  const broke = rows.find((row) => row.violations.length)?.grant ?? last;
  const from = Math.max(0, Math.min(broke - BEFORE, last - MOST_GRANTS + 1));
  return rows.slice(from, from + MOST_GRANTS).map((row) => row.grant);
}

/** {name, text}: the picture as a file. */
export const pictureFile = (view) => ({ name: `${fileName(format(withChange(view.recipe), view.scenario))}.svg`, text: inkOf(picture(stringPen, view)) });

export function picture(pen, view) {
  const { html, svg } = pen;
  const inner = WIDTH - 2 * MARGIN;
  const run = sheet(view.model, { width: inner, grants: shownGrants(view.model) });
  const title = balance(headline(view.model, view), Math.floor(inner / (TITLE * 0.5)), 3);
  const recipe = wrap(format(withChange(view.recipe), view.scenario), Math.floor(inner / (SMALL * 0.61)), 3);
  const address = wrap(view.base + view.query, Math.floor((inner - 230) / (SMALL * 0.61)), 3);
  const under = MARGIN + TITLE * (0.62 + 1.16 * (title.length - 1));
  const table = under + 22 + recipe.length * SMALL * 1.6 + 14;
  const foot = table + paperHeight(run) + 26;
  const height = Math.ceil(foot + address.length * SMALL * 1.6 + MARGIN - 24);
  const lines = (texts, y) => texts.map((text, place) => svg`<text x=${MARGIN} y=${Math.round(y + place * SMALL * 1.6)}>${text}</text>`);
  return html`<svg xmlns="http://www.w3.org/2000/svg" width=${WIDTH} height=${height} viewBox=${`0 0 ${WIDTH} ${height}`} role="img" aria-labelledby="title"><title id="title">${fit(headline(view.model, view))}</title>
    <rect width=${WIDTH} height=${height} fill=${INK.paper}></rect>
    <g font-family=${FACES.serif} font-size=${TITLE} fill=${INK.ink}>${title.map((text, place) => svg`<text x=${MARGIN} y=${Math.round(MARGIN + TITLE * (0.62 + 1.16 * place))}>${text}</text>`)}</g>
    <g font-family=${FACES.mono} font-size=${SMALL} fill=${INK.soft}>${lines(recipe, under + 22 + SMALL)}</g>
    <g transform=${`translate(${MARGIN} ${Math.round(table)})`}>${paper(pen, run)}</g>
    ${line(pen, MARGIN, foot - 10, WIDTH - MARGIN, foot - 10, INK.ink)}
    <g font-family=${FACES.mono} font-size=${SMALL} fill=${INK.soft}>${lines(address, foot + 14)}<text x=${WIDTH - MARGIN} y=${Math.round(foot + 14)} text-anchor="end" font-family=${FACES.serif} font-size=${SMALL + 2}>Interleaving Explorer</text></g>
  </svg>`;
}
