// The picture that a chat or a feed shows beside a link to a run: 1200 by 630, the headline
// and the few grants that tell it. The build renders it without a browser. It is read at a
// third of its size, so type is large and what does not fit is left out, in order of weight.
// What would be wrong here: another way to draw a grant than paper.js has.

import { columnsIn, decisive, lettersIn } from "../decisive.js";
import { sheet } from "../sheet.js";
import { capital, headline, verdict, wordFor } from "../story.js";
import { balance, fit, wrap } from "../wrapping.js";
import { INK, cross, line, paper, paperHeight } from "./paper.js";

export const WIDTH = 1200;
export const HEIGHT = 630;
const MARGIN = 64;
const INNER = WIDTH - 2 * MARGIN;
const TOP = 54; // where the first line of type stands
const FOOT = 44;
const TITLES = [[56, 1], [46, 1], [46, 2], [42, 2], [38, 3]]; // size, and lines that it may take
const TYPE = [23, 21, 19, 18, 17, 16, 15];
const WIDE = 0.475; // of its size, how wide a letter of the face that the build brings is
const PROSE = 25;
const PROSE_LEAD = 33;
const MOST_GRANTS = 4;
const FEWEST = 3; // grants that are worth a smaller type

export function preview(pen, view, faces) {
  const { html, svg } = pen;
  const title = titleOf(headline(view.model, view));
  const below = belowOf(view);
  const least = TOP + 20 + title.lines.length * title.size * 1.12 + 20;
  const room = HEIGHT - FOOT - least - (below.word ? 42 : 38) - (below.lines.length - 1) * PROSE_LEAD;
  const run = fitting(view.model, room);
  const top = least + (run ? Math.min(40, (room - paperHeight(run)) / 2) : 0);
  return html`<svg xmlns="http://www.w3.org/2000/svg" width=${WIDTH} height=${HEIGHT} viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}>
    <rect width=${WIDTH} height=${HEIGHT} fill=${INK.paper}></rect>
    <g font-family=${faces.serif} fill=${INK.soft} font-size="22"><text x=${MARGIN} y=${TOP}>Interleaving Explorer</text></g>
    <text x=${WIDTH - MARGIN} y=${TOP} text-anchor="end" font-family=${faces.mono} font-size="19" fill=${INK.soft}>${fit(view.scenario.slug)}</text>
    <g font-family=${faces.serif} font-size=${title.size} fill=${INK.ink}>${title.lines.map((text, place) => svg`<text x=${MARGIN} y=${Math.round(TOP + 20 + title.size * (0.86 + 1.12 * place))}>${text}</text>`)}</g>
    ${run ? svg`<g transform=${`translate(${MARGIN} ${Math.round(top)})`}>${paper(pen, run, faces)}</g>` : ""}
    ${ending(pen, below, Math.round(top + (run ? paperHeight(run) : 0)), faces)}
  </svg>`;
}

/** The largest size at which a headline takes no more lines than it may. */
function titleOf(text) {
  const at = ([size, most]) => ({ size, most, lines: balance(text, Math.floor(INNER / (size * WIDE)), 9) });
  const [size, most] = TITLES.at(-1);
  return TITLES.map(at).find(({ lines, most: may }) => lines.length <= may) ?? { size, lines: balance(text, Math.floor(INNER / (size * WIDE)), most) };
}

/** What broke, in one sentence; where nothing did, what this order came to. */
function belowOf({ model, scenario }) {
  const [first] = model.run.violations;
  const text = capital(first ? `${first.detail}.` : verdict(model, { scenario }).map((piece) => piece.name ?? piece).join(""));
  const word = first ? wordFor(first.invariant) : null;
  return { word, lines: wrap(text, Math.floor((INNER - (word ? 130 : 0)) / (PROSE * WIDE)), 2) };
}

/** Three grants or four, in the largest type that has room for them; fewer only where none has. */
function fitting(model, room) {
  const weighed = decisive(model);
  const most = Math.min(MOST_GRANTS, weighed.length);
  const counts = [most, ...Array.from({ length: most - 1 }, (_, less) => most - 1 - less)];
  const ways = counts.flatMap((count) => TYPE.map((size) => ({ count, size })));
  const worth = ({ count, size }) => Math.min(count, FEWEST) * 100 + size + count;
  return ways.sort((a, b) => worth(b) - worth(a)).map(({ count, size }) => laid(model, weighed.slice(0, count), size)).find((each) => each.fits && paperHeight(each) <= room) ?? null;
}

function laid(model, weighed, size) {
  const letters = lettersIn(model, weighed);
  const grants = weighed.filter((grant) => model.rows[grant].letter === "t" || letters.includes(model.rows[grant].letter)).sort((a, b) => a - b);
  return sheet(model, { width: INNER, sizes: [size], grants, letters, columns: columnsIn(model, grants), brief: true });
}

function ending(pen, { word, lines }, y, faces) {
  const { svg } = pen;
  const rules = word ? svg`${line(pen, MARGIN, y + 1, WIDTH - MARGIN, y + 1, INK.ink, { width: 1.5 })}${line(pen, MARGIN, y + 5, WIDTH - MARGIN, y + 5, INK.ink, { width: 1.5 })}` : line(pen, MARGIN, y + 1, WIDTH - MARGIN, y + 1, INK.ink);
  const base = y + (word ? 42 : 38);
  const sign = word ? svg`<path d=${cross(MARGIN, base - 8, 8)} fill="none" stroke=${INK.ink} stroke-width="3"></path><text x=${MARGIN + 26} y=${base} font-family=${faces.mono} font-size="24" font-weight="600">${word}</text>` : "";
  return svg`<g fill=${INK.ink}>${rules}${sign}${lines.map((text, place) => svg`<text x=${MARGIN + (word ? 130 : 0)} y=${Math.round(base + place * PROSE_LEAD)} font-family=${faces.serif} font-size=${PROSE}>${text}</text>`)}</g>`;
}
