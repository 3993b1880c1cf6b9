"""The real connection under a facade: how it is opened, reached, closed and killed.

`Connection` (db.py) is what a writer sees; a Handle is what the engine holds it by. They are
apart because a writer's close and a process's death are different things: sqlite3_close finishes
a half-read RETURNING, and so commits it, where SIGKILL loses it.

Wrong in this module: knowing about schedules, waiting or faults.
"""

import sqlite3
from collections.abc import Awaitable, Callable, Generator, Sequence
from typing import Any, Protocol
from weakref import ref

from sim_core.engine.cursor import Cursor
from sim_core.engine.park import NOTHING, Operation, Result, at_once, park
from sim_core.engine.statement import SCHEMA_VERBS, fresh, leading_number, pragma, truth, verb_of
from sim_core.engine.unfinished import unfinished

CHUNK = 64
"""Rows that `async for` fetches at a time, as in aiosqlite."""


MOST_REFUSED = 20
"""Calls after its death that a writer's clean-up may make."""

NEVER = Operation("", "", (), lambda: NOTHING)


class Patience(Protocol):
    """Something with a busy timeout, in milliseconds, that may be read-only."""

    timeout: int
    read_only: bool


class Stopped(Awaitable[None]):
    """What `stop` returns: it has happened, so awaiting it is instant."""

    def __await__(self) -> Generator[Any, Any, None]:
        yield from ()


class Handle:
    """One real connection, and whether it is a run's."""

    # How every connection begins: the class says it once, an object only where it differs.

    any_thread = False
    """Opened with check_same_thread=False."""
    occupied: Cursor | None = None
    """It is inside an executemany or executescript: nobody who shares it gets a word in."""
    parks = False
    """In a run: every operation waits for its grant."""
    whole = False
    """Granularity `statement`: a statement's rows come in its own grant."""
    dead = False
    """Its process was killed: nothing may reach the file through it any more."""
    listens = False
    """Its writer set a callback, which is not to hear the engine's own questions."""
    loud = True
    """What happens on it now, its writer asked for."""
    touched = False
    """It no longer is as a new connection: a run may not keep it."""
    asked = False
    """Its writer asked for a counter that only a new connection has right."""
    inserted = False
    """It has inserted a row, so that its last_insert_rowid is of this run."""
    changes_before = 0
    """total_changes when the run began."""
    patience: Patience | None = None
    """In a run: what PRAGMA busy_timeout sets."""
    _connection: sqlite3.Connection | None = None
    _running = True
    _awaited = False
    _refused = 0
    _half: Sequence[ref[Cursor]] = ()

    def __init__(
        self,
        connector: Callable[[], sqlite3.Connection],
        iter_chunk_size: int = CHUNK,
        *,
        any_thread: bool = False,
    ) -> None:
        self._connector = connector
        self._iter_chunk_size = iter_chunk_size
        self.any_thread = any_thread
        self.closer: Callable[[sqlite3.Connection, bool], object] = _close
        """How the real connection is closed; a run may keep it for another run."""
        self.at_close: Callable[[], object] = _nothing
        """In a run: tells the engine that the locks are gone."""

    def join(self, *, whole: bool, at_close: Callable[[], object], patience: Patience) -> None:
        """Become a run's: every operation parks from now on."""
        self.parks, self.whole, self._awaited = True, whole, True
        self.at_close, self.patience = at_close, patience
        self.changes_before = self.raw.total_changes

    @property
    def closed(self) -> bool:
        """Say whether there is no real connection (any more)."""
        return self._connection is None

    @property
    def raw(self) -> sqlite3.Connection:
        """Return the real connection."""
        if self._connection is None:
            self.alive()
            raise ValueError("no active connection")
        return self._connection

    @property
    def legacy(self) -> bool:
        """Say whether isolation_level rules its transactions, and not `autocommit` (3.12)."""
        return getattr(self.raw, "autocommit", -1) == -1

    @property
    def always(self) -> bool:
        """Say whether Python keeps a transaction open at all times (autocommit=False)."""
        return getattr(self._connection, "autocommit", -1) is False

    def open(self) -> Result:
        """Open the real connection, at once."""
        if self._connection is None:
            try:
                self._connection = self._connector()
            except BaseException:
                self._running = False
                raise
        return NOTHING

    def _perform(self, operation: Operation) -> Awaitable[Result]:
        """Wait for the grant of `operation`: the only way from a writer to the file."""
        gone = self.dead or not self._running or self._connection is None
        if gone and operation.call != "connect":
            self.check()
        if self.listens:
            operation = operation._replace(act=self._heard(operation.act))
        return park(operation) if self.parks else at_once(operation)

    def check(self) -> None:
        """Raise where nothing can be executed any more."""
        self.alive()
        if self._connection is None or not self._running:
            raise ValueError("Connection closed")

    def alive(self) -> None:
        """End a writer that goes on after its process was killed: its `finally`, say."""
        if self.dead:
            raise GeneratorExit

    async def bury(self) -> None:
        """End a dead writer, or where it swallows its end (`except:` in a loop), never wake it
        again: nothing else stops code that goes on for ever against a dead connection."""
        self._refused += 1
        if self._refused > MOST_REFUSED:
            await park(NEVER)
        raise GeneratorExit

    def _heard(self, act: Callable[[], Result]) -> Callable[[], Result]:
        """Let the writer's callbacks hear what happens in `act`."""

        def loudly() -> Result:
            self.loud = True
            try:
                return act()
            finally:
                self.loud = not self.parks

        return loudly

    # What is not at its end.

    def half_read(self, cursor: Cursor) -> None:
        """Note a cursor whose statement may not be at its end.

        It is not kept alive: a cursor that its writer lets go of is reset by Python.
        """
        self._half = (*self._half, ref(cursor))

    def active(self) -> bool:
        """Say whether a statement of this connection is unfinished."""
        return unfinished(self.raw)

    def unfinished(self) -> list[Cursor]:
        """Return the cursors whose statements are not at their end, as far as can be told: with
        several, one that gave its last row is believed unfinished until the others are."""
        if not self._half:
            return []
        cursors = [cursor for one in self._half if (cursor := one()) and cursor.unfinished]
        if cursors and not self.active():
            for cursor in cursors:
                cursor.unfinished = False
            cursors = []
        self._half = tuple(ref(cursor) for cursor in cursors)
        return cursors

    def last_insert(self) -> int:
        """Return last_insert_rowid(), asked so that nobody hears it."""
        cursor = self.raw.cursor()
        cursor.row_factory = None
        rowid: int = cursor.execute("SELECT last_insert_rowid()").fetchone()[0]
        return rowid

    def rewritten(self, sql: str) -> str:
        """Return what to execute in the place of `sql`.

        A schema's change is prepared anew: IF NOT EXISTS asked before would still be a write.
        PRAGMA busy_timeout would make SQLite wait inside C; its value is kept for the engine's
        virtual waiting, and a SELECT gives the row that the PRAGMA would have given.
        """
        verb = verb_of(sql) if self.patience is not None else ""
        if verb == "EXPLAIN":
            return fresh(sql)
        if verb in SCHEMA_VERBS:  # as fresh, and with the comment where no schema keeps it
            return f"{fresh('')}{sql}"
        if verb != "PRAGMA" or self.patience is None:
            return sql
        asked = pragma(sql)
        if asked.name == "query_only" and asked.value:
            self.patience.read_only = truth(asked.value)
        if asked.name != "busy_timeout":
            return sql
        if asked.value:
            self.patience.timeout = max(leading_number(asked.value), 0)
        return f"SELECT {self.patience.timeout} AS timeout"

    # The end.

    def finish(self) -> None:
        """Close at the end of a writer; whatever it calls afterwards ends it."""
        self.dead = True
        self._close()

    def kill(self) -> None:
        """Close as SIGKILL does, and not as sqlite3_close.

        Closing would finish a half-read RETURNING, and so commit it, and would keep locks for
        as long as a statement lives. An interrupted statement that is stepped again fails, and
        takes its changes with it.
        """
        self.dead = True
        if self._connection is not None:
            if self.active():
                self.touched = True
                self._connection.interrupt()
                for one in self._half:
                    if cursor := one():
                        cursor.exhaust()
            self._close()

    def stop(self) -> Stopped:
        """Close at once, without a grant: aiosqlite's last resort, which cannot wait."""
        self._running = False
        if not self.dead:
            self._close_for_good()
        return Stopped()

    def _close_for_good(self) -> Result:
        """Close because the writer says so: nobody uses the connection again."""
        self.touched = True
        return self._close()

    def _close(self) -> Result:
        if self.parks:
            for one in self._half:
                if cursor := one():
                    cursor.drop()
        if self._connection is not None:
            raw, self._connection = self._connection, None
            self.closer(raw, self.touched)
            self.at_close()
        return NOTHING


def _close(raw: sqlite3.Connection, _: bool) -> None:
    """Close a connection that no run keeps."""
    raw.close()


def _nothing() -> None:
    """Do nothing: nobody listens outside a run."""
