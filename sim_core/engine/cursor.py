"""aiosqlite's cursor: rows either fetched in the grant that executed, or one call at a time.

At granularity `statement` the rows come with the statement, so that a step is a statement. At
`call`, and outside a run, every fetch is a call of its own, and a cursor that was not read to
its end keeps its locks, as it does in SQLite. What several commits are made of (executemany in
autocommit, executescript) is taken apart in engine/batch.py.
"""

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable
from operator import index
from typing import TYPE_CHECKING, Any, Self

from sim_core.engine import batch
from sim_core.engine.parameters import Elements, frozen
from sim_core.engine.park import NOTHING, Operation, Result, Row
from sim_core.engine.statement import verb_of

if TYPE_CHECKING:
    from sim_core.engine.db import Connection

Factory = Callable[[Any, Any], Any]


class Cursor:
    """One cursor of a Connection."""

    __slots__ = (
        "__weakref__",
        "_at",
        "_connection",
        "_early",
        "_fetched",
        "_raw",
        "changes",
        "iter_chunk_size",
        "reads",
        "row_factory",
        "sql",
        "summed",
        "unfinished",
    )

    def __init__(self, connection: "Connection", raw: sqlite3.Cursor) -> None:
        self._connection = connection
        self._raw = raw
        self.iter_chunk_size = connection._iter_chunk_size
        self.sql = ""
        self._fetched: list[Row] = []
        self._at = 0
        self._early = -1
        """The row count as sqlite3 tells it before the last row is fetched."""
        self.summed: int | None = None
        """The row count of an executemany that was several steps."""
        self.unfinished = False
        """Its statement may not have come to its end."""
        self.reads = True
        """What is unfinished holds a lock on the file; in a run, the engine knows."""
        self.changes = False
        """What is unfinished writes (a RETURNING): its end may be a commit."""
        self.row_factory: Factory | None = raw.row_factory
        raw.row_factory = None  # the trace tells SQLite's values, whatever is made of them

    async def perform(
        self, call: str, act: Callable[[], Result], sql: str = "", parameters: Any = ()
    ) -> Result:
        """Wait for the grant, then act."""
        operation = Operation(call, sql or self.sql, parameters, act, self)
        return await self._connection._perform(operation)

    # Executing.

    async def execute(self, sql: str, parameters: Any = None) -> Self:
        await self._connection._perform(self.statement("execute", sql, parameters, self.run))
        return self

    def statement(
        self, call: str, sql: str, parameters: Any, run: Callable[[str, Any], Result]
    ) -> Operation:
        """Return the operation that runs one statement in the way of `run`."""
        if not isinstance(sql, str):
            self._raw.execute(sql)  # a TypeError, in sqlite3's words
        given = frozen(parameters)
        return Operation(call, sql, given, lambda: run(sql, given), self)

    def _start(self, sql: str, parameters: Any) -> None:
        """Execute without fetching."""
        self.sql, self.summed, self._fetched, self._at = sql, None, [], 0
        self.unfinished = False
        raw = self._raw
        raw.execute(self._connection.rewritten(sql), parameters)
        if raw.rowcount > 0 and verb_of(sql) in ("INSERT", "REPLACE"):
            self._connection.inserted = True

    def run(self, sql: str, parameters: Any) -> Result:
        """Execute, and at granularity `statement` fetch."""
        self._start(sql, parameters)
        raw = self._raw
        if raw.description is None:
            return Result(None, raw.rowcount)
        if self._connection.whole:
            self._early = raw.rowcount
            self._fetched = self._all_rows()
            return Result(self._fetched, raw.rowcount)
        if not self._connection.parks or self._connection.active():  # else it is at its end
            self._half_read()
        return Result(None, raw.rowcount)

    def _half_read(self) -> None:
        self.unfinished = True
        self._connection.half_read(self)

    def _all_rows(self) -> list[Row]:
        """Fetch everything. A row that cannot be decoded (text that is no UTF-8, or whose
        text_factory raises) leaves the statement where it is, and its locks with it."""
        try:
            return self._raw.fetchall()
        except BaseException:
            self._half_read()
            raise

    def run_to_end(self, sql: str, parameters: Any) -> Result:
        """Execute and fetch, in one go at any granularity."""
        self._start(sql, parameters)
        rows = self._all_rows()
        return Result(rows if self._raw.description else None, self._raw.rowcount)

    def run_insert(self, sql: str, parameters: Any) -> Result:
        """Execute, and ask for the last row's id."""
        self._start(sql, parameters)
        rowcount = self._raw.rowcount
        self._connection.asked |= not self._connection.inserted
        self._raw.execute("SELECT last_insert_rowid()")
        return Result(self._raw.fetchall(), rowcount)

    async def executemany(self, sql: str, parameters: Iterable[Any]) -> Self:
        """Execute once per element; in a run each that commits is a step of its own."""
        if not isinstance(sql, str):
            self._raw.executemany(sql, ())  # a TypeError, in sqlite3's words
        if self._connection.parks and self._connection.commits_each(sql):
            await batch.each(self._connection, self, sql, parameters)
            return self
        elements = Elements(parameters) if self._connection.parks else parameters
        given = elements.seen if isinstance(elements, Elements) else ()
        await self.perform("executemany", lambda: self.run_many(sql, elements), sql, given)
        return self

    def run_many(self, sql: str, elements: Iterable[Any]) -> Result:
        """Execute once per element, in one go."""
        self.sql, self.summed, self._fetched, self._at = sql, None, [], 0
        self.unfinished = False
        self._raw.executemany(sql, elements)
        return Result(None, self._raw.rowcount)

    async def executescript(self, script: str) -> Self:
        """Commit what is open, then run the statements; in a run each is a step of its own."""
        if self._connection.parks and isinstance(script, str) and "\0" not in script:
            await batch.script(self._connection, self, script)
        else:
            await self.perform("executescript", lambda: self.run_script(script))
        return self

    def run_script(self, script: str) -> Result:
        """Hand a script to sqlite3 as it is."""
        self._raw.executescript(script)
        return NOTHING

    # Fetching.

    async def fetchone(self) -> Any:
        if self._connection.whole and self._at < len(self._fetched):
            # the commonest call of all: the next of the rows that came with the statement
            self._connection.check()
            self._at += 1
            return self.made(self._fetched[self._at - 1])
        rows = await self._fetch("fetchone", 1)
        return rows[0] if rows else None

    async def fetchmany(self, size: int | None = None) -> list[Any]:
        return await self._fetch("fetchmany", self.arraysize if size is None else index(size))

    async def fetchall(self) -> list[Any]:
        return await self._fetch("fetchall", None)

    async def _fetch(self, call: str, most: int | None) -> list[Any]:
        if self._connection.whole:
            self._connection.check()
            rows = self._next_fetched(most)
        else:
            rows = (await self.perform(call, lambda: self._fetch_raw(most))).rows or []
        return [self.made(row) for row in rows] if self.row_factory else list(rows)

    def _next_fetched(self, most: int | None) -> list[Row]:
        if not self._fetched:
            self._raw.fetchone()  # there is none; on a closed cursor, sqlite3 says so
        # sqlite3 fetches everything where it is asked for no rows, or fewer
        last = self._at + most if most is not None and most > 0 else len(self._fetched)
        rows, self._at = self._fetched[self._at : last], last
        return rows

    def _fetch_raw(self, most: int | None) -> Result:
        rows = self._raw.fetchall() if most is None else self._raw.fetchmany(most)
        self.unfinished = self.unfinished and most is not None and len(rows) == most
        return Result(rows)

    def made(self, row: Row) -> Any:
        """Return what the row factory makes of a row."""
        return self.row_factory(self._raw, row) if self.row_factory else row

    async def close(self) -> None:
        if self._connection.whole:
            self._connection.check()
            self.drop()
        else:
            await self.perform("close cursor", self.drop)

    def drop(self) -> Result:
        """Let go of the statement, at once."""
        self._raw.close()
        self._fetched, self._at, self.unfinished = [], 0, False
        return NOTHING

    def exhaust(self) -> None:
        """Step to the end, past every row and error: how a killed process is imitated."""
        try:
            while self._raw.fetchone() is not None:
                pass
        except sqlite3.Error:
            pass

    # What sqlite3 tells of a cursor.

    @property
    def rowcount(self) -> int:
        if self.summed is not None:
            return self.summed
        return self._early if self._at < len(self._fetched) else self._raw.rowcount

    @property
    def lastrowid(self) -> int | None:
        if not self._connection.inserted:
            self._connection.asked = True
        return self._raw.lastrowid

    @property
    def description(self) -> Any:
        return self._raw.description

    @property
    def arraysize(self) -> int:
        return self._raw.arraysize

    @arraysize.setter
    def arraysize(self, value: int) -> None:
        self._raw.arraysize = value

    @property
    def connection(self) -> sqlite3.Connection:
        return self._raw.connection

    async def __aiter__(self) -> AsyncIterator[Any]:
        while rows := await self.fetchmany(self.iter_chunk_size):
            for row in rows:
                yield row

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
