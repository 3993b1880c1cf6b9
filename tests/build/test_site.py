"""The site's recipe: the same bytes twice, whole or not at all, and within its budget."""

import os
import random
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import brotli
import pytest

import build
from explorer import pages
from explorer.press import budget, bundle, figures, folder, runtime

ROOT = Path(build.__file__).parent
DIST = ROOT / "dist"
BUILT = pages.Built.load(DIST)
HASHED = re.compile(r"assets/[a-z]+-[A-Z0-9]{8}\.(js|css)|assets/chunk-[A-Z0-9]{8}\.js")


def contents(place: Path) -> dict[str, bytes]:
    files = sorted(path for path in place.rglob("*") if path.is_file())
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in files}


PRESS = """
import sys
from pathlib import Path
import build
build.DIST, build.CACHE = Path(sys.argv[1], "dist"), Path(sys.argv[1], "cache")
build.CACHE.mkdir()
build.site()
"""


def test_a_second_build_from_nothing_gives_the_same_bytes(tmp_path: Path) -> None:
    """In another process, under another hash seed, without what the first one has cached."""
    assert not build.stale(), "dist/ is older than its sources: run python3 build.py site"
    environment = {**os.environ, "PYTHONHASHSEED": "2718"}
    command = [sys.executable, "-c", PRESS, str(tmp_path)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    again, first = contents(tmp_path / "dist"), contents(DIST)
    assert sorted(again) == sorted(first)
    assert [path for path in first if again[path] != first[path]] == []


def test_every_file_that_is_kept_for_good_is_named_by_what_it_holds() -> None:
    assert all(HASHED.fullmatch(path) for path in (*BUILT.assets.values(), *BUILT.at_once))
    for part in BUILT.python:
        assert (DIST / part["path"]).stat().st_size == part["bytes"]


def test_a_script_and_all_that_import_it_have_other_names_once_it_is_changed(
    tmp_path: Path,
) -> None:
    shutil.copytree(ROOT / "static", tmp_path / "static")
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    before = bundle.scripts_and_styles(tmp_path, tmp_path / "before")
    words = tmp_path / "static/js/draw/paths.js"
    words.write_text(words.read_text().replace("this order as a path", "this order as a way"))
    after = bundle.scripts_and_styles(tmp_path, tmp_path / "after")
    changed = {name for name, path in before.assets.items() if after.assets[name] != path}
    assert changed == {"panels.js", "page.js"}


def test_the_library_is_bytecode_of_the_modules_in_use() -> None:
    path = next(part["path"] for part in BUILT.python if part["name"] == runtime.LIBRARY)
    names = zipfile.ZipFile(DIST / path).namelist()
    assert "sqlite3/__init__.pyc" in names
    assert "encodings/utf_8.pyc" in names
    assert all(name.endswith(".pyc") for name in names)
    assert "tkinter/__init__.pyc" not in names
    assert len(names) < 250


def test_sim_core_travels_compiled_but_for_stories_and_the_audit_not_at_all() -> None:
    path = next(part["path"] for part in BUILT.python if part["name"] == runtime.OURS)
    packed = zipfile.ZipFile(DIST / path)
    names = [path.relative_to(ROOT).as_posix() for path in (ROOT / "sim_core").rglob("*.py")]
    stories = ("sim_core/scenarios/", "sim_core/bench/w1.py")
    shown = {name for name in names if name.startswith(stories)}
    compiled = {f"{name}c" for name in names if name not in shown and "/seams/audit" not in name}
    assert {name for name in packed.namelist() if ".py" in name} == shown | compiled
    assert all(packed.read(name) == (ROOT / name).read_bytes() for name in shown)


def test_a_build_that_fails_leaves_the_last_good_site(tmp_path: Path) -> None:
    place = tmp_path / "dist"
    with folder.swapped_in(place) as new:
        folder.write(new / "index.html", "good")
    with pytest.raises(ZeroDivisionError), folder.swapped_in(place) as new:
        folder.write(new / "index.html", str(1 / 0))
    assert contents(tmp_path) == {"dist/index.html": b"good"}


def small_site(place: Path) -> bundle.Bundled:
    assets = {name: f"assets/{name}" for name in bundle.ENTRIES}
    scripts = bundle.Bundled(assets, ["assets/chunk.js"], ["assets/panels.js"])
    pages_of = ("index.html", "sections/index.html")
    for path in (*assets.values(), *scripts.at_once, *scripts.later, *pages_of):
        folder.write(place / path, "small")
    return scripts


FAT = random.Random(1).randbytes(61_000)


@pytest.mark.parametrize(
    ("path", "over"),
    [
        ("sections/index.html", ["/sections: HTML, CSS and default traces"]),
        ("assets/style.css", ["/: HTML, CSS", "/sections: HTML, CSS"]),
        ("assets/page.js", ["page script"]),
        ("assets/chunk.js", ["page script"]),
        ("assets/panels.js", ["scripts that come when they are wanted"]),
        ("assets/worker.js", []),
    ],
)
def test_a_fat_file_fails_the_build_and_is_named(
    tmp_path: Path, path: str, over: list[str]
) -> None:
    scripts = small_site(tmp_path)
    budget.check(budget.weighed(tmp_path, scripts, []))
    folder.write(tmp_path / path, FAT)
    lines = list(budget.weighed(tmp_path, scripts, []))
    if not over:
        budget.check(lines)
        return
    with pytest.raises(budget.Overrun) as overrun:
        budget.check(lines)
    assert all(part in str(overrun.value) for part in over)


def test_a_fat_python_fails_the_build_and_is_named() -> None:
    line = budget.Line("Python and SQLite", budget.PYTHON + 1, budget.PYTHON)
    with pytest.raises(budget.Overrun, match=r"Python and SQLite is 1 B over its limit"):
        budget.check([line])


@pytest.mark.slow
def test_what_was_measured_once_is_still_so() -> None:
    files = {path.name: path.read_bytes() for path in (ROOT / "node_modules/pyodide").iterdir()}
    found = {budget.digest(content): content for content in files.values()}
    for digest, size in budget.MEASURED.items():
        assert len(brotli.compress(found[digest])) == size


def test_a_figure_is_drawn_from_the_native_core() -> None:
    assert figures.drawn(ROOT) == dict(BUILT.figures)
