// Ask the core something and get an answer of the right shape, or an error that says what
// was wrong. It turns objects into text and back, and knows nothing of workers: whatever
// can send text and promise text (a worker, a frame, a server) can stand behind it.

import { answerTo, check } from "./contract.js";

export function createBridge(send) {
  return async (request) => check(JSON.parse(await send(JSON.stringify(request))), answerTo(request));
}
