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
    Pragma,
    effect,
    pragma,
    shape,
    tokens,
    verb_of,
)
from sim_core.engine.wear import copies

_BEGINS: Final = {
    "BEGIN": Need.NOTHING,
    "BEGIN IMMEDIATE": Need.RESERVE,
    "BEGIN EXCLUSIVE": Need.EXCLUDE,
}

_CHECKPOINTS: Final = {
    "": Need.PASSIVE,
    "passive": Need.PASSIVE,
    "full": Need.CHECKPOINT,
    "restart": Need.RESTART,
    "truncate": Need.RESTART,
}

_ORDINARY: Final = DML | {"SELECT", "WITH", "VALUES"}


class Needs:
    """One run's answers."""

    def __init__(self) -> None:
        self._effects: dict[str, Effect] = {}
        self._plain: dict[tuple[str, str, bool, str | None], Need] = {}
        self._altering: list[sqlite3.Connection] = []
        """Connections whose open transaction has changed the schema."""
        self.certain = True
        """The last answer holds until its writer, or the schema, changes."""

    def plain(self, raw: sqlite3.Connection, operation: Operation) -> Need | None:
        """Return the need of an ordinary statement that was asked for before: it is its SQL's
        and its transaction's, and nobody else's."""
        key = (operation.call, operation.sql, raw.in_transaction, raw.isolation_level)
        return self._plain.get(key)

    def of(self, raw: sqlite3.Connection, hold: Hold, operation: Operation, wal: bool) -> Need:
        """Return what `operation` needs if it were granted now, on `raw` as it stands."""
        self.certain = True
        match operation.call:
            case call if call.startswith("execute"):
                return self._executing(raw, hold, operation, wal)
            case "commit":
                return Need.COMMIT if raw.in_transaction else Need.NOTHING
            case "fetchone" | "fetchmany" | "fetchall" | "close cursor":
                return _fetching(raw, hold, operation)
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
            return _vacuum(raw, sql)
        if verb == "PRAGMA":
            return _unless_read_only(hold, _pragma(pragma(sql), wal, raw.in_transaction))
        need = self._by_effect(raw, hold, operation, verb)
        if verb in _ORDINARY and sql in self._effects:
            key = (operation.call, sql, raw.in_transaction, raw.isolation_level)
            self._plain[key] = need
        return _unless_read_only(hold, need)

    def _by_effect(
        self, raw: sqlite3.Connection, hold: Hold, operation: Operation, verb: str
    ) -> Need:
        does = self._effect(raw, hold, operation)
        begun = _begun_by_python(raw, operation, verb) if does.changes else None
        if begun == "EXCLUSIVE":
            return Need.EXCLUDE
        if does.writes or begun == "IMMEDIATE":
            alone = begun is None and not raw.in_transaction
            return Need.WRITE if alone else Need.RESERVE
        return Need.READ if does.reads else Need.NOTHING

    def changes(self, raw: sqlite3.Connection, hold: Hold, operation: Operation) -> bool:
        """Say whether SQLite takes a statement for one that writes, and be it into a temporary
        table (https://www.sqlite.org/c3ref/stmt_readonly.html)."""
        if verb_of(operation.sql) == "PRAGMA":
            return pragma(operation.sql).name in ("journal_mode", "wal_checkpoint")
        return self._effect(raw, hold, operation).changes

    def _effect(self, raw: sqlite3.Connection, hold: Hold, operation: Operation) -> Effect:
        known = None if hold.apart else self._effects.get(operation.sql)
        if known is None:
            given: Any = operation.parameters
            if operation.call == "executemany":
                given = given[0] if given else ()
            if verb_of(operation.sql) in SCHEMA_VERBS and not raw.in_transaction:
                _read_schema(raw)
            known = effect(raw, operation.sql, given)
            # a schema that is being changed is another one for whoever changes it
            self.certain = known.certain and not self._altering
            # no effect may be due to these parameters only
            if known != NO_EFFECT and self.certain and not hold.apart:
                self._effects[operation.sql] = known
        return known

    def depends_on_journal(self, operation: Operation) -> bool:
        """Say whether somebody else's change of the journal mode changes the answer."""
        return verb_of(operation.sql) == "PRAGMA"

    def changes_file(self, operation: Operation) -> bool:
        """Say whether `operation` changes pages that no row count tells of."""
        if not operation.call.startswith("execute"):
            return False
        verb = verb_of(operation.sql)
        if verb == "DELETE":
            # emptying a table whole rewrites its root page, also where no row was in it
            return " WHERE " not in shape(operation.sql).fingerprint.upper()
        return verb in SCHEMA_VERBS or (verb == "PRAGMA" and pragma(operation.sql).value != "")

    def outdated(self, raw: sqlite3.Connection, operation: Operation) -> bool:
        """Say whether statements may need something else than before `operation`: when the schema
        is changed, and again when that is committed or undone."""
        alters = verb_of(operation.sql) in SCHEMA_VERBS and operation.call.startswith("execute")
        if not alters and not self._altering:
            return False
        before = len(self._altering)
        self._altering = [one for one in self._altering if _in_transaction(one)]
        ended = len(self._altering) < before
        if alters and raw.in_transaction and raw not in self._altering:
            self._altering.append(raw)
        return alters or ended

    def forget(self) -> None:
        """Ask SQLite anew about every statement."""
        self._effects.clear()
        self._plain.clear()


def _in_transaction(raw: sqlite3.Connection) -> bool:
    try:
        return raw.in_transaction
    except sqlite3.ProgrammingError:  # it was closed
        return False


def beside(operation: Operation, need: Need, hold: Hold, *, writing: int) -> Need:
    """Return a need as it is while statements of its connection are unfinished, so many of which
    write: only the last of those commits, and what would end or nest the transaction is refused
    ("SQL statements in progress", https://www.sqlite.org/lang_savepoint.html)."""
    verb = verb_of(operation.sql) if operation.call.startswith("execute") else ""
    if verb == "VACUUM":
        return Need.NOTHING
    if not writing:
        return need
    if need is Need.COMMIT or verb == "SAVEPOINT":
        return Need.AMID
    if verb == "RELEASE":
        return Need.AMID if hold.savepoints.knows(operation.sql) else Need.NOTHING
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


def _vacuum(raw: sqlite3.Connection, sql: str) -> Need:
    """VACUUM INTO only reads; another database than main is nobody else's."""
    other = [token.lower() for token in tokens(sql)][1:2]
    if raw.in_transaction or (other and other[0] not in ("main", "into")):
        return Need.NOTHING
    return Need.READ if copies(sql) else Need.WRITE


_MODES: Final = ("delete", "truncate", "persist", "memory", "off", "wal")


def _pragma(asked: Pragma, wal: bool, open_: bool) -> Need:
    name, value, schema = asked
    if schema not in ("", "main"):
        return Need.NOTHING
    if name == "journal_mode":
        if value not in _MODES or (value == "wal") == wal or open_:
            return Need.NOTHING
        return Need.TO_WAL if value == "wal" else Need.FROM_WAL
    if name == "wal_checkpoint":
        return _CHECKPOINTS.get(value, Need.PASSIVE) if wal else Need.NOTHING
    if name in _HEADER and value:
        return Need.RESERVE if open_ else Need.WRITE
    return Need.READ if name in _READING or name in _HEADER else Need.NOTHING


_SCHEMALESS: Final = frozenset(
    (
        *("foreign_keys", "recursive_triggers", "defer_foreign_keys", "query_only"),
        *("busy_timeout", "case_sensitive_like", "ignore_check_constraints", "temp_store"),
        *("automatic_index", "reverse_unordered_selects", "locking_mode", "compile_options"),
    )
)
"""PRAGMAs that never look at the schema."""


def asks_schema(operation: Operation) -> bool:
    """Say whether a statement that needs nothing else of the file has to read its schema, on a
    connection that has not yet (https://www.sqlite.org/schematab.html)."""
    sql = operation.sql
    verb = verb_of(sql) if operation.call.startswith("execute") else ""
    if verb == "PRAGMA":
        return pragma(sql).name not in _SCHEMALESS
    if verb in ("SELECT", "WITH", "VALUES", "EXPLAIN"):
        return "FROM" in [token.upper() for token in tokens(sql)] or verb == "EXPLAIN"
    return verb in DML | SCHEMA_VERBS


def asks_mode(operation: Operation) -> bool:
    """Say whether it is PRAGMA journal_mode without a value. That looks at nothing but its own
    connection: what the mode was when it last read the file."""
    asked = _of_mode(operation)
    return asked is not None and not asked.value


def sets_mode(operation: Operation) -> bool:
    """Say whether it is PRAGMA journal_mode with a value, which reads the file at least."""
    asked = _of_mode(operation)
    return asked is not None and bool(asked.value)


def _of_mode(operation: Operation) -> Pragma | None:
    """Return the PRAGMA journal_mode that it executes, if it does."""
    asked = pragma(operation.sql) if operation.call.startswith("execute") else Pragma()
    return asked if asked.name == "journal_mode" else None


def _fetching(raw: sqlite3.Connection, hold: Hold, operation: Operation) -> Need:
    cursor = operation.cursor
    if cursor is None or not cursor.unfinished:
        return Need.NOTHING
    if cursor.changes and not raw.in_transaction and hold.level >= Lock.RESERVED:
        return Need.FINISH
    return Need.READ if cursor.reads else Need.NOTHING


def _begun_by_python(raw: sqlite3.Connection, operation: Operation, verb: str) -> str | None:
    """Return the mode of the transaction that Python's sqlite3 opens before a write, or None
    (https://docs.python.org/3/library/sqlite3.html#transaction-control). A semicolon in front of
    the statement hides it from Python."""
    level = raw.isolation_level
    legacy = getattr(raw, "autocommit", -1) == -1  # the attribute is there from 3.12 on
    script = operation.call == "executescript"
    if raw.in_transaction or script or not legacy or level is None or verb not in DML:
        return None
    return None if operation.sql.lstrip().startswith(";") else level.upper()
