"""A statement that did not come to its end, because a row of it cannot be read, holds what it
holds with plain sqlite3, and as long; and nothing of it is left for the next run."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from sim_core.engine.policy import Scripted, Uniform
from sim_core.engine.run import Run
from sim_core.engine.stage import Part, Stage

SCHEMA = "CREATE TABLE t (v); INSERT INTO t VALUES (CAST(x'ff' AS TEXT)), (1);"


def refuses(text: bytes) -> Any:
    raise ZeroDivisionError


async def reads_badly(db: Any, seen: list[Any]) -> None:
    """Meet the row with a cursor that is kept, then use that for something else."""
    cursor = await db.cursor()
    try:
        await cursor.execute("SELECT v FROM t")
        await cursor.fetchall()
    except (sqlite3.OperationalError, ZeroDivisionError) as error:
        seen.append(type(error).__name__)
    await db.execute("SELECT 1")
    await cursor.execute("SELECT 7")
    await cursor.fetchall()
    await db.execute("SELECT 2")


async def reads_and_forgets(db: Any, seen: list[Any]) -> None:
    try:
        await db.execute_fetchall("SELECT v FROM t")
    except sqlite3.OperationalError as error:
        seen.append(type(error).__name__)
    await db.execute("SELECT 1")


async def fails_at_it(db: Any, seen: list[Any]) -> None:
    await db.execute_fetchall("SELECT v FROM t")


async def writes_twice(db: Any, seen: list[Any]) -> None:
    for _ in range(2):
        try:
            seen.append((await db.execute("UPDATE t SET v = 2")).rowcount)
        except sqlite3.OperationalError as error:
            seen.append(error.sqlite_errorname)


def played(reader: Any, order: str, granularity: str, factory: Any = str) -> list[Any]:
    """Return what the reader, then the writer saw."""
    seen: list[Any] = []

    async def reads(db: Any) -> None:
        if factory is not str:
            db.text_factory = factory
        await reader(db, seen)

    parts = (
        Part("A", "reads", "reads", lambda db, *_: reads(db)),
        Part("B", "writes", "writes", lambda db, *_: writes_twice(db, seen)),
    )
    stage = Stage("half", SCHEMA, "delete", None, 0, parts, granularity=granularity)
    run = Run(stage, Scripted(order, Uniform(0)))
    run.go()
    run.remove()
    return seen


def by_hand(path: Path, factory: Any) -> list[Any]:
    """Do the same on plain sqlite3: while its cursor is kept, and after that was used again."""
    setup = sqlite3.connect(path)
    setup.executescript(SCHEMA)
    setup.close()
    reader, writer = (sqlite3.connect(path, timeout=0, isolation_level=None) for _ in "AB")
    reader.text_factory = factory
    seen: list[Any] = []
    cursor = reader.cursor()
    try:
        cursor.execute("SELECT v FROM t")
        cursor.fetchall()
    except (sqlite3.OperationalError, ZeroDivisionError) as error:
        seen.append(type(error).__name__)
    for _ in range(2):
        try:
            seen.append(writer.execute("UPDATE t SET v = 2").rowcount)
        except sqlite3.OperationalError as error:
            seen.append(error.sqlite_errorname)
        cursor.execute("SELECT 7").fetchall()
    reader.close()
    writer.close()
    return seen


@pytest.mark.parametrize("factory", [str, refuses], ids=["no UTF-8", "a text_factory that raises"])
def test_a_row_that_cannot_be_read_keeps_its_lock_as_long_as_its_cursor(
    factory: Any, tmp_path: Path
) -> None:
    real = by_hand(tmp_path / "real.db", factory)
    assert played(reads_badly, "AABAABAB", "statement", factory)[:3] == real
    assert played(reads_badly, "AAABAAABAB", "call", factory)[:3] == real
    assert "SQLITE_BUSY" in real


@pytest.mark.parametrize("reader", [reads_and_forgets, fails_at_it])
@pytest.mark.parametrize("granularity", ["statement", "call"])
def test_a_cursor_that_nobody_keeps_keeps_no_lock(reader: Any, granularity: str) -> None:
    assert played(reader, "ABBA", granularity)[-2:] == [2, 2]


@pytest.mark.parametrize("granularity", ["statement", "call"])
def test_the_next_run_on_the_kept_file_meets_no_lock_of_it(granularity: str) -> None:
    order = "AAB" if granularity == "statement" else "AAAB"
    for _ in range(3):
        assert played(fails_at_it, "AB", granularity) == [2, 2]
        assert "SQLITE_BUSY" in played(reads_badly, order, granularity)
