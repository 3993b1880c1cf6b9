// The address of exactly this view, and two ways to take it along. A copied link carries
// the seed and the grants, and a short digest of the outcome, so that whoever opens it can
// tell whether they see the same thing.

export function share(pen, view) {
  const { html } = pen;
  return html`<div class="share">
    <p class="address"><span class="unseen">This exact view: </span><code>/${view.scenario.slug}/${view.query}</code></p>
    ${view.run ? html`${copier(pen, view, "link", "Copy link")}${copier(pen, view, "command", "Copy as command")}` : ""}
    <button type="button" data-action="keys" aria-expanded=${view.keys ? "true" : "false"} aria-controls="keys">Keys</button>
  </div>`;
}

const copier = ({ html }, view, what, label) =>
  html`<button type="button" data-action=${`copy-${what}`}>${view.copied === what ? "Copied" : label}</button>`;

export function keySheet({ html }, view, shortcuts) {
  return html`<div id="keys" class="keys" ?hidden=${!view.keys}><h2>keys, while the figure has the focus</h2><dl>${shortcuts.map(
    ({ shown, does }) => html`<div><dt>${shown.map((key, place) => html`${place ? " " : ""}<kbd>${key}</kbd>`)}</dt><dd>${does}</dd></div>`,
  )}</dl></div>`;
}
