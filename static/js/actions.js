// Every action of the page, by the name that a data-action or a key gives it. One table: a
// button and a key that do the same thing run the same line. What would be wrong here: an
// action that only one of them can reach.

import { crashing, granting, sparing, suggestion } from "./choices.js";
import { nextViolation, sameWriter } from "./model.js";
import { strikes } from "./strikes.js";
import { LETTERS, MOST_CHARACTERS, RecipeError, format, parse, whole, withChange, without } from "./recipe.js";
import { digest } from "./session.js";

export function createActions({ store, session, say, player, copy }) {
  const now = () => store.get();
  const walk = (step) => {
    player.stop();
    session.go(step, say(step));
  };
  const change = (fields, how) => session.show(withChange(now().recipe, { grants: "", ...fields }), "push", how);
  const branch = (recipe) => session.show(recipe, "push", { ghost: now().run.grants, step: Math.min(now().step + 1, recipe.grants.length) });

  return {
    back: () => walk(now().step - 1),
    forward: () => walk(now().step + 1),
    end: () => walk(now().run.steps.length - 1),
    go: (value) => walk(Number(value)),
    same: (direction) => walk(sameWriter(now().run, now().step, direction)),
    violation: () => walk(nextViolation(now().run, now().step) ?? now().step),
    watch: () => player.toggle(),
    try() {
      const { recipe, instead } = suggestion(now());
      return session.show(recipe, "push", { instead });
    },

    grant(wanted) {
      const { data, recipe, run, step } = now();
      const letter = readiest(run, step, wanted);
      if (!letter) return store.set({ said: blocked(run, step, wanted) });
      if (run.grants[step] === letter) return walk(step + 1);
      return branch(granting(data, recipe, run, step, letter));
    },
    crash(value) {
      const { recipe, run, step } = now();
      const [at, point] = value.split(":");
      const [, letter, op, place] = /^(\w)(\d+)(before|after)$/.exec(point);
      const from = at === "" ? step : Number(at);
      const crashed = crashing(recipe, run, from, { letter, op: Number(op), slug: "", place, kind: "crash" });
      session.show(crashed, "push", { ghost: run.grants, step: Math.min(from + 1, crashed.grants.length) });
    },
    "crash-next"() {
      const { run, step } = now();
      const offer = run.steps[step].offers.find((each) => each.letter === run.grants[step]);
      if (strikes(now().recipe, run, step, run.grants[step])) return walk(step + 1);
      if (offer?.op && offer.sql) this.crash(`:${offer.letter}${offer.op}before`);
      else store.set({ said: "Nobody is about to act here, so nobody can be killed." });
    },
    spare(letter) {
      const { recipe, run, step } = now();
      return branch(sparing(recipe, run, step, letter));
    },
    uncrash: (value) => change({ faults: now().recipe.faults.filter((_, at) => at !== Number(value)) }),
    daggers: () => store.set({ daggers: !now().daggers, said: now().daggers ? "Crash points hidden." : "Crash points are listed below and shown in the table." }),

    seed(value) {
      try {
        change({ seed: whole("seed", value.trim()), faults: [] });
      } catch (error) {
        if (!(error instanceof RecipeError)) throw error;
        store.set({ refused: { text: value, sentence: error.message } });
      }
    },
    "seed-by": (by) => change({ seed: Math.min(Math.max(0, now().recipe.seed + Number(by)), Number.MAX_SAFE_INTEGER), faults: [] }),
    rove: (seed) => store.set({ rover: Number(seed) }),
    journal: (journal) => change({ journal }),
    tz: (_, tz) => session.show(withChange(now().recipe, { tz })),
    cast: (text) => session.show(parse(text, [now().data.scenario])),
    default: (key) => session.show(without({ ...now().recipe, grants: "" }, key, now().data.scenario)),
    writer(place, role) {
      const writers = now().recipe.writers.map((each, at) => (at === Number(place) ? role : each)).filter(Boolean);
      change({ writers, faults: [] });
    },
    add: () => change({ writers: [...now().recipe.writers, now().data.scenario.writers[0]].slice(0, LETTERS.length), faults: [] }),
    option: (name, choice) => session.show(withChange(now().recipe, { options: { ...now().recipe.options, [name]: choice }, grants: "" })),

    home: () => session.open(""),
    wake: () => session.wake(),
    dismiss: () => store.set({ note: null, said: "This run is shown as it is here." }),
    keys: () => store.set({ keys: !now().keys }),
    "copy-link": () => now().run && copy("link", linkOf(now())),
    "copy-command": () => now().run && copy("command", `explorer run '${taken(now())}'`),
  };
}

/** The writer of that letter, or the recovery in its stead, whichever may go; time by itself. */
function readiest(run, step, wanted) {
  if (wanted === "t") return run.grants[step] === "t" || run.steps[step].passes ? "t" : null;
  const names = [wanted, wanted.toLowerCase()];
  return run.steps[step].offers.find((offer) => names.includes(offer.letter) && offer.status === "ready")?.letter ?? null;
}

function blocked(run, step, wanted) {
  const offer = run.steps[step].offers.find((each) => each.letter === wanted);
  const name = run.writers.find((each) => each.letter === wanted)?.name;
  return offer ? `${name} cannot go: ${offer.why ?? offer.status}.` : `There is no writer ${wanted} here.`;
}

/** The recipe that a reader takes along: seed and schedule both, and the outcome's digest. A
 * schedule too long to be read again stays at home: the seed makes it anew. */
function taken({ recipe, run, step, data }) {
  const whole = step === run.steps.length - 1;
  const here = { ...recipe, step: whole ? null : step, check: digest(run) };
  const dictated = format({ ...here, grants: run.grants }, data.scenario);
  return dictated.length > MOST_CHARACTERS ? format(here, data.scenario) : dictated;
}

function linkOf(state) {
  const text = taken(state);
  return state.base + text.slice(text.indexOf("?"));
}
