// Ask the core something and get an answer of the right shape, or an error that says what
// was wrong. It turns objects into text and back, and knows nothing of workers: whatever
// can send text and promise text (a worker, a frame, a server) can stand behind it. A long
// answer comes as a list of texts (pieces.js).

import { answerTo, check } from "./contract.js";
import { pause } from "./slices.js";

/** What answers is mostly of the shape that was asked for; `more` goes on in another's. */
export function createBridge(send) {
  return async function put(request, wanted = answerTo(request)) {
    return check(await whole([await send(JSON.stringify(request))].flat()), wanted);
  };
}

/** Texts → the answer: the last is all of it but what the others hold. */
async function whole(texts) {
  const answer = JSON.parse(texts.at(-1));
  for (const text of texts.slice(0, -1)) {
    await pause();
    const { field, items } = JSON.parse(text);
    for (const item of items) answer[field].push(item);
  }
  return answer;
}
