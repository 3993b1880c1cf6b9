// Whether a text is a well-formed document of XML, as far as our pictures use it: elements,
// attributes in double quotes, the five named entities. Node has no parser of its own. A
// helper, not a test.

const NAME = /[A-Za-z][\w.-]*/.source;
const TEXT = /(?:[^<>&]|&(?:amp|lt|gt|quot|#39);)*/.source;
const ATTRIBUTE = `\\s+(${NAME})="((?:[^<&"]|&(?:amp|lt|gt|quot|#39);)*)"`;
const TOKEN = new RegExp(`(${TEXT})(?:<(/?)(${NAME})((?:${ATTRIBUTE})*)\\s*>)?`, "y");
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;
const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

const shift = ({ transform = "" }) => /translate\((-?[\d.]+) (-?[\d.]+)\)/.exec(transform)?.slice(1).map(Number) ?? [0, 0];

/** {elements: [{name, attributes, at}], text}, or an error that names the place; `at` is how far
 * an element's parents have moved it. */
export function readXml(source) {
  if (UNFIT.test(source)) throw new Error(`not a character of XML: ${JSON.stringify(UNFIT.exec(source)[0])}`);
  const open = [];
  const elements = [];
  let text = "";
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const at = TOKEN.lastIndex;
    const [all, before, closes, name, attributes] = TOKEN.exec(source) ?? [""];
    if (!all) throw new Error(`not well-formed at ${at}: ${source.slice(at, at + 80)}`);
    text += before;
    if (!name) continue;
    if (closes) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing at ${at}`);
    } else {
      const pairs = [...attributes.matchAll(new RegExp(ATTRIBUTE, "g"))].map(([, key, value]) => [key, value]);
      if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`an attribute stands twice at ${at}`);
      const found = Object.fromEntries(pairs);
      const from = open.at(-1)?.to ?? [0, 0];
      open.push({ name, to: shift(found).map((by, side) => from[side] + by) });
      elements.push({ name, attributes: found, at: from });
    }
  }
  if (open.length) throw new Error(`never closed: ${open.map((each) => each.name).join(", ")}`);
  return { elements, text: text.replace(/&[^;]+;/g, (entity) => ENTITIES[entity]) };
}
