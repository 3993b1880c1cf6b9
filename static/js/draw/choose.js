// You are the scheduler: at every step each writer is offered, a blocked one with its
// reason, and each may be killed instead. Another choice than the run's own branches.

import { mark } from "./marks.js";

export function choose(pen, view) {
  const { html } = pen;
  return html`<div class="choose" role="group" aria-label="Who goes next">
    <p class="lead">${view.atEnd ? "Nobody can go any more. Step back to choose otherwise." : "You choose who goes next:"}</p>
    ${view.atEnd ? "" : view.offers.map((offer) => html`<span class="offer">${grant(pen, offer)}${offer.strike ? spare(pen, offer) : crash(pen, offer)}</span>`)}
  </div>`;
}

function grant(pen, offer) {
  const { html } = pen;
  return html`<button type="button" data-action="grant" data-value=${offer.letter} aria-disabled=${offer.ready ? "false" : "true"}>${mark(pen, offer.letter, !offer.ready)}${offer.name}: ${doing(pen, offer)}${offer.taken ? html`<span class="taken"> ▸</span>` : ""}</button>`;
}

/** What a press on the button would do: with a fault placed there, that comes of it. */
function doing({ html }, { ready, act, reason, strike }) {
  if (!ready) return reason;
  return strike ? `${strike.crash ? "† " : ""}${strike.words} here, as placed` : html`<code>${act}</code>`;
}

function spare({ html }, { letter, name, act, strike }) {
  return html`<button type="button" class="spare" data-action="spare" data-value=${letter} aria-label=${`${name} goes on, not ${strike.words}`}>or goes on: <code>${act}</code></button>`;
}

function crash(pen, offer) {
  const { html } = pen;
  if (!offer.crash) return "";
  const { letter, op, place } = offer.crash;
  return html`<button type="button" class="dagger" data-action="crash" data-value=${`:${letter}${op}${place}`} title=${`crash ${offer.name} here`} aria-label=${`crash ${offer.name} here, ${place} operation ${op}`}>†</button>`;
}
