"""aiosqlite's interface, executed on real SQLite, one granted operation at a time.

A writer written for aiosqlite (https://aiosqlite.omnilib.dev) runs here unmodified: same
names, same results, same exceptions. Every method funnels through `Connection._perform`, which
parks; nothing here knows about schedules, waiting or faults.

Wrong in this module: touching the database without parking.
"""

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterable
from types import TracebackType
from typing import Any, Self

from sim_core.engine.park import Operation, park
from sim_core.engine.statement import Parameters, shape

Row = tuple[Any, ...]


def split_script(script: str) -> list[str]:
    """Return the statements of a script, as sqlite3.executescript would run them."""
    statements: list[str] = []
    rest = ""
    for piece in script.split(";"):
        rest += piece + ";"
        if sqlite3.complete_statement(rest):
            statements.append(rest)
            rest = ""
    return [text for text in [*statements, rest.rstrip(";")] if shape(text).verb]


class Awaited:
    """What `execute` returns: awaitable for a cursor, and an async context that closes it."""

    def __init__(self, pending: Awaitable["Cursor"]) -> None:
        self._pending = pending
        self._cursor: Cursor | None = None

    def __await__(self) -> Generator[Any, Any, "Cursor"]:
        return self._pending.__await__()

    async def __aenter__(self) -> "Cursor":
        self._cursor = await self._pending
        return self._cursor

    async def __aexit__(self, *_: object) -> None:
        if self._cursor is not None:
            await self._cursor.close()


class Cursor:
    """A cursor whose rows were fetched in the grant that executed it."""

    def __init__(self, connection: "Connection", raw: sqlite3.Cursor) -> None:
        raw.row_factory = None
        connection.cursors.append(raw)
        self._connection = connection
        self._raw = raw
        self.rows: list[Row] | None = None
        """What was fetched; None where the statement returns no rows at all."""
        self._at = 0
        self.arraysize = 1

    def run(self, sql: str, parameters: Parameters) -> Self:
        """Execute and fetch, on the real cursor."""
        self._raw.execute(sql, parameters)
        self.rows = self._raw.fetchall() if self._raw.description else None
        self._at = 0
        return self

    async def execute(self, sql: str, parameters: Any = ()) -> Self:
        await self._connection._perform("execute", sql, parameters, self)
        return self

    async def executemany(self, sql: str, parameters: Iterable[Any]) -> Self:
        for one in parameters:
            await self._connection._perform("execute", sql, one, self)
        return self

    async def executescript(self, script: str) -> Self:
        if self._connection.in_transaction:
            await self._connection.commit()
        for statement in split_script(script):
            await self._connection._perform("execute", statement, (), self)
        return self

    def _made(self, row: Row) -> Any:
        factory = self._connection.row_factory
        return factory(self._raw, row) if factory else row

    def _take(self, most: int | None) -> list[Any]:
        """Return the next rows, at most so many, as the row factory makes them."""
        rows = self.rows or []
        last = len(rows) if most is None else min(self._at + most, len(rows))
        taken, self._at = rows[self._at : last], last
        return [self._made(row) for row in taken]

    async def fetchone(self) -> Any:
        rows = self._take(1)
        return rows[0] if rows else None

    async def fetchmany(self, size: int | None = None) -> list[Any]:
        return self._take(self.arraysize if size is None else size)

    async def fetchall(self) -> list[Any]:
        return self._take(None)

    async def close(self) -> None:
        self.rows, self._at = None, 0

    @property
    def rowcount(self) -> int:
        return self._raw.rowcount

    @property
    def lastrowid(self) -> int | None:
        return self._raw.lastrowid

    @property
    def description(self) -> Any:
        return self._raw.description

    @property
    def connection(self) -> sqlite3.Connection:
        return self._raw.connection

    async def __aiter__(self) -> AsyncIterator[Any]:
        while (row := await self.fetchone()) is not None:
            yield row

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class Connection:
    """A connection a writer may hold: aiosqlite's shape around one real connection."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self.raw = raw
        self.dead = False
        """Its process was killed: nothing may reach the file through it any more."""
        self.row_factory: Callable[[Any, Any], Any] | None = None
        self.cursors: list[sqlite3.Cursor] = []

    def release(self) -> None:
        """Let go of every statement.

        sqlite3_close keeps a connection, its transaction and its locks alive for as long as one
        of its statements is; a process that ended has none.
        """
        self.dead = True
        for cursor in self.cursors:
            cursor.close()

    async def _perform(
        self, call: str, sql: str, parameters: Parameters, cursor: Cursor | None
    ) -> Any:
        """Park at one operation; the only way from a writer to the file."""
        match call:
            case "execute":
                assert cursor is not None, "execute needs its cursor"
                act: Callable[[], Any] = lambda: cursor.run(sql, parameters)  # noqa: E731
            case "commit":
                act = self.raw.commit
            case _:
                act = self.raw.rollback
        self._alive()
        return await park(Operation(call, sql, parameters, act))

    def _alive(self) -> None:
        """End a writer that goes on after its process was killed: its `finally`, say."""
        if self.dead:
            raise GeneratorExit

    def _new_cursor(self) -> Cursor:
        self._alive()
        return Cursor(self, self.raw.cursor())

    async def _execute(self, sql: str, parameters: Any) -> Cursor:
        return await self._new_cursor().execute(sql, parameters)

    def execute(self, sql: str, parameters: Any = ()) -> Awaited:
        return Awaited(self._execute(sql, parameters))

    def executemany(self, sql: str, parameters: Iterable[Any]) -> Awaited:
        return Awaited(self._new_cursor().executemany(sql, parameters))

    def executescript(self, script: str) -> Awaited:
        return Awaited(self._new_cursor().executescript(script))

    async def execute_fetchall(self, sql: str, parameters: Any = ()) -> list[Any]:
        return await (await self._execute(sql, parameters)).fetchall()

    async def execute_insert(self, sql: str, parameters: Any = ()) -> Row:
        return ((await self._execute(sql, parameters)).lastrowid,)

    async def cursor(self) -> Cursor:
        return self._new_cursor()

    async def commit(self) -> None:
        await self._perform("commit", "COMMIT", (), None)

    async def rollback(self) -> None:
        await self._perform("rollback", "ROLLBACK", (), None)

    async def close(self) -> None:
        """Do nothing yet: the engine closes a writer's connection when the writer ends."""

    @property
    def in_transaction(self) -> bool:
        return self.raw.in_transaction

    @property
    def total_changes(self) -> int:
        return self.raw.total_changes

    @property
    def isolation_level(self) -> str | None:
        return self.raw.isolation_level

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
