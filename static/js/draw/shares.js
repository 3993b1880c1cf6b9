// What stands over the slider of a long run: a row a writer, its share of the run stretch by
// stretch, and above them where a promise broke. What would be wrong here: a count of its own.

import { HIGH, density } from "../density.js";
import { CROSS, mark } from "./marks.js";

/** What is still to come is dimmed, as ticks are. */
export function shares(pen, model, step) {
  const { html, svg } = pen;
  const { rows, broke, of } = density(model);
  const high = (rows.length + (broke ? 1 : 0)) * HIGH;
  const here = ((step * of) / model.last).toFixed(2);
  return html`<div class="density" aria-hidden="true"><span>${broke ? html`<b>${CROSS}</b>` : ""}${rows.map(({ letter }) => mark(pen, letter))}</span>
    <svg viewBox=${`0 0 ${of} ${high}`} width="100%" height=${high} preserveAspectRatio="none">
      ${rows.map(({ letter, path }) => svg`<path class=${`share w${letter}`} d=${path}></path>`)}
      ${broke ? svg`<path class="broke" d=${broke}></path>` : ""}
      <rect class="later" x=${here} y="0" width=${of} height=${high}></rect>
    </svg></div>`;
}
