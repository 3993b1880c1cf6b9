"""Doing an operation on real SQLite, and reading what it came to.

Wrong in this module: knowing about writers or grants. It is about one operation.
"""

import sqlite3
from typing import Final

from sim_core.engine.db import Connection
from sim_core.engine.faults import error_of
from sim_core.engine.locks import Need
from sim_core.engine.park import Operation, Result
from sim_core.errors import ExplorerError

_MOST_CONTEXTS: Final = 100


def attempt(operation: Operation) -> tuple[Result | None, BaseException | None]:
    """Act; what its writer is to be told may be any error, of a row factory or a generator."""
    try:
        return operation.act(), None
    except ExplorerError:
        raise
    except Exception as error:
        return None, _untied(error)


def _untied(error: BaseException) -> BaseException:
    """Return the error without its tracebacks. Their frames lead back to the engine's, and those
    to the error: until Python finds the circle, the statement would keep its locks, where with
    plain sqlite3 they go with the writer's cursor."""
    one: BaseException | None = error
    for _ in range(_MOST_CONTEXTS):
        if one is None:
            break
        one.__traceback__, one = None, one.__context__
    return error


def begins_anew(operation: Operation, connection: Connection) -> bool:
    """Say whether Python opens the next transaction at once (autocommit=False)."""
    return operation.call in ("commit", "rollback") and connection.always


def kept_out() -> BaseException:
    """Return the error that SQLite would raise where another writer keeps PENDING while it
    waits: our connections do not sleep in C, so that its PENDING is only in the books."""
    error = error_of("SQLITE_BUSY")
    error.args = ("database is locked",)
    return error


def is_busy(error: BaseException | None, need: Need, result: Result | None) -> bool:
    """Say whether SQLite said BUSY; a checkpoint says it by its first column."""
    if error is None and need is not Need.CHECKPOINT and need is not Need.RESTART:
        return False
    if need in (Need.CHECKPOINT, Need.RESTART):
        return bool(result and result.rows and result.rows[0][0] == 1)
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF == sqlite3.SQLITE_BUSY


def writes_back(result: Result | None) -> bool:
    """Say whether a checkpoint has left nothing in the log: its row says how many frames there
    are, and how many are in the file (https://www.sqlite.org/pragma.html#pragma_wal_checkpoint)."""
    rows = result.rows if result else None
    return bool(rows) and rows[0][1] == rows[0][2] >= 0  # type: ignore[index]
