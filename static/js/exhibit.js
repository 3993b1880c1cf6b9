// An exhibit in the page: it draws the data that came with it, and on a reader's wish puts the
// same requests to the Python in their browser, shows those answers instead, and says whether
// they are the same. One runner serves every exhibit of a page, so its phases are told from
// outside (`hear`). What would be wrong here: what a kind looks like, or what its figures are.

import "./core.js";
import { html, nothing, render, svg } from "lit-html";
import { createBridge } from "./bridge.js";
import { VERSION, ask } from "./contract.js";
import { drawExhibit } from "./draw/exhibits.js";
import { answered, compared } from "./exhibits.js";

const PAUSE = 250;

/** `base` leads to the site's root; returns {hear}, which takes the runner's phases. */
export function startExhibit({ root, kind, data, runner, base = "../", label = "", look = "" }) {
  const pen = { html, svg, nothing };
  const put = createBridge(runner.send);
  let state = { live: true, look, phase: "stored", base: new URL(base, document.baseURI).href, label, ready: false };
  let shown = data;

  function show(change) {
    state = { ...state, ...change };
    render(drawExhibit(pen, kind, shown, state), root);
  }

  async function again() {
    if (["loading", "running"].includes(state.phase)) return;
    show({ phase: "loading", loading: null });
    try {
      await runner.start();
      const hello = await put(ask.hello());
      const answers = await every(data.asks);
      shown = answered(data, answers);
      const result = { ...compared(kind, data, shown), python: hello.python, sqlite: hello.sqlite };
      show({ phase: result.first ? "differs" : "same", result, ready: true });
    } catch (error) {
      shown = data;
      show({ phase: "failed", reason: error.message.replace(/\.?$/, ".") });
    }
  }

  async function every(asks) {
    const answers = [];
    for (const request of asks) {
      show({ phase: "running", done: answers.length, of: asks.length });
      answers.push(await toItsEnd({ version: VERSION, ...request }));
    }
    return answers;
  }

  /** A search answers slice by slice; Python keeps one, and a new one takes its place. */
  async function toItsEnd(request) {
    let answer = await put(request);
    const { recipe } = answer;
    while (answer.done === false) {
      answer = await put({ version: VERSION, ask: "more" }, request.ask);
      if (answer.recipe !== recipe) throw new Error("Another search took this one’s place");
    }
    return answer;
  }

  // The reader's own question: the last one typed is the one that is answered.
  let typed = 0;

  async function question() {
    const mine = (typed += 1);
    show({ question: { ...(state.question ?? { said: [] }), waiting: true } });
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (mine !== typed) return;
    const answer = await put(asked()).then(({ said }) => ({ said }), (error) => ({ refused: error.message }));
    if (mine === typed) show({ question: answer });
  }

  function asked() {
    const text = (name) => root.querySelector(`[name=${name}]`).value.trim();
    const [rate, greens] = [text("failure_rate"), text("greens")];
    return { version: VERSION, ask: "greens", failure_rate: /^[\d.]+$/.test(rate) ? `${rate}%` : rate, greens: /^\d{1,15}$/.test(greens) ? Number(greens) : greens };
  }

  root.addEventListener("click", ({ target }) => target.closest("[data-action=again]") && again());
  root.addEventListener("input", ({ target }) => target.dataset.action === "question" && question());
  root.replaceChildren();
  show({});
  return { hear: (loading) => state.phase === "loading" && loading.phase !== "failed" && show({ loading }) };
}
