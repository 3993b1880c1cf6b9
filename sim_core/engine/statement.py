"""What a SQL text is, before anybody runs it.

The engine needs three things of a statement: its *fingerprint* (its shape, by which faults and
traces name it: literals out, white space and comments folded), its *literals* (so that two
statements of one shape still differ in the trace), and its *verb* (BEGIN IMMEDIATE, COMMIT and
their kin change locks by themselves). Whether an ordinary statement reads or writes is not
guessed from its text: SQLite says so itself, through EXPLAIN (see `effect`).
"""

import re
import sqlite3
from functools import lru_cache
from typing import Final, NamedTuple

from sim_core.seams.sqltime import Value

Parameters = tuple[Value, ...] | dict[str, Value]

_TOKEN: Final = re.compile(
    r"""(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))
      | (?P<literal>[xX]?'(?:[^']|'')*' | (?<![\w.])\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)
      | (?P<name>"(?:[^"]|"")*" | `[^`]*` | \[[^\]]*\])
      | (?P<word>\w+)
      | (?P<space>\s+)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


class Shape(NamedTuple):
    """A SQL text taken apart: `verb` is its first keyword, or two where the second matters."""

    fingerprint: str
    literals: tuple[str, ...]
    verb: str


_TWO_WORDS: Final = {
    ("BEGIN", "IMMEDIATE"),
    ("BEGIN", "EXCLUSIVE"),
    ("ROLLBACK", "TO"),
}


def _verb(words: list[str]) -> str:
    upper = [word.upper() for word in words if word.upper() != "TRANSACTION"]
    if not upper:
        return ""
    if tuple(upper[:2]) in _TWO_WORDS:
        return " ".join(upper[:2])
    return "COMMIT" if upper[0] == "END" else upper[0]


@lru_cache(maxsize=4096)
def shape(sql: str) -> Shape:
    """Return the shape of `sql`; a text without a statement has an empty verb."""
    parts: list[str] = []
    literals: list[str] = []
    words: list[str] = []
    for match in _TOKEN.finditer(sql):
        text = match.group()
        if match.lastgroup in ("comment", "space"):
            text = " "
        elif match.lastgroup == "literal":
            literals.append(text)
            text = "?"
        elif match.lastgroup == "word":
            words.append(text)
        parts.append(text)
    folded = re.sub(r" +", " ", "".join(parts)).strip(" ;")
    return Shape(folded, tuple(literals), _verb(words[:4]))


class Effect(NamedTuple):
    """What a statement does to the shared file: the tables' root pages tell which."""

    reads: bool
    writes: bool


NO_EFFECT: Final = Effect(False, False)

TRANSACTION_VERBS: Final = frozenset(
    (
        *("BEGIN", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "COMMIT", "ROLLBACK", "ROLLBACK TO"),
        *("SAVEPOINT", "RELEASE", "PRAGMA", "ATTACH", "DETACH", "VACUUM", "EXPLAIN", ""),
    )
)
"""Verbs about which EXPLAIN says nothing useful."""


def effect(connection: sqlite3.Connection, sql: str, parameters: Parameters) -> Effect:
    """Return whether `sql` reads or writes the main database, as SQLite compiles it.

    The opcode Transaction opens a database (p1: 0 main, 1 temp) for reading (p2 = 0) or writing
    (p2 = 1); triggers, views, upserts and foreign keys are thereby included
    (https://www.sqlite.org/opcode.html). A statement that does not compile has no effect: its
    error is for whoever runs it.
    """
    if shape(sql).verb in TRANSACTION_VERBS:
        return NO_EFFECT
    cursor = connection.cursor()
    cursor.row_factory = None
    try:
        program = cursor.execute("EXPLAIN " + sql, parameters).fetchall()
    except (sqlite3.Error, sqlite3.Warning, ValueError, TypeError, OverflowError):
        return NO_EFFECT
    opened = [row[3] for row in program if row[1] == "Transaction" and row[2] != 1]
    return Effect(bool(opened), any(opened))
