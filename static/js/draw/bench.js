// The benchmark's one button, its progress in a sentence, and its table: the same rows and the
// same order as `explorer bench` prints.

export function bench(pen, state, loading) {
  const { html } = pen;
  const busy = state.phase === "loading" || state.phase === "running";
  return html`<p><button type="button" data-action="bench" aria-disabled=${busy ? "true" : "false"}>${state.phase === "done" ? "Measure again" : "Measure"}</button></p>
    <p class="soft" role="status">${sentence(state, loading)}</p>
    ${state.answer ? tables(pen, state.answer) : ""}`;
}

function sentence(state, loading) {
  if (state.phase === "loading") return loading(state.loading);
  if (state.phase === "running") return "Python is measuring. It takes about fifteen seconds; leave the page in front, a hidden one is slowed down.";
  if (state.phase === "failed") return `Nothing was measured (${state.loading.reason}).`;
  if (state.phase === "done") return `Measured just now, by Python ${state.hello.python} and SQLite ${state.hello.sqlite} in this browser.`;
  return "Nothing is measured, and no Python loads, until you press the button.";
}

function tables({ html }, { results, ratios }) {
  const sides = [...new Set(results.map((each) => each.name.split(" ")[0]))];
  const journals = [...new Set(results.map((each) => each.name.split(" ")[1]))];
  const rate = (side, journal) => results.find((each) => each.name === `${side} ${journal}`)?.runs_per_second.toLocaleString("en") ?? "";
  const over = [...new Set(Object.keys(ratios).map((name) => name.replace(/_[a-z]+$/, "")))];
  const head = (title) => html`<thead><tr><th scope="col">${title}</th>${journals.map((journal) => html`<th scope="col">${journal}</th>`)}</tr></thead>`;
  return html`<table class="bench">${head("runs a second")}<tbody>${sides.map((side) => html`<tr><th scope="row">${NAMES[side] ?? side}</th>${journals.map((journal) => html`<td>${rate(side, journal)}</td>`)}</tr>`)}</tbody></table>
    <table class="bench ratios">${head("ratio")}<tbody>${over.map((name) => html`<tr><th scope="row">${NAMES[name] ?? name}</th>${journals.map((journal) => html`<td>${ratios[`${name}_${journal}`]?.toFixed(2) ?? ""}</td>`)}</tr>`)}</tbody></table>`;
}

const NAMES = {
  engine: "engine, kept files",
  bare: "the statements alone",
  fresh: "engine, a new file a run",
  engine_over_bare: "statements alone ÷ engine",
  pooled_over_fresh: "kept files ÷ new file",
};
