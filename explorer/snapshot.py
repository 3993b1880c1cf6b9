"""Somebody else's database, read at one instant, without writing to it.

It may be in use: the whole reading is one read transaction, which is one snapshot. It may be in
WAL mode: there, even a reader makes the files -wal and -shm where there are none, and leaves them.
So where nobody has the log open the file is read as immutable, and the reading is made again, the
ordinary way, should somebody have come meanwhile. That leaves nothing behind. Two things may stay
all the same, for who may only read cannot clean up: a -shm beside a -wal that lay there alone, and
both of them where the last writer closes while we read. They harm nobody, and whoever writes to
the database next removes them.

Wrong in this module: what is read.
"""

import os
import sqlite3
import stat
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final, TypeVar

from sim_core.errors import DriftError
from sim_core.quoting import short

TIMEOUT: Final = 5.0
"""Seconds that a lock is waited for."""
SETTLED: Final = 0.1
"""Seconds after which a file's time stamp tells the next change apart from the last."""
WAL_MODE: Final = b"\x02\x02"
MODE_AT: Final = 18
"""Where the header says how the file is written."""

Read = TypeVar("Read")


def reading(
    path: Path, read: Callable[[sqlite3.Connection], Read], timeout: float = TIMEOUT
) -> Read:
    """Return what `read` reads in one snapshot of the database.

    Raises DriftError where there is no such database, or where it cannot be read.
    """
    _check(path)
    try:
        if (before := _quiet(path)) is not None:
            answer = _read(path, "mode=ro&immutable=1", read, timeout)
            if _quiet(path) == before:
                return answer
        return _read(path, "mode=ro", read, timeout)
    except sqlite3.Error as error:
        raise DriftError(_sentence(error, path, timeout), str(path)) from error


def beside(path: Path) -> set[str]:
    """Return the files of SQLite's own that lie beside the database."""
    try:
        real = Path(os.path.realpath(path))
        ends = [real.with_name(f"{real.name}-{end}") for end in ("wal", "shm")]
        return {one.name for one in ends if one.exists()}
    except (OSError, ValueError):  # no name of a file; reading says so
        return set()


def in_wal(path: Path) -> bool:
    """Say whether the file's header says WAL."""
    with path.open("rb") as file:
        return file.read(MODE_AT + 2)[MODE_AT:] == WAL_MODE


def _check(path: Path) -> None:
    """Say what is no database before SQLite says that it cannot open it."""
    said = f"'{short(path, 200)}'"
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            what = "a folder; name the database file in it" if stat.S_ISDIR(mode) else "no file"
            raise DriftError(f"{said} is {what}.", str(path))
        with path.open("rb") as file:
            head = file.read(16)
    except (FileNotFoundError, NotADirectoryError):
        raise DriftError(f"There is no file {said}.", str(path)) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise DriftError(f"{said} cannot be read: {why}.", str(path)) from error
    if head and head != b"SQLite format 3\0":
        raise DriftError(f"{said} is not an SQLite database.", str(path))


def _quiet(path: Path) -> tuple[int, ...] | None:
    """Return what tells this state of a WAL file that nobody uses from the next; None where
    somebody does, or where it is no WAL file."""
    if any(path.with_name(f"{path.name}-{end}").exists() for end in ("wal", "shm", "journal")):
        return None
    if not in_wal(path):
        return None
    now = path.stat()
    age = time.time() - max(now.st_mtime, now.st_ctime)
    if age < SETTLED:
        time.sleep(SETTLED)
    if age < 0:  # somebody's clock is wrong
        return None
    return now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns


def _read(path: Path, how: str, read: Callable[[sqlite3.Connection], Read], timeout: float) -> Read:
    # Links are followed, as SQLite does, for the log lies beside the file that they lead to.
    uri = f"{Path(os.path.realpath(path)).as_uri()}?{how}"
    link = sqlite3.connect(uri, uri=True, timeout=timeout, isolation_level=None)
    with closing(link) as db:
        db.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        db.execute("PRAGMA query_only=ON")
        db.execute("BEGIN")
        answer = read(db)
        db.execute("ROLLBACK")
        return answer


def _sentence(error: sqlite3.Error, path: Path, timeout: float) -> str:
    """Return what SQLite's refusal means to whoever asked."""
    said, name = f"'{short(path, 200)}'", getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return (
            f"{said} is locked: another process kept it to itself for all of a wait of "
            f"{timeout:g} s; try again when it is done."
        )
    if name.startswith("SQLITE_READONLY"):
        return (
            f"{said} was left in the middle of a transaction, and reading it would mean to write "
            "to it; open it once with an ordinary connection, then try again."
        )
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or _says_corrupt(error):
        return f"{said} is corrupt: SQLite says “{short(error)}”; recover it, then try again."
    if name.startswith("SQLITE_CANTOPEN"):
        return (
            f"{said} cannot be opened, or the log beside it cannot: “{short(error)}”; make its "
            "folder writable, or copy it together with its -wal into one that is, and ask there."
        )
    return f"{said} cannot be read: SQLite says “{short(error, 200)}”."


def _says_corrupt(error: sqlite3.Error) -> bool:
    return "malformed" in str(error) or "not a database" in str(error)
