// The files of a zip that only stores them: sim_core travels in one, and Python's own way to open
// it would cost more time than all that is in it. What would be wrong here: a zip of somebody else.

const ENTRY = 0x04034b50;

/** Every file with its path, in order; its bytes are those of the zip, not a copy. */
export function* stored(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (view.getUint32(at, true) === ENTRY) {
    if (view.getUint16(at + 8, true) !== 0) throw new Error("the zip does more than store");
    const [size, name, extra] = [view.getUint32(at + 18, true), view.getUint16(at + 26, true), view.getUint16(at + 28, true)];
    const from = at + 30 + name + extra;
    yield { path: new TextDecoder().decode(bytes.subarray(at + 30, at + 30 + name)), content: bytes.subarray(from, from + size) };
    at = from + size;
  }
}
