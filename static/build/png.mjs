// Pixels → a PNG with a palette. A picture of ink on paper has few inks: each shade is one of
// them, more or less covered by paper, so a palette of those holds it, at a third of the size.
// The renderer writes four bytes a pixel and offers nothing else. What would be wrong here: a
// colour that is not handed in.

import { crc32, deflateSync } from "node:zlib";

const SHADES = 24;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const EIGHT_BITS = 8;
const INDEXED = 3;

/** `pixels` are RGBA rows without a gap, all opaque; `inks` and `paper` are like #1c1b19. */
export function indexed(pixels, width, height, inks, paper) {
  const palette = shades(inks.map(channels), channels(paper));
  const rows = Buffer.alloc((width + 1) * height); // each row begins with its filter: none
  const known = new Map();
  for (let at = 0; at < width * height; at += 1) {
    const colour = (pixels[at * 4] << 16) | (pixels[at * 4 + 1] << 8) | pixels[at * 4 + 2];
    let shade = known.get(colour);
    if (shade === undefined) known.set(colour, (shade = nearest(palette, [...pixels.subarray(at * 4, at * 4 + 3)])));
    rows[at + Math.floor(at / width) + 1] = shade;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([EIGHT_BITS, INDEXED], 8);
  return Buffer.concat([SIGNATURE, chunk("IHDR", head), chunk("PLTE", Buffer.from(palette.flat())), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

const channels = (colour) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Paper, and each ink in steps from nearly paper to whole. */
function shades(inks, paper) {
  const mixed = inks.flatMap((ink) => Array.from({ length: SHADES }, (_, at) => ink.map((part, which) => Math.round(paper[which] + ((part - paper[which]) * (at + 1)) / SHADES))));
  return [paper, ...mixed];
}

function nearest(palette, colour) {
  const distances = palette.map((shade) => shade.reduce((sum, part, which) => sum + (part - colour[which]) ** 2, 0));
  return distances.indexOf(Math.min(...distances));
}

function chunk(name, content) {
  const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
