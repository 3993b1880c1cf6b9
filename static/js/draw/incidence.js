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

/** The variant in which what happened says least about what can happen. */
function lead(rows) {
  const broken = rows.filter(({ orders }) => orders.broken);
  const quiet = broken.reduce((least, each) => (each.real.broken / each.real.judged < least.real.broken / least.real.judged ? each : least));
  const { real, sweep, orders } = quiet;
  return `In one of these variants real threads broke a promise in ${real.broken.toLocaleString("en")} of ${real.judged.toLocaleString("en")} runs; a seed breaks it in ${sweep.broken.length} of ${sweep.seeds}, and ${orders.broken.toLocaleString("en")} of its ${orders.interleavings.toLocaleString("en")} orders do.`;
}

function variant(pen, { real, sweep, orders }, state) {
  const { html } = pen;
  const [slug, query = ""] = real.recipe.split("?");
  const name = html`${slug} <small>${query.replaceAll("&", " ").replace("writers=", "").replaceAll(",", ", ")}</small>`;
  return html`<tr><th scope="row">${runLink(pen, state, real.recipe, name)}</th>
    ${cell(pen, "real runs", real.broken, real.judged, real.interval)}
    ${cell(pen, "seeds", sweep.broken.length, sweep.seeds, sweep.interval)}
    ${cell(pen, "orders", orders.broken, orders.interleavings, null, orders.probability)}</tr>`;
}

function cell(pen, label, hits, of, interval, chance) {
  const { html } = pen;
  const share = interval ? html`<small>${percent(hits / of)} % <span class="between">(${percent(interval[0])}–${percent(interval[1])})</span></small>` : "";
  const exact = chance ? html`<small>probability ${chance.exact}${chance.value && chance.value < 1 ? ` (${percent(chance.value)} %)` : ""}</small>` : "";
  return html`<td><span class="of">${label}</span>${scale(pen, chance ? chance.value : hits / of, interval)}<b>${hits.toLocaleString("en")} of ${of.toLocaleString("en")}</b> ${share}${exact}</td>`;
}

function percent(share) {
  const value = share * 100;
  return value >= 10 || value < 0.005 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
}

const at = (share) => `${Math.round(share * 10000) / 100}%`;

/** From nothing to always, in every cell alike; the thin line is the 95 % interval. */
function scale({ html, svg }, share, interval) {
  return html`<svg class="scale" width="100%" height="14" aria-hidden="true"><line class="floor" x1="0" x2="100%" y1="13" y2="13"></line><rect class="full" x="0" y="3" width=${at(share)} height="10"></rect>${interval ? svg`<line class="from" x1=${at(interval[0])} x2=${at(interval[1])} y1="8" y2="8"></line><line class="to" x1=${at(interval[0])} x2=${at(interval[1])} y1="8" y2="8"></line>` : ""}</svg>`;
}

function caption({ html }, { measured }) {
  const { date, python, sqlite, recipes } = measured;
  const out = [...new Set(recipes.flatMap((each) => Object.entries(each.left_out).map(([name, why]) => `“${name}” ${why.replaceAll("`", "")}`)))];
  return html`Real runs are of one machine on one day (<time datetime=${date}>${date}</time>, Python ${python}, SQLite ${sqlite}, real threads, all writers started at once, nobody in control): another load has another figure, and no browser can repeat them. ${out.length ? `Not judged in them: ${out.join("; ")}. ` : ""}Seeds are thirty runs in which a fair throw decides at every statement. Orders are all there are; the bar beside them is the exact probability under such throws. Every bar runs from never to always; in brackets, and as a thin line, 95 % intervals.`;
}
