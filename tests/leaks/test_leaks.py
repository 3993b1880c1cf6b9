"""Every planted leak is found on its line, and what only looks like one is not."""

import json
import random
import secrets
import sqlite3
import textwrap
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from sim_core.seams.audit import EXCUSE, Finding, audit, leaks_in
from sim_core.seams.audit_names import BUILTINS, RULES
from sim_core.seams.audit_sql import WHY
from tests.leaks.harmless import HARMLESS
from tests.leaks.planted import PLANTED
from tests.leaks.planted_leak import Planted

ROOT = Path(__file__).parent.parent.parent
CORE = ROOT / "sim_core"
SCENARIOS = sorted((CORE / "scenarios").glob("[a-z]*.py"))
SEAM = (CORE / "seams", CORE / "bench")
"""Who may ask the machine: the seam, and the benchmark."""


def written(folder: Path, source: str) -> Path:
    path = folder / "planted.py"
    path.write_text(source)
    return path


def named(findings: list[Finding]) -> list[tuple[int, str, str]]:
    return [(one.line, one.kind, one.call) for one in findings]


@pytest.mark.parametrize("leak", PLANTED, ids=lambda leak: f"{leak.kind}-{leak.way}-{leak.call}")
def test_a_planted_leak_is_found_on_its_line(tmp_path: Path, leak: Planted) -> None:
    found = leaks_in(written(tmp_path, leak.source))
    assert (leak.line, leak.kind, leak.call) in named(found)
    assert {(one.kind, one.call) for one in found} == {(leak.kind, leak.call)}
    (one,) = (one for one in found if one.line == leak.line)
    assert one.why and one.source == leak.source.splitlines()[leak.line - 1].strip()


def test_the_table_is_as_wide_as_it_says() -> None:
    assert len(PLANTED) >= 60
    rules = [*RULES.values(), *BUILTINS.values()]
    kinds = {rule.kind for rule in rules} | {*WHY, "set order", EXCUSE}
    assert {leak.kind for leak in PLANTED} == kinds and len(kinds) >= 20


@pytest.mark.parametrize("source", HARMLESS.values(), ids=HARMLESS)
def test_what_only_looks_like_a_leak_is_none(tmp_path: Path, source: str) -> None:
    assert leaks_in(written(tmp_path, source)) == []


# No false alarm.


@pytest.mark.parametrize("module", [json, sqlite3, textwrap], ids=lambda module: module.__name__)
def test_modules_that_ask_nothing_are_clean(module: ModuleType) -> None:
    file = Path(str(module.__file__))
    assert leaks_in(file.parent if file.name == "__init__.py" else file) == []


def test_what_pep_249_makes_local_is_told_where_it_is_called(tmp_path: Path) -> None:
    path = written(tmp_path, "from sqlite3 import TimestampFromTicks as stamp\nat = stamp(0)\n")
    assert named(leaks_in(path)) == [(2, "local date", "sqlite3.TimestampFromTicks")]


def test_the_core_asks_the_machine_in_its_seam_only() -> None:
    found = audit([CORE], allow=[*SEAM, CORE / "scenarios"])
    assert named(found.findings) == [] and found.files > 50


def test_the_seam_is_let_through_because_it_is_named_and_not_for_where_it_lies() -> None:
    found = {one.kind for path in SEAM for one in leaks_in(path)}
    assert "monotonic clock" in found


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_asks_nothing_but_the_one_whose_story_is_the_leak(path: Path) -> None:
    calls = Counter((one.kind, one.call) for one in leaks_in(path))
    story = {("local date", "date.today"): 2} if path.stem == "seams" else {}
    assert calls == story


# What may stay.


def test_an_excuse_without_a_reason_is_told_beside_the_leak(tmp_path: Path) -> None:
    source = "import time\nx = time.time()  # leak: allowed, because   \n"
    found = leaks_in(written(tmp_path, source))
    assert named(found) == [(2, "excuse", "# leak: allowed"), (2, "wall clock", "time.time")]


def test_an_excuse_holds_for_its_own_line_only(tmp_path: Path) -> None:
    source = "import time\n# leak: allowed, because I say so\nx = time.time()\n"
    assert named(leaks_in(written(tmp_path, source))) == [(3, "wall clock", "time.time")]


SCENARIO = '''
SCHEMA = "CREATE TABLE t (at DEFAULT (date('now')))"
async def one(db):
    """Write."""
'''


def test_a_scenarios_sql_is_answered_by_the_run_and_told_on_request(tmp_path: Path) -> None:
    path = written(tmp_path, SCENARIO)
    assert leaks_in(path) == [] and audit([path]).answered == 1
    (one,) = leaks_in(path, sql=True)
    assert (one.kind, one.call) == ("sql clock", "date()") and "the run's clock answers" in one.why


def test_several_leaks_come_from_top_to_bottom_and_each_once(tmp_path: Path) -> None:
    source = "import time, os\nx = time.time() - time.time(), os.getpid()\ny = time.sleep(1)\n"
    assert named(leaks_in(written(tmp_path, source))) == [
        (2, "process number", "os.getpid"),
        (2, "wall clock", "time.time"),
        (3, "sleep", "time.sleep"),
    ]


# What takes long.


LONG = {
    "blanks": "x = '" + " " * 100_000 + "date'",
    "comments in SQL": "x = '" + "/**/ " * 20_000 + "date'",
    "brackets in SQL": "x = 'SELECT date " + "[" * 100_000 + "'",
    "quotes in SQL": 'x = "SELECT date ' + "'" * 100_001 + '"',
    "hashes": "def f(x):\n" + "    k = hash(x)\n" * 3_000 + "    return seen[k]",
    "classes of one name": "class A: ...\n" * 3_000 + "A.b\n" * 3_000,
    "names in a row": "a0 = c\n" + "".join(f"a{i + 1} = a{i}\n" for i in range(3_000)),
    "addresses in a table": "x = {" + "id(y): 1, " * 20_000 + "}",
    "constants of constants": "N0 = 'x' + 'x'\n"
    + "".join(f"N{i + 1} = {' + '.join([f'N{i}'] * 50)}\n" for i in range(9)),
    "excuses": "import os\n" + "os.getpid()  # leak: allowed, because I say so\n" * 5_000,
}


@pytest.mark.parametrize("source", LONG.values(), ids=LONG)
def test_no_file_takes_longer_than_its_length(tmp_path: Path, source: str) -> None:
    """Each of these took minutes, or would, where one thing is looked at for every other."""
    assert leaks_in(written(tmp_path, source)) == []


# Tables.


@pytest.mark.parametrize("module", [random, secrets], ids=lambda module: module.__name__)
def test_the_rules_know_every_function_that_throws_dice(module: ModuleType) -> None:
    spared = {"setstate", "getstate", "compare_digest"}
    public = {f"{module.__name__}.{name}" for name in module.__all__ if name not in spared}
    assert public <= RULES.keys()


# Scenarios.


def test_a_constant_called_schema_makes_no_scenario(tmp_path: Path) -> None:
    sql = "SCHEMA = \"CREATE TABLE t (at DEFAULT (date('now')))\"\n"
    for writer, is_one in {
        "": False,
        "async def one(db): ...": False,
        "async def one(x):\n    'Write.'": False,
        "def one(db):\n    'Write.'": False,
        "WRITERS = ('one',)": True,
        "async def one(db, me):\n    'Write.'": True,
    }.items():
        done = audit([written(tmp_path, sql + writer)])
        assert (done.answered, len(done.findings)) == ((1, 0) if is_one else (0, 1))


def test_what_leaks_in_a_default_is_told_there_and_excused_there(tmp_path: Path) -> None:
    source = (
        "import time\nclass A:\n    def __init__(self, now=time.time):{}\n"
        "        self.now = now\n    def f(self): return self.now()\n"
    )
    assert named(leaks_in(written(tmp_path, source.format("")))) == [(3, "wall clock", "time.time")]
    assert leaks_in(written(tmp_path, source.format("  # leak: allowed, because a seam"))) == []


def test_of_several_meanings_each_that_leaks_is_told(tmp_path: Path) -> None:
    source = "if c: from time import time as t\nelse: from random import random as t\nx = t()\n"
    assert named(leaks_in(written(tmp_path, source))) == [
        (3, "random", "random.random"),
        (3, "wall clock", "time.time"),
    ]
