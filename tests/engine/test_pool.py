"""A kept file and kept connections answer as new ones do, whatever the run before did."""

from pathlib import Path

import pytest

from sim_core.engine.policy import Scripted, Uniform
from sim_core.engine.recipe import parse
from sim_core.judge.scenario import load
from sim_core.judge.trial import Trial

TOUCHES = {
    "pragmas": "PRAGMA foreign_keys=ON|PRAGMA foreign_keys|PRAGMA cache_size=7|PRAGMA cache_size",
    "hidden pragmas": '-- on\nPRAGMA foreign_keys=ON|/**/PRAGMA main."cache_size"=7'
    "|PRAGMA foreign_keys|PRAGMA cache_size|; PRAGMA [recursive_triggers] = ON",
    "hidden counters": "SELECT * FROM pragma_data_version|UPDATE t SET v = 3"
    '|SELECT * FROM pragma_data_version|SELECT total_changes/**/()|SELECT "changes"()',
    "rows that cannot be decoded": "SELECT CAST(x'ff' AS TEXT), v FROM t|UPDATE t SET v = 4",
    "temp tables": "/* mine */ CREATE TEMP TABLE mine (x)"
    "|INSERT INTO mine VALUES (1)|SELECT * FROM mine",
    "a temp table that was not made": "SELECT * FROM mine",
    "attached files": "ATTACH ':memory:' AS other|CREATE TABLE other.o (x)|SELECT * FROM other.o",
    "schemas": "CREATE TABLE new (x)|INSERT INTO new VALUES (1)|SELECT * FROM new|DROP TABLE new",
    "other schemas": "CREATE TABLE new (y, z)|INSERT INTO new VALUES (1, 2)|SELECT * FROM new",
    "last_insert_rowid": "SELECT last_insert_rowid()|INSERT INTO t VALUES (7)"
    "|SELECT last_insert_rowid()",
    "changes": "SELECT changes()|UPDATE t SET v = 2|SELECT changes()",
    "total_changes": "SELECT total_changes()|UPDATE t SET v = 3|SELECT total_changes()",
    "data_version": "PRAGMA data_version|UPDATE t SET v = 3|PRAGMA data_version",
    "user_version": "PRAGMA user_version|PRAGMA user_version=9|PRAGMA user_version",
    "statistics": "ANALYZE|SELECT count(*) FROM sqlite_stat1",
    "checkpoints": "UPDATE t SET v = 5|PRAGMA wal_checkpoint(TRUNCATE)|UPDATE t SET v = 6"
    "|PRAGMA wal_checkpoint",
    "dice": "INSERT INTO t VALUES (random())|SELECT v FROM t",
    "an open transaction": "BEGIN IMMEDIATE|UPDATE t SET v = 8",
    "growth": "INSERT INTO t SELECT 1 FROM t, t, t, t|INSERT INTO t VALUES (zeroblob(9000))",
    "a journal": "PRAGMA journal_mode=MEMORY|UPDATE t SET v = 1|PRAGMA journal_mode",
}

SCENARIO = '''
import sqlite3
SCHEMA = "CREATE TABLE t (v); INSERT INTO t VALUES (1), (2);"
CONNECT = {{"isolation_level": None}}
WATCH = ("t", "SELECT v FROM t")
WRITERS = ("touching", "plain")
OPTIONS = {{"what": {what!r}}}
LINES = {lines!r}

async def touching(db, what):
    """Does what it is told, and tells what it sees."""
    told = []
    for sql in LINES[what].split("|"):
        try:
            told.append(await db.execute_fetchall(sql))
        except sqlite3.Error as error:
            told.append(getattr(error, 'sqlite_errorname', 'undecodable'))
    return told + [db.total_changes]

async def plain(db):
    """Adds one, and tells the row's id."""
    await db.execute("SELECT v FROM t")
    cursor = await db.execute("INSERT INTO t VALUES (3)")
    return [cursor.lastrowid, db.total_changes]
'''


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_kept_files_equal_fresh_ones(tmp_path: Path, journal: str) -> None:
    """Every touch after every other, on one kept file, against a fresh file each."""
    path = tmp_path / "touching.py"
    path.write_text(SCENARIO.format(what=list(TOUCHES), lines=TOUCHES))
    scenario = load(str(path))
    trials = {
        what: Trial(scenario, parse(f"what={what}&journal={journal}", scenario.terms))
        for what in TOUCHES
    }
    fresh = {
        (what, seed): trial.run(lambda s=seed: Uniform(s), seed=seed, fresh=True).hash
        for what, trial in trials.items()
        for seed in range(3)
    }
    for first in TOUCHES:
        for second in TOUCHES:
            for seed, what in enumerate((first, second, first)):
                kept = trials[what].run(lambda s=seed: Uniform(s), seed=seed).hash
                assert kept == fresh[what, seed], (first, second, what)


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_crash_on_a_kept_file_equals_one_on_a_fresh_file(journal: str, place: int) -> None:
    scenario = load("tests/tiny/w3.py")
    query = f"journal={journal}&faults=A{place}after:crash"
    trial = Trial(scenario, parse(query, scenario.terms))
    for seed in range(10):
        policy = lambda s=seed: Scripted("AA", Uniform(s))  # noqa: E731
        assert trial.run(policy).hash == trial.run(policy, fresh=True).hash
