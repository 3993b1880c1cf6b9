// Something that may be asked for at every frame and must not be done as often: a browser takes
// a few hundred addresses in ten seconds and drops the next (one throws), and then the address
// would name a step that is long past. What would be wrong here: knowing what is done.

const WITHIN = 10_000; // milliseconds
const MOST = 30; // in that time at once; after that, when asking has ended
const REST = 250;

/** `later` does something when there was rest, unless it is called off by what it returns. */
export function sparingly(act, later = restful) {
  let done = [];
  let callOff = () => {};
  const now = (...values) => {
    done.push(performance.now());
    act(...values);
  };
  return (...values) => {
    callOff();
    done = done.filter((time) => performance.now() - time < WITHIN);
    if (done.length < MOST) now(...values);
    else callOff = later(() => now(...values));
  };
}

function restful(work) {
  const timer = setTimeout(work, REST);
  return () => clearTimeout(timer);
}
