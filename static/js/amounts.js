// How many, how likely and which share, in words: what every panel prints. What would be wrong
// here: a figure of its own.

export const many = (count) => count.toLocaleString("en");
export const some = (count, one, more = `${one}s`) => `${many(count)} ${count === 1 ? one : more}`;

/** A share in percent; what is neither none nor all is never printed as if it were. */
export function percent(share, round = Math.round) {
  const tenths = round(share * 1000) / 10;
  if (share > 0 && tenths === 0) return "under 0.1 %";
  if (share < 1 && tenths === 100 && round === Math.round) return "over 99.9 %";
  return `${tenths} %`;
}

/** The 95 % score interval of a share (E. B. Wilson, 1927), as fractions. */
export function wilson(hits, of) {
  const z = 1.959964;
  const share = hits / of;
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const spread = (z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))) / (1 + (z * z) / of);
  return [Math.max(0, middle - spread), Math.min(1, middle + spread)];
}

/** The interval as printed: rounded outward, so that it claims no more than it may. */
export function interval(hits, of) {
  const [low, high] = wilson(hits, of);
  return `${(Math.floor(low * 1000) / 10).toFixed(1)}–${(Math.ceil(high * 1000) / 10).toFixed(1)} %`;
}
