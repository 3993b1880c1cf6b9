// The caption, and under it the one honest line about Python: asleep, on its way, at work,
// agreed, disagreed, or not to be had. What would be wrong here: a spinner.

export function caption(pen, view) {
  const { html } = pen;
  const { number, look, kind } = view.frame;
  const told = kind === "essay" && view.python.phase === "asleep" && number > 1; // once a page is enough
  return html`<figcaption><b>Figure ${number}.</b> ${look ? `${look} ` : ""}${look ? "" : html`One row a grant, time downwards, and ${view.model?.many ? "the rows" : "the row"} of the database after each. `}${look && number > 1 ? "" : legend(pen, view)}
    ${told ? "" : html`<span class="python">${python(pen, view.python, view.leaks)}</span>`}</figcaption>`;
}

/** Only what this run has to show is explained. */
function legend({ html }, { model }) {
  if (!model) return "";
  const struck = model.struck ? "; a removed line is struck out and keeps its mark" : "";
  const hollow = model.hollow ? "; a hollow mark is not committed yet" : "";
  const again = model.lanes.some((lane) => lane.letter !== lane.letter.toUpperCase()) ? " A small letter is the process that starts after a crash." : "";
  return html`A line carries the mark of the writer who wrote it${struck}${hollow}.${again}`;
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

export function python(pen, state, leaks = false) {
  const { html } = pen;
  switch (state.phase) {
    case "loading":
      return `Python is loading, ${megabytes(state.loaded)} of ${megabytes(state.total)} MB.`;
    case "starting":
      return "Python is starting.";
    case "checking":
      return "Python is here and runs the shipped seeds again.";
    case "ready":
      if (leaks) return `This run was made just now, by Python ${state.python} and SQLite ${state.sqlite} in your browser; it is not one that can be had again.`;
      return `${state.matched} of ${state.total} reproduced in your browser, by Python ${state.python} and SQLite ${state.sqlite}.`;
    case "disagrees":
      return html`<strong role="alert">Only ${state.matched} of ${state.total} came out the same in your browser. First difference: ${state.first}.</strong>`;
    case "failed":
      return html`Python did not load (${state.reason}). The shipped runs still step; anything else needs it. <button type="button" data-action="wake">Try again</button>`;
    default:
      return "These runs were computed when the page was built. Python loads when you use the figure, and runs them again.";
  }
}
