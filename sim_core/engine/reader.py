"""What invariants and views read through: it cannot write, and never leaves a lock behind.

Every answer is fetched whole, so that no half-read cursor of an invariant can hold SHARED in
the middle of somebody's run.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from sim_core.engine.statement import Parameters, readable
from sim_core.seams.sqltime import SqlSeam

Row = tuple[Any, ...]


class Answer:
    """The rows of one query."""

    def __init__(self, description: tuple[Row, ...] | None, rows: list[Row]) -> None:
        self._description = description
        self._rows = rows
        self._at = 0

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns' names."""
        return tuple(column[0] for column in self._description or ())

    def fetchone(self) -> Row | None:
        """Return the next row, or None."""
        return next(self, None)

    def fetchall(self) -> list[Row]:
        """Return the rows that are left."""
        return list(self)

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        if self._at >= len(self._rows):
            raise StopIteration
        self._at += 1
        return self._rows[self._at - 1]


class Reader:
    """A connection for reading only, as an invariant is given it."""

    def __init__(self, path: Path, seam: SqlSeam) -> None:
        self._uri = path.as_uri()
        self._log = path.with_name(f"{path.name}-wal")
        self.seam = seam
        """Time and chance in an invariant's SQL are the run's, too."""
        self._raw: sqlite3.Connection | None = None
        self._data_version: int | None = None
        self._version = 0

    def version(self) -> int:
        """Return a number that is another one as soon as a commit has changed the file.

        That is SQLite's own PRAGMA data_version, of a connection that never writes
        (https://www.sqlite.org/pragma.html#pragma_data_version), counted on when that is closed.
        """
        (now,) = self._ordinary().execute("PRAGMA data_version").fetchone()
        self._version += self._data_version is not None and now != self._data_version
        self._data_version = now
        return self._version

    def empty(self) -> bool:
        """Say whether the write-ahead log holds no frame at all, not even one written back."""
        try:
            return self._log.stat().st_size == 0
        except FileNotFoundError:
            return True

    def execute(self, sql: str, parameters: Parameters = ()) -> Answer:
        """Return the committed rows of `sql`.

        Under PENDING an ordinary reader is refused; `immutable` reads past locks, and nothing
        is half-written while every writer is parked. Bytes that are no UTF-8 are read as U+FFFD:
        Python's sqlite3 would refuse the whole row, and one could not even look at it.
        """
        raw = self._ordinary()
        try:
            return _answer(raw, sql, parameters)
        except sqlite3.OperationalError as error:
            code = getattr(error, "sqlite_errorcode", None)
            if code is None and raw.text_factory is str:  # an error of decoding
                raw.text_factory = readable
                return self.execute(sql, parameters)
            if code is None or code & 0xFF != sqlite3.SQLITE_BUSY:
                raise self.seam.raised(error) or error from None
        past = self._open("immutable=1")
        try:
            return _answer(past, sql, parameters)
        finally:
            past.close()

    def _ordinary(self) -> sqlite3.Connection:
        if self._raw is None:
            self._raw = self._open("mode=ro")
        return self._raw

    def _open(self, how: str) -> sqlite3.Connection:
        raw = sqlite3.connect(
            f"{self._uri}?{how}",
            uri=True,
            timeout=0,
            isolation_level=None,
            check_same_thread=False,
        )
        self.seam.install(raw)
        if self._raw is not None:
            raw.text_factory = self._raw.text_factory
        return raw

    def close(self) -> None:
        """Close; the next query opens again."""
        if self._raw is not None:
            with suppress(sqlite3.OperationalError):  # BUSY: a rollback journal has no versions
                if self._data_version is not None:
                    self.version()
            self._data_version = None
            self._raw.close()
            self._raw = None


def _answer(raw: sqlite3.Connection, sql: str, parameters: Parameters) -> Answer:
    cursor = raw.execute(sql, parameters)
    try:
        return Answer(cursor.description, cursor.fetchall())
    finally:
        cursor.close()
        if raw.in_transaction:  # somebody's BEGIN would keep its locks
            raw.rollback()
