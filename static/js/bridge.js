// Ask the core something and get an answer of the right shape, or an error that says what
// was wrong. It turns objects into text and back, and knows nothing of workers: whatever
// can send text and promise text (a worker, a frame, a server) can stand behind it.

import { check } from "./contract.js";

/** What answers is mostly of the shape that was asked for; `more` goes on in another's. */
export function createBridge(send) {
  return async function put(request, wanted = request.ask) {
    return check(JSON.parse(await send(JSON.stringify(request))), wanted);
  };
}
