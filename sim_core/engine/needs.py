"""From an operation to what it asks of the file (locks.Need).

BEGIN, COMMIT, savepoints and a few PRAGMAs say it by their words; for everything else SQLite
itself is asked, through EXPLAIN, on the writer's own connection. The answers are kept with the
file, until somebody changes the schema.
"""

import sqlite3
from contextlib import suppress
from typing import Any, Final

from sim_core.engine.locks import Hold, Lock, Need
from sim_core.engine.park import Operation
from sim_core.engine.statement import (
    DML,
    NO_EFFECT,
    SCHEMA_VERBS,
    Effect,
    effect,
    pragma,
    shape,
    verb_of,
)

_BEGINS: Final = {
    "BEGIN": Need.NOTHING,
    "BEGIN IMMEDIATE": Need.RESERVE,
    "BEGIN EXCLUSIVE": Need.EXCLUDE,
}

_CHECKPOINTS: Final = {
    "full": Need.CHECKPOINT,
    "restart": Need.RESTART,
    "truncate": Need.RESTART,
}

_ORDINARY: Final = DML | {"SELECT"}


class Needs:
    """One run's answers."""

    def __init__(self) -> None:
        self._effects: dict[str, Effect] = {}
        self._plain: dict[tuple[str, str, bool, str | None], Need] = {}

    def plain(self, raw: sqlite3.Connection, operation: Operation) -> Need | None:
        """Return the need of an ordinary statement that was asked for before: it is its SQL's
        and its transaction's, and nobody else's."""
        key = (operation.call, operation.sql, raw.in_transaction, raw.isolation_level)
        return self._plain.get(key)

    def of(self, raw: sqlite3.Connection, hold: Hold, operation: Operation, wal: bool) -> Need:
        """Return what `operation` needs if it were granted now, on `raw` as it stands."""
        match operation.call:
            case call if call.startswith("execute"):
                return self._executing(raw, hold, operation, wal)
            case "commit":
                return Need.COMMIT if raw.in_transaction else Need.NOTHING
            case "fetchone" | "fetchmany" | "fetchall" | "close cursor":
                return self._fetching(raw, operation)
            case "iterdump" | "backup":
                return Need.READ
        return Need.NOTHING

    def _executing(
        self, raw: sqlite3.Connection, hold: Hold, operation: Operation, wal: bool
    ) -> Need:
        sql = operation.sql
        verb = verb_of(sql)
        if verb == "COMMIT":
            return Need.COMMIT if raw.in_transaction else Need.NOTHING
        if verb in _BEGINS:
            # inside a transaction it is an error, but only after it has taken its lock
            taken = raw.in_transaction and hold.level >= Lock.RESERVED
            return Need.NOTHING if taken else _unless_read_only(hold, _BEGINS[verb])
        if verb == "RELEASE":
            return Need.COMMIT if hold.savepoints.committing(sql) else Need.NOTHING
        if verb == "VACUUM":
            return Need.NOTHING if raw.in_transaction else Need.WRITE
        if verb == "PRAGMA":
            return _unless_read_only(hold, _pragma(sql, wal, raw.in_transaction))
        need = self._by_effect(raw, operation, verb)
        if verb in _ORDINARY and sql in self._effects:
            key = (operation.call, sql, raw.in_transaction, raw.isolation_level)
            self._plain[key] = need
        return _unless_read_only(hold, need)

    def _by_effect(self, raw: sqlite3.Connection, operation: Operation, verb: str) -> Need:
        does = self._effect(raw, operation)
        if not does.writes:
            return Need.READ if does.reads else Need.NOTHING
        if raw.in_transaction:
            return Need.RESERVE
        return Need.WRITE if operation.call == "executescript" else _write_alone(raw, verb)

    def _fetching(self, raw: sqlite3.Connection, operation: Operation) -> Need:
        cursor = operation.cursor
        if cursor is None or not cursor.unfinished:
            return Need.NOTHING
        return Need.FINISH if cursor.writes() and not raw.in_transaction else Need.READ

    def _effect(self, raw: sqlite3.Connection, operation: Operation) -> Effect:
        known = self._effects.get(operation.sql)
        if known is None:
            given: Any = operation.parameters
            if operation.call == "executemany":
                given = given[0] if given else ()
            if verb_of(operation.sql) in SCHEMA_VERBS and not raw.in_transaction:
                _read_schema(raw)
            known = effect(raw, operation.sql, given)
            if known != NO_EFFECT and known.certain:  # which may be due to these parameters only
                self._effects[operation.sql] = known
        return known

    def depends_on_journal(self, operation: Operation) -> bool:
        """Say whether somebody else's change of the journal mode changes the answer."""
        return verb_of(operation.sql) == "PRAGMA"

    def changes_file(self, operation: Operation) -> bool:
        """Say whether `operation` changes pages that no row count tells of; a changed schema
        also makes what was known of statements stale."""
        if not operation.call.startswith("execute"):
            return False
        verb = verb_of(operation.sql)
        if verb in SCHEMA_VERBS:
            self._effects.clear()
            self._plain.clear()
            return True
        if verb == "DELETE":
            # emptying a table whole rewrites its root page, also where no row was in it
            return " WHERE " not in shape(operation.sql).fingerprint.upper()
        return verb == "PRAGMA" and pragma(operation.sql)[1] != ""


def beside(need: Need, writing: int) -> Need:
    """Return a need as it is while so many RETURNINGs of the connection are unfinished: only the
    last of them commits, and COMMIT itself is refused."""
    if need is Need.COMMIT:
        return Need.AMID
    if need is Need.WRITE:
        return Need.RESERVE
    return Need.READ if need is Need.FINISH and writing > 1 else need


_HEADER: Final = frozenset(("user_version", "application_id", "schema_version"))
"""PRAGMAs that read a number of the file's header, and write it where a value is given."""
_READING: Final = frozenset(
    (
        *("data_version", "page_count", "freelist_count", "integrity_check", "quick_check"),
        *("foreign_key_check", "foreign_key_list", "table_info", "table_xinfo", "index_info"),
        *("index_xinfo", "index_list", "table_list"),
    )
)


def _read_schema(raw: sqlite3.Connection) -> None:
    """Let the connection notice what others did to the schema: IF EXISTS asks for it."""
    with suppress(sqlite3.Error):
        raw.execute("SELECT count(*) FROM sqlite_schema").fetchall()


def _unless_read_only(hold: Hold, need: Need) -> Need:
    """Under PRAGMA query_only a write is refused before it asks for any lock."""
    writes = need in (Need.RESERVE, Need.WRITE, Need.EXCLUDE)
    return Need.NOTHING if hold.read_only and writes else need


def _pragma(sql: str, wal: bool, open_: bool) -> Need:
    name, value = pragma(sql)
    if name == "journal_mode":
        if not value or (value == "wal") == wal or open_:
            return Need.NOTHING
        return Need.TO_WAL if value == "wal" else Need.FROM_WAL
    if name == "wal_checkpoint":
        return _CHECKPOINTS.get(value, Need.NOTHING) if wal else Need.NOTHING
    if name in _HEADER and value:
        return Need.RESERVE if open_ else Need.WRITE
    return Need.READ if name in _READING or name in _HEADER else Need.NOTHING


def _write_alone(raw: sqlite3.Connection, verb: str) -> Need:
    """A write outside a transaction: does it commit by itself, or does Python open one?"""
    level = raw.isolation_level
    legacy = getattr(raw, "autocommit", -1) == -1  # the attribute is there from 3.12 on
    if not legacy or level is None or verb not in DML:
        return Need.WRITE
    return Need.EXCLUDE if level.upper() == "EXCLUSIVE" else Need.RESERVE
