"""Taste as a test: the rooms import one way, and each door has one keeper."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CORE = ROOT / "sim_core"
ORDER = [
    *("quoting", "errors", "seams", "engine", "judge", "search"),
    *("story", "axis", "report", "matrix", "bridge"),
]
FILES = sorted(path.relative_to(ROOT).as_posix() for path in CORE.rglob("*.py"))

TOUCH_SQLITE = (
    *("aiosqlite_shape", "blame", "cursor", "db", "execution", "faults", "file", "film", "handle"),
    *("needs", "outcome", "parameters", "pool", "reader", "run", "statement", "unfinished"),
)

KEEPERS = {
    "sqlite3": (
        {f"engine/{name}.py" for name in TOUCH_SQLITE}
        | {"seams/sqltime.py", "search/tables.py", "bridge.py"}
        | {"scenarios/owners.py"},  # it catches SQLite's errors, as a hook does
        "go through engine/file.py or the facade in engine/db.py",
    ),
    "time": (
        {"bench/__init__.py", "bench/growth.py"},
        "measure in sim_core/bench, and nowhere else",
    ),
    "json": ({"engine/plain.py", "bridge.py"}, "use plain.encode, or answer through bridge.py"),
    "hashlib": ({"engine/plain.py"}, "use trace.digest"),
    "tempfile": ({"engine/place.py"}, "let engine/place.py own the directory"),
    "datetime": (
        {"seams/clock.py", "seams/zones.py", "engine/writerclock.py", "scenarios/seams.py"},
        "ask the run's clock (seams/clock.py)",
    ),
}
BANNED = ("random", "secrets", "uuid", "asyncio", "threading", "subprocess", "socket")


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            if node.module == "sim_core":
                yield from (f"sim_core.{alias.name}" for alias in node.names)


def room(name: str) -> str:
    return name.split(".")[1].removesuffix(".py")


@pytest.mark.parametrize("name", FILES)
def test_a_room_imports_only_rooms_before_it(name: str) -> None:
    here = name.removeprefix("sim_core/").split("/")[0].removesuffix(".py")
    if here not in ORDER:
        return
    for imported in imports(ROOT / name):
        if imported.startswith("sim_core.") and room(imported) in ORDER:
            assert ORDER.index(room(imported)) <= ORDER.index(here), (
                f"{name} imports {imported}: {here} comes before {room(imported)}"
            )


@pytest.mark.parametrize("name", FILES)
def test_a_door_is_opened_by_its_keepers_only(name: str) -> None:
    here = name.removeprefix("sim_core/")
    for imported in {one.split(".")[0] for one in imports(ROOT / name)}:
        assert imported not in BANNED, f"{name} imports {imported}: a run must not depend on it"
        if imported in KEEPERS:
            keepers, instead = KEEPERS[imported]
            assert here in keepers, f"{name} imports {imported}; {instead}"


@pytest.mark.parametrize("path", sorted((CORE / "scenarios").glob("[a-z]*.py")), ids=str)
def test_a_scenario_stands_alone_and_fits_side_by_side(path: Path) -> None:
    assert not [name for name in imports(path) if name.startswith(("sim_core", "explorer"))]
    wide = [line for line in path.read_text().splitlines() if len(line) > 72]
    assert not wide, f"{path.name} has lines too wide to stand side by side: {wide}"


def test_the_core_does_not_know_who_uses_it() -> None:
    users = {"explorer", "click", "rich", "jinja2", "starlette", "uvicorn", "aiosqlite"}
    for name in FILES:
        assert not users & {one.split(".")[0] for one in imports(ROOT / name)}, name


SOURCES = sorted(
    path.relative_to(ROOT).as_posix()
    for room in ("sim_core", "explorer", "static/js", "static/css", "tests", ".")
    for suffix in ("py", "js", "mjs", "css")
    for path in (ROOT / room).glob(f"*.{suffix}" if room == "." else f"**/*.{suffix}")
)


STORIES = {"sim_core/scenarios/claims.py": 470, "build.py": 360}
"""A story is one file, and this one has nine writers and eight promises."""


@pytest.mark.parametrize("name", SOURCES)
def test_no_file_outgrows_its_idea(name: str) -> None:
    lines = len((ROOT / name).read_text().splitlines())
    assert lines <= STORIES.get(name, 350), f"{name} has {lines} lines: find the missing noun"


@pytest.mark.parametrize("name", [name for name in SOURCES if name.endswith(".py")])
def test_a_module_opens_with_why_it_exists(name: str) -> None:
    assert ast.get_docstring(ast.parse((ROOT / name).read_text())) or not (
        (ROOT / name).read_text().strip()
    ), f"{name} does not say why it exists apart"
