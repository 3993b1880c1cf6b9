"""Is a statement of this connection unfinished? Python cannot ask, SQLite can be made to tell.

A half-read statement keeps its locks while `in_transaction` says nothing. SQLite refuses to
replace a user function while any statement of the connection is running
(https://www.sqlite.org/c3ref/create_function.html), so trying to is a question, for a fifth of
a microsecond.
"""

import sqlite3
from typing import Final

_NAME: Final = "explorer_unfinished"


def prepare(raw: sqlite3.Connection) -> None:
    """Register the function; to be called once, before the first question."""
    raw.create_function(_NAME, 0, _nothing)


def unfinished(raw: sqlite3.Connection) -> bool:
    """Say whether some statement of the connection has not come to its end."""
    try:
        raw.create_function(_NAME, 0, _nothing)
    except sqlite3.OperationalError:
        return True
    return False


def _nothing() -> None:
    """Answers nothing; nobody calls it."""
