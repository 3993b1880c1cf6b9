"""What a run cannot play truthfully it refuses, in one sentence that says what to do instead;
what it can, it plays: a PRAGMA behind a comment, a recovery under EXCLUSIVE, a new schema."""

import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from sim_core.engine.faults import parse
from sim_core.engine.policy import Scripted, Uniform
from sim_core.engine.run import Run
from sim_core.engine.stage import Part, Stage
from sim_core.errors import ScenarioError, UncoveredShape

SCHEMA = "CREATE TABLE t (v); INSERT INTO t VALUES (1);"


def player(lines: tuple[str, ...], script: bool = False) -> Any:
    async def play(db: Any) -> None:
        for line in lines:
            if script:
                await db.executescript(line)
            else:
                await (await db.execute(line)).fetchall()

    return lambda db, *_: play(db)


def played(
    *programs: tuple[str, ...], order: str = "", recovery: tuple[str, ...] = (), **how: Any
) -> Run:
    """Run programs of SQL; with a recovery, the first writer's process starts again with it."""
    script, fresh = how.pop("script", False), how.pop("fresh", False)
    again = Part("a", "again", "again", player(recovery), process="A") if recovery else None
    parts = tuple(
        Part(
            letter,
            letter,
            letter,
            player(lines, script and not index),
            recover=again if not index else None,
        )
        for index, (letter, lines) in enumerate(zip("ABC", programs, strict=False))
    )
    given = {"schema": SCHEMA, "journal": "delete", "isolation": None, "timeout": 1_000, **how}
    run = Run(Stage("covered", parts=parts, **given), Scripted(order, Uniform(0)), fresh=fresh)
    try:
        run.go()
    finally:
        run.remove()
    return run


def waits(run: Run) -> list[tuple[str, str, str]]:
    return [(e.writer, e.lock, e.holders) for e in run.events if e.kind == "wait"]


REFUSED = {
    "ATTACH '/tmp/other.db' AS x": "another file",
    "ATTACH 'file::memory:?cache=shared' AS x": "another file",
    "/* quietly */ ATTACH 'other.db' AS x": "another file",
    "PRAGMA database_list": "where this machine keeps",
    "SELECT file FROM pragma_database_list": "where this machine keeps",
    "SELECT * FROM pragma_busy_timeout": "virtual time",
    'PRAGMA "locking_mode"=EXCLUSIVE': "rules of locking",
    "-- mine\nPRAGMA main . [locking_mode] = EXCLUSIVE": "rules of locking",
}


@pytest.mark.parametrize("sql", REFUSED)
def test_what_reaches_out_of_the_run_is_refused(sql: str) -> None:
    with pytest.raises(UncoveredShape, match=REFUSED[sql]):
        played((sql,))
    with pytest.raises(UncoveredShape, match=REFUSED[sql]):
        played((sql,), script=True)


def test_a_run_goes_into_wal_once() -> None:
    run = played(
        ("PRAGMA journal_mode=wal", "UPDATE t SET v = 2"), ("SELECT v FROM t",), fresh=True
    )
    assert run.told == {"A": None, "B": None}
    with pytest.raises(UncoveredShape, match="journal=wal in the recipe"):
        turns = ("PRAGMA journal_mode=wal", "/**/ PRAGMA journal_mode=delete")
        played(turns, ("SELECT 1",), fresh=True)


def test_a_journal_mode_whose_row_is_fetched_later_is_refused() -> None:
    with pytest.raises(UncoveredShape, match="granularity=statement"):
        played(("PRAGMA journal_mode=wal",), granularity="call", fresh=True)


@pytest.mark.parametrize("declared", ["delete", "wal"])
@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_a_schema_cannot_set_another_journal_than_the_recipe(declared: str, mode: str) -> None:
    schema = f"-- as our server does\nPRAGMA journal_mode = {mode};{SCHEMA}"
    if declared == mode:
        assert played(("SELECT v FROM t",), schema=schema, journal=declared).told == {"A": None}
        return
    with pytest.raises(ScenarioError, match=f"`journal` says {declared}.*say journal={mode}"):
        played(("SELECT v FROM t",), schema=schema, journal=declared)


@pytest.mark.parametrize("script", [False, True])
@pytest.mark.parametrize(
    "sql", ["-- patience\nPRAGMA busy_timeout=4000", "/**/PRAGMA main . 'busy_timeout' (4000)"]
)
def test_a_busy_timeout_behind_a_comment_waits_in_virtual_time(sql: str, script: bool) -> None:
    before = time.monotonic()
    run = played(
        (sql, "UPDATE t SET v = 2"),
        ("BEGIN EXCLUSIVE", "SELECT 1", "COMMIT"),
        order="ABB",
        timeout=0,
        script=script,
    )
    assert waits(run) == [("A", "RESERVED", "B")]
    assert not [event for event in run.events if event.error]
    assert time.monotonic() - before < 3, "it waited for real"


RECOVERIES = {
    "SELECT v FROM t": [("a", "SHARED", "B")],
    "UPDATE t SET v = 5": [("a", "RESERVED", "B")],
    "BEGIN IMMEDIATE": [("a", "RESERVED", "B")],
    "PRAGMA cache_size": [("a", "SHARED", "B")],
    "EXPLAIN SELECT v FROM t": [("a", "SHARED", "B")],
    "PRAGMA foreign_keys=ON": [],
    "SELECT 1": [],
    "BEGIN": [],
}


def held_open(sql: str, path: Path) -> str:
    """Return what a connection that has touched nothing is told under another's EXCLUSIVE."""
    raws = [sqlite3.connect(path, timeout=0, isolation_level=None) for _ in range(2)]
    if not raws[0].execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        raws[0].executescript(SCHEMA)
    raws[0].execute("BEGIN EXCLUSIVE")
    try:
        raws[1].execute(sql).fetchall()
    except sqlite3.OperationalError as error:
        return error.sqlite_errorname
    finally:
        for raw in raws:
            raw.close()
    return ""


@pytest.mark.parametrize("sql", RECOVERIES)
def test_a_recovery_starts_under_exclusive_and_then_waits_as_sqlite_does(
    sql: str, tmp_path: Path
) -> None:
    assert held_open(sql, tmp_path / "real.db") == ("SQLITE_BUSY" if RECOVERIES[sql] else "")
    for _ in range(2):  # on a new file, and on a kept one
        run = played(
            ("SELECT 1", "SELECT 2"),
            ("BEGIN EXCLUSIVE", "SELECT 3", "COMMIT"),
            recovery=(sql, "SELECT v FROM t", "PRAGMA synchronous"),
            order="ABAaBB" if not RECOVERIES[sql] else "ABABB",
            faults=parse("A2before:crash"),
        )
        first = waits(run)[: len(RECOVERIES[sql])]
        assert first == RECOVERIES[sql]
        assert run.writers["a"].ended == "finished"
        assert [e.rows for e in run.events if e.sql == "PRAGMA synchronous"] == [((0,),)]


def test_a_second_recovery_starts_under_exclusive_too() -> None:
    run = played(
        ("SELECT 1", "SELECT 2"),
        ("BEGIN EXCLUSIVE", "SELECT 3", "COMMIT"),
        recovery=("SELECT 4", "SELECT v FROM t"),
        order="ABAaaBB",
        faults=parse("A2before:crash,a2before:crash"),
    )
    assert run.writers["a"].ended == "finished"


def test_what_a_parked_statement_needs_is_asked_anew_when_the_schema_changes() -> None:
    run = played(
        ("SELECT 1", "DROP TABLE IF EXISTS z"),
        ("BEGIN IMMEDIATE", "CREATE TABLE z (q)", "COMMIT", "BEGIN IMMEDIATE", "COMMIT"),
        order="ABBBBB",
    )
    assert waits(run) == [("A", "RESERVED", "B")]
    assert run.told == {"A": None, "B": None}


def test_vacuum_into_only_reads(tmp_path: Path) -> None:
    run = played(
        ("BEGIN", "SELECT v FROM t", "SELECT 1", "COMMIT"),
        (f"VACUUM INTO '{tmp_path / 'copy.db'}'",),
        order="AABAA",
    )
    assert not waits(run)
    copy = sqlite3.connect(tmp_path / "copy.db")
    assert copy.execute("SELECT v FROM t").fetchall() == [(1,)]
    copy.close()
