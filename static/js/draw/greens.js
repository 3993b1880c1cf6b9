// How many greens: the reported figures with the arithmetic beside them, and a question of the
// reader's own. Every percentage and every sentence is Python's, with its own care for rounding;
// here they are set in a table. What would be wrong here: a power of anything.

export const greens = { name: "How many greens", figure, caption };

function figure(pen, data, state) {
  const [table] = data.answers;
  return [rates(pen, table), rows(pen, table), question(pen, data, state)];
}

function rates({ html }, { rates: all, confidence }) {
  const counts = Object.keys(all[0].passes);
  return html`<table class="sheet numbers">
    <caption>How often a system that still fails shows nothing but greens</caption>
    <thead><tr><th scope="col">it still fails in</th>${counts.map((count) => html`<th scope="col">${count} greens</th>`)}<th scope="col">greens for ${Math.round(confidence * 100)} %</th></tr></thead>
    <tbody>${all.map(({ said: [what, ...cells] }) => html`<tr><th scope="row">${what}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
  </table>`;
}

function rows({ html }, { rows: all }) {
  return html`<table class="sheet reported">
    <caption>What was reported, and what it says</caption>
    <thead><tr><th scope="col">with</th><th scope="col">failed</th><th scope="col">which says</th></tr></thead>
    <tbody>${all.map(({ what, failed, runs, said }) => html`<tr><th scope="row">${what}</th><td>${failed} of ${runs}</td><td class="said">${said.join(" ")}</td></tr>`)}</tbody>
  </table>`;
}

/** The reader's own: two fields, and an answer that Python gives. */
function question(pen, { asks, answers }, state) {
  const { html } = pen;
  const [, asked] = asks;
  const { said, refused, waiting } = state.question ?? { said: answers[1].said };
  const field = (name, label, value, unit, mode) => html`<label>${label} <input type="text" inputmode=${mode} size="6" maxlength="24" autocomplete="off" data-action="question" name=${name} value=${value} ?disabled=${!state.ready}>${unit}</label>`;
  return html`<div class="question"><h2>Your own figures</h2>
    <p class="fields">${field("failure_rate", "it still fails in", asked.failure_rate.replace("%", ""), " % of its runs", "decimal")} ${field("greens", "and was green", String(asked.greens), " times in a row", "numeric")}</p>
    <div class="answer" role="status" aria-busy=${waiting ? "true" : "false"}>${refused ? html`<p class="problem">${refused}</p>` : said.map((each) => html`<p>${each}</p>`)}</div>
    ${state.ready ? "" : html`<p class="soft">Python works this out; it comes into this browser when you run the figure again.</p>`}
  </div>`;
}

function caption({ html }, { answers: [{ report }] }) {
  return html`The counts are those of “${report}”, whose own lesson is to fix the number of greens before the first run; the percentages are worked out here, by the exact binomial and for independent runs.`;
}
