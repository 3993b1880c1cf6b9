"""The Python that runs in the page: Pyodide, a standard library cut to size, and sim_core.

Pyodide comes from npm, pinned; its files go into a folder named by what they
hold. Stock it would weigh 5.5 MB: the package index is emptied (we install
nothing in the page) and the standard library is cut to the modules in use;
sim_core is compiled, since a page would spend half its start on that
(static/build/trim.mjs, which also proves both). What would be wrong here: a file
of Pyodide that was changed by hand.
"""

import io
import json
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path

from explorer.pages import Part
from explorer.press import folder

UNCHANGED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
INDEX = "pyodide-lock.json"
LIBRARY = "python_stdlib.zip"
OURS = "sim_core.zip"
FIRST_DAY_OF_ZIP = (1980, 1, 1, 0, 0, 0)


def vendored(root: Path, out: Path, cache: Path) -> list[Part]:
    """What a page has to fetch to run Python, in the order of use."""
    stock, making = root / "node_modules" / "pyodide", out / "python" / "making"
    for name in UNCHANGED:
        folder.copy(stock / name, making / name)
    folder.write(making / INDEX, _empty_index(stock / INDEX))
    library, core = _made(root, making, _sim_core(root / "sim_core"), cache)
    folder.copy(library, making / LIBRARY)
    named = making.rename(out / "python" / folder.short_hash(*_contents(making)))
    content = core.read_bytes()
    packed = folder.write(out / "python" / f"sim_core-{folder.short_hash(content)}.zip", content)
    parts = {name: named / name for name in (*UNCHANGED, INDEX, LIBRARY)}
    return [_part(name, path, out) for name, path in {**parts, OURS: packed}.items()]


def _part(name: str, path: Path, out: Path) -> Part:
    return Part(name=name, path=path.relative_to(out).as_posix(), bytes=path.stat().st_size)


def _contents(making: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(making.iterdir())]


def _sim_core(package: Path) -> bytes:
    """Our sources: the same bytes from the same sources, whenever and wherever they are packed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as out:
        for path in sorted(package.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                entry = path.relative_to(package.parent).as_posix()
                out.writestr(zipfile.ZipInfo(entry, FIRST_DAY_OF_ZIP), path.read_bytes())
    return packed.getvalue()


def _empty_index(stock: Path) -> str:
    index = json.loads(stock.read_text(encoding="utf-8"))
    return json.dumps({"info": index["info"], "packages": {}})


def _made(root: Path, shipped: Path, core: bytes, cache: Path) -> tuple[Path, Path]:
    """The library and our core: some seconds of work, kept in the cache under all that it depends
    on. What else Pyodide needs stands in `shipped`."""
    stock, scripts = root / "node_modules" / "pyodide", root / "static" / "build"
    sources = [*(stock / name for name in (*UNCHANGED, LIBRARY)), *sorted(scripts.glob("trim.*"))]
    key = folder.short_hash(core, *(path.read_bytes() for path in sources))
    kept = cache / f"python-{key}"
    if not kept.exists():
        for older in cache.glob("python-*"):
            shutil.rmtree(older)
        with folder.swapped_in(kept) as out:
            for path in shipped.iterdir():
                folder.copy(path, out / path.name)
            _run_trim(scripts / "trim.mjs", stock, out, core)
    return kept / LIBRARY, kept / OURS


def _run_trim(script: Path, stock: Path, out: Path, core: bytes) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        packed = folder.write(Path(scratch, OURS), core)
        subprocess.run(["node", str(script), str(stock), str(out), str(packed)], check=True)
