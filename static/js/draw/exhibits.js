// Every kind of exhibit in one frame: the figure itself, the line that says where its figures
// come from and offers to make them again, and the caption. The build calls it with the pen that
// writes strings, the page with lit-html. What would be wrong here: what one kind looks like.

import { KINDS } from "../exhibits.js";
import { python } from "./caption.js";
import { day } from "./day.js";
import { greens } from "./greens.js";
import { incidence } from "./incidence.js";
import { CROSS } from "./marks.js";
import { matrix } from "./matrix.js";
import { wal } from "./wal.js";

/** Kind → {figure, caption}: each a drawing of (pen, data, state). */
const DRAWINGS = { matrix, wal, day, greens, incidence };

/**
 * `state` is {live, label, look, base, phase, loading, done, of, result, reason, question}; all of it
 * may be left out, and is before any script runs.
 */
export function drawExhibit(pen, kind, data, state = {}) {
  const { html } = pen;
  const drawing = DRAWINGS[kind];
  const here = { base: "../", phase: "stored", ...state };
  return html`<figure class=${`exhibit ${kind}`} aria-label=${here.label || drawing.name}><fieldset ?disabled=${!here.live}>
    <legend class="unseen">${drawing.name}</legend>
    ${here.label ? "" : html`<h2>${drawing.name}</h2>`}
    ${drawing.figure(pen, data, here)}
    ${again(pen, kind, here)}
  </fieldset><figcaption>${here.label ? html`<b>${here.label}.</b> ` : ""}${here.look ? `${here.look} ` : ""}${drawing.caption(pen, data, here)}</figcaption></figure>`;
}

const BUSY = ["loading", "running"];

function again(pen, kind, state) {
  const { html } = pen;
  const busy = BUSY.includes(state.phase);
  return html`<div class="again"><p role="status">${sentence(pen, kind, state)}</p><button type="button" data-action="again" aria-disabled=${busy ? "true" : "false"}>${state.phase === "failed" ? "Try again" : "Run it again in this browser"}</button></div>`;
}

function sentence(pen, kind, { phase, loading, done, of, result, reason }) {
  const { html } = pen;
  switch (phase) {
    case "loading":
      return loading ? python(pen, loading) : "Python is loading.";
    case "running":
      return `Python is running it again: ${done} of ${of} answers.`;
    case "failed":
      return `It was not run again: ${reason} What is shown was computed when the page was built.`;
    case "same":
      return `${result.total} of ${result.total} ${KINDS[kind].what} the same in your browser, by Python ${result.python} and SQLite ${result.sqlite}.`;
    case "differs":
      return html`<strong role="alert"><span aria-hidden="true">${CROSS}</span> Only ${result.same} of ${result.total} ${KINDS[kind].what} came out the same in your browser, by Python ${result.python} and SQLite ${result.sqlite}. First difference: ${result.first.label}, “${result.first.built}” when the page was built, “${result.first.here}” here. What is shown is your browser’s.</strong>`;
    default:
      return "Computed when the page was built.";
  }
}
