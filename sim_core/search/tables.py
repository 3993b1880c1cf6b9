"""Which tables a statement touches, as SQLite compiles it.

Apart from the footprints because it is asked of SQLite (EXPLAIN, on the writer's own connection),
and kept: an answer holds as long as the schema does.

Wrong in this module: locks, and guessing from a statement's text what it reads.
"""

import sqlite3
from typing import Final, NamedTuple

from sim_core.engine.park import Operation
from sim_core.engine.reader import Reader
from sim_core.engine.statement import TRANSACTION_VERBS, explained, shape, verb_of

_LASTING: Final = ("CREATE TABLE", "CREATE INDEX", "DROP TABLE", "DROP INDEX")
"""What remakes the schema of the file, and of nothing else: once its transaction is over,
statements mean again what SQLite then says."""


class Touched(NamedTuple):
    """The tables that a statement reads and writes."""

    read: frozenset[str] = frozenset()
    written: frozenset[str] = frozenset()


NO_TABLES: Final = Touched()


class Tables:
    """Which tables a statement touches, as SQLite compiles it."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], Touched] = {}
        self._roots: dict[int, str] = {}

    def of(
        self,
        raw: sqlite3.Connection,
        operation: Operation,
        settings: tuple[str, ...],
        reader: Reader,
    ) -> Touched | None:
        """Return the tables whose b-trees, or indexes' b-trees, it opens; None if nobody can say.

        `settings`: the PRAGMAs that its connection has carried out. Foreign keys, say, make the
        same text read another table.
        """
        if verb_of(operation.sql) in TRANSACTION_VERBS:
            return NO_TABLES
        key = (operation.sql, *settings)
        known = self._known.get(key)
        if known is None:
            if not self._roots:  # asked past the writer, whose transaction it would begin
                schema = reader.execute("SELECT rootpage, tbl_name FROM sqlite_schema")
                self._roots = {page: str(name).lower() for page, name in schema}
            known = self._ask(raw, operation)
            if known is not None:  # what could not be answered may be, the next time
                self._known[key] = known
        return known

    def _ask(self, raw: sqlite3.Connection, operation: Operation) -> Touched | None:
        given = operation.parameters
        if operation.call == "executemany":
            given = given[0] if given else ()  # type: ignore[index, assignment]
        cursor = raw.cursor()
        cursor.row_factory = None
        try:
            program = explained(cursor, operation.sql, given)
        except (sqlite3.Error, sqlite3.Warning, ValueError, TypeError, OverflowError):
            return None
        read, written = set(), set()
        for _, opcode, p1, p2, p3, *_ in program:
            if opcode in _VIRTUAL:
                return None
            if opcode in ("OpenRead", "ReopenIdx") and p3 == 0:  # p3: the main database
                read.add(self._name(p2))
            elif opcode == "OpenWrite" and p3 == 0:
                written.add(self._name(p2))
            elif opcode == "Clear" and p2 == 0:  # DELETE without WHERE opens nothing
                written.add(self._name(p1))
        return Touched(frozenset(read), frozenset(written))

    def _name(self, page: int) -> str:
        return self._roots.get(page, "sqlite_schema")


_VIRTUAL: Final = ("VOpen", "VUpdate", "VBegin", "VCreate", "VDestroy", "VRename")
"""Opcodes of virtual tables, which keep their rows where no program tells."""


def lasts(operation: Operation) -> bool:
    """Say whether a change of the schema is one of the file, and of nothing else."""
    form = shape(operation.sql)
    named = form.fingerprint.partition("(")[0]  # temp.t would be of the connection only
    return " ".join(form.words[:2]) in _LASTING and "." not in named
