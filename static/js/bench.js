// The page /bench/: one question to the worker, and its answer as a table. It stands apart
// from the figure because it has no run and no address. What would be wrong here: a figure
// of another machine; only ratios travel, and they come from this one.

import "./core.js";
import { html, render } from "lit-html";
import { createBridge } from "./bridge.js";
import { ask } from "./contract.js";
import { bench } from "./draw/bench.js";
import { python } from "./draw/caption.js";

export function startBench({ root, runner }) {
  let state = { phase: "idle" };
  const show = (change) => {
    state = { ...state, ...change };
    render(bench({ html }, state, (phase) => python({ html }, phase)), root);
  };
  runner.listen((loading) => state.phase !== "done" && show({ phase: loading.phase === "failed" ? "failed" : "loading", loading }));
  const put = createBridge(runner.send);

  async function measure() {
    if (state.phase === "loading" || state.phase === "running") return;
    show({ phase: "loading", loading: { phase: "starting" } });
    try {
      await runner.start();
      show({ phase: "running" });
      const [hello, answer] = [await put(ask.hello()), await put(ask.bench())];
      show({ phase: "done", hello, answer });
    } catch (error) {
      show({ phase: "failed", loading: { phase: "failed", reason: error.message } });
    }
  }

  root.addEventListener("click", ({ target }) => target.closest("[data-action=bench], [data-action=wake]") && measure());
  root.replaceChildren();
  show({});
}
