"""A hostile scenario: always one answer, in JSON, that names the culprit."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim_core.engine.plain import encode, plain
from tests.core.hostile import WRITER, run

IMPORTED = [
    ("exit()", "SystemExit"),
    ("import sys; sys.exit(5)", "SystemExit: 5"),
    ("raise GeneratorExit", "GeneratorExit"),
    ("class B(BaseException): pass\nraise B('no')", "B: no"),
    ("class E(Exception):\n def __str__(self): raise ValueError\nraise E", "<E>"),
    ("class E(Exception):\n def __str__(self): exit()\nraise E", "<E>"),
    ("SCHEMA = '\\x00'", "SCHEMA"),
    ("SCHEMA = '\\ud800'", "SCHEMA"),
    ("WATCH = ('t', ' ')", "WATCH"),
    ("WATCH = ('t', 'BEGIN IMMEDIATE')", "WATCH"),
    ("WATCH = ('t', 'SELECT \\ud800')", "WATCH"),
    ("INVARIANTS = (int,)", "int"),
    ("import functools\nINVARIANTS = (functools.partial(print),)", "partial"),
    ("INVARIANTS = (([], 'p', 'SELECT 1'),)", "SELECT 1"),
    ("INVARIANTS = (('n', 'p', 'BEGIN'),)", "BEGIN"),
    ("INVARIANTS = ('every writer',)", "every writer finished"),
    ("async def i(db): pass\nINVARIANTS = (i,)", "coroutine"),
    ("PUBLISHED = {'broken': 1, 'seeds': 0}", "PUBLISHED"),
    ("PUBLISHED = {'broken': 1}", "PUBLISHED"),
    ("PUBLISHED = {'broken': '1', 'seeds': '2'}", "PUBLISHED"),
    ("OPTIONS = {3: ['a']}", "OPTIONS"),
    ("OPTIONS = {'a=b': ['a']}", "OPTIONS"),
    ("OPTIONS = {'a': ['x\\n']}", "OPTIONS"),
    ("OPTIONS = {'a': {'x': 3}}", "OPTIONS"),
    ("OPTIONS = {'db': ['a']}", "'db'"),
    ("OPTIONS = {'told': ['a']}", "'told'"),
    ("OPTIONS = {'me': ['a']}", "'me'"),
    ("class E:\n def __eq__(self, other): raise ValueError('eq')\nJOURNAL = E()", "eq"),
    ("PROCESS = {3: 4}", "PROCESS"),
]


@pytest.mark.parametrize(("source", "named"), IMPORTED)
def test_what_a_file_does_as_it_loads_is_told(tmp_path: Path, source: str, named: str) -> None:
    answer = run(tmp_path, f"{source}\n{WRITER}")
    assert answer["schema"]["name"] == "error"
    assert named in answer["message"]
    assert len(answer["message"].splitlines()) == 1


WRITTEN = [
    ("exit()", "ends the process"),
    ("import sys; sys.exit(5)", "SystemExit: 5"),
    ("await __import__('asyncio').sleep(1)", "event loop"),
    ("(await db.execute('SELECT 1')).connection.close()", "lost its database"),
    ("db.raw.close()", "lost its database"),
]


@pytest.mark.parametrize(("line", "named"), WRITTEN)
def test_what_a_writer_must_not_do_is_told_with_its_run(
    tmp_path: Path, line: str, named: str
) -> None:
    source = f"async def w(db):\n 'W.'\n {line}\n await db.execute('SELECT 1')\n"
    answer = run(tmp_path, source, "?seed=3")
    assert answer["error"] == "ScenarioError"
    assert named in answer["message"]
    assert answer["recipe"].endswith("hostile.py?seed=3")
    assert run(tmp_path, WRITER)["ended"] == {"w": "finished"}


FAILED = [
    ("raise GeneratorExit", "GeneratorExit"),
    ("import asyncio; raise asyncio.CancelledError", "CancelledError"),
    ("class B(BaseException): pass\n raise B", "B"),
    ("raise BaseExceptionGroup('g', [SystemError()])", "ExceptionGroup"),
    ("class E(Exception):\n  def __str__(self): raise ValueError\n raise E", "E"),
    ("class E(Exception):\n  sqlite_errorname = 3\n raise E", "E"),
    ("raise ValueError('\\ud800')", "ValueError"),
    ("await db.execute(3)", "TypeError"),
    ("await db.execute(None)", "TypeError"),
    ("await db.execute('SELECT \\ud800')", "UnicodeEncodeError"),
    ("await db.execute('SELECT ?', 3)", "ProgrammingError"),
    ("await db.executemany('INSERT INTO t VALUES (?)', [1, 2])", "ProgrammingError"),
    ("x = []; x.append(x); await db.execute('SELECT ?', [x])", "ProgrammingError"),
    ("await db.execute('SELECT :a', {(1, 2): 3})", "ProgrammingError"),
    ("await db.execute('SELECT ?', [10 ** 5000])", "OverflowError"),
    ("x = []\n for _ in range(60): x = [x, x]\n await db.execute('SELECT ?', [x])", "Programming"),
]


@pytest.mark.parametrize(("line", "error"), FAILED)
def test_an_error_of_a_writer_is_a_thing_that_happens_in_a_run(
    tmp_path: Path, line: str, error: str
) -> None:
    answer = run(tmp_path, f"async def w(db):\n 'W.'\n {line}\n")
    assert answer["ended"] == {"w": "failed"}
    (failed,) = [event for event in answer["events"] if event["kind"] == "failed"]
    assert error in failed["error"] or failed["error"].startswith("SQLITE")


ANSWERS: list[tuple[str, Any]] = [
    ("float('nan')", {"number": "nan"}),
    ("[float('inf')]", [{"number": "inf"}]),
    ("{(1, 2): 3}", {"type": "dict", "items": [[[1, 2], 3]]}),
    ("{1: 2, None: 3, True: 4}", {"1": 4, "null": 3}),
    ("b'ab'", {"blob": "6162"}),
    ("'\\ud800'", "\ud800"),
    ("type('M', (type,), {'__name__': 1 / 2})('C', (), {})()", {"type": "C"}),
    ("type('L', (list,), {'__iter__': lambda self: 1 / 0})([1])", [1]),
    ("(1, 2)", [1, 2]),
]


@pytest.mark.parametrize(("value", "told"), ANSWERS)
def test_any_answer_is_told_as_plain_data(tmp_path: Path, value: str, told: Any) -> None:
    answer = run(tmp_path, f"async def w(db):\n 'W.'\n return {value}\n")
    assert answer["told"]["w"] == told


@pytest.mark.parametrize(
    "lines",
    [
        "x = []; x.append(x)",
        "x = {}; x['x'] = [x]",
        "x = []\n for _ in range(100_000): x = [x]",
        "x = []\n for _ in range(60): x = [x, x]",
        "x = 10 ** 5000",
        "x = 'x' * 10_000_000",
        "x = bytes(10_000_000)",
    ],
)
def test_no_answer_is_too_large_to_be_told(tmp_path: Path, lines: str) -> None:
    answer = run(tmp_path, f"async def w(db):\n 'W.'\n {lines}\n return x\n")
    assert answer["ended"] == {"w": "finished"}
    assert len(json.dumps(answer)) < 1_000_000


def test_a_blob_of_a_gigabyte_is_told_by_its_digest(tmp_path: Path) -> None:
    select = "async def w(db):\n 'W.'\n await db.execute('SELECT zeroblob(99999999)')\n"
    answer = run(tmp_path, select)
    (row,) = answer["events"][0]["rows"]
    assert row[0]["bytes"] == 99_999_999 and len(row[0]["sha256"]) == 64


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9)
    | st.binary(max_size=9),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=20,
)


@given(values)
def test_the_walk_and_the_fast_encoder_agree(value: Any) -> None:
    assert encode(value) == json.dumps(plain(value), separators=(",", ":"))


JUDGED = [
    ("yield (None, 'y')", "(None, 'y')"),
    ("yield (object(), 'y')", "yields"),
    ("yield (9, 'y')", "from 0 to 1"),
    ("yield (1, 'y', 'z')", "yields"),
    ("events.append(3)", "AttributeError"),
    ("events.clear()", "AttributeError"),
    ("told.clear()", "AttributeError"),
    ("exit()", "SystemExit"),
    ("class B(BaseException): pass\n raise B('no')", "B: no"),
    ("return 3", "TypeError"),
]


@pytest.mark.parametrize(("line", "said"), JUDGED)
def test_an_invariant_that_is_off_is_named_with_its_run(
    tmp_path: Path, line: str, said: str
) -> None:
    check = f"def all_is_well(db, events, told):\n {line}\nINVARIANTS = (all_is_well,)\n"
    answer = run(tmp_path, check + WRITER, "?seed=4")
    assert "'all is well'" in answer["message"] and said in answer["message"]
    assert answer["recipe"].endswith("hostile.py?seed=4")


def test_an_answer_that_an_invariant_changes_is_a_copy(tmp_path: Path) -> None:
    source = (
        "async def w(db):\n 'W.'\n return [1]\n"
        "def i(told):\n told['w'].clear()\n"
        "def j(told):\n yield str(told['w'])\n"
        "INVARIANTS = (i, j)\n"
    )
    assert run(tmp_path, source)["told"] == {"w": [1]}


def test_a_docstring_that_is_no_text_is_none(tmp_path: Path) -> None:
    answer = run(tmp_path, f"__doc__ = 3\n{WRITER}\nasync def x(db): pass\nx.__doc__ = 4\n")
    assert [writer["role"] for writer in answer["writers"]] == ["w"]


def test_a_dataclass_finds_its_module(tmp_path: Path) -> None:
    source = f"from dataclasses import dataclass\n@dataclass\nclass D:\n a: 'int' = 1\n{WRITER}"
    assert run(tmp_path, source)["told"] == {"w": "ok"}


def test_text_that_is_no_utf8_can_be_watched(tmp_path: Path) -> None:
    source = (
        "WATCH = ('t', 'SELECT v FROM t')\n"
        "async def w(db):\n 'W.'\n await db.execute('BEGIN')\n"
        " await db.execute(\"UPDATE t SET v = CAST(x'fffe' AS TEXT)\")\n"
        " await db.execute('COMMIT')\n"
    )
    answer = run(tmp_path, source)
    steps = answer["steps"]
    assert steps[2]["pending"]["rows"] == [["\ufffd\ufffd"]]
    assert steps[-1]["rows"] == [["\ufffd\ufffd"]]


def test_a_watch_beside_an_exclusive_lock_reads_past_it(tmp_path: Path) -> None:
    source = (
        "def always(db):\n assert db.execute('SELECT v FROM t').fetchall() == [(0,)]\n"
        "ALWAYS = (always,)\nWATCH = ('t', 'SELECT v FROM t')\n"
        "async def w(db):\n 'W.'\n await db.execute('BEGIN EXCLUSIVE')\n"
        " await db.execute('SELECT 1')\n await db.execute('COMMIT')\n"
    )
    assert run(tmp_path, source)["verdict"] == "ok"


def test_a_lock_that_an_invariant_takes_is_let_go(tmp_path: Path) -> None:
    source = (
        "def always(db):\n db.execute('BEGIN')\n db.execute('SELECT v FROM t')\n"
        f"ALWAYS = (always,)\n{WRITER}"
    )
    assert run(tmp_path, source)["ended"] == {"w": "finished"}


def test_a_scenario_declares_by_name_that_every_writer_finishes(tmp_path: Path) -> None:
    source = "async def w(db):\n 'W.'\n raise ValueError\n"
    assert run(tmp_path, source)["verdict"] == "ok"
    broken = run(tmp_path, f"{source}INVARIANTS = ('every writer finished',)\n", "?seed=1")
    (one,) = broken["violations"] or [None]
    assert (one["invariant"], one["detail"]) == ("every writer finished", "w failed")


def test_a_full_disk_is_not_the_scenarios_fault(
    tmp_path: Path,
) -> None:
    source = f"SCHEMA = 'PRAGMA max_page_count = 1; CREATE TABLE t (v)'\n{WRITER}"
    assert run(tmp_path, source)["error"] == "MachineError"
