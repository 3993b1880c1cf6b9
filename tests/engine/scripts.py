"""What the small programs of facade_scripts and facade_callbacks are written with.

Each is written for aiosqlite and comes to one list of answers.

GIVEN get an open connection and nothing else, so that they run inside a run as well; OPENING get
the module and a path, and open what they need. An answer is a value, or what was raised.
"""

import sqlite3
from collections.abc import Awaitable, Callable
from typing import Any

SCHEMA = """
CREATE TABLE t (k INTEGER PRIMARY KEY, v TEXT UNIQUE);
INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, 'three');
CREATE TABLE u (w);
"""

GIVEN: dict[str, Callable[[Any], Awaitable[list[Any]]]] = {}
OPENING: dict[str, Callable[[Any, str], Awaitable[list[Any]]]] = {}


def given(script: Any) -> Any:
    GIVEN[script.__name__] = script
    return script


def opening(script: Any) -> Any:
    OPENING[script.__name__] = script
    return script


def plain(value: Any) -> Any:
    """Return what two runs can be compared by."""
    if isinstance(value, sqlite3.Row):
        return ("Row", value.keys(), tuple(value))
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value


async def tried(answer: Awaitable[Any]) -> Any:
    """Return the value of an await, or its exception by class, name and text."""
    try:
        return plain(await answer)
    except Exception as error:
        return (type(error).__name__, getattr(error, "sqlite_errorname", None), str(error))


def asked(question: Callable[[], Any]) -> Any:
    """Return the value of a call that is not awaited, or its exception."""
    try:
        return plain(question())
    except Exception as error:
        return (type(error).__name__, str(error))


def told(cursor: Any) -> list[Any]:
    """Return what a cursor says about itself."""
    description = cursor.description and [column[0] for column in cursor.description]
    return [cursor.rowcount, cursor.lastrowid, description, cursor.arraysize]


async def all_of(db: Any, sql: str = "SELECT * FROM t ORDER BY k") -> Any:
    return await tried(db.execute_fetchall(sql))
