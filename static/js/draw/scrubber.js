// Back, a real range input, forward. Over the slider stands one tick a grant in its writer's
// shape, and a cross where a promise broke; past a hundred grants ticks would touch, and what
// long.js draws stands there instead. At the end the forward button is the next thing to try.

import { mark, CROSS } from "./marks.js";

const MOST_TICKS = 120;

export function scrubber(pen, view, said) {
  const { html } = pen;
  const { model, step } = view;
  const forward = view.atEnd ? view.suggestion.label : "Forward one grant";
  return html`<div class=${`scrub${view.atEnd ? " end" : ""}`}>
    <button type="button" data-action="back" aria-disabled=${step === 0 ? "true" : "false"} aria-label="Back one grant">◂</button>
    <div class=${model.last > MOST_TICKS && view.long ? "track dense" : "track"}>
      ${model.last <= MOST_TICKS ? html`<div class="ticks" aria-hidden="true">${model.rows.map((row) => tick(pen, row, step))}</div>` : (view.long?.shares(pen, model, step) ?? "")}
      <input type="range" data-action="go" min="0" max=${model.last} step="1" value=${step} aria-label="Grant" aria-valuetext=${said}>
    </div>
    <span class="count"><b>${step}</b> / ${model.last}</span>
    <button type="button" class="on" data-action=${view.atEnd ? "try" : "forward"} aria-label=${forward}>${view.atEnd ? html`${forward} ▸` : "▸"}</button>
  </div>`;
}

function tick(pen, row, step) {
  const { html } = pen;
  const broke = row.violations.length > 0;
  return html`<span class=${`tick${row.grant > step ? " later" : ""}`}>${row.letter ? mark(pen, row.letter) : html`<i></i>`}${broke ? html`<b>${CROSS}</b>` : ""}</span>`;
}
