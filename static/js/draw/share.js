// The address of exactly this view, and two ways to take it along. A copied link carries
// the seed and the grants, and a short digest of the outcome, so that whoever opens it can
// tell whether they see the same thing.

export function share(pen, view) {
  const { html } = pen;
  return html`<div class="share">
    <p class="address"><span class="unseen">This exact view: </span><code>${view.base}${view.query}</code></p>
    ${view.run ? html`${copier(pen, view, "link", "Copy link")}${copier(pen, view, "command", "Copy as command")}` : ""}
    <button type="button" data-action="keys" aria-expanded=${view.keys ? "true" : "false"} aria-controls="keys">Keys</button>
    ${view.copied?.failed ? html`<p class="uncopied" role="alert">This browser does not let the page copy. Take it from here: <code>${view.copied.text}</code></p>` : ""}
  </div>`;
}

const copier = ({ html }, { copied }, what, label) =>
  html`<button type="button" data-action=${`copy-${what}`}>${copied?.what === what && !copied.failed ? "Copied" : label}</button>`;

export function keySheet({ html }, view, shortcuts) {
  return html`<div id="keys" class="keys" tabindex="-1" role="group" aria-labelledby="keys-title" ?hidden=${!view.keys}><h2 id="keys-title">keys, while the figure has the focus</h2><dl>${shortcuts.map(
    ({ shown, does }) => html`<div><dt>${shown.map((key, place) => html`${place ? " " : ""}<kbd>${key}</kbd>`)}</dt><dd>${does}</dd></div>`,
  )}</dl></div>`;
}
