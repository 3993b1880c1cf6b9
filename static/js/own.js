// Which addresses may become a script that the page starts: our own, from this site. Trusted
// Types let nothing else through, and a policy may be made once, so it stands here alone. What
// would be wrong here: what becomes of the script.

let policy;

export function ownScript(address) {
  policy ??= globalThis.trustedTypes?.createPolicy("explorer", { createScriptURL: ownOnly });
  return policy ? policy.createScriptURL(address) : ownOnly(address);
}

function ownOnly(address) {
  const url = new URL(address, document.baseURI);
  if (url.origin !== location.origin) throw new TypeError(`${url} is not of this site`);
  return url.href;
}
