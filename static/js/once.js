// A question about a run, or about its model, that is asked at every drawing and has one answer:
// both stay as they are. What would be wrong here: a question that also depends on the step.

export function once(answer) {
  const known = new WeakMap();
  return (about) => {
    if (!known.has(about)) known.set(about, answer(about));
    return known.get(about);
  };
}
