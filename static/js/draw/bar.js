// The line over the table: which run this is, and the one button that shows it happen.

export function bar(pen, view) {
  const { html } = pen;
  return html`<div class="bar">
    ${what(pen, view)}
    <div class="show">
      <button type="button" data-action="watch">${view.playing ? "Pause" : "Watch it happen"}</button>
      ${view.run.violations.length ? html`<button type="button" data-action="violation">✗ The loss</button>` : ""}
    </div>
  </div>`;
}

/** The recipe in words; it stands even where the run itself is still being computed. */
export function what(pen, view) {
  const { html } = pen;
  const { recipe, scenario } = view;
  const parts = scenario.options.map(({ name }) => [name, recipe.options[name]]);
  const names = recipe.writers.join(", ");
  if (names !== scenario.writers.join(", ")) parts.push(["writers", names]);
  if (recipe.journal !== "delete") parts.push(["journal", recipe.journal]);
  if (recipe.seed || !recipe.grants) parts.push(["seed", recipe.seed]);
  if (recipe.grants) parts.push(["grants", recipe.grants.length > 16 ? `${recipe.grants.slice(0, 15)}…` : recipe.grants]);
  for (const { letter, op, place } of recipe.faults) parts.push(["crash", `† ${letter} ${place} ${op}`]);
  return html`<p class="what"><b>${scenario.slug}</b>${parts.map(([key, value]) => html` <span>${key} <b>${value}</b></span>`)}</p>`;
}
