"""aiosqlite's interface on real SQLite, one granted operation at a time.

A writer written for aiosqlite (https://aiosqlite.omnilib.dev) runs here unmodified: same
names, same results, same exceptions. Whatever touches the file funnels through
`Handle._perform`: in a run it parks there, outside a run it is done at once.

Wrong in this module: touching the database past `_perform`, and knowing about schedules,
waiting or faults.
"""

import sqlite3
import warnings
from collections.abc import AsyncIterator, Callable, Generator, Iterable
from contextlib import suppress
from typing import Any, Self

from sim_core.engine.awaited import Awaited, awaited
from sim_core.engine.cursor import Cursor, Factory
from sim_core.engine.handle import CHUNK, Handle
from sim_core.engine.park import NOTHING, Operation, Result
from sim_core.engine.statement import DML, verb_of
from sim_core.errors import UncoveredShape


class Connection(Handle):
    """aiosqlite.Connection around one real connection."""

    _authorizer: Callable[..., int] | None = None

    def __init__(
        self,
        connector: Callable[[], sqlite3.Connection],
        iter_chunk_size: int = CHUNK,
        loop: object = None,
        *,
        any_thread: bool = False,
    ) -> None:
        super().__init__(connector, iter_chunk_size, any_thread=any_thread)
        if loop is not None:
            text = "aiosqlite.Connection no longer uses the `loop` parameter"
            warnings.warn(text, DeprecationWarning, stacklevel=2)

    def __del__(self) -> None:
        if self._connection is not None and not self.parks:
            warnings.warn(
                f"{self!r} was deleted before being closed. Please use 'async with' or "
                "'.close()' to close the connection properly.",
                ResourceWarning,
                stacklevel=1,
            )
            self.stop()

    # Opening and closing.

    def __await__(self) -> Generator[Any, Any, Self]:
        if self._awaited:
            # in aiosqlite's words, for whoever expects them
            raise RuntimeError("threads can only be started once")
        self._awaited = True
        return self._connect().__await__()

    async def _connect(self) -> Self:
        await self._perform(Operation("connect", "", (), self.open))
        return self

    async def __aenter__(self) -> Self:
        return await self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self._connection is None:
            return
        try:
            if self.whole:
                self.check()
                self._close_for_good()
            else:
                await self._perform(Operation("close", "", (), self._close_for_good))
        finally:
            self._running = False

    # Executing.

    def _new_cursor(self) -> Cursor:
        return Cursor(self, self.raw.cursor())

    @awaited
    async def cursor(self) -> Cursor:
        cursor = self._new_cursor()
        self.check()
        return cursor

    def execute(self, sql: str, parameters: Any = None) -> Awaited:
        return Awaited(self._execute(sql, parameters))

    async def _execute(self, sql: str, parameters: Any) -> Cursor:
        if self.dead:
            await self.bury()
        cursor = self._new_cursor()
        await self._perform(cursor.statement("execute", sql, parameters, cursor.run))
        return cursor

    @awaited
    async def executemany(self, sql: str, parameters: Iterable[Any]) -> Cursor:
        return await self._new_cursor().executemany(sql, parameters)

    @awaited
    async def executescript(self, sql_script: str) -> Cursor:
        return await self._new_cursor().executescript(sql_script)

    @awaited
    async def execute_insert(self, sql: str, parameters: Any = None) -> Any:
        self.check()
        cursor = self._new_cursor()
        insert = cursor.statement("execute_insert", sql, parameters, cursor.run_insert)
        done = await self._perform(insert)
        return cursor.made(done.rows[0]) if done.rows else None

    @awaited
    async def execute_fetchall(self, sql: str, parameters: Any = None) -> list[Any]:
        self.check()
        cursor = self._new_cursor()
        fetch = cursor.statement("execute_fetchall", sql, parameters, cursor.run_to_end)
        done = await self._perform(fetch)
        return [cursor.made(row) for row in done.rows or ()]

    def commits_each(self, sql: str) -> bool:
        """Say whether every execution of `sql` would now commit by itself."""
        if self.in_transaction:
            return False
        return not self.legacy or self.isolation_level is None or verb_of(sql) not in DML

    async def commit(self) -> None:
        if self.dead:
            await self.bury()
        await self._perform(Operation("commit", "COMMIT", (), _after(self.raw.commit)))

    async def rollback(self) -> None:
        if self.dead:
            await self.bury()
        await self._perform(Operation("rollback", "ROLLBACK", (), _after(self.raw.rollback)))

    # What does not touch the file needs no grant; but the connection is not as new any more.

    def _touch(self) -> sqlite3.Connection:
        raw = self.raw
        self.check()
        self.touched = True
        return raw

    async def interrupt(self) -> None:
        self.raw.interrupt()

    async def create_function(
        self, name: str, num_params: int, func: Callable[..., Any], deterministic: bool = False
    ) -> None:
        self._touch().create_function(name, num_params, func, deterministic=deterministic)

    async def enable_load_extension(self, value: bool) -> None:
        self._touch().enable_load_extension(value)

    async def load_extension(self, path: str) -> None:
        self._touch().load_extension(path)

    async def set_progress_handler(self, handler: Callable[[], int | None], n: int) -> None:
        self._touch().set_progress_handler(self._to_hear(handler, 0), n)

    async def set_trace_callback(self, handler: Callable[[str], object] | None) -> None:
        self._touch().set_trace_callback(self._to_hear(handler, None))

    async def set_authorizer(self, authorizer_callback: Callable[..., int] | None) -> None:
        raw = self._touch()
        self._authorizer = self._to_hear(authorizer_callback, sqlite3.SQLITE_OK)
        raw.set_authorizer(self._authorizer)

    def _to_hear(self, callback: Callable[..., Any] | None, otherwise: Any) -> Any:
        """Return the callback, deaf to what the engine itself asks on this connection."""
        if callback is None or not self.parks:
            return callback
        self.listens, self.loud = True, False
        return lambda *told: callback(*told) if self.loud else otherwise

    # What reads all of it does.

    async def iterdump(self) -> AsyncIterator[str]:
        def dump() -> Result:
            return Result(value=list(self.raw.iterdump()))

        for line in (await self._perform(Operation("iterdump", "", (), dump))).value:
            yield line

    async def backup(
        self,
        target: "Connection | sqlite3.Connection",
        *,
        pages: int = 0,
        progress: Callable[[int, int, int], object] | None = None,
        name: str = "main",
        sleep: float = 0.25,
    ) -> None:
        into = target.raw if isinstance(target, Connection) else target
        if isinstance(target, Connection) and target.parks:
            raise UncoveredShape("A run cannot back up into a database of the run.", part="backup")
        raw = self.raw

        def copy() -> Result:
            if self.parks:  # its own waiting would never end, and nobody else would run
                raw.execute("SELECT count(*) FROM sqlite_schema").fetchall()
            raw.backup(into, pages=pages, progress=progress, name=name, sleep=sleep)
            return NOTHING

        await self._perform(Operation("backup", "", (), copy))

    # What sqlite3 tells of a connection.

    @property
    def in_transaction(self) -> bool:
        return self.raw.in_transaction

    @property
    def total_changes(self) -> int:
        return self.raw.total_changes - self.changes_before

    @property
    def isolation_level(self) -> str | None:
        return self.raw.isolation_level

    @isolation_level.setter
    def isolation_level(self, value: str | None) -> None:
        raw = self.raw
        if value is None and not self.any_thread:
            # it means a COMMIT too; aiosqlite assigns it in the event loop's thread, where sqlite3
            # refuses that part: the level is None, the transaction open, and this is raised
            raw.set_authorizer(lambda *_: sqlite3.SQLITE_DENY)
            with suppress(sqlite3.DatabaseError):
                raw.isolation_level = None
            raw.set_authorizer(self._authorizer)
            raise sqlite3.ProgrammingError(
                "SQLite objects created in a thread can only be used in that same thread; give "
                "isolation_level=None to connect()."
            )
        raw.isolation_level = value  # type: ignore[assignment]

    @property
    def row_factory(self) -> Factory | None:
        return self.raw.row_factory

    @row_factory.setter
    def row_factory(self, factory: Factory | None) -> None:
        self.touched = True
        self.raw.row_factory = factory

    @property
    def text_factory(self) -> Callable[[bytes], Any]:
        factory: Callable[[bytes], Any] = self.raw.text_factory
        return factory

    @text_factory.setter
    def text_factory(self, factory: Callable[[bytes], Any]) -> None:
        self.touched = True
        self.raw.text_factory = factory


def _after(call: Callable[[], None]) -> Callable[[], Result]:
    """Return an act that makes `call` and gives nothing back."""

    def act() -> Result:
        call()
        return NOTHING

    return act
