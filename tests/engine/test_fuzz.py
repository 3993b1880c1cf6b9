"""Programs thrown together from everything that people write: SQLite never surprises the lock
table, and a run never ends in anything but a run."""

import random
import sqlite3
from typing import Any

import pytest

from sim_core.engine.policy import Uniform
from sim_core.engine.pool import NotAsNew
from sim_core.engine.run import Run
from sim_core.engine.stage import Part, Stage

SCHEMA = """
CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER);
INSERT INTO t VALUES (1, 0), (2, 0), (3, 0);
CREATE TABLE u (w INTEGER);
CREATE UNIQUE INDEX only_once ON u(w);
"""

STATEMENTS = [
    *("BEGIN", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "COMMIT", "ROLLBACK"),
    *("SAVEPOINT a", "SAVEPOINT b", "RELEASE a", "RELEASE b", "ROLLBACK TO a"),
    *("SELECT v FROM t", "SELECT count(*) FROM u", "SELECT 1", "EXPLAIN SELECT v FROM t"),
    *("UPDATE t SET v = v + 1", "UPDATE t SET v = 1 WHERE k = 99", "DELETE FROM u"),
    *("INSERT INTO u VALUES (1)", "INSERT OR IGNORE INTO u VALUES (1)"),
    *("INSERT OR ROLLBACK INTO u VALUES (1)", "INSERT OR FAIL INTO u VALUES (1)"),
    *("UPDATE t SET v = 2 RETURNING k", "UPDATE t SET v = v", "DELETE FROM u RETURNING w"),
    "WITH q AS (VALUES (7), (8)) INSERT OR IGNORE INTO u SELECT * FROM q RETURNING w",
    "SELECT CAST(x'ff' AS TEXT) FROM t",
]
RARE = [
    *("PRAGMA user_version", "PRAGMA user_version=3", "PRAGMA application_id=4"),
    *("PRAGMA table_info(t)", "PRAGMA integrity_check", "PRAGMA quick_check"),
    *("PRAGMA foreign_keys=ON", "PRAGMA query_only=1", "PRAGMA busy_timeout=100"),
    *("PRAGMA wal_checkpoint", "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA wal_checkpoint(FULL)"),
    *("PRAGMA page_count", "PRAGMA data_version", "PRAGMA schema_version", "PRAGMA journal_mode"),
    *("VACUUM", "ANALYZE", "REINDEX", "CREATE TABLE IF NOT EXISTS x (y)"),
    *(
        "DROP TABLE IF EXISTS x",
        "CREATE TEMP TABLE IF NOT EXISTS z (y)",
        "INSERT INTO z VALUES (1)",
    ),
    *("-- on\nPRAGMA foreign_keys=ON", 'PRAGMA main."user_version"=0', "/**/PRAGMA busy_timeout=7"),
    *("PRAGMA foreign_keys", "PRAGMA user_version=0", "SELECT * FROM pragma_data_version"),
    *("PRAGMA wal_checkpoint(PASSIVE)", "PRAGMA wal_checkpoint(RESTART)", "CREATE TABLE u (x)"),
    *("SAVEPOINT 'a'", 'RELEASE "a"', "ROLLBACK TO [b]"),
    *("ATTACH ':memory:' AS more", "CREATE TABLE more.m (x)", "INSERT INTO more.m VALUES (1)"),
    *("INSERT INTO z VALUES (2) RETURNING y", "SELECT * FROM pragma_table_info('t')"),
    *("SELECT 1 UNION SELECT 2", "DROP TABLE IF EXISTS u", "ALTER TABLE t ADD COLUMN x"),
    *("PRAGMA cache_size=10", "PRAGMA synchronous=FULL", "PRAGMA secure_delete=1"),
]


def player(lines: list[str]) -> Any:
    """A writer that executes them; before each it lets go of some cursors, and reads some on."""

    async def play(db: Any) -> None:
        cursors: list[Any] = []
        for number, line in enumerate(lines):
            try:
                cursors = cursors[number % 3 :]
                if cursors and number % 2:
                    await cursors[-1].fetchone()
                cursors.append(await db.cursor())
                await cursors[-1].execute(line)
            except sqlite3.Error:
                continue

    return lambda db, *_: play(db)


def stage(number: int, dice: random.Random) -> Stage:
    pool = [*STATEMENTS, *(RARE if dice.random() < 0.4 else [dice.choice(RARE)])]
    programs = [
        [dice.choice(pool) for _ in range(dice.randint(2, 6))]
        for _ in range(dice.choice([2, 2, 3]))
    ]
    parts = tuple(
        Part(letter, letter, letter, player(program))
        for letter, program in zip("ABC", programs, strict=False)
    )
    journal, patience = dice.choice(["delete", "wal"]), dice.choice([0, 5_000])
    how = {"granularity": dice.choice(["statement", "statement", "call"])}
    return Stage(str(number), SCHEMA, journal, None, patience, parts, **how)


@pytest.mark.parametrize("block", range(4))
def test_nothing_surprises_the_lock_table(block: int) -> None:
    for number in range(block * 250, (block + 1) * 250):
        one = stage(number, random.Random(number))
        try:
            hashes = [_hash(one, number, fresh=False), _hash(one, number, fresh=True)]
        except NotAsNew:
            continue  # a trial would take a fresh file, and so does the second
        assert hashes[0] == hashes[1], number


def _hash(one: Stage, number: int, *, fresh: bool) -> str:
    run = Run(one, Uniform(number), fresh=fresh)
    try:
        run.go()
    finally:
        run.remove()
    return run.hash
