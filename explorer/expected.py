"""What somebody expects of a table: how many rows each owner has.

Given as a file, as a SELECT on the same database, or by a program as a mapping. A file knows only
text, so its owners are compared by their text; a SELECT and a mapping know types, too, and NULL.

Wrong in this module: what is counted (explorer/drift.py).
"""

import csv
import io
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from sim_core.errors import DriftError
from sim_core.quoting import short

Value = str | int | float | bytes
HEADER: Final = ["owner", "count"]
MOST_COUNT: Final = 2**63 - 1
COMMENT: Final = r"--[^\n]*(?:\n|$)|/\*.*?\*/"
SELECT: Final = re.compile(rf"(?:\s|{COMMENT})*(?:select|with|values)\b", re.IGNORECASE | re.DOTALL)
REMEDY: Final = "write owner and count, a line each"
WHOLE: Final = f"a count is a whole number from 0 to {MOST_COUNT:,}"
SECONDS: Final = 60.0
"""That a SELECT may take."""
MOST_OWNERS: Final = 1_000_000
MOST_CHARACTERS: Final = 100_000_000
"""That all owners of a SELECT have together."""
MOST_BYTES: Final = 16_000_000
"""That one value has which a SELECT works with."""
STEPS: Final = 10_000
"""Of SQLite's machine, between two looks at the clock."""


class Owner(NamedTuple):
    """One owner. SQLite, and Python, hold 1 and 1.0 to be the same, and '1' another."""

    kind: str
    """text, number, blob or null."""
    value: Value | None

    @property
    def label(self) -> str:
        """Return it as it is written in a file."""
        if self.value is None:
            return "NULL"
        if isinstance(self.value, bytes):
            return f"x'{self.value.hex()}'"
        whole = (
            isinstance(self.value, float) and abs(self.value) < 2**63 and self.value.is_integer()
        )
        return str(int(self.value) if whole else self.value)


def owner_of(value: object) -> Owner:
    """Return the owner that a column's value is."""
    match value:
        case None:
            return Owner("null", None)
        case str():
            return Owner("text", value)
        case bytes():
            return Owner("blob", value)
        case int() | float() if type(value) is not bool:
            return Owner("number", value)
    raise DriftError(f"An owner is text, a number or a blob, and not {_shown(value)}.")


Counts = dict[Owner, int]


def of_mapping(expect: Mapping[Value | None, int]) -> Counts:
    """Return what a program expects."""
    return _collected(expect.items(), "the mapping", "give owner → count")


def of_select(db: sqlite3.Connection, sql: str) -> Counts:
    """Return what a SELECT on the same snapshot expects."""
    until = monotonic() + SECONDS
    try:
        with _bounded(db, until):
            return _collected(_rows(db, sql), "the expectation's SELECT", EMPTY)
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "SQLITE_ERROR")
        if name == "SQLITE_INTERRUPT" and monotonic() < until:
            raise KeyboardInterrupt from error  # heard while SQLite looked at the clock
        if "not authorized" in str(error):  # a PRAGMA within has the name of any error
            name = "SQLITE_AUTH"
        if said := _REFUSED.get(name):
            why = short(error, 200).rstrip(".")
            raise DriftError(f"The expectation's SELECT {said.format(why=why)}.", sql) from error
        raise
    except (sqlite3.Warning, ValueError) as error:
        why = short(error).rstrip(".")
        raise DriftError(f"The expectation must be one SELECT, as text: {why}.", sql) from error


EMPTY: Final = "make it give a row each, of owner and count"
_REFUSED: Final = {
    "SQLITE_ERROR": "is refused by SQLite: {why}",
    "SQLITE_AUTH": "may read tables and views, and nothing else, no PRAGMA either: {why}",
    "SQLITE_INTERRUPT": f"took longer than {SECONDS:g} seconds; make it end sooner",
    "SQLITE_TOOBIG": f"works with a value of more than {MOST_BYTES:,} bytes; make it shorter",
}
"""SQLite's name for what went wrong → what the SELECT does."""


@contextmanager
def _bounded(db: sqlite3.Connection, until: float) -> Iterator[None]:
    """Let what is asked meanwhile only read, not for ever, and no value without end."""
    length = db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    db.set_authorizer(_only_reads)
    db.set_progress_handler(lambda: monotonic() > until, STEPS)
    try:
        yield
    finally:
        db.set_progress_handler(None, 0)
        db.set_authorizer(None)
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, length)


def _rows(db: sqlite3.Connection, sql: str) -> Iterator[tuple[object, object]]:
    """Yield one row after the other, and not more than a memory holds."""
    cursor = db.execute(sql)
    if len(cursor.description or ()) != 2:
        raise DriftError("The expectation's SELECT must give two columns, owner and count.", sql)
    characters = 0
    for number, (owner, count) in enumerate(cursor, 1):
        characters += len(owner) if isinstance(owner, str | bytes) else 0
        if number > MOST_OWNERS or characters > MOST_CHARACTERS:
            most = f"{MOST_OWNERS:,} owners, or {MOST_CHARACTERS:,} characters of them"
            raise DriftError(f"The expectation's SELECT gives more than {most}; narrow it.", sql)
        yield owner, count


def _only_reads(action: int, *_: object) -> int:
    reads = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION)
    only = (*reads, sqlite3.SQLITE_RECURSIVE)
    return sqlite3.SQLITE_OK if action in only else sqlite3.SQLITE_DENY


def of_file(path: Path) -> Counts:
    """Return what a file expects: an object of owner → count in JSON, or a line each in CSV."""
    where = f"'{short(path, 200)}'"
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise DriftError(
            f"The expectation {where} is no file and no SELECT; give either.", str(path)
        ) from None
    except UnicodeDecodeError:
        raise DriftError(f"The expectation {where} is not text in UTF-8.", str(path)) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise DriftError(f"The expectation {where} cannot be read: {why}.", str(path)) from error
    in_json = path.suffix.lower() == ".json" or (
        path.suffix.lower() != ".csv" and text.lstrip().startswith("{")
    )
    return _of_json(text, where) if in_json else _of_csv(text, where)


def _of_json(text: str, where: str) -> Counts:
    try:
        pairs = json.loads(text, object_pairs_hook=lambda pairs: pairs)
    except (ValueError, RecursionError) as error:
        raise DriftError(f"{where} is not JSON: {short(error, 200)}.", where) from error
    if not text.lstrip().startswith("{"):
        raise DriftError(f'{where} must be one object of owner → count, as {{"ann": 10}}.', where)
    return _collected(pairs, where, 'write {"ann": 10}')


def _of_csv(text: str, where: str) -> Counts:
    pairs = []
    try:
        for number, cells in enumerate(csv.reader(io.StringIO(text), strict=True), 1):
            if cells and not (number == 1 and [c.strip().lower() for c in cells] == HEADER):
                pairs.append(_line(cells, f"Line {number} of {where}"))
    except csv.Error as error:
        raise DriftError(f"{where} is not CSV: {short(error)}; {REMEDY}.", where) from error
    return _collected(pairs, where)


def _line(cells: list[str], where: str) -> tuple[str, int]:
    if len(cells) != 2:
        has = f"has {len(cells)} cell{'s' * (len(cells) != 1)}"
        raise DriftError(f"{where} {has}, and not two; {REMEDY}.", where)
    owner, count = cells[0], cells[1].strip()
    if not owner:
        raise DriftError(f"{where} names no owner; {REMEDY}.", where)
    if not re.fullmatch(r"[0-9]{1,19}", count):
        raise DriftError(
            f"{where} gives '{short(owner)}' the count '{short(count)}'; {WHOLE}.", where
        )
    return owner, int(count)


def _shown(value: object) -> str:
    """Return a value that is off as a sentence names it, and not as Python writes it."""
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).lower()
        case str() | int() | float():
            return short(value)
        case bytes():
            return "a blob"
    return "a list or an object"


def _collected(pairs: Iterable[tuple[object, object]], where: str, remedy: str = REMEDY) -> Counts:
    """Return the pairs as counts, each owner once."""
    counts: Counts = {}
    where = where[0].upper() + where[1:]
    for value, count in pairs:
        owner = owner_of(value)
        said = short(owner.label)
        if type(count) is not int or not 0 <= count <= MOST_COUNT:
            raise DriftError(f"{where} gives '{said}' the count '{_shown(count)}'; {WHOLE}.", where)
        if owner in counts:
            raise DriftError(f"{where} names the owner '{said}' twice.", where)
        counts[owner] = count
    if not counts:
        raise DriftError(f"{where} expects no owner at all; {remedy}.", where)
    return counts
