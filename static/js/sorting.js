// In which order names and letters stand. By code, as the core sorts, and not by localeCompare,
// on whose first use a browser spends ten milliseconds. What would be wrong here: an order of
// grants.

export const byCode = (a, b) => (a > b) - (a < b);

/** A recovery's letter, the small one, stands right of the one that it came back for. */
export const besides = (a, b) => byCode(a.toUpperCase(), b.toUpperCase()) || byCode(a, b);
