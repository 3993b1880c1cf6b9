// A pen is what a drawing is written with: {html, svg, nothing}. In the browser it is
// lit-html; here is the other one, which writes strings, so that the build can put the
// same figure into the page before any script runs. It knows just what our templates
// use: text, nested templates, lists, whole attributes and ?boolean ones. What would be
// wrong here: a third kind of binding. Events are delegated, properties follow attributes.

class Markup {
  constructor(text) {
    this.text = text;
  }
}

const nothing = Symbol("nothing");
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (value) => String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign]);
const OPENS_ATTRIBUTE = /\s(\??)([\w-]+)=$/;

function child(value) {
  if (value === nothing || value === null || value === undefined) return "";
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(child).join("");
  return escape(value);
}

function write(strings, ...values) {
  let text = strings[0];
  values.forEach((value, place) => {
    const attribute = OPENS_ATTRIBUTE.exec(text);
    if (!attribute) text += child(value);
    else {
      text = text.slice(0, attribute.index);
      const [, maybe, name] = attribute;
      if (maybe ? value : value !== nothing) text += maybe ? ` ${name}=""` : ` ${name}="${escape(value)}"`;
    }
    text += strings[place + 1];
  });
  return new Markup(text);
}

export const stringPen = { html: write, svg: write, nothing };
export const inkOf = (markup) => markup.text;
