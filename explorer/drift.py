"""Expected against counted rows per owner: the check that sees a record filed under the wrong one.

Totals, exit codes and the number of owners stay green while a record moves from one owner to
another; a count per owner does not. It is meant for a retention job as well as for a terminal:

    from explorer.drift import drift
    found = drift("hook.db", "events", "owner", {"ann": 10, "bob": 10})
    if found.drifted: ...

Counts cannot know what happened, only what is the least that must have: a row that one owner
misses and another has too many may have moved, or have been lost here and written twice there.

Wrong in this module: reading without a trace (explorer/snapshot.py), and words for people.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from explorer.expected import SELECT, Counts, Owner, Value, of_file, of_mapping, of_select, owner_of
from explorer.snapshot import TIMEOUT, beside, reading
from sim_core.errors import DriftError
from sim_core.quoting import short

NAMED: Final = 5
"""Tables or columns that an error lists."""


class Wrong(NamedTuple):
    """An owner whose rows are not as many as expected."""

    owner: Owner
    expected: int | None
    """None where nobody expected the owner."""
    counted: int

    @property
    def difference(self) -> int:
        return self.counted - (self.expected or 0)


class Range(NamedTuple):
    """At least, and at most."""

    least: int
    most: int


@dataclass(frozen=True)
class Drift:
    """What was expected of a table's owners, and what was counted, in one snapshot."""

    expected: Counts
    counted: Counts
    left: tuple[str, ...] = ()
    """Files of SQLite's own that came to lie beside the database while it was read."""

    @cached_property
    def wrong(self) -> list[Wrong]:
        """Return the owners that are off, in the order of the expectation, new ones behind."""
        known = [Wrong(o, n, self.counted.get(o, 0)) for o, n in self.expected.items()]
        new = [Wrong(o, None, n) for o, n in self.counted.items() if o not in self.expected]
        return [one for one in known + new if one.difference]

    @property
    def drifted(self) -> bool:
        return bool(self.wrong)

    @cached_property
    def missing(self) -> int:
        """Return how many rows the expected owners lack."""
        return sum(-one.difference for one in self.wrong if one.difference < 0)

    @property
    def lost(self) -> int:
        """Return how many rows are gone at least: nobody has them."""
        return max(0, self.missing - self._extra)

    @property
    def surplus(self) -> int:
        """Return how many rows are too many at least: nobody misses them."""
        return max(0, self._extra - self.missing)

    @property
    def misfiled(self) -> int:
        """Return how many rows one owner misses and another has too many."""
        return min(self.missing, self._extra)

    @property
    def into_new(self) -> Range:
        """Return how many of the misfiled rows are under an owner that nobody expected."""
        return Range(max(0, self.misfiled - self._extra_known), min(self.misfiled, self._extra_new))

    @property
    def between(self) -> Range:
        """Return how many of the misfiled rows are under another expected owner."""
        return Range(max(0, self.misfiled - self._extra_new), min(self.misfiled, self._extra_known))

    @property
    def _extra(self) -> int:
        return self._extra_new + self._extra_known

    @cached_property
    def _extra_new(self) -> int:
        return sum(one.difference for one in self.wrong if one.expected is None)

    @cached_property
    def _extra_known(self) -> int:
        known = (one for one in self.wrong if one.expected is not None)
        return sum(one.difference for one in known if one.difference > 0)


Expect = Mapping[Value | None, int] | Path | str
"""Owners and counts; as a Path, a file of them; as a str, a SELECT that gives them."""


def drift(
    database: Path | str, table: str, owner: str, expect: Expect, timeout: float = TIMEOUT
) -> Drift:
    """Compare in one snapshot, without writing anything.

    owner: the column that says whose a row is.
    expect: owner → count; a file, which must be a Path; or a SELECT, as a str.
    timeout: seconds that a lock is waited for.

    Raises DriftError where the database cannot be read, has no such table or column, or where the
    expectation is none.
    """
    if not str(database):
        raise DriftError("The database's name is empty; name its file.", "database")
    if isinstance(expect, str) and not SELECT.match(expect):
        raise DriftError(
            f"'{short(expect, 200)}' is a str, and no SELECT; give a file's name as a Path.", expect
        )
    path = Path(database)
    before = beside(path)
    given = of_file(expect) if isinstance(expect, Path) else None
    if isinstance(expect, Mapping):
        given = of_mapping(expect)

    def read(db: sqlite3.Connection) -> tuple[Counts, Counts]:
        counts = _counted(db, table, owner)
        return of_select(db, expect) if isinstance(expect, str) else given or {}, counts

    expected, counted = reading(path, read, timeout)
    if isinstance(expect, Path):
        expected = _typed(expected, counted)
    return Drift(expected, counted, tuple(sorted(beside(path) - before)))


def _counted(db: sqlite3.Connection, table: str, owner: str) -> Counts:
    """Count the table's own rows, not those of an index, by every difference there is."""
    tables = _names(db.execute(TABLES))
    table = _found(table, tables, "The database has no table", "its tables are")
    try:
        return _counted_in(db, table, owner)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorname", "") != "SQLITE_ERROR":
            raise
        raise DriftError(
            f"The table or view '{short(table)}' cannot be counted: SQLite says "
            f"“{short(error, 200)}”; repair what it is made of, or name another.",
            table,
        ) from error


def _counted_in(db: sqlite3.Connection, table: str, owner: str) -> Counts:
    columns = _names(db.execute("SELECT name FROM pragma_table_xinfo(?)", (table,)))
    has_no = f"The table '{short(table)}' has no column"
    whose = _quoted(_found(owner, columns, has_no, "its columns are"))
    rows = db.execute(
        f"SELECT {whose}, count(*) FROM main.{_quoted(table)} NOT INDEXED "
        f"GROUP BY {whose} COLLATE BINARY ORDER BY {whose} COLLATE BINARY"
    )
    return {owner_of(value): count for value, count in rows}


TABLES: Final = (
    "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') "
    "AND name NOT LIKE 'sqlite~_%' ESCAPE '~' ORDER BY name"
)


def _names(rows: Iterable[tuple[str]]) -> list[str]:
    return [name for (name,) in rows]


def _found(name: str, names: list[str], lacks: str, they_are: str) -> str:
    """Return the name as the schema spells it. Raises DriftError where there is none: SQLite
    itself would take a column's for a text, and count on."""
    folded = {_folded(each): each for each in names}
    if found := name if name in names else folded.get(_folded(name)):
        return found
    if near := get_close_matches(_folded(name), folded, 1, 0.6):
        remedy = f"did you mean '{short(folded[near[0]])}'?"
    elif names:
        listed = ", ".join(f"'{short(each)}'" for each in names[:NAMED])
        remedy = f"{they_are} {listed}{', …' * (len(names) > NAMED)}."
    else:
        remedy = "it has none at all."
    raise DriftError(f"{lacks} '{short(name)}'; {remedy}", name)


def _folded(name: str) -> str:
    """Return a name as SQLite compares it: only ASCII has no case."""
    return "".join(each.lower() if each.isascii() else each for each in name)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _typed(expected: Counts, counted: Counts) -> Counts:
    """Give the owners of a file, which are text, the types that they have in the table."""
    by_label: dict[str, Owner] = {}
    owners = [owner for owner in counted if owner.kind != "null"]
    for owner in owners:
        other = by_label.setdefault(owner.label, owner)
        if other is not owner and Owner("text", owner.label) in expected:
            raise DriftError(
                f"The table has two owners that are both written '{short(owner.label)}', a "
                f"{other.kind} and a {owner.kind}, which a file cannot tell apart; expect them by "
                "a SELECT.",
                owner.label,
            )
    for owner in owners:  # a whole number may be written 1.0 as well, where no text is
        if owner.kind == "number":
            by_label.setdefault(f"{owner.label}.0", owner)
    typed: Counts = {}
    for named, count in expected.items():
        now = by_label.get(named.label, named)
        if now in typed:
            raise DriftError(
                f"The expectation names the owner '{short(now.label)}' twice.", now.label
            )
        typed[now] = count
    return typed
