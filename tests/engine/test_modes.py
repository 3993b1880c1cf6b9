"""Python's transaction modes, and calls that are several commits: every step is an event."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sim_core.engine.policy import Scripted, Uniform
from sim_core.engine.run import Run
from sim_core.engine.stage import Part, Stage
from sim_core.errors import Divergence, ScenarioError
from sim_core.judge.scenario import load
from tests.engine.modes import MODES, SCHEMA, compared

ROOT = Path(__file__).parent.parent.parent
NEWER = sys.version_info >= (3, 12)


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize("mode", MODES, ids=repr)
def test_two_writers_come_to_what_sqlite3_comes_to_by_hand_in_every_order(
    mode: Any, journal: str, tmp_path: Path
) -> None:
    assert compared(mode, journal, tmp_path) > 70


def others() -> list[str]:
    """Return the other Pythons on the path that are new enough to run."""
    found = [shutil.which(f"python3.{minor}") for minor in range(11, 20)]
    asks = ["-c", "import sqlite3, sys; sys.exit(sys.version_info < (3, 11))"]
    return [
        python
        for python in found
        if python and subprocess.run([python, *asks], capture_output=True).returncode == 0
    ]


@pytest.mark.parametrize("python", others())
def test_another_python_on_the_path_agrees_with_its_own_sqlite3(python: str) -> None:
    program = [python, "-B", "-m", "tests.engine.modes"]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1000


def played(
    *writers: Any,
    order: str = "",
    isolation: Any = "",
    shared: bool = False,
    **how: Any,
) -> Run:
    """Run coroutine functions that take a connection."""

    def part(letter: str, writer: Any) -> Part:
        process = "one" if shared else ""
        start = lambda db, *_: writer(db)  # noqa: E731
        return Part(letter, letter, letter, start, process=process, shares=shared)

    parts = tuple(part(letter, writer) for letter, writer in zip("AB", writers, strict=False))
    given = {"head": "modes", "schema": SCHEMA, "journal": "delete", "timeout": 0, **how}
    run = Run(Stage(isolation=isolation, parts=parts, **given), Scripted(order, Uniform(0)))
    run.go()
    run.remove()
    return run


def told(run: Run) -> list[tuple[Any, ...]]:
    """Return who did what, with the error where there was one."""
    return [
        (event.writer, event.kind, event.sql or event.call, *([event.error] if event.error else []))
        for event in run.events
        if event.kind in ("operation", "implicit")
    ]


async def updates(db: Any) -> None:
    await db.execute("UPDATE t SET v = v + 1")
    await db.commit()


@pytest.mark.parametrize("level", ["", "DEFERRED", "IMMEDIATE", "EXCLUSIVE"])
def test_the_begin_that_python_adds_is_an_event(level: str) -> None:
    assert told(played(updates, isolation=level)) == [
        ("A", "implicit", f"BEGIN {level}".strip()),
        ("A", "operation", "UPDATE t SET v = v + 1"),
        ("A", "operation", "COMMIT"),
    ]


def test_without_an_isolation_level_nothing_is_added() -> None:
    assert [kind for _, kind, *_ in told(played(updates, isolation=None))] == ["operation"] * 2


def test_a_begin_is_told_even_where_its_statement_is_busy() -> None:
    async def holds(db: Any) -> None:
        await db.execute("UPDATE t SET v = 7")
        await db.rollback()

    assert told(played(updates, holds, order="BA")) == [
        ("B", "implicit", "BEGIN"),
        ("B", "operation", "UPDATE t SET v = 7"),
        ("A", "implicit", "BEGIN"),
        ("A", "operation", "UPDATE t SET v = v + 1", "SQLITE_BUSY"),
        ("B", "operation", "ROLLBACK"),
    ]


async def scripts(db: Any) -> None:
    await db.execute("INSERT INTO u VALUES (1)")
    await db.executescript("INSERT INTO u VALUES (2); INSERT INTO u VALUES (3)")


def test_the_commit_that_executescript_adds_is_an_event_and_a_step() -> None:
    run = played(scripts)
    assert [(event.call, event.sql.strip()) for event in run.events if event.kind != "told"] == [
        ("begin", "BEGIN"),
        ("execute", "INSERT INTO u VALUES (1)"),
        ("executescript", "COMMIT"),
        ("executescript", "INSERT INTO u VALUES (2);"),
        ("executescript", "INSERT INTO u VALUES (3)"),
    ]
    assert run.grants == "AAAA"


def test_that_commit_waits_for_a_reader_as_any_other() -> None:
    async def reads(db: Any) -> None:
        await db.execute("BEGIN")
        await db.execute("SELECT v FROM t")
        await db.commit()

    run = played(scripts, reads, order="BBAABAAA", timeout=1000)
    waits = [(e.writer, e.lock, e.holders) for e in run.events if e.kind == "wait"]
    assert waits == [("A", "EXCLUSIVE", "B")]
    assert run.told == {"A": None, "B": None}


async def inserts_three(db: Any) -> int:
    cursor = await db.executemany("INSERT INTO u VALUES (?)", [(1,), (2,), (3,)])
    return int(cursor.rowcount)


async def counts(db: Any) -> Any:
    return (await db.execute_fetchall("SELECT count(*) FROM u"))[0][0]


def test_between_the_commits_of_an_executemany_another_process_gets_in() -> None:
    run = played(inserts_three, counts, order="AABA", isolation=None)
    assert run.told == {"A": 3, "B": 2}


def test_in_a_transaction_an_executemany_is_one_step() -> None:
    run = played(inserts_three, counts, order="AB")
    assert run.told == {"A": 3, "B": 0}
    assert run.events[1].parameters == [(1,), (2,), (3,)]


def test_whoever_shares_the_connection_does_not_get_in_between() -> None:
    run = played(inserts_three, counts, order="AAAB", isolation=None, shared=True)
    assert run.told == {"A": 3, "B": 3}
    with pytest.raises(Divergence, match="goes to B, which cannot run there"):
        played(inserts_three, counts, order="AAB", isolation=None, shared=True)


def test_a_cursor_that_is_let_go_of_half_read_lets_go_of_its_lock() -> None:
    async def peeks(db: Any) -> None:
        await (await db.execute("SELECT 1 FROM t UNION ALL SELECT 2 FROM t")).fetchone()
        await db.execute("SELECT 'parked'")

    run = played(peeks, updates, order="AABBA", isolation=None, granularity="call")
    assert not [event for event in run.events if event.error or event.kind == "wait"]


def test_a_writer_that_ends_amid_a_returning_has_committed_it() -> None:
    async def ends(db: Any) -> None:
        await db.execute("UPDATE t SET v = v + 1 RETURNING v")

    async def upgrades(db: Any) -> str:
        await db.execute("BEGIN")
        await db.execute_fetchall("SELECT v FROM t")
        await db.execute("UPDATE t SET v = 9")
        return "too late"

    run = played(ends, upgrades, order="BBAB", isolation=None, journal="wal", granularity="call")
    assert run.writers["B"].error == "SQLITE_BUSY_SNAPSHOT"


# autocommit=, from Python 3.12 on.

SCENARIO = """
SCHEMA = "CREATE TABLE t (v)"
CONNECT = {connect}
async def writer(db):
    "Writes."
    await db.execute("INSERT INTO t VALUES (1)")
    await db.commit()
"""


@pytest.mark.skipif(NEWER, reason="this Python has autocommit")
def test_autocommit_before_python_3_12_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "story.py"
    path.write_text(SCENARIO.replace("{connect}", "{'autocommit': False}"))
    with pytest.raises(ScenarioError, match="autocommit, which needs Python 3"):
        load(str(path))


@pytest.mark.skipif(not NEWER, reason="autocommit came with Python 3.12")
@pytest.mark.parametrize("autocommit", [True, False])
def test_a_scenario_may_say_autocommit(autocommit: bool, tmp_path: Path) -> None:
    path = tmp_path / "story.py"
    path.write_text(SCENARIO.replace("{connect}", f"{{'autocommit': {autocommit}}}"))
    assert load(str(path)).isolation is autocommit


@pytest.mark.parametrize(
    "connect",
    [
        "{'isolation_level': 'LOUD'}",
        "{'autocommit': -1}",
        "{'autocommit': True, 'isolation_level': None}",
        "{'isolation': None}",
    ],
)
def test_another_connect_is_refused(connect: str, tmp_path: Path) -> None:
    path = tmp_path / "story.py"
    path.write_text(SCENARIO.replace("{connect}", connect))
    with pytest.raises(ScenarioError, match="CONNECT"):
        load(str(path))


@pytest.mark.skipif(not NEWER, reason="autocommit came with Python 3.12")
def test_without_autocommit_the_next_transaction_opens_at_once() -> None:
    assert told(played(updates, isolation=False)) == [
        ("A", "operation", "UPDATE t SET v = v + 1"),
        ("A", "operation", "COMMIT"),
        ("A", "implicit", "BEGIN"),
    ]
