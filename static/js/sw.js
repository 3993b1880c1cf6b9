// Reading without a network. It stands at the site's root, since a service worker answers for the
// folder it lies in, and under a name that never changes. Two kinds of files, two rules: what is
// named by its content is kept for good, and asked for once; a page is asked for anew each time,
// and the copy of the last visit stands in where the network does not answer.
//
// A build's copies have a cache of their own, so that a page and its scripts belong together. A
// new build takes over what it still names; the rest goes when no open page can need it. What
// would be wrong here: an address of another site, or a list that somebody wrote by hand (BUILD
// is put here by explorer/press/offline.py).

/* global BUILD */
const SCOPE = self.registration.scope;
const OURS = `explorer ${SCOPE} `; // another site on this host has its own
const NAME = OURS + BUILD.name;
const [scripts, python, pages] = [BUILD.scripts, BUILD.python, BUILD.pages].map((paths) => paths.map((path) => SCOPE + path));
const cache = caches.open(NAME);
const ANEW = { cache: "no-cache" }; // the browser's own copy may be of an older build
const isKept = (url) => /^(assets|python)\//.test(url.slice(SCOPE.length));
const page = (url) => url.split(/[?#]/)[0].replace(/\/index\.html$/, "/"); // one, whatever its query says

self.addEventListener("install", (event) => event.waitUntil(install(event)));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => event.waitUntil(Promise.all(python.map((url) => kept(url, event)))));
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET" || !url.startsWith(SCOPE)) return;
  if (isKept(url)) event.respondWith(kept(url, event));
  else if (mode === "navigate" && pages.includes(page(url))) event.respondWith(fresh(event));
});

/** Fetch all scripts and styles, and anew each page that an older build has a copy of. */
async function install(event) {
  const known = (await older()).flatMap(({ urls }) => urls);
  await Promise.all([...scripts.map((url) => kept(url, event)), ...pages.filter((url) => known.includes(url)).map(copy)]);
}

/** Take over what is still named and did not come anew; nothing needs the older builds then. */
async function activate() {
  const named = [...scripts, ...python, ...pages];
  const ours = await cache;
  for (const each of await older()) {
    for (const url of each.urls) {
      if (named.includes(url) && !(await ours.match(url))) await ours.put(url, await each.cache.match(url));
    }
    await caches.delete(each.name);
  }
  await self.clients.claim();
  const open = await self.clients.matchAll({ type: "window" });
  await Promise.all(open.map(({ url }) => page(url)).filter((url) => pages.includes(url)).map(copy));
}

/** The caches of older builds, and the addresses in each. */
async function older() {
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== NAME);
  return Promise.all(names.map(async (name) => {
    const cache = await caches.open(name);
    return { name, cache, urls: (await cache.keys()).map(({ url }) => url) };
  }));
}

async function kept(url, event) {
  const known = await caches.match(url);
  if (known) return known;
  const answer = await fetch(url);
  // not waited for: whoever asked counts the bytes as they come
  if (answer.ok) event.waitUntil(put(url, answer.clone()));
  return answer;
}

async function fresh(event) {
  const url = page(event.request.url);
  try {
    const answer = await fetch(event.request, ANEW);
    event.waitUntil(keep(url, answer.clone()));
    return answer;
  } catch (error) {
    const known = await (await cache).match(url);
    if (known) return known;
    throw error;
  }
}

/** A page that cannot be had just now is no reason to fail. */
const copy = (url) => fetch(url, ANEW).then((answer) => keep(url, answer), () => {});

/** A browser shows no redirected answer in place of a page. */
async function keep(url, answer) {
  if (answer.ok && !answer.redirected) await put(url, answer);
}

const put = async (url, answer) => (await cache).put(url, answer);
