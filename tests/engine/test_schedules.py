"""Generated programs of two and three connections: step by step, the engine and raw sqlite3
with timeout 0 agree, and whoever the engine keeps waiting would have been told BUSY."""

import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from sim_core.engine.db import Connection
from sim_core.engine.locks import Lock
from sim_core.engine.outlook import Wait
from sim_core.engine.policy import Uniform
from sim_core.engine.run import Run
from sim_core.engine.stage import Part, Stage
from tests.engine.schedule import SCHEMA

PROGRAMS = 400

READS = ["SELECT v FROM t WHERE k = {k}", "SELECT count(*) FROM t", "SELECT sum(v) FROM t"]
WRITES = [
    "UPDATE t SET v = v + {n} WHERE k = {k}",
    "INSERT INTO u VALUES ({n})",
    "DELETE FROM u WHERE w = {n}",
    "UPDATE t SET v = {n} WHERE k = 99",
    "INSERT OR REPLACE INTO t VALUES ({k}, {n})",
    "INSERT INTO t VALUES ({k}, {n})",
    "UPDATE t SET v = {n} WHERE k = {k} RETURNING v",
]
BEGINS = ["BEGIN", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "SAVEPOINT s"]
ENDS = {"SAVEPOINT s": ["RELEASE s", "ROLLBACK"]}


def program(dice: random.Random) -> list[str]:
    """Return a writer's statements: some alone, some in transactions."""
    lines: list[str] = []
    for _ in range(dice.randint(1, 3)):
        body = [dice.choice(READS + WRITES) for _ in range(dice.randint(1, 3))]
        if dice.random() < 0.7:
            begin = dice.choice(BEGINS)
            body = [begin, *body, dice.choice(ENDS.get(begin, ["COMMIT", "COMMIT", "ROLLBACK"]))]
        lines += body
    return [line.format(k=dice.randint(1, 4), n=dice.randint(1, 9)) for line in lines]


def player(lines: list[str]) -> Any:
    async def play(db: Connection) -> None:
        for line in lines:
            try:
                await db.execute(line)
            except sqlite3.Error:
                continue  # a writer that goes on after every error: the harder case

    return lambda db, *_: play(db)


class Twin:
    """The same steps on raw connections, compared as they are made."""

    def __init__(self, folder: Path, journal: str, letters: str) -> None:
        path = folder / "twin.db"
        setup = sqlite3.connect(path, isolation_level=None)
        setup.execute(f"PRAGMA journal_mode={journal}").fetchall()
        setup.executescript(SCHEMA)
        setup.close()
        self.raws = {
            letter: sqlite3.connect(path, timeout=0, isolation_level=None) for letter in letters
        }
        for raw in self.raws.values():
            raw.execute("SELECT count(*) FROM t").fetchall()
        self.compared = self.refused = self.read = 0

    def __call__(self, run: Run) -> None:
        for event in run.events[self.read :]:
            if event.kind == "operation":
                self._compare(event.writer, event.sql, event.rows, event.error, run)
            elif event.kind == "wait" and event.lock == "EXCLUSIVE":
                self._try(event.writer, run.writers[event.writer].operation.sql)
            elif event.kind in ("told", "failed"):
                self.raws[event.writer].close()
        self.read = len(run.events)
        self._waiters_are_refused(run)

    def _compare(self, letter: str, sql: str, rows: Any, error: str | None, run: Run) -> None:
        if error == "SQLITE_BUSY" and run.locks.kept_out(run.writers[letter].link.hold):
            return  # the PENDING of a waiting write stands only in the books
        assert self._try(letter, sql) == (error or list(rows or [])), (sql, run.grants)
        self.compared += 1

    def _try(self, letter: str, sql: str) -> Any:
        try:
            return self.raws[letter].execute(sql).fetchall()
        except sqlite3.Error as error:
            return error.sqlite_errorname

    def _waiters_are_refused(self, run: Run) -> None:
        for writer in run.crew.alive():
            hold = writer.link.hold
            waits = isinstance(run.outlook(writer), Wait)
            if not waits or hold.level >= Lock.PENDING or hold.claims or run.locks.kept_out(hold):
                continue  # its attempt would change locks, or meet a PENDING of the books
            assert self._try(writer.letter, writer.operation.sql) == "SQLITE_BUSY", run.grants
            self.refused += 1

    def close(self) -> None:
        for raw in self.raws.values():
            raw.close()


@pytest.mark.parametrize("writers", [2, 3])
@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_generated_schedules_agree_step_by_step(tmp_path: Path, journal: str, writers: int) -> None:
    compared = refused = 0
    for number in range(PROGRAMS // 4):
        folder = tmp_path / str(number)
        folder.mkdir()
        dice = random.Random(number * 4 + writers)
        letters = "ABC"[:writers]
        parts = tuple(Part(one, one, one, player(program(dice))) for one in letters)
        stage = Stage(str(number), SCHEMA, journal, None, dice.choice([0, 5_000]), parts)
        twin = Twin(folder, journal, letters)
        run = Run(stage, Uniform(number), (twin,))
        run.go()
        run.remove()
        twin.close()
        compared += twin.compared
        refused += twin.refused
    assert compared > 800
    assert refused > 20
