"""What somebody expects of a table: how many rows each owner has.

Given as a file, as a SELECT on the same database, or by a program as a mapping. A file knows only
text, so its owners are compared by their text; a SELECT and a mapping know types, too.

Wrong in this module: what is counted (explorer/drift.py).
"""

import csv
import io
import json
import re
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from sim_core.errors import DriftError
from sim_core.quoting import short

Value = str | int | float | bytes
HEADER: Final = ["owner", "count"]
MOST_COUNT: Final = 2**63 - 1
SELECT: Final = re.compile(r"\s*(?:select|with|values)\b", re.IGNORECASE)
REMEDY: Final = "write owner and count, a line each"


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
        return f"x'{self.value.hex()}'" if isinstance(self.value, bytes) else str(self.value)


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
    raise DriftError(f"An owner is text, a number or a blob, and not {short(repr(value))}.")


Counts = dict[Owner, int]


def of_mapping(expect: Mapping[Value, int]) -> Counts:
    """Return what a program expects."""
    return _collected(expect.items(), "the mapping")


def of_select(db: sqlite3.Connection, sql: str) -> Counts:
    """Return what a SELECT on the same snapshot expects."""
    db.set_authorizer(_only_reads)
    try:
        cursor = db.execute(sql)
        rows = cursor.fetchall()
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorname", "SQLITE_AUTH") in ("SQLITE_ERROR", "SQLITE_AUTH"):
            raise DriftError(
                f"SQLite refuses the SELECT of --expect: {short(error, 200)}.", sql
            ) from error
        raise
    except (sqlite3.Warning, ValueError) as error:
        raise DriftError(f"--expect takes one SELECT, as text: {short(error)}.", sql) from error
    finally:
        db.set_authorizer(None)
    if len(cursor.description or ()) != 2:
        raise DriftError("The SELECT of --expect must give two columns, owner and count.", sql)
    return _collected(rows, "the SELECT of --expect")


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
            f"--expect {where} is no file and no SELECT; give either.", str(path)
        ) from None
    except UnicodeDecodeError:
        raise DriftError(f"--expect {where} is not text in UTF-8.", str(path)) from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise DriftError(f"--expect {where} cannot be read: {why}.", str(path)) from error
    in_json = path.suffix.lower() == ".json" or (
        path.suffix.lower() != ".csv" and text.lstrip().startswith("{")
    )
    return _of_json(text, where) if in_json else _of_csv(text, where)


def _of_json(text: str, where: str) -> Counts:
    try:
        pairs = json.loads(text, object_pairs_hook=lambda pairs: pairs)
    except (ValueError, RecursionError) as error:
        raise DriftError(f"{where} is not JSON: {short(error)}.", where) from error
    if not text.lstrip().startswith("{"):
        raise DriftError(f'{where} must be one object of owner → count, as {{"ann": 10}}.', where)
    return _collected(pairs, where)


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
            f"{where} gives '{short(owner)}' the count '{short(count)}'; a count is a whole number "
            "from 0.",
            where,
        )
    return owner, int(count)


def _collected(pairs: Iterable[tuple[object, object]], where: str) -> Counts:
    """Return the pairs as counts, each owner once."""
    counts: Counts = {}
    where = where[0].upper() + where[1:]
    for value, count in pairs:
        owner = owner_of(value)
        said = short(owner.label)
        if value is None:
            raise DriftError(f"{where} expects rows of NULL, which is no owner.", where)
        if type(count) is not int or not 0 <= count <= MOST_COUNT:
            shown = "NULL" if count is None else short(count)
            raise DriftError(
                f"{where} gives '{said}' the count '{shown}'; a count is a whole number from 0.",
                where,
            )
        if owner in counts:
            raise DriftError(f"{where} names the owner '{said}' twice.", where)
        counts[owner] = count
    if not counts:
        raise DriftError(f"{where} expects no owner at all; {REMEDY}.", where)
    return counts
