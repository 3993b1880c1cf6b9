// The address of exactly this view, and two ways to take it along. A copied link carries
// the seed and the grants, and a short digest of the outcome, so that whoever opens it can
// tell whether they see the same thing.

export function share(pen, view, along = "") {
  const { html } = pen;
  const { kind } = view.frame;
  if (kind !== "explorer") return html`<div class="share">
    ${view.run ? html`${over(pen, view)}${copier(pen, view, "link", "Copy link")}` : ""}
    ${keysButton(pen, view)}${uncopied(pen, view)}
  </div>`;
  return html`<div class="share">
    <p class="address"><span class="unseen">This exact view: </span><code>${view.base}${view.query}</code></p>
    ${view.run ? html`${copier(pen, view, "link", "Copy link")}${copier(pen, view, "command", "Copy as command")}` : ""}${along}
    ${keysButton(pen, view)}${uncopied(pen, view)}
  </div>`;
}

/** The way to all the rest: from inside somebody else's page, in a window of its own. */
function over({ html, nothing }, { base, frame, live, query }) {
  const framed = frame.kind === "embed";
  const [target, rel] = framed ? ["_blank", "noopener"] : [nothing, nothing];
  return html`<a class="over" href=${`${live ? base : frame.home}${query}`} target=${target} rel=${rel}>${framed ? "Open" : "Take over"} in the explorer</a>`;
}

const keysButton = ({ html }, { keys, frame }) => html`<button type="button" data-action="keys" aria-expanded=${keys ? "true" : "false"} aria-controls=${`${frame.id}-keys`}>Keys</button>`;
const uncopied = ({ html }, { copied }) => (copied?.failed ? html`<p class="uncopied" role="alert">This browser does not let the page copy. Take it from here: <code>${copied.text}</code></p>` : "");

const copier = ({ html }, { copied }, what, label) =>
  html`<button type="button" data-action=${`copy-${what}`}>${copied?.what === what && !copied.failed ? "Copied" : label}</button>`;

export function keySheet({ html }, view, shortcuts) {
  return html`<div id=${`${view.frame.id}-keys`} class="keys" tabindex="-1" role="group" aria-labelledby=${`${view.frame.id}-keys-title`} ?hidden=${!view.keys}><h2 id=${`${view.frame.id}-keys-title`}>keys, while the figure has the focus</h2><dl>${shortcuts.map(
    ({ shown, does }) => html`<div><dt>${shown.map((key, place) => html`${place ? " " : ""}<kbd>${key}</kbd>`)}</dt><dd>${does}</dd></div>`,
  )}</dl></div>`;
}
