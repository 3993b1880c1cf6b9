// How long something took and what the clock then says, in words. A run counts milliseconds
// from its start; only with the instant of that start, which comes with the page, does a
// count become a time of day. What would be wrong here: asking the reader's own clock.

const UNITS = [["h", 3_600_000], ["min", 60_000]];

/** 23400000 → “6 h 30 min”; below a minute, seconds with what is left of them. */
export function duration(milliseconds) {
  const parts = [];
  let rest = milliseconds;
  for (const [unit, size] of UNITS) {
    if (rest >= size) parts.push(`${Math.floor(rest / size)} ${unit}`);
    rest %= size;
  }
  if (rest || !parts.length) parts.push(`${Number((rest / 1000).toFixed(3))} s`);
  return parts.join(" ");
}

/** The zone that a recipe's text names. */
export function zoneOf(text) {
  const found = /[?&]tz=([^&]*)/.exec(text);
  return found ? decodeURIComponent(found[1]) : "UTC";
}

/** “15:30 UTC”, and in a zone that is an offset also what its clocks show; the day where it is another. */
export function instant(start, wall, zone) {
  const [today, time] = reading(wall);
  const utc = `${today === reading(start)[0] ? "" : `${today} `}${time} UTC`;
  const offset = /^([+-])(\d\d):(\d\d)$/.exec(zone);
  if (!offset) return utc;
  const [day, there] = reading(wall + (offset[1] === "-" ? -1 : 1) * (offset[2] * 60 + Number(offset[3])) * 60_000);
  return `${utc}, ${there}${day === today ? "" : day > today ? " the next day" : " the day before"} at ${zone}`;
}

/** [day, time of day]; seconds only where there are any. */
function reading(wall) {
  const [day, time] = new Date(wall).toISOString().replace("Z", "").split("T");
  return [day, time.replace(/\.000$/, "").replace(/^(\d\d:\d\d):00$/, "$1")];
}
