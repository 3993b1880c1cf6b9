// The page's side of reading without a network: starts the service worker (sw.js), and tells it
// once the reader's Python has come, since the first of it may come before the worker is awake.
// It is asked for when all else on the page is done. What would be wrong here: what is kept.

import "./core.js";

/** On these names a browser meets one site today and another tomorrow, on the same port: a worker
 * that stays would give yesterday's pages to tomorrow's site. Our own server is one of them. */
const PASSING = ["localhost", "127.0.0.1", "[::1]"];

export async function startOffline(script, runner) {
  const { serviceWorker } = navigator;
  if (!serviceWorker || PASSING.includes(location.hostname)) return;
  runner.listen(({ phase }) => phase === "starting" && keepPython(serviceWorker));
  try {
    await serviceWorker.register(script, { updateViaCache: "none" });
  } catch {
    // a browser that keeps nothing (some, in private windows) reads on with a network
  }
}

async function keepPython(serviceWorker) {
  (await serviceWorker.ready).active.postMessage("python");
}
