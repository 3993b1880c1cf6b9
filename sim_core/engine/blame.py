"""Who is to blame where SQLite refuses what the engine itself asks?

A writer is told its own errors. But the engine asks too: it opens the file, looks whether a
transaction is open, rolls back at the end. What stands in its way then is the machine (no room),
or a scenario that took the database away: closed the real connection under the facade, wrote
into sqlite_schema, deleted the file.

Wrong in this module: an error that belongs to a writer.
"""

import sqlite3
from typing import Final

from sim_core.engine.place import place
from sim_core.errors import ExplorerError, MachineError, ScenarioError
from sim_core.quoting import said, short

_NO_ROOM: Final = ("SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_CANTOPEN")


class blamed:
    """Turn what SQLite and the file system refuse inside into one sentence."""

    __slots__ = ("_head",)

    def __init__(self, head: str) -> None:
        self._head = head

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, sqlite3.Error | OSError):
            raise no_room(error) or _taken_away(error, self._head) from error


def no_room(error: BaseException) -> ExplorerError | None:
    """Return the error to raise where the machine has no room for a run's file."""
    name = getattr(error, "sqlite_errorname", "")
    if not isinstance(error, OSError) and name not in _NO_ROOM:
        return None
    where = short(str(place()), 200)
    if name == "SQLITE_CANTOPEN" and place().is_dir():
        return None
    return MachineError(
        f"The file of a run cannot be kept in {where} ({said(error)}); make room there, or set "
        "TMPDIR to another directory."
    )


def _taken_away(error: BaseException, head: str) -> ScenarioError:
    return ScenarioError(
        f"A run of {short(head, 200)} lost its database ({said(error)}); a writer or an invariant "
        "must not close the real connection, and leaves the file and sqlite_schema alone.",
        part=head,
    )
