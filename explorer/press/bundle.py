"""Scripts and style sheets, bundled and named by what they hold.

esbuild does the work; what is ours is which file becomes which asset, and that
its name carries a hash of its content. What would be wrong here: a second
bundler, or a transformation that the sources rely on: they run unbundled too.
"""

import subprocess
import tempfile
from pathlib import Path

from explorer.press import folder

ENTRIES = {
    "page.js": "static/js/app.js",
    "worker.js": "static/js/worker.js",
    "style.css": "static/css/style.css",
}


def scripts_and_styles(root: Path, out: Path) -> dict[str, str]:
    """Asset names and their paths in the site."""
    return {name: _bundled(root, root / entry, out, name) for name, entry in ENTRIES.items()}


def _bundled(root: Path, entry: Path, out: Path, name: str) -> str:
    with tempfile.TemporaryDirectory() as scratch:
        packed = Path(scratch, name)
        _esbuild(root, entry, packed)
        content = packed.read_bytes()
    stem, _, suffix = name.partition(".")
    path = f"assets/{stem}-{folder.short_hash(content)}.{suffix}"
    folder.write(out / path, content)
    return path


def _esbuild(root: Path, entry: Path, packed: Path) -> None:
    # Called by Node, not by npx: its own start script would have to be allowed
    # to run at installation.
    esbuild = root / "node_modules" / "esbuild" / "bin" / "esbuild"
    words = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--log-level=warning"]
    command = ["node", str(esbuild), str(entry), *words, f"--outfile={packed}"]
    subprocess.run(command, cwd=root, check=True)
