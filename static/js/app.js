// The entry. It declares what the page has (elements, data), joins the parts, and then does
// three things: draws whatever state there is, hands every event to the table of actions,
// and wakes Python when a reader shows intent. All else is in the modules it joins.

import { html, nothing, render, svg } from "lit-html";
import { createActions } from "./actions.js";
import { createBridge } from "./bridge.js";
import { describe, page } from "./draw/page.js";
import { createPlayer } from "./player.js";
import { createRunner } from "./runner.js";
import { createSession } from "./session.js";
import { SHORTCUTS, nameOf } from "./shortcuts.js";
import { createStore, initial } from "./store.js";
import { spoken } from "./story.js";
import { view } from "./view.js";

const element = (id) => document.getElementById(id);
const data = (id) => JSON.parse(element(id).textContent);
const root = element("explorer");
const pen = { html, svg, nothing };

const store = createStore(initial(data("figure-data")));
const site = data("runtime-data");
const absolute = (path) => new URL(path, document.baseURI).href;
const runner = createRunner(
  { worker: absolute(site.worker), parts: site.parts.map((part) => ({ ...part, url: absolute(part.path) })) },
  (python) => store.set({ python }),
);
const place = {
  push: (query) => location.search !== query && history.pushState(null, "", query),
  replace: (query) => history.replaceState(null, "", query),
};
const session = createSession({ store, put: createBridge(runner.send), wakeRunner: runner.start, place });
const say = (step) => {
  const shown = view({ ...store.get(), step: Math.min(Math.max(step, 0), store.get().run.steps.length - 1) });
  return spoken(shown.model, shown.step, describe(shown));
};
const player = createPlayer({ store, go: (step) => session.go(step, say(step)), quiet: () => matchMedia("(prefers-reduced-motion: reduce)").matches });
const actions = createActions({ store, session, say, player, copy });

async function copy(what, text) {
  try {
    await navigator.clipboard.writeText(text);
    store.set({ copied: what, said: `Copied: ${text}` });
  } catch {
    store.set({ problem: `The browser did not allow copying. Here it is: ${text}` });
  }
}

function draw(state) {
  render(page(pen, view(state)), root);
  for (const input of root.querySelectorAll("input, option")) follow(input);
}

/** Properties follow attributes: what a reader changed by hand must not outlive a refusal. */
function follow(input) {
  if (input.type === "radio") input.checked = input.hasAttribute("checked");
  else if (input.localName === "option") input.selected = input.hasAttribute("selected");
  else if (input !== document.activeElement || input.type === "range") input.value = input.getAttribute("value");
}

function run(name, ...values) {
  const option = /^option-(.+)$/.exec(name);
  if (option) actions.option(option[1], ...values);
  else actions[name]?.(...values);
}

const CHOSEN = { SELECT: "change", INPUT: "change" };

root.addEventListener("click", ({ target }) => {
  const source = target.closest("[data-action]");
  if (!source || source.localName in { select: 1, input: 1 }) return;
  if (source.getAttribute("aria-disabled") !== "true") run(source.dataset.action, source.dataset.value);
});
root.addEventListener("input", ({ target }) => target.type === "range" && run(target.dataset.action, target.value));
root.addEventListener("change", ({ target }) => {
  if (!target.dataset.action || target.type === "range" || !(target.tagName in CHOSEN)) return;
  if (target.type === "radio") run(target.dataset.action, target.dataset.value);
  else if (target.localName === "select") run(target.dataset.action, target.dataset.value, target.value);
  else run(target.dataset.action, target.value);
});
root.addEventListener("keydown", (event) => {
  const typing = event.target.matches("select, input:not([type=range])");
  const shortcut = SHORTCUTS[nameOf(event)];
  if (!shortcut || typing || event.ctrlKey || event.metaKey || event.altKey || !event.target.closest("#figure")) return;
  if (!store.get().run && shortcut[0] !== "keys") return;
  event.preventDefault();
  run(...shortcut);
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-run]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  session.open(location.search);
  element("figure").scrollIntoView({ block: "start" });
});
window.addEventListener("popstate", () => session.open(location.search));

for (const intent of ["pointerover", "focusin"]) root.addEventListener(intent, () => store.get().python.phase === "asleep" && session.wake());

const fast = navigator.connection && !navigator.connection.saveData && navigator.connection.effectiveType === "4g";
if (fast && "requestIdleCallback" in window) window.requestIdleCallback(() => session.wake());

root.replaceChildren();
store.subscribe(draw);
draw(store.get());
session.open(location.search);
if (store.get().waiting) {
  element("figure").scrollIntoView({ block: "start" });
  session.wake();
}
document.documentElement.dataset.ready = "";
