// A figure inside somebody else's page: the figure alone, and how high it is told to the page
// around it, which cannot look. What would be wrong here: listening to that page.

import "./core.js";

export function startEmbed() {
  document.documentElement.dataset.embed = "";
  if (window.parent === window) return;
  const tell = () => window.parent.postMessage({ explorer: "height", height: Math.ceil(document.body.getBoundingClientRect().height) }, "*");
  new ResizeObserver(tell).observe(document.body);
  tell();
}
