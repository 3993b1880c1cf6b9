"""The module that can stand in aiosqlite's place.

    sys.modules["aiosqlite"] = sim_core.engine.aiosqlite_shape

Code that says `import aiosqlite` then gets this: the same names, and the same results and
exceptions (tests/engine/test_facade.py compares them, script by script). Inside a run every call
parks; outside a run it is done at once, in the caller's thread, without an event loop.

Of the 30 tests that aiosqlite 0.22.1 ships for itself, 28 pass (one is skipped where Python was
built without loadable extensions). The others test its worker thread, which is not here:

    test_close_blocking_until_transaction_queue_empty
        looks into the thread's queue, `_tx`; nothing is ever queued here
    test_cursor_on_closed_connection_loop
        closes amid a hundred queued fetches, and the ones behind the close find a closed
        database; here the close is done at once, so they already find the connection closed,
        which is a ValueError and not a ProgrammingError

What else differs, outside a run: an await does not let other tasks run, and a cancelled await
has not begun. Assigning `isolation_level = None` raises ProgrammingError as in aiosqlite, whose
thread check forbids it; with check_same_thread=False both commit and go on.
"""

import sqlite3
import warnings
from pathlib import Path
from sqlite3 import (
    DatabaseError,
    Error,
    IntegrityError,
    NotSupportedError,
    OperationalError,
    ProgrammingError,
    Row,
    Warning,
    paramstyle,
    register_adapter,
    register_converter,
    sqlite_version,
    sqlite_version_info,
)
from typing import Any

from sim_core.engine.cursor import Cursor
from sim_core.engine.db import Connection
from sim_core.engine.handle import CHUNK

__version__ = "0.22.1"
"""Of the aiosqlite whose shape this is."""

__all__ = [
    "Connection",
    "Cursor",
    "DatabaseError",
    "Error",
    "IntegrityError",
    "NotSupportedError",
    "OperationalError",
    "ProgrammingError",
    "Row",
    "Warning",
    "__version__",
    "connect",
    "paramstyle",
    "register_adapter",
    "register_converter",
    "sqlite_version",
    "sqlite_version_info",
]


def connect(
    database: str | bytes | Path,
    *,
    iter_chunk_size: int = CHUNK,
    loop: object = None,
    **kwargs: Any,
) -> Connection:
    """Return a connection that opens once it is awaited; `kwargs` are sqlite3.connect's."""
    if loop is not None:
        text = "aiosqlite.connect() no longer uses the `loop` parameter"
        warnings.warn(text, DeprecationWarning, stacklevel=2)
    # aiosqlite has one thread per connection, and may be used from all; here the caller's is it
    any_thread = not kwargs.get("check_same_thread", True)
    arguments = {**kwargs, "check_same_thread": False}

    def connector() -> sqlite3.Connection:
        place = database.decode() if isinstance(database, bytes) else str(database)
        raw: sqlite3.Connection = sqlite3.connect(place, **arguments)
        return raw

    return Connection(connector, iter_chunk_size, any_thread=any_thread)
