"""What a file holds, whole: the rows of every table, for comparing one run's end with
another's, and everything else that what follows may depend on, for comparing two moments.

Rows are kept as JSON texts: 1 and 1.0 are one value to Python and two to SQLite.
"""

from typing import Any, Final

from sim_core.engine.plain import decode, encode, readable
from sim_core.engine.reader import Reader

Content = tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]
"""Table, columns and rows (each a JSON array), in order of name and rowid."""

_TABLES: Final = (
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
    " AND (name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR name = 'sqlite_sequence') ORDER BY name"
)


def content(reader: Reader) -> Content:
    """Return every row of every table."""
    found = []
    for (name,) in reader.execute(_TABLES):
        answer = reader.execute(f"SELECT * FROM {_quoted(name)}")
        found.append((name, answer.columns, tuple(map(encode, answer))))
    return tuple(found)


def everything(reader: Reader) -> str:
    """Return all that a file holds and a later statement could see: rows with their rowids, the
    schema, and the numbers in the header."""
    header = [
        reader.execute(f"PRAGMA {name}").fetchall() for name in ("user_version", "application_id")
    ]
    schema = reader.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY rowid").fetchall()
    tables = [(name, _with_rowids(reader, name)) for (name,) in reader.execute(_TABLES)]
    return encode([header, schema, tables])


def _with_rowids(reader: Reader, name: str) -> list[tuple[Any, ...]]:
    ((bare,),) = reader.execute("SELECT wr FROM pragma_table_list WHERE name = ?", (name,))
    which = "*" if bare else "rowid, *"
    return reader.execute(f"SELECT {which} FROM {_quoted(name)}").fetchall()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def row_words(columns: tuple[str, ...], row: str) -> str:
    """Return a row for people: each value behind its column's name."""
    pairs = zip(columns, decode(row), strict=True)
    return ", ".join(f"{name} {readable(value)}" for name, value in pairs)


def without(found: Content, left_out: frozenset[str]) -> Content:
    """Return the content without some columns (`table.column`), rows in order of value: keys
    that SQLite made up tell who came first, and so does the order of rows."""
    return tuple(_without(*table, left_out) for table in found)


def _without(
    name: str, columns: tuple[str, ...], rows: tuple[str, ...], left_out: frozenset[str]
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    keep = [i for i, column in enumerate(columns) if f"{name}.{column}" not in left_out]
    if len(keep) < len(columns):
        rows = tuple(encode([decode(row)[i] for i in keep]) for row in rows)
    return name, tuple(columns[i] for i in keep), tuple(sorted(rows))
