// The whole drawing: headline, figure and everything in it, from one view. The build calls
// it with the pen that writes strings, the browser with lit-html; nothing else draws. All of
// it is a disabled fieldset until a script is there: no button is dead, and none has the focus.
// In an essay the prose is the story, so there the figure stands without one, nor with what
// belongs to exploring; its caption says what to look at, and a link leads to all the rest.

import { KEYS } from "../shortcuts.js";
import { capital, headline, spoken, verdict } from "../story.js";
import { bar, what } from "./bar.js";
import { unbroken } from "./text.js";
import { caption } from "./caption.js";
import { choose } from "./choose.js";
import { introduced, named } from "./marks.js";
import { pickers } from "./pickers.js";
import { scrubber } from "./scrubber.js";
import { keySheet, share } from "./share.js";
import { strip } from "./strip.js";
import { table } from "./table.js";

export function page(pen, view) {
  const { html } = pen;
  const { id, kind, number } = view.frame;
  const problem = view.problem ? html`<p class="problem" role="alert">${view.problem}</p>` : "";
  return html`${kind === "explorer" ? html`${problem}${view.run ? story(pen, view) : unknownStory(pen)}` : ""}
  <figure id=${id} class=${kind} tabindex="-1" aria-label=${`Figure ${number}`}><fieldset ?disabled=${!view.live}>
    <legend class="unseen">Figure ${number}</legend>
    ${kind === "explorer" ? "" : problem}
    ${view.note ? mismatch(pen, view.note) : ""}
    ${view.run ? shown(pen, view) : awaited(pen, view)}
    ${kind === "explorer" ? exploring(pen, view) : share(pen, view)}
    ${keySheet(pen, view, KEYS)}
    <p class="unseen" role="status" aria-live="polite">${view.said}</p>
  </fieldset>${caption(pen, view)}</figure>`;
}

/** What goes beyond the one run: its seeds, what it is made of, and what the panels hold. */
function exploring(pen, view) {
  const { html } = pen;
  const { path, below, along } = view.panels?.(pen, view) ?? {};
  return html`${strip(pen, view)}
    <div class="two">${path ?? ""}${pickers(pen, view)}</div>
    ${below ?? ""}
    ${share(pen, view, along)}`;
}

function shown(pen, view) {
  return pen.html`${bar(pen, view)}${view.axis ? view.moments.axis(pen, view) : ""}${table(pen, view)}${scrubber(pen, view, spoken(view.model, view.step))}${choose(pen, view)}`;
}

/** The sender saw another outcome: both are named, and the one that runs here can be kept. */
function mismatch({ html }, { sent, here, engine }) {
  const other = Number(sent.split(".")[0]) === engine ? "" : " The link was made by another version of the engine.";
  return html`<p class="problem" role="alert">This link was copied from an outcome ${sent}; here the same recipe comes to ${here}, so what you see may differ from what was sent.${other} <button type="button" data-action="dismiss">Go on with this run</button></p>`;
}

function story(pen, view) {
  const { html } = pen;
  const pieces = verdict(view.model, view).map((piece) => (piece.letter ? named(pen, piece) : unbroken(pen, piece)));
  const leaks = view.leaks ? html`<p class="leaks">This variant reads the machine’s own clock on purpose: no two days give the same run.</p>` : "";
  return html`<div class="story"><h1>${headline(view.model, view)}</h1><p>${cast(pen, view)}</p><p>${pieces}</p>${leaks}<p class="terms">A <b>grant</b> lets one writer take one step while the others stand still; a <b>seed</b> is a number that fixes who gets each grant.</p></div>`;
}

/** Who is in this run, each by mark, letter, name and what it does. */
function cast(pen, { run, scenario }) {
  const { html } = pen;
  const roles = Object.fromEntries(scenario.roles.map((role) => [role.name, role.summary]));
  const began = run.writers.filter(({ letter }) => letter === letter.toUpperCase());
  const many = began.length === 1 ? "One agent uses" : `${capital(["", "", "two", "three", "four", "five"][began.length])} agents share`;
  const does = ({ role }, place) => {
    const first = run.writers.findIndex((each) => each.role === role);
    return first < place ? `does the same as ${run.writers[first].name}` : phrase(roles[role] ?? "starts after the crash");
  };
  return html`${many} one SQLite file. ${run.writers.map((writer, place) => html`${place ? " " : ""}${introduced(pen, writer)} ${does(writer, place)}${place === run.writers.length - 1 ? "." : ";"}`)}`;
}

/** A summary is a sentence of its own; here it goes on from a name. */
const phrase = (summary) => summary.charAt(0).toLowerCase() + summary.slice(1).replace(/\.$/, "");

const unknownStory = ({ html }) => html`<div class="story"><h1>A run that is not here yet.</h1><p>This address names a run that did not come with the page. Python computes it in your browser; until then nothing else is shown in its place.</p></div>`;

function awaited(pen, view) {
  const { html } = pen;
  const claim = view.claim ? html`<p>The link says that it comes to <code>${view.claim}</code>.</p>` : "";
  return html`<div class="bar">${what(pen, view)}</div><div class="awaited"><p>${waitingLine(view.python)}</p>${claim}<button type="button" data-action="home">Show the opening run</button></div>`;
}

function waitingLine({ phase, loaded, total, reason }) {
  if (phase === "loading") return `Python is loading, ${(loaded / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB; then this run is computed.`;
  if (phase === "failed") return `This run needs Python, and Python did not load (${reason}).`;
  return "Python computes this run.";
}
