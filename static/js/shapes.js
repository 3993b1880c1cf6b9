// What a value from outside must look like, said part by part: `record({t: whole(0, 9)})` is a
// function that hands back a clean copy of a value, with the fields that were named and no
// others, or throws a Misfit that names the culprit. Apart from the trace that is read with it
// because none of this knows what a run is. What would be wrong here: letting anything through
// that nobody asked for.

import { fit } from "./wrapping.js";

const SHOWN = 60;

/** `path` is where the culprit stands, such as steps[3].offers; the message is one sentence. */
export class Misfit extends Error {
  constructor(path, must, value) {
    super(`${fit(path) || "It"} must be ${must}, and is ${shown(value)}.`);
    this.name = "Misfit";
    this.part = path;
  }
}

function shown(value) {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value !== null && typeof value === "object") return "an object";
  const words = fit(value);
  const cut = words.length > SHOWN ? `${words.slice(0, SHOWN)}…` : words;
  return typeof value === "string" ? `“${cut}”` : cut;
}

export const text = (most, like = /^/, words = `a text of at most ${most} characters`) => (value, path) => {
  if (typeof value !== "string" || value.length > most || !like.test(value)) throw new Misfit(path, words, value);
  return value;
};

export const whole = (least, most) => (value, path) => {
  if (!Number.isInteger(value) || value < least || value > most) throw new Misfit(path, `a whole number from ${least} to ${most}`, value);
  return value;
};

export const number = (most) => (value, path) => {
  if (typeof value !== "number" || !(Math.abs(value) <= most)) throw new Misfit(path, `a number of at most ${most}`, value);
  return value;
};

export const flag = (value, path) => {
  if (typeof value !== "boolean") throw new Misfit(path, "true or false", value);
  return value;
};

export const oneOf = (...choices) => (value, path) => {
  if (!choices.includes(value)) throw new Misfit(path, choices.map((each) => `“${each}”`).join(" or "), value);
  return value;
};

/** null, or whatever else is asked for. */
export const maybe = (inner) => (value, path) => (value === null ? null : inner(value, path));

export const list = (inner, most) => (value, path) => {
  if (!Array.isArray(value) || value.length > most) throw new Misfit(path, `a list of at most ${most}`, value);
  return value.map((each, at) => inner(each, `${path}[${at}]`));
};

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const own = (value, key) => (Object.hasOwn(value, key) ? value[key] : undefined);

/** Fields by name. Those of `more` may be missing, and then are. */
export const record = (fields, more = {}) => (value, path) => {
  if (!isObject(value)) throw new Misfit(path, "an object", value);
  const at = (key) => (path ? `${path}.${key}` : key);
  const asked = Object.entries(fields).map(([key, inner]) => [key, inner(own(value, key), at(key))]);
  const extra = Object.entries(more).filter(([key]) => Object.hasOwn(value, key)).map(([key, inner]) => [key, inner(value[key], at(key))]);
  return Object.fromEntries([...asked, ...extra]);
};

/** Whatever keys there are, each of them fit to be one. */
export const mapping = (key, inner, most) => (value, path) => {
  if (!isObject(value)) throw new Misfit(path, "an object", value);
  const pairs = Object.entries(value);
  if (pairs.length > most) throw new Misfit(path, `an object of at most ${most} fields`, value);
  return Object.fromEntries(pairs.map(([name, each]) => [key(name, path), inner(each, `${path}.${name.slice(0, SHOWN)}`)]));
};

/** Any value that JSON holds, so deep and of so many parts; nothing in it is looked at, but that
 * no key is one that every object answers to already: such a value could not even be printed. */
export function free(deepest, most) {
  const walk = (value, path, depth, count) => {
    count.parts += 1;
    if (depth > deepest || count.parts > most) throw new Misfit(path, `at most ${deepest} levels deep, with at most ${most} parts`, "deeper or larger");
    if (Array.isArray(value)) return value.map((each) => walk(each, path, depth + 1, count));
    if (isObject(value)) {
      const entries = Object.entries(value);
      const bad = entries.find(([key]) => key in Object.prototype);
      if (bad) throw new Misfit(path, "without such a field", bad[0]);
      return Object.fromEntries(entries.map(([key, each]) => [key, walk(each, path, depth + 1, count)]));
    }
    if (value === undefined) throw new Misfit(path, "there", value);
    return value;
  };
  return (value, path) => walk(value, path, 0, { parts: 0 });
}
