// Where addresses are kept. A figure that is alone on its page owns the page's whole query; in
// an essay one address stands for all its figures: it names the one that was used last, and
// the browser's history remembers what each of them showed, so that Back undoes in the right
// one. What would be wrong here: reading a query's words (recipe.js does).

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

/** Addresses of an essay; call what it returns with a figure's name for that figure's place. */
export function sharedPage(page) {
  let queries = read();

  function read() {
    if (history.state?.figures) return { ...history.state.figures };
    const named = /^\?figure=([^&]*)(?:&(.*))?$/.exec(location.search);
    return named ? { [named[1]]: `?${named[2] ?? ""}` } : {};
  }
  function write(how, name, query) {
    queries = { ...queries, [name]: query };
    history[how]({ figures: queries }, "", `${page}?figure=${name}&${query.slice(1)}`);
  }

  return (name) => {
    let shown = queries[name] ?? "";
    const keep = (how) => (query) => {
      shown = query;
      write(how, name, query);
    };
    return {
      moved() {
        queries = read();
        const before = shown;
        shown = queries[name] ?? "";
        return shown !== before;
      },
      query: () => queries[name] ?? "",
      push: keep("pushState"),
      replace: keep("replaceState"),
      open: (query) => name in queries && keep("replaceState")(query),
    };
  };
}

const without = (query, pair) => {
  const rest = query.replace(/^\?/, "").split("&").filter((each) => each && each !== pair);
  return rest.length ? `?${rest.join("&")}` : "";
};
