"""From an operation to what it asks of the file (locks.Need).

COMMIT and BEGIN say it by their verb; for everything else SQLite itself is asked, through
EXPLAIN, on the writer's own connection. The answers are kept for the run, until somebody
changes the schema.
"""

import sqlite3
from typing import Final

from sim_core.engine.locks import Need
from sim_core.engine.park import Operation
from sim_core.engine.statement import Effect, effect, shape

_BY_VERB: Final = {
    "BEGIN": Need.NOTHING,
    "BEGIN IMMEDIATE": Need.RESERVE,
    "BEGIN EXCLUSIVE": Need.EXCLUDE,
    "ROLLBACK": Need.NOTHING,
    "ROLLBACK TO": Need.NOTHING,
}

_IMPLICIT_BEGIN: Final = frozenset(("INSERT", "UPDATE", "DELETE", "REPLACE"))
"""Verbs before which Python's sqlite3 opens a transaction, unless isolation_level is None."""

_SCHEMA_VERBS: Final = frozenset(("CREATE", "DROP", "ALTER", "REINDEX", "ANALYZE"))


class Needs:
    """One run's answers."""

    def __init__(self) -> None:
        self._effects: dict[str, Effect] = {}

    def of(self, raw: sqlite3.Connection, operation: Operation) -> Need:
        """Return what `operation` needs if it were granted now, on `raw` as it stands."""
        if operation.call == "commit":
            return Need.COMMIT if raw.in_transaction else Need.NOTHING
        if operation.call != "execute":
            return Need.NOTHING
        verb = shape(operation.sql).verb
        if verb == "COMMIT":
            return Need.COMMIT if raw.in_transaction else Need.NOTHING
        if verb in _BY_VERB:
            # a BEGIN inside a transaction is an error, and changes nothing
            return Need.NOTHING if raw.in_transaction else _BY_VERB[verb]
        does = self._effect(raw, operation)
        if not does.writes:
            return Need.READ if does.reads else Need.NOTHING
        return Need.RESERVE if raw.in_transaction else _write_alone(raw, verb)

    def _effect(self, raw: sqlite3.Connection, operation: Operation) -> Effect:
        known = self._effects.get(operation.sql)
        if known is None:
            known = self._effects[operation.sql] = effect(raw, operation.sql, operation.parameters)
        return known

    def changes_schema(self, operation: Operation) -> bool:
        """Say whether `operation` changes the schema; if so, forget what was known."""
        changes = operation.call == "execute" and shape(operation.sql).verb in _SCHEMA_VERBS
        if changes:
            self._effects.clear()
        return changes


def _write_alone(raw: sqlite3.Connection, verb: str) -> Need:
    """A write outside a transaction: does it commit by itself, or does Python open one?"""
    level = raw.isolation_level
    if level is None or verb not in _IMPLICIT_BEGIN:
        return Need.EXCLUDE
    return Need.EXCLUDE if level.upper() == "EXCLUSIVE" else Need.RESERVE
