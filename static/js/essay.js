// What an essay has and no other page: one address for all its figures, and words that light
// their marks. The address names the figure that was used last, and the browser's history
// remembers what each of them showed, so that Back undoes in the right one. A word lights a lane
// or a row, and a press on a grant goes there. What would be wrong here: what a step shows.

import "./core.js";

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

const LIT = "lit";

export function startWords() {
  for (const [enter, leave] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
    document.addEventListener(enter, ({ target }) => light(target, true));
    document.addEventListener(leave, ({ target }) => light(target, false));
  }
  document.addEventListener("click", ({ target }) => {
    const word = wordOf(target);
    if (word?.dataset.grant) rowOf(word)?.querySelector(".go").click();
  });
}

const wordOf = (target) => target.closest?.("[data-lights]");
const figureOf = (word) => document.getElementById(word.dataset.lights);
const rowOf = (word) => figureOf(word)?.querySelector(`.go[data-value="${CSS.escape(word.dataset.grant)}"]`)?.closest("tr");

function light(target, on) {
  const word = wordOf(target);
  if (!word) return;
  const { lane, grant } = word.dataset;
  if (grant) rowOf(word)?.classList.toggle(LIT, on);
  if (lane) figureOf(word)?.classList.toggle(`${LIT}-${lane}`, on);
}
