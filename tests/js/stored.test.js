import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { stored } from "../../static/js/stored.js";

const MAKE = `
import io, sys, zipfile
made = io.BytesIO()
with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED if sys.argv[1] == "deflated" else zipfile.ZIP_STORED) as out:
    out.writestr("a/empty.txt", b"")
    out.writestr("a/b/grüße.bin", bytes(range(256)))
    out.writestr("last.py", b"x = 1" * 200)
sys.stdout.buffer.write(made.getvalue())
`;
const zip = (how) => new Uint8Array(execFileSync("python3", ["-c", MAKE, how]));

test("every file of a zip that Python stored comes out whole, in order", () => {
  const files = [...stored(zip("stored"))];
  assert.deepEqual(files.map(({ path }) => path), ["a/empty.txt", "a/b/grüße.bin", "last.py"]);
  assert.deepEqual(files.map(({ content }) => content.length), [0, 256, 1000]);
  assert.deepEqual([...files[1].content], [...Array(256).keys()]);
});

test("a zip that does more than store is refused, not read as garbage", () => {
  assert.throws(() => [...stored(zip("deflated"))], /more than store/);
});
