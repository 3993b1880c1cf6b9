// A figure. It joins the parts and then does three things: draws whatever state there is,
// hands every event to the table of actions, and wakes Python when a reader shows intent.
// What would be wrong here: knowing where on the site it stands (app.js does).

import { html, nothing, render, svg } from "lit-html";
import { createActions } from "./actions.js";
import { createBridge } from "./bridge.js";
import { page } from "./draw/page.js";
import { holdFocus, land } from "./focus.js";
import { createPlayer } from "./player.js";
import { createSession } from "./session.js";
import { ROVING, SHORTCUTS, nameOf } from "./shortcuts.js";
import { createStore, initial } from "./store.js";
import { spoken } from "./story.js";
import { view } from "./view.js";
import { isLong } from "./window.js";

/** `place` keeps addresses, `runner` is the page's Python, `home` the scenario's own page. */
export function startFigure({ root, data, moments, home, place, runner, loadPanels }) {
  const pen = { html, svg, nothing };
  const store = createStore({ ...initial(data, moments), live: true, base: home });
  runner.listen((python) => store.get().python.phase !== "asleep" && store.set({ python }));
  const put = createBridge(runner.send);
  const session = createSession({ store, put, wakeRunner: runner.start, place });
  const say = (step) => spoken(view(store.get()).model, Math.min(Math.max(step, 0), store.get().run.steps.length - 1));
  const player = createPlayer({ store, go: (step) => (session.go(step, say(step)), land(root)), quiet: () => matchMedia("(prefers-reduced-motion: reduce)").matches });
  const actions = createActions({ store, session, say, player, copy });
  const figure = () => root.querySelector("figure");

  async function copy(what, text) {
    let failed = false;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      failed = true;
    }
    store.set({ copied: { what, text, failed }, said: failed ? "" : `Copied: ${text}` });
  }

  let drawn = store.get();
  function draw(state) {
    const settle = holdFocus(root);
    const settleEye = state.long?.holdEye(root);
    render(page(pen, view(state)), root);
    for (const input of root.querySelectorAll("input, option")) follow(input);
    settleEye?.();
    settle();
    if (state.landings !== drawn.landings) requestAnimationFrame(() => land(root));
    if (state.problem && state.problem !== drawn.problem) root.querySelector(".problem").scrollIntoView({ block: "nearest" });
    if (state.keys && !drawn.keys) root.querySelector(".keys").focus();
    else if (drawn.keys && !state.keys) root.querySelector("[data-action=keys]").focus();
    drawn = state;
    if (state.run && isLong(state.run)) bringLong();
  }

  /** What only long runs need is a script of its own. */
  let longAsked = false;
  async function bringLong() {
    if (longAsked) return;
    longAsked = true;
    try {
      const long = await import("./long.js");
      long.followEye(root, (seen) => store.set({ eye: long.eyeOf(store.get(), seen) }));
      store.set({ long });
    } catch {
      longAsked = false;
    }
  }

  /** The same file can be chosen again once it is mended. */
  function bring(input) {
    const files = [...input.files];
    input.value = "";
    run(input.dataset.action, files);
  }

  function run(name, ...values) {
    const option = /^option-(.+)$/.exec(name);
    if (option) actions.option(option[1], ...values);
    else actions[name]?.(...values);
  }

  /** An action; where it moved a step, the row comes into view (not for what lies below it). */
  function act(source, ...words) {
    const before = store.get().step;
    run(...words);
    if (store.get().step !== before && !source.closest(".two, .strip, .panel")) land(root);
  }

  root.addEventListener("click", ({ target }) => {
    const source = target.closest("[data-action]");
    if (!source || source.localName in { select: 1, input: 1 }) return;
    if (source.getAttribute("aria-disabled") !== "true") act(source, source.dataset.action, source.dataset.value);
  });
  root.addEventListener("input", ({ target }) => target.type === "range" && act(target, target.dataset.action, target.value));
  root.addEventListener("change", ({ target }) => {
    if (!target.dataset.action || target.type === "range") return;
    if (target.type === "radio") run(target.dataset.action, target.dataset.value);
    else if (target.localName === "select") run(target.dataset.action, target.dataset.value, target.value);
    else if (target.type === "file") bring(target);
    else run(target.dataset.action, target.value);
  });
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !event.target.closest("figure")) return;
    if (event.key === "Escape" && store.get().keys) return run("keys");
    if (event.target.matches("select, textarea, input:not([type=range])")) return undefined;
    if (event.target.closest(".seeds") && event.key in ROVING) return rove(event);
    const shortcut = SHORTCUTS[nameOf(event)];
    if (!shortcut || (!store.get().run && shortcut[0] !== "keys")) return undefined;
    event.preventDefault();
    return act(root, ...shortcut);
  });

  /** The strip is one stop for Tab; inside it, arrows move the focus and not the step. */
  function rove(event) {
    event.preventDefault();
    const seeds = [...event.target.closest(".seeds").querySelectorAll("button")];
    const at = seeds.indexOf(event.target.closest("button"));
    const next = seeds[Math.min(Math.max(at + ROVING[event.key], 0), seeds.length - 1)];
    run("rove", next.dataset.value);
    next.focus();
  }

  const mine = `a[data-run="${data.frame.id}"]`;
  document.addEventListener("click", (event) => {
    const link = event.target.closest(mine);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    session.open(link.search, { how: "push" });
    figure().scrollIntoView({ block: "start" });
  });
  // A press on the skip link comes here too, and names no other run.
  window.addEventListener("popstate", () => place.moved() && session.open(place.query(), { land: true }));

  // once: a Python that did not load is asked again by the reader only
  const wakeOnce = () => {
    if (store.get().python.phase === "asleep") session.wake();
    bringPanels();
  };
  for (const intent of ["pointerover", "focusin"]) root.addEventListener(intent, wakeOnce);
  const fast = navigator.connection && !navigator.connection.saveData && navigator.connection.effectiveType === "4g";
  // one after the other: while Python starts, all else on the page is slow
  if (fast && data.frame.kind === "explorer" && "requestIdleCallback" in window) {
    window.requestIdleCallback(() => bringPanels().then(() => window.requestIdleCallback(wakeOnce)));
  }

  /** What only those need who explore is a script of its own, and comes at the first sign of it. */
  let asked = false;
  async function bringPanels() {
    if (asked || !loadPanels) return;
    asked = true;
    try {
      const { createPanels } = await loadPanels();
      const { actions: more, draw: panels } = createPanels({ root, store, put, session, runner, copy });
      Object.assign(actions, more);
      store.set({ panels });
    } catch {
      asked = false; // a network that comes back is asked again
    }
  }

  const query = place.query();
  if (query || data.frame.kind !== "essay") session.open(query); // first, so that one drawing does
  root.replaceChildren();
  store.subscribe(draw);
  draw(store.get());
  if (query && data.frame.kind === "essay") figure().scrollIntoView({ block: "start" });
  if (store.get().waiting) {
    figure().scrollIntoView({ block: "start" });
    session.wake();
  }
}

/** Properties follow attributes: what a reader changed by hand must not outlive a refusal. */
function follow(input) {
  if (input.type === "file") return;
  if (input.type === "radio" || input.type === "checkbox") input.checked = input.hasAttribute("checked");
  else if (input.localName === "option") input.selected = input.hasAttribute("selected");
  else if (input !== document.activeElement || input.type === "range") input.value = input.getAttribute("value");
}
