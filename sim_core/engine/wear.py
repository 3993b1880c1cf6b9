"""What a statement leaves behind in a connection or a file, for whoever wants to keep them.

Kept apart from the pool because it is knowledge about SQL, read from the text alone and once
per text.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from sim_core.engine.statement import pragma, verb_of


class Wear(NamedTuple):
    """What running a statement means for keeping its connection and file."""

    connection: bool = False
    """The connection is not as new afterwards."""
    file: bool = False
    """Writing the file's bytes back does not undo it."""
    alone: bool = False
    """What it comes to depends on who else has the file open."""
    uncovered: str = ""
    """Why the lock table does not know it."""
    asks_rowid: bool = False
    """It reads last_insert_rowid() or changes()."""
    asks_total: bool = False
    """It reads what only a new connection has right."""


NONE: Final = Wear()

_SCHEMA: Final = frozenset(("CREATE", "DROP", "ALTER", "REINDEX", "ANALYZE", "VACUUM"))
_HARMLESS: Final = frozenset(("busy_timeout", "wal_checkpoint", "user_version", "application_id"))
"""PRAGMAs whose setting is in the file's bytes, or nowhere."""
_OF_CONNECTION: Final = frozenset(
    (
        *("foreign_keys", "synchronous", "cache_size", "temp_store", "query_only"),
        *("recursive_triggers", "defer_foreign_keys", "case_sensitive_like", "mmap_size"),
        *("ignore_check_constraints", "automatic_index", "reverse_unordered_selects"),
    )
)
"""PRAGMAs that set something of their connection, and nothing else."""
_ASKING: Final = frozenset(
    (
        *("data_version", "page_count", "freelist_count", "integrity_check", "quick_check"),
        *("foreign_key_check", "foreign_key_list", "table_info", "table_xinfo", "index_info"),
        *("index_xinfo", "index_list", "table_list", "page_size", "encoding", "database_list"),
        *("collation_list", "function_list", "compile_options", "schema_version"),
    )
)
"""PRAGMAs whose argument is a question."""
_TEMPORARY: Final = re.compile(r"\s*CREATE\s+TEMP", re.IGNORECASE)
_ROWID: Final = re.compile(r"\b(?:last_insert_rowid|changes)\s*\(", re.IGNORECASE)
_CHANCE: Final = re.compile(r"\brandom(?:blob)?\s*\(", re.IGNORECASE)
_TOTAL: Final = re.compile(r"\btotal_changes\s*\(|\bdata_version\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def wear(sql: str) -> Wear:
    """Return what `sql` leaves behind."""
    verb = verb_of(sql)
    asks = Wear(asks_rowid=bool(_ROWID.search(sql)), asks_total=bool(_TOTAL.search(sql)))
    if verb == "PRAGMA":
        name, value = pragma(sql)
        return _pragma_wear(name, bool(value), asks)
    if verb in ("ATTACH", "DETACH") or _TEMPORARY.match(sql):
        return asks._replace(connection=True)
    return asks._replace(file=True) if verb in _SCHEMA else asks if any(asks) else NONE


_SIMPLE: Final = frozenset(("SELECT", "INSERT", "UPDATE", "REPLACE"))


@lru_cache(maxsize=4096)
def is_simple(sql: str) -> bool:
    """Say whether it leaves nothing behind but rows, which its row count tells of (an emptied
    table may change its pages without one)."""
    return verb_of(sql) in _SIMPLE and wear(sql) is NONE


def _pragma_wear(name: str, sets: bool, asks: Wear) -> Wear:
    """What is not known to be harmless wears out the file: `optimize` may change the schema."""
    if name == "locking_mode" and sets:
        return asks._replace(uncovered="PRAGMA locking_mode changes SQLite's rules of locking")
    if name in ("optimize", "incremental_vacuum"):
        return asks._replace(uncovered=f"PRAGMA {name} does as much as SQLite thinks fit")
    if name == "journal_mode" and sets:
        return asks._replace(file=True, alone=True)
    if name in _HARMLESS or (name in _ASKING and name != "schema_version"):
        return asks if any(asks) else NONE
    if name in _OF_CONNECTION or not sets:
        return asks._replace(connection=sets)
    return asks._replace(connection=True, file=True)


@lru_cache(maxsize=64)
def needs_new_connections(schema: str) -> bool:
    """Say whether a schema makes runs ask for what only new connections know, or throws dice,
    whose throws are another seed's in a kept file."""
    asks = any(asked.search(schema) for asked in (_CHANCE, _ROWID, _TOTAL))
    return asks or "WITHOUT ROWID" in schema.upper()
