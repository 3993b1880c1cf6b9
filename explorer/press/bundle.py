"""Scripts and style sheets, bundled and named by what they hold.

esbuild does the work; what is ours is which file becomes which asset, and that
its name carries a hash of its content. What would be wrong here: a second
bundler, or a transformation that the sources rely on: they run unbundled too.
"""

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from explorer.press import folder

ENTRIES = {
    "page.js": "static/js/app.js",
    "worker.js": "static/js/worker.js",
    "style.css": "static/css/style.css",
}
AT_ONCE = "import-statement"

Made = dict[str, dict[str, Any]]


class Bundled(NamedTuple):
    """What a bundle came to; every path is relative to the site."""

    assets: dict[str, str]
    """Logical name → path; what a script imports once it is wanted has a name, too."""
    at_once: list[str]
    """The scripts that page.js imports before it does anything."""
    later: list[str]
    """The scripts that come when they are wanted."""


def scripts_and_styles(root: Path, out: Path) -> Bundled:
    with tempfile.TemporaryDirectory() as scratch:
        made = _esbuild(root, Path(scratch))
        for path in made:
            folder.copy(Path(scratch, path), out / "assets" / path)
    assets = {_name(one["entryPoint"]): path for path, one in made.items() if "entryPoint" in one}
    first = _at_once(assets["page.js"], made)
    later = [path for path in made if path.endswith(".js") and path not in first]
    later.remove(assets["worker.js"])
    placed = {name: _placed(path) for name, path in assets.items()}
    return Bundled(placed, list(map(_placed, first[1:])), list(map(_placed, later)))


def _placed(path: str) -> str:
    return f"assets/{path}"


def _at_once(path: str, made: Made) -> list[str]:
    """Return a script and all that it cannot start without."""
    needed = [path]
    for one in needed:
        imports = [each["path"] for each in made[one]["imports"] if each["kind"] == AT_ONCE]
        needed += [each for each in imports if each not in needed]
    return needed


def alone(root: Path, source: Path, target: Path, **known: object) -> Path:
    """Make one script of its own, under a name that stays, with what it finds under `known`."""
    define = [f"--define:{name}={json.dumps(value)}" for name, value in known.items()]
    _run(root, target.parent, [str(source), *define, f"--outfile={target}"])
    return target


def _esbuild(root: Path, scratch: Path) -> Made:
    """Bundle every entry; return what esbuild says of each file that it made."""
    names = ["--splitting", "--entry-names=[name]-[hash]", "--chunk-names=[name]-[hash]"]
    entries = [f"{name.partition('.')[0]}={root / entry}" for name, entry in ENTRIES.items()]
    meta = scratch / "meta.json"
    # from the folder that is written to, so that paths in the answer are the files' names
    _run(root, scratch, [*entries, *names, f"--outdir={scratch}", f"--metafile={meta}"])
    made: Made = json.loads(meta.read_text(encoding="utf-8"))["outputs"]
    meta.unlink()
    return made


def _run(root: Path, place: Path, words: list[str]) -> None:
    # Called by Node, not by npx: its own start script would have to be allowed
    # to run at installation.
    esbuild = root / "node_modules" / "esbuild" / "bin" / "esbuild"
    how = ["--bundle", "--minify", "--format=esm", "--target=es2022", "--log-level=warning"]
    subprocess.run(["node", str(esbuild), *words, *how], cwd=place, check=True)


def _name(entry: str) -> str:
    """Return the logical name of what was made from a source: that of an entry, or the file's."""
    known = {Path(source).name: name for name, source in ENTRIES.items()}
    return known.get(Path(entry).name, Path(entry).name)
