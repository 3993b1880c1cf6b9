// The keys of the figure, declared once: what the listener looks up and what the key sheet
// prints are the same table. Each names an action that a button has too.

export const SHORTCUTS = {
  ArrowLeft: ["back"],
  ArrowRight: ["forward"],
  "Shift+ArrowLeft": ["same", -1],
  "Shift+ArrowRight": ["same", 1],
  Home: ["go", 0],
  End: ["end"],
  x: ["violation"],
  a: ["grant", "A"],
  b: ["grant", "B"],
  c: ["grant", "C"],
  d: ["grant", "D"],
  e: ["grant", "E"],
  k: ["crash-next"],
  "[": ["seed-by", -1],
  "]": ["seed-by", 1],
  s: ["copy-link"],
  "?": ["keys"],
};

export const KEYS = [
  { shown: ["←", "→"], does: "one grant back or forward" },
  { shown: ["Shift ←", "Shift →"], does: "the same writer’s grant before or after" },
  { shown: ["Home", "End"], does: "the start, the whole run" },
  { shown: ["x"], does: "the next violation" },
  { shown: ["a", "…", "e"], does: "let that writer go next" },
  { shown: ["k"], does: "crash the writer who would go next" },
  { shown: ["[", "]"], does: "the seed before or after" },
  { shown: ["s"], does: "copy the link" },
  { shown: ["?"], does: "show or hide this list; Esc hides it" },
];

/** Where one walks along a row of seeds: by one, by five (one number to the next), to an end. */
export const ROVING = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -5, ArrowDown: 5, Home: -Infinity, End: Infinity };

/** The table's name of a key press. */
export const nameOf = ({ key, shiftKey }) => (shiftKey && key.startsWith("Arrow") ? `Shift+${key}` : key);
