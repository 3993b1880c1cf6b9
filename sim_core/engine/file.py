"""A real file for every run, and real connections to it.

Fresh file, fresh connections: nothing can be left over from the run before. This is the
reference that any faster way has to equal.

Wrong in this module: an in-memory or shared-cache database; both lock by other rules.
"""

import itertools
import os
import sqlite3
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from sim_core.errors import ScenarioError
from sim_core.seams.chance import WRITERS, stream
from sim_core.seams.clock import Clock
from sim_core.seams.sqltime import SqlSeam

Isolation = Literal["DEFERRED", "IMMEDIATE", "EXCLUSIVE"] | None
"""Python's transaction modes: None leaves transactions to the writer."""

SETUP_STREAM: Final = WRITERS - 1
_numbers: Final = itertools.count()


@lru_cache(maxsize=1)
def _directory() -> tempfile.TemporaryDirectory[str]:
    """This process's directory; it goes when the process does."""
    memory = Path("/dev/shm")  # where there is some: the files live for a millisecond
    fits = memory.is_dir() and os.access(memory, os.W_OK)
    return tempfile.TemporaryDirectory(prefix="interleaving-", dir=memory if fits else None)


class File:
    """One run's database file, with the schema in it."""

    def __init__(self, schema: str, journal: str, clock: Clock, seed: int) -> None:
        self.path = Path(_directory().name) / f"{next(_numbers)}.db"
        self.clock = clock
        self.seed = seed
        self.seams: dict[sqlite3.Connection, SqlSeam] = {}
        setup = self.connect(SETUP_STREAM, isolation_level=None)
        try:
            setup.execute(f"PRAGMA journal_mode={journal}").fetchall()
            setup.executescript(schema)
        except sqlite3.Error as error:
            self.remove()
            raise ScenarioError(f"SQLite refuses the SCHEMA: {error}.", part="SCHEMA") from error
        finally:
            self.close(setup)

    def connect(self, dice: int, isolation_level: Isolation) -> sqlite3.Connection:
        """Open a writer's connection; `dice` is the stream that answers its random().

        Its schema is read here: a connection that starts while another holds PENDING could not.
        """
        raw = sqlite3.connect(
            self.path, timeout=0, isolation_level=isolation_level, check_same_thread=False
        )
        raw.execute("PRAGMA synchronous=OFF")
        raw.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        seam = self.seams[raw] = SqlSeam(self.clock, stream(self.seed, dice))
        seam.install(raw)
        return raw

    def close(self, raw: sqlite3.Connection) -> None:
        """Close a connection; its open transaction is rolled back, as by SQLite's recovery."""
        self.seams.pop(raw, None)
        raw.close()

    def read(self, sql: str) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        """Return column names and committed rows of `sql`, without touching any lock.

        Under PENDING an ordinary reader is refused; `immutable` reads past locks, and nothing
        is half-written while every writer is parked.
        """
        try:
            return self._read(sql, "mode=ro")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            return self._read(sql, "immutable=1")

    def _read(self, sql: str, how: str) -> tuple[tuple[str, ...], list[tuple[object, ...]]]:
        reader = self.reader(how)
        try:
            cursor = reader.execute(sql)
            return tuple(column[0] for column in cursor.description), cursor.fetchall()
        finally:
            reader.close()

    def reader(self, how: str = "mode=ro") -> sqlite3.Connection:
        """Return a connection that cannot write, for invariants and views."""
        return sqlite3.connect(f"{self.path.as_uri()}?{how}", uri=True, timeout=0)

    def remove(self) -> None:
        """Delete the file and what SQLite puts beside it."""
        for suffix in ("", "-wal", "-shm", "-journal"):
            with suppress(FileNotFoundError):
                Path(f"{self.path}{suffix}").unlink()
