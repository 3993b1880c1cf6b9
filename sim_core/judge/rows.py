"""What a file holds, whole: the rows of every table, for comparing one run's end with
another's."""

from typing import Final

from sim_core.engine.plain import readable
from sim_core.engine.reader import Reader

Content = tuple[tuple[str, tuple[str, ...], tuple[tuple[object, ...], ...]], ...]
"""Table, columns and rows, in order of name and rowid."""

_TABLES: Final = (
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
    " AND (name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR name = 'sqlite_sequence') ORDER BY name"
)


def content(reader: Reader) -> Content:
    """Return every row of every table."""
    found = []
    for (name,) in reader.execute(_TABLES):
        quoted = name.replace('"', '""')
        answer = reader.execute(f'SELECT * FROM "{quoted}"')
        found.append((name, answer.columns, tuple(answer)))
    return tuple(found)


def row_words(columns: tuple[str, ...], row: tuple[object, ...]) -> str:
    """Return a row for people: each value behind its column's name."""
    return ", ".join(f"{name} {readable(value)}" for name, value in zip(columns, row, strict=True))


def without(found: Content, columns: frozenset[str]) -> Content:
    """Return the content without some columns (`table.column`), rows then in order of value:
    keys that SQLite made up tell who came first, and nothing else."""
    return tuple(_without(*table, columns) for table in found)


def _without(
    name: str,
    columns: tuple[str, ...],
    rows: tuple[tuple[object, ...], ...],
    left_out: frozenset[str],
) -> tuple[str, tuple[str, ...], tuple[tuple[object, ...], ...]]:
    keep = [i for i, column in enumerate(columns) if f"{name}.{column}" not in left_out]
    if len(keep) == len(columns):
        return name, columns, rows
    cut = [tuple(row[i] for i in keep) for row in rows]
    return name, tuple(columns[i] for i in keep), tuple(sorted(cut, key=repr))
