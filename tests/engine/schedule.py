"""A schedule of plain SQL, played twice: on raw sqlite3 in real threads with a real busy
timeout, and by the engine in virtual time.

    A begin immediate; B update t set v = 1; A commit

A letter is a connection. `~select …` executes without fetching, `fetch` reads the rest of it,
`reset` closes its cursor. An operation's outcome is its rows or its error's name, and whether
it had to wait.
"""

import queue
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from sim_core.engine.db import Connection
from sim_core.engine.run import Run
from sim_core.engine.stage import Part, Stage
from sim_core.engine.trace import TIME, Event
from sim_core.engine.writerclock import WriterClock

SCHEMA = """
CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER);
INSERT INTO t VALUES (1, 0), (2, 0), (3, 0);
CREATE TABLE u (w INTEGER);
"""
PATIENCE = 0.9
"""Seconds of the real busy timeout."""
FOR_EVER = 1_000_000
GAP = 0.09
"""Seconds after which an operation that has not come back is waiting."""


class Done(NamedTuple):
    """What one operation came to."""

    letter: str
    sql: str
    outcome: Any
    waited: bool


def read(text: str) -> list[tuple[str, str]]:
    """Return (letter, operation) pairs."""
    return [(step.strip()[0], step.strip()[1:].strip()) for step in text.split(";")]


# Really.


class Real(threading.Thread):
    """One connection in its own thread."""

    def __init__(self, letter: str, path: Path, patience: float) -> None:
        super().__init__(daemon=True)
        self.letter = letter
        self.path = path
        self.patience = patience
        self.asked: queue.Queue[str | None] = queue.Queue()
        self.done: list[tuple[str, Any]] = []
        self.asked.unfinished_tasks += 1  # its opening
        self.start()

    def run(self) -> None:
        raw = sqlite3.connect(self.path, timeout=self.patience, isolation_level=None)
        raw.execute("PRAGMA synchronous=OFF")
        raw.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        half = raw.cursor()
        self.asked.task_done()
        while (sql := self.asked.get()) is not None:
            try:
                outcome = self._one(raw, half, sql)
            except sqlite3.Error as error:
                outcome = error.sqlite_errorname
            self.done.append((sql, outcome))
            self.asked.task_done()
        half.close()
        raw.close()

    def _one(self, raw: sqlite3.Connection, half: sqlite3.Cursor, sql: str) -> Any:
        if sql.startswith("~"):
            half.execute(sql[1:])
            return []
        if sql == "fetch":
            return half.fetchall()
        if sql == "reset":
            half.execute("SELECT 1 WHERE 0")
            return []
        return raw.execute(sql).fetchall()

    def idle_within(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while self.asked.unfinished_tasks:
            if time.monotonic() > until:
                return False
            time.sleep(0.002)
        return True


def really(text: str, journal: str, path: Path, slowly: float = 1) -> list[Done]:
    """Play in real threads; operations of one letter in their order, letters in order.

    A machine that is busy elsewhere makes an operation look as if it waited: played more
    slowly, it does not.
    """
    setup = sqlite3.connect(path, isolation_level=None)
    setup.execute(f"PRAGMA journal_mode={journal}").fetchall()
    setup.executescript(SCHEMA)
    setup.close()
    steps = read(text)
    threads = {
        letter: Real(letter, path, PATIENCE * slowly)
        for letter in sorted({step[0] for step in steps})
    }
    for thread in threads.values():
        assert thread.idle_within(10)
    waited: dict[tuple[str, int], bool] = {}
    counts = dict.fromkeys(threads, 0)
    for letter, sql in steps:
        threads[letter].asked.put(sql)
        idle = threads[letter].idle_within(GAP * slowly)
        waited[letter, counts[letter]] = not idle
        counts[letter] += 1
    for thread in threads.values():
        assert thread.idle_within(10 * PATIENCE * slowly)
    for thread in threads.values():
        thread.asked.put(None)
    for thread in threads.values():
        thread.join()
    return [
        Done(letter, sql, outcome, waited[letter, index])
        for letter, thread in threads.items()
        for index, (sql, outcome) in enumerate(thread.done)
    ]


# By the engine.


class Following:
    """Grant as the schedule says; who has to wait goes as soon as it can, first come first."""

    def __init__(self, letters: list[str]) -> None:
        self.letters = letters
        self.late: list[str] = []
        self.asked = dict.fromkeys(letters, 0)
        self.waited: set[tuple[str, int]] = set()
        self.events: list[Event] = []
        self.read = 0

    def choose(self, offered: tuple[str, ...]) -> str:
        for event in self.events[self.read :]:
            # its attempt took PENDING, and goes on by itself
            if event.kind == "wait" and event.lock == "EXCLUSIVE" and event.writer not in self.late:
                self.late.append(event.writer)
                self.waited.add((event.writer, event.number))
        self.read = len(self.events)
        while True:
            for letter in self.late:
                if letter in offered:
                    self.late.remove(letter)
                    return letter
            if not self.letters:
                return TIME if TIME in offered else offered[0]
            letter = self.letters.pop(0)
            self.asked[letter] += 1
            if letter in offered and letter not in self.late:
                return letter
            self.waited.add((letter, self.asked[letter]))
            self.late.append(letter)


def _writer(sqls: list[str], outcomes: list[tuple[str, Any]]) -> Any:
    async def play(db: Connection, clock: WriterClock) -> None:
        half = await db.cursor()
        for sql in sqls:
            db.whole = not (sql.startswith("~") or sql in ("fetch", "reset"))
            try:
                if sql.startswith("~"):
                    await half.execute(sql[1:])
                    outcome: Any = []
                elif sql == "fetch":
                    outcome = await half.fetchall()
                elif sql == "reset":
                    await half.execute("SELECT 1 WHERE 0")
                    outcome = []
                else:
                    outcome = await db.execute_fetchall(sql)
            except sqlite3.Error as error:
                outcome = error.sqlite_errorname
            outcomes.append((sql, outcome))
        await clock.sleep(FOR_EVER)  # with its connection open, as the real one is

    def start(db: Connection, clock: WriterClock, memory: dict[str, Any], _: object) -> Any:
        return play(db, clock)

    return start


def simulated(text: str, journal: str) -> list[Done]:
    """Play the same schedule by the engine."""
    steps = read(text)
    by_letter: dict[str, list[str]] = {}
    for letter, sql in steps:
        by_letter.setdefault(letter, []).append(sql)
    outcomes: dict[str, list[tuple[str, Any]]] = {letter: [] for letter in sorted(by_letter)}
    parts = tuple(
        Part(letter, letter, letter, _writer(by_letter[letter], outcomes[letter]))
        for letter in sorted(by_letter)
    )
    stage = Stage(
        head=text,
        schema=SCHEMA,
        journal=journal,
        isolation=None,
        timeout=round(PATIENCE * 1000),
        parts=parts,
        granularity="call",
    )
    policy = Following([step[0] for step in steps])
    run = Run(stage, policy, fresh=True)
    policy.events = run.events
    run.go()
    run.remove()
    waited = policy.waited
    return [
        Done(letter, sql, outcome, (letter, index + 1) in waited)
        for letter, done in outcomes.items()
        for index, (sql, outcome) in enumerate(done)
    ]
