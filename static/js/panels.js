// What only those need who explore, as a script of its own that comes when it is wanted: the
// first view stays small. It joins the panels' actions and drawings. What would be wrong here:
// anything that a reader of one run needs.

import "./core.js";
import { many } from "./amounts.js";
import { ask } from "./contract.js";
import { NOTHING, createNotes, familyText, resultOf } from "./explore.js";
import { bare, createKills } from "./kills.js";
import { createPool } from "./pool.js";
import { clip, format, parse, withChange } from "./recipe.js";
import { createSearch } from "./search.js";
import { createSmallest } from "./smallest.js";
import { MOST_SEEDS, createSweeps } from "./sweeps.js";
import { createTaking } from "./taking.js";
import { sentence as judged } from "./verdicts.js";
import { view } from "./view.js";
import { MOST_ORDERS, createWays } from "./ways.js";
import { beside } from "./draw/beside.js";
import { every } from "./draw/every.js";
import { kills as strip, sentence as killed } from "./draw/kills.js";
import { paths } from "./draw/paths.js";
import { range, sentence as counted } from "./draw/range.js";
import { sentence as shrunk, smallest } from "./draw/smallest.js";
import { taking } from "./draw/taking.js";
import { walSection } from "./draw/wal.js";

const NARROW = "(max-width: 54rem)";

export function createPanels({ root, store, put, session, runner, copy }) {
  const { scenario } = store.get().data;
  const notes = createNotes(store);
  const pool = createPool(runner.another);
  const says = (sentence) => (found) => sentence(found, scenario);
  const search = createSearch({ notes, pool, sentence: says(judged) });
  const sweeps = createSweeps({ notes, pool, sentence: says(counted) });
  const kills = createKills({ notes, pool, scenario, sentence: says(killed) });
  const smaller = createSmallest({ notes, pool, store, session, scenario, sentence: says(shrunk) });
  const state = () => ({ ...store.get(), explore: notes.now(), scenario });
  const ways = createWays({ root, store, notes, pool, put, session, state });
  notes.set({ narrow: matchMedia(NARROW).matches });

  /** Who points at a panel is about to press in it. */
  for (const intent of ["pointerover", "focusin"]) {
    root.addEventListener(intent, ({ target }) => target.closest(".panel") && pool.warm());
  }

  /** What is under way is about what is shown; where nobody looks at that any more, it ends. */
  const about = [
    [search, () => resultOf(state())?.text],
    [sweeps, () => familyText(state())],
    [kills, () => bare(store.get().recipe, scenario)],
    [smaller, () => format(withChange(store.get().recipe), scenario)],
  ];
  let shown = store.get().run;
  store.subscribe(({ run }) => {
    for (const [one, present] of about) if (one.about() !== null && one.about() !== present()) one.stop();
    if (run !== shown) {
      shown = run;
      if (run && notes.now().beside) compare(notes.now().beside.asked);
    }
  });

  async function prove(crashes) {
    await search.prove(resultOf(state())?.text ?? familyText(state()), { crashes, brute: notes.now().brute });
    const found = resultOf(state());
    const weighed = notes.now().flows[familyText(state())];
    if (!crashes && (!weighed || weighed.problem) && found?.phase === "done" && found.answer.interleavings <= MOST_ORDERS) await ways.weigh();
  }

  /** The present order, under another choice: `asked` is name=choice. */
  async function compare(asked) {
    const { recipe, run } = store.get();
    const [name, choice] = asked.split("=");
    if (recipe.options[name] === choice) return notes.set({ beside: null });
    const other = withChange(recipe, { options: { ...recipe.options, [name]: choice }, grants: run.grants });
    const note = (change) => notes.now().beside?.asked === asked && store.get().run === run && notes.set({ beside: { asked, of: run, ...change } });
    notes.set({ beside: { asked, of: run } });
    try {
      const found = await put(ask.follow(format(other, scenario)));
      note({ run: found, recipe: found.recipe });
    } catch (error) {
      note({ problem: `This order could not be run under ${name} ${choice} (${error.message}).` });
    }
    return undefined;
  }

  function last(text) {
    const fits = /^(0|[1-9]\d*)$/.test(text.trim()) && Number(text) < MOST_SEEDS;
    const said = text.trim() ? `“${clip(text)}”` : "Nothing";
    const sentence = `${said} is not a last seed: it is a whole number from 0 to ${many(MOST_SEEDS - 1)}.`;
    notes.set(fits ? { last: Number(text), refused: null } : { refused: { text, sentence } });
  }

  const actions = {
    prove: (crashes) => prove(Number(crashes)),
    "prove-stop": () => search.stop(),
    brute: () => notes.set({ brute: !notes.now().brute }),
    "ends-all": () => notes.set({ all: true }),
    "range-last": last,
    "range-run": () => notes.now().refused || sweeps.run(familyText(state()), notes.now().last),
    "range-stop": () => sweeps.stop(),
    "range-seed": (seed) => session.show(withChange(store.get().recipe, { seed: Number(seed), grants: "" })),
    "kill-each": () => kills.run(view(store.get())),
    "kill-stop": () => kills.stop(),
    "open-run": (text) => session.show(parse(text, [scenario])),
    beside: (asked) => (notes.now().beside?.asked === asked ? notes.set({ beside: null }) : compare(asked)),
    smallest: () => smaller.run(),
    "smallest-stop": () => smaller.stop(),
    weigh: () => ways.weigh(),
    pair: (place, letter) => ways.pick(place, letter),
    through: (corner) => ways.pass(corner),
    ...createTaking({ store, put, session, copy }),
  };
  const draw = (pen, present) => {
    const all = { ...present, explore: present.explore ?? NOTHING };
    const below = [walSection, range, every, strip, beside, smallest].map((panel) => panel(pen, all));
    return { path: paths(pen, all), below, along: taking(pen, present) };
  };
  return { actions, draw };
}
