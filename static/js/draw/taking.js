// Three more ways to take a run along, and one to bring it back. A file can also be dropped on
// the figure; the field is what a keyboard reaches.

export function taking({ html }, { run, copied }) {
  return html`${run ? html`<button type="button" data-action="copy-pytest">${copied?.what === "pytest" && !copied.failed ? "Copied" : "Copy as pytest"}</button><button type="button" data-action="picture">SVG</button><button type="button" data-action="trace">Trace</button>` : ""}<label class="bring">Open a trace, or drop it here <input type="file" accept=".json,application/json" data-action="bring"></label>`;
}
