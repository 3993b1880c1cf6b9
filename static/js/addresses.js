// Where the addresses of a figure are kept that is alone on its page: it owns the whole query.
// (In an essay one address stands for all figures: essay.js.) What would be wrong here: reading
// a query's words (recipe.js does).

/** Addresses of the scenario's page, whichever page this is: the front page shows its figure too.
 * `kept` is what stays at the end of every address, such as embed=1. */
export function ownPage(home, kept = "") {
  const elsewhere = () => location.pathname !== new URL(home).pathname;
  const here = () => location.pathname + location.search;
  let last = here();
  const write = (how, query) => {
    history[how](null, "", home + query + kept);
    last = here();
  };
  return {
    /** Whether the browser has gone elsewhere since; what it shows now counts as ours. */
    moved: () => last !== (last = here()),
    query: () => without(location.search, "embed=1"),
    push: (query) => location.href !== home + query + kept && write("pushState", query),
    replace: (query) => write(elsewhere() ? "pushState" : "replaceState", query),
    open: (query) => (elsewhere() && !location.search) || write("replaceState", query),
  };
}

const without = (query, pair) => {
  const rest = query.replace(/^\?/, "").split("&").filter((each) => each && each !== pair);
  return rest.length ? `?${rest.join("&")}` : "";
};
