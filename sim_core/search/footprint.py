"""What a grant touched, and which two grants may change places without anybody noticing.

Table names alone are not enough: a COMMIT and a BEGIN IMMEDIATE on different tables still meet
in the writer lock. A footprint therefore names the locks too, in three modes: R reads, W
changes, A adds (two adders of one resource commute, as two readers do). Two grants depend on
each other iff they share a resource and are not both R or both A there.

The resources: each table's committed content; WL the writer lock; SH who holds SHARED and EX
who holds PENDING or EXCLUSIVE (rollback journal); SEQ the number of commits (WAL); ALL, which
meets everything. A footprint is taken of what did happen in a grant, its writer's end included,
not of what was expected to.

Wrong in this module: leaving something out. Too large a footprint costs time, too small a one
costs the truth; tests compare with brute force over random programs.
"""

import sqlite3
from typing import Final

from sim_core.engine.locks import Lock, Need
from sim_core.engine.park import Operation
from sim_core.engine.run import Run
from sim_core.engine.statement import TRANSACTION_VERBS, explained, pragma, verb_of
from sim_core.engine.trace import TIME
from sim_core.engine.writer import Writer

R: Final = 1
W: Final = 2
A: Final = 4

Footprint = dict[str, int]

EVERYTHING: Final[Footprint] = {"ALL": W}

_UNMODELLED: Final = frozenset(
    ("CREATE", "DROP", "ALTER", "REINDEX", "ANALYZE", "VACUUM", "ATTACH", "DETACH", "PRAGMA")
)


def dependent(one: Footprint, other: Footprint) -> bool:
    """Say whether two grants may not change places."""
    if "ALL" in one or "ALL" in other:
        return True
    if len(other) < len(one):
        one, other = other, one
    for resource, mode in one.items():
        there = other.get(resource)
        if there is not None and not (mode == there and mode in (R, A)):
            return True
    return False


class Tables:
    """Which tables a statement reads and writes, as SQLite compiles it."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        self._roots: dict[int, str] = {}

    def of(
        self, raw: sqlite3.Connection, operation: Operation
    ) -> tuple[frozenset[str], frozenset[str]]:
        """Return (read, written): the tables whose b-trees, or indexes' b-trees, it opens."""
        known = self._known.get(operation.sql)
        if known is None:
            known = self._known[operation.sql] = self._ask(raw, operation)
        return known

    def known(self, operation: Operation) -> tuple[frozenset[str], frozenset[str]]:
        """Return what was found for a statement before."""
        return self._known.get(operation.sql, (frozenset(), frozenset()))

    def _ask(
        self, raw: sqlite3.Connection, operation: Operation
    ) -> tuple[frozenset[str], frozenset[str]]:
        if verb_of(operation.sql) in TRANSACTION_VERBS:
            return frozenset(), frozenset()
        cursor = raw.cursor()
        cursor.row_factory = None
        if not self._roots:
            schema = cursor.execute("SELECT rootpage, tbl_name FROM sqlite_schema").fetchall()
            self._roots = {page: str(name).lower() for page, name in schema}
        try:
            program = explained(cursor, operation.sql, operation.parameters)
        except (sqlite3.Error, ValueError, TypeError):
            return frozenset(), frozenset()
        opened: dict[str, set[str]] = {"OpenRead": set(), "OpenWrite": set()}
        for row in program:
            if row[1] in opened and row[4] == 0:  # p3: the main database
                opened[row[1]].add(self._roots.get(row[3], "sqlite_schema"))
            elif row[1] == "Clear" and row[3] == 0:  # DELETE without WHERE opens nothing
                opened["OpenWrite"].add(self._roots.get(row[2], "sqlite_schema"))
        return frozenset(opened["OpenRead"]), frozenset(opened["OpenWrite"])


class Footprints:
    """Takes one run's footprints: asked before each grant, told after it."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.taken: list[Footprint] = []
        self._written: dict[int, set[str]] = {}
        self._before: tuple[Writer, Operation, Need, Lock, bool] | None = None
        self._events = 0

    def before(self, run: Run, letter: str) -> None:
        """Note how the writer stands that is about to be granted."""
        self._events = len(run.events)
        self._before = None
        if letter == TIME:
            return
        writer = run.writers[letter]
        hold = writer.link.hold
        need = run.execution.need(writer)
        transaction = not writer.link.connection.closed and writer.link.connection.in_transaction
        # asked before the grant: a writer that ends in it closes its connection
        if not writer.link.connection.closed and writer.operation.sql:
            try:
                self.tables.of(writer.link.connection.raw, writer.operation)
            except sqlite3.OperationalError:
                return  # it cannot read the schema now: nobody knows what it touches
        self._before = (writer, writer.operation, need, hold.level, transaction)

    def after(self, run: Run) -> None:
        """Work out what the grant touched."""
        if not run.grants:
            return
        self.taken.append(self._footprint(run))

    def _footprint(self, run: Run) -> Footprint:
        if self._before is None:
            return EVERYTHING
        writer, operation, need, level, transaction = self._before
        happened = {event.kind for event in run.events[self._events :]}
        if happened & {"crash", "deadlock"} or _unmodelled(operation):
            return EVERYTHING
        found: Footprint = {}
        if writer.link.hold.shared:
            found[f"connection {writer.link.hold.name}"] = W
        if operation.call in ("execute", "executemany", "commit", "rollback", "iterdump"):
            self._operation(run, found, writer, operation, need, level, transaction)
        if happened & {"told", "failed"}:
            # closing a connection gives back whatever its transaction still held
            _release(found, run.locks.wal, level, set())
        return found

    def _operation(
        self,
        run: Run,
        found: Footprint,
        writer: Writer,
        operation: Operation,
        need: Need,
        level: Lock,
        transaction: bool,
    ) -> None:
        wal = run.locks.wal
        read, written = self.tables.known(operation)
        mine = self._written.setdefault(id(writer.link.hold), set())
        match need:
            case Need.READ:
                self._read(found, wal, transaction, level, read)
            case Need.WRITE:
                _add(found, "WL", R)
                _tables(found, read, R)
                _tables(found, written, W)
                _add(found, *(("SEQ", A) if wal else ("EX", R)))
                if not wal:
                    _add(found, "SH", R)
            case Need.RESERVE | Need.EXCLUDE:
                if level < Lock.RESERVED:
                    _add(found, "WL", W)
                    self._read(found, wal, True, level, read | written)
                    if wal:
                        _add(found, "SEQ", R)
                if need is Need.EXCLUDE and not wal:
                    _add(found, "EX", W)
                    _add(found, "SH", A | R)
                mine |= written
            case Need.COMMIT:
                _release(found, wal, level, mine)
                mine.clear()
            case _:
                if operation.call == "rollback" or verb_of(operation.sql) == "ROLLBACK":
                    _release(found, wal, level, set())
                    mine.clear()

    def _read(
        self, found: Footprint, wal: bool, transaction: bool, level: Lock, read: frozenset[str]
    ) -> None:
        if wal:
            if transaction and level is not Lock.NONE:
                return  # its snapshot stands
            if transaction:
                _add(found, "SEQ", R)  # and so every table: a commit adds to SEQ
            else:
                _tables(found, read, R)
            return
        if level is Lock.NONE:
            _add(found, "EX", R)
            if transaction:
                _add(found, "SH", A)
        _tables(found, read, R)


def _add(found: Footprint, resource: str, mode: int) -> None:
    found[resource] = found.get(resource, 0) | mode


def _tables(found: Footprint, names: frozenset[str], mode: int) -> None:
    for name in sorted(names):
        _add(found, f"table {name}", mode)


def _release(found: Footprint, wal: bool, level: Lock, written: set[str]) -> None:
    if level >= Lock.RESERVED:
        _add(found, "WL", W)
    _tables(found, frozenset(written), W)
    if wal:
        if written:
            _add(found, "SEQ", A)
    elif level is not Lock.NONE:
        _add(found, "SH", A | R)
        if level >= Lock.RESERVED:
            _add(found, "EX", W)


def _unmodelled(operation: Operation) -> bool:
    if not operation.sql:
        return operation.call in ("iterdump", "backup")
    verb = verb_of(operation.sql)
    if verb == "PRAGMA":
        asked = pragma(operation.sql)
        return asked.value != "" or asked.name == "wal_checkpoint"
    return verb in _UNMODELLED
