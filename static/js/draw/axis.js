// The axis of virtual time, where a run has one: a lane a writer, its mark at each moment, to
// scale. The list beside it is the truth for those who do not see it, and the way in for the
// keyboard (it shows itself while it has the focus); on a narrow page it stands alone. A
// click on a moment goes to its grant. What would be wrong here: a place or a row of its own.

import { duration } from "../time.js";
import { near } from "../window.js";
import { introduced, isSmall, shape } from "./marks.js";

export function axis(pen, view) {
  const { html } = pen;
  const { axis: found } = view;
  if (!found) return "";
  const { title, picture, moments } = found;
  const listed = near(moments, moments.filter((each) => each.grant < view.step).length);
  const first = moments.indexOf(listed[0]);
  return html`<section class=${picture ? "moments drawn" : "moments"} aria-label=${`${title}, Figure ${view.frame.number}`}>
    <h2>${title} <small>in virtual time<span class="screen">${picture ? scaleWords(picture) : ""}</span></small></h2>
    ${picture ? drawn(pen, view, picture) : ""}
    <ol>${listed.map((moment, place) => item(pen, view, moment, moments[first + place - 1]))}</ol>
  </section>`;
}

const scaleWords = ({ cuts }) => (cuts.length ? ", to scale except where // cuts it short" : ", to scale");
const whenOf = (view, { grant }) => (grant === view.step ? "now" : grant > view.step ? "later" : "past");

function item(pen, view, moment, before) {
  const { html, nothing } = pen;
  const passed = before ? moment.at - before.at : 0;
  const lane = view.model.lanes.find((each) => each.letter === moment.writer) ?? { letter: "t", name: "time" };
  const kind = whenOf(view, moment);
  return html`<li class=${kind} aria-current=${kind === "now" ? "step" : nothing}>${passed ? html`<small>${duration(passed)} later</small>` : ""}<button type="button" data-action="go" data-value=${moment.grant}><b class="at">${duration(moment.at)}</b> <span>${introduced(pen, lane)} ${moment.label}<span class="unseen">, grant ${moment.grant}</span>${moment.broke.map((text) => html` <b class="broke">✗ ${text}</b>`)}</span></button></li>`;
}

function drawn(pen, view, picture) {
  const { html, svg } = pen;
  const { lanes, ticks, cuts, ruler, height } = picture;
  const here = picture.place(view.run.steps[view.step].t);
  return html`<svg class="timeline" width="100%" height=${height} aria-hidden="true">
    ${ticks.filter((each) => !each.round).map(({ x }) => svg`<line class="plumb" x1=${x} x2=${x} y1="0" y2=${ruler}></line>`)}
    <line class="here" x1=${here} x2=${here} y1="0" y2=${ruler}></line>
    ${lanes.map((lane) => svg`${name(pen, lane)}${lane.brackets.map((each) => bracket(pen, each, lane.bracket))}${lane.moments.map((each) => mark(pen, view, each))}`)}
    <line class="ruler" x1="0" x2="100%" y1=${ruler} y2=${ruler}></line>
    ${ticks.map((each) => tick(pen, each, ruler))}
    ${cuts.map((x) => svg`<svg x=${x} y=${ruler}><path class="cut" d="M-7 7-1-7H7L1 7z"></path><path class="ruler" d="M-7 7-1-7M1 7 7-7"></path></svg>`)}
  </svg>`;
}

function name({ svg }, { letter, name: role, moments }) {
  return svg`<text class="lane" x="-22" y=${moments[0].y + 4}><tspan class="letter">${letter}</tspan> ${role}</text>`;
}

/** From one moment of a writer to its next, and how long that is. */
function bracket({ svg }, { from, to, middle, text }, y) {
  return svg`<line class="span" x1=${from} x2=${to} y1=${y} y2=${y}></line>${[from, to].map((x) => svg`<line class="span" x1=${x} x2=${x} y1=${y - 5} y2=${y + 5}></line>`)}${text ? svg`<svg x=${middle} y=${y}><rect class="blank" x=${text.length * -4 - 3} y="-8" width=${text.length * 8 + 6} height="16"></rect><text class="mid" y="4">${text}</text></svg>` : ""}`;
}

function mark(pen, view, moment) {
  const { svg } = pen;
  const { x, y, side, lines, wide, high, writer, grant } = moment;
  const right = side === "right";
  return svg`<svg x=${x} y=${y}><g class=${`moment ${whenOf(view, moment)}`} data-action="go" data-value=${grant}>
      <rect class="hit" x=${right ? -12 : 12 - wide} y="-12" width=${wide} height=${high} rx="2"></rect>
      <g class=${`mark w${writer}`} transform=${isSmall(writer) ? "scale(0.73) translate(-8 -8)" : "translate(-8 -8)"}>${shape(pen, writer)}</g>
      ${lines.map(({ text, broke }, place) => svg`<text class=${`${right ? "" : "end"}${broke ? " broke" : ""}`} x=${right ? 14 : -14} y=${4 + place * 16}>${text}</text>`)}
    </g></svg>`;
}

function tick({ svg }, { x, text, anchor, row, round }, y) {
  return svg`<line class="ruler" x1=${x} x2=${x} y1=${y} y2=${y + (round ? 4 : 6)}></line><text class=${`${anchor}${round ? " round" : ""}`} x=${x} y=${y + 19 + row * 16}>${text}</text>`;
}
