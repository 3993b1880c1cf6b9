"""A frame after every grant, for whoever wants to look and not only to judge.

A sweep records no film. A view does: the committed rows of the scenario's watch query, what an
open transaction has changed so far, who holds which lock, and what every writer is about to do.

Wrong in this module: changing a lock by looking. Committed rows are read past all locks;
uncommitted ones only through a connection that already holds the write lock.
"""

import sqlite3
from typing import NamedTuple

from sim_core.engine.locks import Lock
from sim_core.engine.outlook import Wait
from sim_core.engine.run import Run
from sim_core.engine.statement import readable
from sim_core.engine.writer import LAST, NEW, Writer
from sim_core.errors import ScenarioError
from sim_core.quoting import short

Rows = list[tuple[object, ...]]


class Offer(NamedTuple):
    """What one writer would do next, and whether it may."""

    letter: str
    status: str
    """ready, waiting, finished, failed, crashed."""
    number: int
    sql: str | None
    why: str | None


class Frame(NamedTuple):
    """The state after a grant (the first: before any)."""

    time: int
    rows: Rows
    pending: tuple[str, Rows] | None
    """Letter of the writer in the middle of a transaction, and the rows as it sees them."""
    holds: dict[str, str]
    offers: tuple[Offer, ...]
    passes: bool
    """Time may pass next: a grant like any other."""


class Film:
    """Called after each grant; afterwards `frames` holds one frame a step."""

    def __init__(self, watch: str) -> None:
        self.watch = watch
        self.columns: tuple[str, ...] = ()
        self.frames: list[Frame] = []

    def __call__(self, run: Run) -> None:
        rows = self._committed(run)
        offers = tuple(_offer(run, writer) for writer in run.writers.values())
        self.frames.append(
            Frame(
                run.clock.milliseconds,
                rows,
                self._pending(run),
                run.locks.held(),
                offers,
                run.passes,
            )
        )

    def _committed(self, run: Run) -> Rows:
        if not self.watch:
            return []
        try:
            answer = run.file.reader.execute(self.watch)
        except (sqlite3.Error, ValueError) as error:
            self._refused(run, error)
            return []
        self.columns = answer.columns
        return answer.fetchall()

    def _refused(self, run: Run, error: Exception) -> None:
        """Raise, unless the table that is watched may still be made by a writer."""
        waits = str(error).startswith("no such table") and not self.columns
        if not waits or all(writer.ended == "finished" for writer in run.writers.values()):
            raise ScenarioError(
                f"SQLite refuses the WATCH: {short(error, 200)}.", part="WATCH"
            ) from error

    def _pending(self, run: Run) -> tuple[str, Rows] | None:
        for writer in run.writers.values():
            hold, connection = writer.link.hold, writer.link.connection
            writes = hold.level >= Lock.RESERVED and hold.changed
            if not writer.ended and writes and self.watch and not connection.closed:
                return writer.letter, _uncommitted(connection.raw, self.watch)
        return None


def _uncommitted(raw: sqlite3.Connection, watch: str) -> Rows:
    """Return what a writer's own connection sees, whatever its factories would make of it."""
    cursor = raw.cursor()
    cursor.row_factory = None
    texts, raw.text_factory = raw.text_factory, readable
    try:
        return cursor.execute(watch).fetchall()
    finally:
        raw.text_factory = texts


def _offer(run: Run, writer: Writer) -> Offer:
    if writer.ended:
        return Offer(writer.letter, writer.ended, writer.number, None, writer.error or None)
    if writer.operation in (LAST, NEW):
        return Offer(writer.letter, "ready", writer.number, None, None)
    if rest := run.asleep(writer):
        asleep = f"asleep for {rest / 1000:g} s more"
        return Offer(writer.letter, "waiting", writer.number, writer.operation.sql, asleep)
    outlook = run.outlook(writer)
    waits = isinstance(outlook, Wait) and not writer.expired(run.clock.milliseconds)
    why = outlook.words if waits else None  # type: ignore[union-attr]
    status = "waiting" if waits else "ready"
    return Offer(writer.letter, status, writer.number, writer.operation.sql, why)
