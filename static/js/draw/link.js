// A recipe as a way to its run: the address of its scenario's page, seen from this one. The bare
// page means another run, the opening, so a recipe that says nothing says its seed.

export function addressOf(base, recipe) {
  const [slug, query] = recipe.split("?");
  return `${base}${slug}/?${query || "seed=0"}`;
}

export const runLink = ({ html }, { base }, recipe, text) => html`<a href=${addressOf(base, recipe)}>${text}</a>`;
