# ruff: noqa: E501  one row a line, or it is no table
"""Every row of the lock table, on real SQLite with real timeouts and by the engine: the same
outcome, the same error name, and a wait where there was one."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.engine.schedule import Done, really, simulated

READER = "A begin; A select count(*) from t"

ROWS = {
    # another holds RESERVED: whoever holds nothing yet waits
    "reserved: begin immediate": "A begin immediate; B begin immediate; A commit",
    "reserved: begin immediate, too long": "A begin immediate; B begin immediate",
    "reserved: autocommit write": "A begin immediate; B update t set v = 1; A commit",
    "reserved: autocommit write, too long": "A begin immediate; B update t set v = 1",
    "reserved: first write after begin": "A begin immediate; B begin; B update t set v = 1; A commit",
    "reserved: ddl": "A begin immediate; B create table x (y); A rollback",
    "reserved: ddl, too long": "A begin immediate; B drop table u",
    "reserved: begin exclusive": "A begin immediate; B begin exclusive; A commit",
    "reserved: user_version": "A begin immediate; B pragma user_version; B pragma user_version = 5",
    "reserved: vacuum": "A begin immediate; B vacuum",
    "reserved: a reader is not in the way": "A begin immediate; B select count(*) from t; A commit",
    # an upgrade fails at once
    "upgrade": "B begin; B select count(*) from t; A begin immediate; B update t set v = 1",
    "upgrade with an unfinished cursor": "B ~select k from t; A begin immediate; B update t set v = 1",
    "upgrade of a snapshot": "B begin; B select count(*) from t; A update t set v = 1; B update t set v = 2",
    "upgrade of a fresh snapshot": "A update t set v = 1; B begin; B select count(*) from t; B update t set v = 2; B commit",
    "a write of no row leaves snapshots fresh": "B begin; B select count(*) from t; A update t set v = 1 where k = 99; B update t set v = 2; B commit",
    "an empty transaction leaves snapshots fresh": "B begin; B select count(*) from t; A begin immediate; A commit; B update t set v = 2; B commit",
    # whether a commit changed the file, only SQLite knows
    "an update to the same value leaves snapshots fresh": "B begin; B select count(*) from t; A update t set v = v; B update t set v = 2; B commit",
    "a table that is there leaves snapshots fresh": "B begin; B select count(*) from t; A begin; A create table if not exists t (v); A commit; B update t set v = 2; B commit",
    "a table that cannot be leaves snapshots fresh": "B begin; B select count(*) from t; A begin immediate; A create table t (v); A commit; B update t set v = 2; B commit",
    "a question leaves snapshots fresh": "B begin; B select count(*) from t; A begin; A pragma table_info(t); A commit; B update t set v = 2; B commit",
    "a pragma in a transaction leaves snapshots fresh": "B begin; B select count(*) from t; A begin immediate; A pragma foreign_keys = on; A commit; B update t set v = 2; B commit",
    "a temporary row leaves snapshots fresh": "A create temp table z (y); B begin; B select count(*) from t; A begin; A insert into z values (1); A commit; B update t set v = 2; B commit",
    "deleting nothing, returning it, leaves snapshots fresh": "B begin; B select count(*) from t; A delete from t where k = 99 returning v; B update t set v = 2; B commit",
    "a user_version of the same value ages snapshots": "B begin; B select count(*) from t; A pragma user_version = 0; B update t set v = 2; B rollback",
    "an emptied log ages snapshots": "A begin; A select count(*) from t; B pragma wal_checkpoint(truncate); A update t set v = 2; A rollback",
    "a rollback leaves snapshots fresh": "B begin; B select count(*) from t; A begin; A update t set v = 4; A rollback; B update t set v = 2; B commit",
    "the snapshot starts at the first read": "B begin; A update t set v = 1; B select v from t; B update t set v = 2; B commit",
    # a reader holds SHARED
    "reader: commit": f"{READER}; B begin immediate; B update t set v = 1; B commit; A commit",
    "reader: commit, too long": f"{READER}; B begin immediate; B update t set v = 1; B commit",
    "reader: autocommit write": f"{READER}; B update t set v = 1; A commit",
    "reader: autocommit write, too long": f"{READER}; B update t set v = 1",
    "reader: write of no row": f"{READER}; B update t set v = 1 where k = 99",
    "reader: begin exclusive": f"{READER}; B begin exclusive; A commit",
    "reader: begin exclusive, too long": f"{READER}; B begin exclusive",
    "reader: begin immediate": f"{READER}; B begin immediate; B rollback; A commit",
    "reader: empty commit": f"{READER}; B begin immediate; B commit",
    "reader: vacuum": f"{READER}; B vacuum",
    "reader: release of the outermost savepoint": f"{READER}; B savepoint x; B update t set v = 1; B release x",
    "reader: release of an inner savepoint": f"{READER}; B begin; B savepoint x; B update t set v = 1; B release x; B rollback",
    "reader: write beside an own cursor": f"{READER}; B ~select k from t; B update t set v = 5",
    # PENDING keeps new readers out
    "pending kept by a failed commit": f"{READER}; B begin immediate; B update t set v = 1; B commit; C select count(*) from t",
    "pending kept: the reader goes on": f"{READER}; B begin immediate; B commit; A select count(*) from t; A commit; C select v from t",
    "pending of a waiting write": f"{READER}; B update t set v = 1; C select v from t; A commit",
    "pending of a waiting write: begin immediate": f"{READER}; B update t set v = 1; C begin immediate; A commit",
    "pending of a waiting write ends with it": f"{READER}; B update t set v = 1; C select v from t",
    "pending of a waiting exclusive": f"{READER}; B begin exclusive; C select v from t",
    "pending goes with rollback": f"{READER}; B begin immediate; B update t set v = 1; B commit; A commit; B rollback; C select v from t",
    "commit again after busy": f"{READER}; B begin immediate; B update t set v = 1; B commit; A commit; B commit; C select v from t",
    "user_version under pending": f"{READER}; B begin immediate; B commit; C pragma user_version",
    # half-read statements
    "half-read select holds shared": "A ~select k from t; B update t set v = 1; A fetch",
    "half-read select pins a snapshot": "A ~select k, v from t; B update t set v = 1; A fetch",
    "half-read returning holds the write lock": "A ~update t set v = 1 returning k; B update t set v = 2; A fetch",
    "half-read returning, reset": "A ~update t set v = 1 returning k; A reset; B select v from t",
    "own write beside an own cursor": "A ~select k, v from t; A update t set v = 5; A fetch; B select v from t",
    "drop under an own cursor is locked": "A ~select k from t; A drop table t; A fetch",
    "commit with an open cursor": "A begin; A ~select k from t; A commit; B update t set v = 1; A fetch",
    "half-read select of no table holds nothing": "A ~select 1 union select 2; B update t set v = 1; A fetch",
    "half-read explain holds nothing": "A ~explain select v from t; B update t set v = 1; A fetch",
    "half-read returning behind with": "A ~with q as (values (1), (2)) insert into u select * from q returning w; B update t set v = 2; A fetch",
    "half-read returning under a reader": f"{READER}; B ~update t set v = 1 returning k; B fetch; A commit",
    "half-read returning of a temporary row": "A create temp table z (y); A ~insert into z values (1), (2) returning y; B update t set v = 2; A fetch",
    "savepoint amid a returning": "A ~update t set v = 1 returning k; A savepoint a; A fetch; B select v from t",
    "release amid a returning": "A savepoint a; A ~update t set v = 1 returning k; A release a; A fetch; A release a",
    "savepoint amid a pragma that may write": "A ~pragma journal_mode; A savepoint a; A fetch",
    "own write amid a snapshot keeps it young": "A ~select k from t; A update t set v = 5; A update t set v = 6; A fetch",
    "upgrade of a half-read snapshot": "A ~select k from t; B update t set v = 1; A select 1; A update t set v = 5",
    "vacuum amid an own cursor": "A ~select k from t; B begin immediate; A vacuum; A fetch; B commit",
    # what is no part of the file
    "a write elsewhere under a reader": f"{READER}; B attach ':memory:' as x; B create table x.y (v); B insert into x.y values (1)",
    "a write elsewhere under a writer": "A begin immediate; B attach ':memory:' as x; B create table x.y (v); B insert into x.y values (1)",
    "pragma elsewhere under a writer": "A begin immediate; B attach ':memory:' as x; B pragma x.user_version = 3; B pragma temp.user_version = 3",
    "vacuum elsewhere under a writer": "A begin immediate; B attach ':memory:' as x; B vacuum x",
    # comments and quotes
    "user_version behind a comment": 'A begin immediate; B /* five */ pragma /**/ main . "user_version" = 5; A commit',
    "savepoints under quotes": f"{READER}; B savepoint 'x'; B savepoint [y]; B update t set v = 1; B release \"y\"; B release `x`",
    "checkpoint behind a comment": "A begin immediate; B /* all */ pragma wal_checkpoint('truncate'); A commit",
    # changing the journal
    "to wal under reserved": "A begin immediate; B pragma journal_mode=wal; A commit",
    "to wal under a reader": f"{READER}; B pragma journal_mode=wal",
    "to wal under pending": f"{READER}; B begin immediate; B commit; C pragma journal_mode=wal",
    "to wal under exclusive": "A begin exclusive; B pragma journal_mode=wal; A commit",
    "to wal amid a create": "A begin immediate; A create table x (y); B pragma journal_mode=wal; A commit; B pragma journal_mode=wal; A insert into x values (1); B select y from x",
    "to wal twice": "A pragma journal_mode=wal; B pragma journal_mode=wal; A begin immediate; B pragma journal_mode=wal; B update t set v = 1; A commit",
    "to wal, and a mode that was not looked at since": "A pragma journal_mode=wal; B pragma journal_mode; B select count(*) from t; B pragma journal_mode",
    "to wal, and the stale mode is set again": "A pragma journal_mode=wal; B pragma journal_mode; A begin immediate; B pragma journal_mode=wal; B pragma journal_mode; A commit",
    "to wal while it is asked for": "A begin immediate; B pragma journal_mode; A commit; B pragma journal_mode=wal; A pragma journal_mode",
    "to wal refused, and then the mode": "A begin immediate; B pragma journal_mode=wal; B pragma journal_mode; A commit; C pragma journal_mode=wal; B pragma journal_mode",
    "to wal refused, and a write behind it": "A begin immediate; B pragma journal_mode=wal; B update t set v = 1; A update t set v = 2; A commit",
    "from wal with others": "A select count(*) from t; B pragma journal_mode=delete",
    "from wal with a reader": f"{READER}; B pragma journal_mode=delete",
    # checkpoints
    "truncate under a writer": "A begin immediate; B pragma wal_checkpoint(truncate)",
    "truncate until the writer goes": "A begin immediate; B pragma wal_checkpoint(truncate); A commit",
    "truncate under a reader": f"B update t set v = 1; {READER}; B pragma wal_checkpoint(truncate)",
    "truncate under an old reader": f"{READER}; B update t set v = 1; B pragma wal_checkpoint(truncate)",
    "truncate of an empty log": f"{READER}; B pragma wal_checkpoint(truncate)",
    "restart under a reader": f"B update t set v = 1; {READER}; B pragma wal_checkpoint(restart)",
    "full under a reader": f"B update t set v = 1; {READER}; B pragma wal_checkpoint(full)",
    "full under an old reader": f"{READER}; B update t set v = 1; B pragma wal_checkpoint(full)",
    "full under a writer": "A begin immediate; B pragma wal_checkpoint(full)",
    "passive never waits": f"{READER}; B update t set v = 1; B pragma wal_checkpoint",
    "passive lets later readers out of the log": f"B update t set v = 1; B pragma wal_checkpoint(passive); {READER}; B pragma wal_checkpoint(truncate)",
    "passive leaves earlier readers in the log": f"B update t set v = 1; {READER}; B pragma wal_checkpoint(passive); B pragma wal_checkpoint(truncate)",
    "full under a reader of the file": f"{READER}; B update t set v = 1; B pragma wal_checkpoint(full); A commit",
    "checkpoint in an own transaction": "B begin immediate; B update t set v = 1; B pragma wal_checkpoint(truncate)",
    "checkpoint in an own read": "B begin; B select v from t; B pragma wal_checkpoint(full)",
}

CASES = [(journal, name) for name in ROWS for journal in ("delete", "wal")]


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], list[Done]]:
    """All rows on real SQLite, several at a time: most of their time they wait."""
    folder = tmp_path_factory.mktemp("real")

    def play(number: int, journal: str, name: str) -> list[Done]:
        return really(ROWS[name], journal, Path(folder) / f"{number}.db")

    with ThreadPoolExecutor(8) as pool:
        played = [pool.submit(play, number, *case) for number, case in enumerate(CASES)]
        return {case: one.result() for case, one in zip(CASES, played, strict=True)}


@pytest.mark.parametrize(("journal", "name"), CASES)
def test_the_engine_does_what_sqlite_did(
    real: dict[tuple[str, str], list[Done]], tmp_path: Path, journal: str, name: str
) -> None:
    did = real[journal, name]
    for slowly in (2, 4, 8):
        if simulated(ROWS[name], journal) == did:
            break
        did = really(ROWS[name], journal, tmp_path / f"{slowly}.db", slowly)
    assert simulated(ROWS[name], journal) == did
