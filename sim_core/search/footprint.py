"""What a grant touched, and which two grants may change places without anybody noticing.

Table names alone are not enough: a COMMIT and a BEGIN IMMEDIATE on different tables still meet
in the writer lock. A footprint therefore names the locks too, in three modes: R reads, W
changes, A adds (two adders of one resource commute, as two readers do). Two grants depend on
each other iff they share a resource and are not both R or both A there.

The resources: each table's committed content; WL the writer lock; SH who holds SHARED and EX who
holds PENDING or EXCLUSIVE (rollback journal); SEQ the number of commits (WAL); each name in the
process list; ALL, which meets everything, as time does that passes. A footprint is taken of what
did happen in a grant, its writer's end included, not of what was expected to: R where its
operation looked, W or A where a table or a lock is no longer as it was. What is not known for
certain is ALL.

Wrong in this module: leaving something out. Too large a footprint costs time, too small a one
costs the truth; tests compare with brute force over random programs.
"""

from typing import Final, NamedTuple

from sim_core.engine.locks import Hold, Lock, Locks, Need
from sim_core.engine.needs import asks_mode
from sim_core.engine.park import Operation
from sim_core.engine.run import Run
from sim_core.engine.statement import SCHEMA_VERBS, pragma, verb_of
from sim_core.engine.trace import TIME, Event
from sim_core.engine.writer import Writer
from sim_core.search.tables import NO_TABLES, Tables, Touched, lasts

R: Final = 1
W: Final = 2
A: Final = 4

Footprint = dict[str, int]

EVERYTHING: Final[Footprint] = {"ALL": W}

_REMAKE: Final = SCHEMA_VERBS | {"ATTACH", "DETACH"}
"""Verbs after which a statement may mean other tables than before."""
_UNMODELLED: Final = _REMAKE | {"PRAGMA"}
"""A PRAGMA that only asks may still be told how many pages or commits there are."""


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


_EXECUTES: Final = ("execute", "commit", "rollback")
"""How the calls begin that this module follows."""


class Before(NamedTuple):
    """How a writer stood when it was granted."""

    writer: Writer
    operation: Operation
    need: Need
    level: Lock
    stands: Lock
    transaction: bool
    finishes: bool
    """A RETURNING is half-read."""
    tables: Touched | None
    names: tuple[str, ...]
    """Under which its process shows."""


class Footprints:
    """Takes one run's footprints: asked before each grant, told after it."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.taken: list[Footprint] = []
        self._written: dict[int, set[str]] = {}
        self._settings: dict[int, tuple[str, ...]] = {}
        self._remade = False
        """The schema is not what it was when the run began, and nobody follows it."""
        self._remaking: set[int] = set()
        """Holds whose open transaction has changed the schema."""
        self._before: Before | None = None
        self._events = 0

    def before(self, run: Run, letter: str) -> None:
        """Note how the writer stands that is about to be granted."""
        self._events = len(run.events)
        self._before = None
        if letter == TIME or self._remade:
            return
        writer = run.writers[letter]
        operation, connection, hold = writer.operation, writer.link.connection, writer.link.hold
        need = run.execution.need(writer)
        tables: Touched | None = NO_TABLES
        # asked before the grant: a writer that ends in it closes its connection
        if not connection.closed and operation.sql:
            settings = self._settings.get(id(hold), ())
            if id(hold) in self._remaking:
                settings = (*settings, "its own schema")
            tables = self.tables.of(connection.raw, operation, settings, run.file.reader)
        self._before = Before(
            writer,
            operation,
            need,
            hold.level,
            hold.stands,
            not connection.closed and connection.in_transaction,
            any(cursor.changes for cursor in connection.unfinished()),
            tables,
            run.crew.processes.names(writer.number_of_process),
        )

    def after(self, run: Run) -> None:
        """Work out what the grant touched."""
        if run.grants:
            self.taken.append(self._footprint(run))

    def _footprint(self, run: Run) -> Footprint:
        before = self._before
        if before is None:
            return EVERYTHING
        operation, hold = before.operation, before.writer.link.hold
        verb = verb_of(operation.sql)
        remakes = self._remakes(operation, before.writer, before.level)
        if verb == "PRAGMA" and pragma(operation.sql).name != "journal_mode":
            self._settings[id(hold)] = (*self._settings.get(id(hold), ()), operation.sql)
        happened = {event.kind for event in run.events[self._events :]}
        # whatever ends a half-read RETURNING commits it
        commits_unasked = before.finishes or before.need is Need.FINISH
        if "crash" in happened or commits_unasked:
            return EVERYTHING
        if remakes is not None:
            return remakes
        if (mode := _mode(run.locks, before, run.events[self._events :])) is not None:
            return mode
        if _unmodelled(operation):
            return EVERYTHING
        found: Footprint = {}
        if hold.shared:
            found[f"connection {hold.name}"] = W
        if operation.call.startswith(_EXECUTES):
            if before.tables is None:
                return EVERYTHING
            self._operation(run.locks, found, before, before.tables)
        _processes(found, before, run.events[self._events :])
        stands = _standing(run.locks, hold)
        _moved(found, run.locks, before.stands, stands)
        if stands < Lock.RESERVED:
            self._written.pop(id(hold), None)
        return found

    def _remakes(self, operation: Operation, writer: Writer, level: Lock) -> Footprint | None:
        """Follow the schema: EVERYTHING where a grant changes it, or may have; between two such
        grants it stands, so that what SQLite says of a statement holds."""
        hold, connection = writer.link.hold, writer.link.connection
        ended = connection.closed or not connection.in_transaction
        if verb_of(operation.sql) in _REMAKE:
            if hold.shared or not lasts(operation):
                self._remade = True
            elif not ended:
                self._remaking.add(id(hold))
                # who has the write lock already is alone with what it makes of the schema
                return {} if level >= Lock.RESERVED else EVERYTHING
        elif not (id(hold) in self._remaking and ended):
            return None
        self._remaking.discard(id(hold))
        self.tables = Tables()
        return EVERYTHING

    def _operation(self, locks: Locks, found: Footprint, before: Before, tables: Touched) -> None:
        """Add what the operation looked at, and what it wrote."""
        wal, level, hold = locks.wal, before.level, before.writer.link.hold
        mine = self._written.setdefault(id(hold), set())
        match before.need:
            case Need.READ:
                _read(found, wal, before.transaction, level, tables.read)
            case Need.WRITE:
                _add(found, "WL", R)
                _tables(found, tables.read, R)
                _tables(found, tables.written, W)
                if not wal:
                    _add(found, "EX", R)
                    _add(found, "SH", R)
                else:
                    # where a half-read SELECT pins a snapshot, it has to be the newest
                    _add(found, "SEQ", A if level is Lock.NONE else A | R)
            case Need.RESERVE | Need.EXCLUDE:
                if level < Lock.RESERVED:
                    _add(found, "WL", R)
                    _read(found, wal, True, level, tables.read | tables.written)
                    if wal:
                        _add(found, "SEQ", R)
                    elif before.need is Need.EXCLUDE:
                        _add(found, "SH", R)
                mine |= tables.written
            case Need.COMMIT if level >= Lock.RESERVED:
                if not wal:
                    _add(found, "SH", R)
                if _standing(locks, hold) < Lock.RESERVED:  # and not refused, or still waiting
                    _tables(found, frozenset(mine), W)
                    if wal and mine:
                        _add(found, "SEQ", A)


def _processes(found: Footprint, before: Before, events: list[Event]) -> None:
    """Add what it did in the process list: it looked for a name, or came under one; with the last
    writer of a process its names go."""
    names = list(before.names)
    for event in events:
        if event.kind == "looks":
            _add(found, f"name {event.call}", R)
        if event.kind == "shows":
            names.append(event.call)
            _add(found, f"name {event.call}", W)
        if event.kind in ("told", "failed"):
            _add(found, f"process {before.writer.process}", W)
            for name in names:
                _add(found, f"name {name}", W)


def _read(
    found: Footprint, wal: bool, transaction: bool, level: Lock, read: frozenset[str]
) -> None:
    if not wal:
        if level is Lock.NONE:
            _add(found, "EX", R)
        _tables(found, read, R)
    elif not transaction:
        _tables(found, read, R)
    elif level is Lock.NONE:  # or else its snapshot stands
        _add(found, "SEQ", R)  # and so every table: a commit adds to SEQ


def _moved(found: Footprint, locks: Locks, was: Lock, stands: Lock) -> None:
    """Add every change of its locks that others can meet, whatever brought it about: an end, a
    close, a ROLLBACK that a constraint asked for, a PENDING kept while an autocommit waits."""
    if (was >= Lock.RESERVED) != (stands >= Lock.RESERVED):
        _add(found, "WL", W)
    if locks.wal:
        if was is Lock.NONE and stands is not Lock.NONE:
            _add(found, "SEQ", R)
        return
    if (was is Lock.NONE) != (stands is Lock.NONE):
        _add(found, "SH", A)
    if (was >= Lock.PENDING) != (stands >= Lock.PENDING):
        _add(found, "EX", W)


def _mode(locks: Locks, before: Before, events: list[Event]) -> Footprint | None:
    """Return the footprint of a PRAGMA journal_mode that leaves the mode as it is, or None.

    Asked, it looks at nothing but its own connection; set to WAL where that is the mode, it only
    reads; refused, it has met somebody's lock."""
    asked, hold = pragma(before.operation.sql), before.writer.link.hold
    alone = not (before.transaction or hold.cold or hold.shared or before.level)
    if asked.name != "journal_mode" or asked.schema or not alone or hold not in locks.holds:
        return None
    if asks_mode(before.operation):
        return {}
    if asked.value != "wal" or hold.stands is not Lock.NONE:
        return None
    if before.need is Need.NOTHING and locks.wal:
        return {}
    refused = any(event.kind == "operation" and event.lock for event in events)
    return {"WL": R, "SH": R, "EX": R} if refused else None


def _standing(locks: Locks, hold: Hold) -> Lock:
    return hold.stands if hold in locks.holds else Lock.NONE


def _add(found: Footprint, resource: str, mode: int) -> None:
    found[resource] = found.get(resource, 0) | mode


def _tables(found: Footprint, names: frozenset[str], mode: int) -> None:
    for name in sorted(names):
        _add(found, f"table {name}", mode)


def _unmodelled(operation: Operation) -> bool:
    return operation.call in ("iterdump", "backup") or verb_of(operation.sql) in _UNMODELLED
