// Incidence beside exposure: how often real threads broke a promise by themselves, how often a
// seed does, and in how many orders it breaks at all. Three figures of three different things, on
// one scale, each with a word for what it is a figure of. What would be wrong here: one number
// made of them.

import { runLink } from "./link.js";

export const incidence = { name: "Incidence beside exposure", figure, caption };

function rowsOf({ measured, answers }) {
  return measured.recipes.map((real, place) => {
    const [sweep, orders] = answers.slice(2 * place, 2 * place + 2);
    return { real, sweep, orders };
  });
}

function figure(pen, data, state) {
  const { html } = pen;
  const rows = rowsOf(data);
  return html`<p class="lead">${lead(rows)}</p><table>
    <caption class="unseen">Variants down; across, the share of real runs, of seeds and of orders in which a promise breaks</caption>
    <thead><tr><th scope="col">variant</th><th scope="col">real runs <small>how often it happened</small></th><th scope="col">seeds <small>how often chance meets it</small></th><th scope="col">orders <small>in how many it can happen</small></th></tr></thead>
    <tbody>${rows.map((row) => variant(pen, row, state))}</tbody>
  </table>`;
}

/** Where what happened says least about what can happen, and where it says most. */
function lead(rows) {
  const broken = rows.filter(({ orders }) => orders.broken).sort((one, other) => happened(one) - happened(other));
  const [seldom, often] = [broken[0], broken.at(-1)];
  const other = often === seldom ? "" : `; in ${titleOf(often)} they broke one in ${counted(often.real)}, where the throw has ${often.orders.probability.exact}`;
  return `What happened is not what can happen. In ${titleOf(seldom)} real threads broke a promise in ${counted(seldom.real)}, and a fair throw breaks it with a probability of ${seldom.orders.probability.exact}${other}.`;
}

const happened = ({ real }) => real.broken / real.judged;
const counted = ({ broken, judged }) => `${broken.toLocaleString("en")} of ${judged.toLocaleString("en")} runs`;
const titleOf = ({ real }) => `${real.recipe.split("?")[0]} (${real.writers.join(", ")})`;

function variant(pen, { real, sweep, orders }, state) {
  const { html } = pen;
  const options = Object.entries(real.options).map((pair) => pair.join("="));
  const name = html`${real.recipe.split("?")[0]} <small>${options.join(" ")}<br>${real.writers.join(", ")}</small>`;
  return html`<tr><th scope="row">${runLink(pen, state, real.recipe, name)}</th>
    ${cell(pen, "real runs", real.broken, real.judged, real.interval)}
    ${cell(pen, "seeds", sweep.broken.length, sweep.seeds, sweep.interval)}
    ${cell(pen, "orders", orders.broken, orders.interleavings, null, orders.probability)}</tr>`;
}

function cell(pen, label, hits, of, interval, chance) {
  const { html } = pen;
  const share = interval ? html`<small>${percent(hits / of)} % <span class="between">(${percent(interval[0])}–${percent(interval[1])})</span></small>` : "";
  const exact = chance ? html`<small>${oddsOf(chance)}</small>` : "";
  return html`<td><span class="of">${label}</span>${scale(pen, chance ? chance.value : hits / of, interval)}<b>${hits.toLocaleString("en")} of ${of.toLocaleString("en")}</b> ${share}${exact}</td>`;
}

function oddsOf({ exact, value }) {
  if (value === 0) return "probability 0";
  return value === 1 ? "probability 1" : `probability ${exact} (${percent(value)} %)`;
}

function percent(share) {
  const value = share * 100;
  return value >= 10 || value < 0.005 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
}

const at = (share) => `${Math.round(share * 10000) / 100}%`;

/** From never to always, in every cell alike; the thin line below is the 95 % interval. */
function scale({ html, svg }, share, interval) {
  const line = (from, to, above, below) => svg`<line class="reach" x1=${at(from)} x2=${at(to)} y1=${above} y2=${below}></line>`;
  const whisker = (low, high) => [line(low, high, 15.5, 15.5), line(low, low, 13, 18), line(high, high, 13, 18)];
  return html`<svg class="scale" width="100%" height="20" aria-hidden="true"><rect class="whole" x="0" y="3" width="100%" height="8"></rect><rect class="full" x="0" y="3" width=${at(share)} height="8"></rect>${interval ? whisker(...interval) : ""}</svg>`;
}

function caption({ html }, { measured }) {
  const { date, python, sqlite, recipes } = measured;
  const out = [...new Set(recipes.flatMap((each) => Object.entries(each.left_out).map(([name, why]) => `“${name}” ${why.replaceAll("`", "")}`)))];
  return html`Real runs are of one machine on one day (<time datetime=${date}>${date}</time>, Python ${python}, SQLite ${sqlite}, real threads, all writers started at once, nobody in control): another load has another figure, and no browser can repeat them. ${out.length ? `Not judged in them: ${out.join("; ")}. ` : ""}Seeds are thirty runs in which a fair throw decides at every statement. Orders are all there are; the bar beside them is the exact probability under such throws. Every bar runs from never to always; in brackets, and as the thin line under a bar, 95 % intervals.`;
}
