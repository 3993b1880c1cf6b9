"""What a reader downloads, held against its limits: the build fails on overrun.

Sizes are those of brotli at its best, which is what a good host sends. A limit
that is only looked at when somebody remembers is no limit, so this is a step of
every build. What would be wrong here: deciding what a page loads; the sums
below are of what the built pages name.
"""

import hashlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import brotli

from explorer.pages import Part
from explorer.press.bundle import Bundled

PAGE = 30_000
SCRIPT = 30_000
LATER = 60_000
"""What only those fetch who explore."""
FIRST_VIEW = 60_000
PYTHON = 3_900_000

# Compressing these takes half a minute and they change with Pyodide's version
# only. An entry counts while its file has this hash; a test measures it anew.
MEASURED = {
    "f7cdc8ece80678ceb712f8e65ebe6d3a83203a180c399865f49612a051693635": 207_390,  # pyodide.asm.mjs
    "cc36e3cab04fdfc9a63ff13eb52eae2b911bf46c025cc7b281f394bd3de1d5e6": 2_741_061,  # …asm.wasm
}


class Line(NamedTuple):
    part: str
    size: int
    limit: int


class Overrun(SystemExit):
    """A part of the site is larger than its limit: the build ends here."""


def check(lines: Iterable[Line]) -> None:
    """Print every line; fail naming those that are over."""
    lines = list(lines)
    print(table(lines))
    over = [line for line in lines if line.size > line.limit]
    if over:
        raise Overrun("The site is over its budget: " + "; ".join(map(_excess, over)))


def _excess(line: Line) -> str:
    return f"{line.part} is {line.size - line.limit:,} B over its limit"


def weighed(out: Path, scripts: Bundled, python: list[Part]) -> Iterator[Line]:
    """One line for each thing that has a limit, page by page."""
    assets = scripts.assets
    script = sum(weight(out / path) for path in (assets["page.js"], *scripts.at_once))
    style = weight(out / assets["style.css"])
    yield Line("page script", script, SCRIPT)
    later = sum(weight(out / path) for path in scripts.later)
    yield Line("scripts that come when they are wanted", later, LATER)
    for path in sorted(out.rglob("index.html")):
        page = weight(path) + style
        name = f"/{path.relative_to(out).parent.as_posix().strip('.')}"
        yield Line(f"{name}: HTML, CSS and default traces", page, PAGE)
        yield Line(f"{name}: first view, no Python", page + script, FIRST_VIEW)
    runtime = [out / assets["worker.js"], *(out / part["path"] for part in python)]
    with ThreadPoolExecutor() as pool:
        yield Line("Python and SQLite", sum(pool.map(weight, runtime)), PYTHON)


def weight(path: Path) -> int:
    content = path.read_bytes()
    return MEASURED.get(digest(content)) or len(brotli.compress(content))


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def table(lines: list[Line]) -> str:
    width = max(len(line.part) for line in lines)
    return "\n".join(
        f"  {part:{width}}  {size:>9,} B of {limit:>9,} B{'  OVER' if size > limit else ''}"
        for part, size, limit in lines
    )
