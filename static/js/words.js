// Words in the prose that light their marks: a name its lane, a grant its row. A press on a
// grant goes there. Apart from the figures because prose is no part of any of them; it finds
// them by name. What would be wrong here: what a step shows.

const LIT = "lit";

export function startWords() {
  for (const [enter, leave] of [["pointerover", "pointerout"], ["focusin", "focusout"]]) {
    document.addEventListener(enter, ({ target }) => light(target, true));
    document.addEventListener(leave, ({ target }) => light(target, false));
  }
  document.addEventListener("click", ({ target }) => {
    const word = wordOf(target);
    if (word?.dataset.grant) rowOf(word)?.querySelector(".go").click();
  });
}

const wordOf = (target) => target.closest?.("[data-lights]");
const figureOf = (word) => document.getElementById(word.dataset.lights);
const rowOf = (word) => figureOf(word)?.querySelector(`.go[data-value="${CSS.escape(word.dataset.grant)}"]`)?.closest("tr");

function light(target, on) {
  const word = wordOf(target);
  if (!word) return;
  const { lane, grant } = word.dataset;
  if (grant) rowOf(word)?.classList.toggle(LIT, on);
  if (lane) figureOf(word)?.classList.toggle(`${LIT}-${lane}`, on);
}
