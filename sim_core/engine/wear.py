"""What a statement leaves behind in a connection or a file, for whoever wants to keep them.

Kept apart from the pool because it is knowledge about SQL, read from the text alone and once
per text.
"""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from sim_core.engine.statement import Pragma, bare, pragma, shape, tokens, unquoted, verb_of


class Wear(NamedTuple):
    """What running a statement means for keeping its connection and file."""

    connection: bool = False
    """The connection is not as new afterwards."""
    apart: bool = False
    """Names mean something else on the connection afterwards: a temporary table may hide one."""
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
_TEMPORARY: Final = (("CREATE", "TEMP"), ("CREATE", "TEMPORARY"))
_ROWID: Final = re.compile(r"\b(?:last_insert_rowid|changes) ?\(", re.IGNORECASE)
_CHANCE: Final = re.compile(r"\brandom(?:blob)? ?\(", re.IGNORECASE)
_TOTAL: Final = re.compile(r"\btotal_changes ?\(|\b(?:pragma_)?data_version\b", re.IGNORECASE)
_PLACE: Final = re.compile(r"\b(?:pragma_)?database_list\b", re.IGNORECASE)
_TIMEOUT: Final = re.compile(r"\bpragma_busy_timeout\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def wear(sql: str) -> Wear:
    """Return what `sql` leaves behind."""
    verb, text = verb_of(sql), bare(sql)
    asks = Wear(
        asks_rowid=bool(_ROWID.search(text)),
        asks_total=bool(_TOTAL.search(text)),
        uncovered=_unanswerable(text),
    )
    if verb == "PRAGMA":
        return _pragma_wear(pragma(sql), asks)
    if verb == "ATTACH":
        return asks._replace(
            connection=True, apart=True, uncovered="" if _in_memory(sql) else _ATTACHED
        )
    if verb == "DETACH" or shape(sql).words[:2] in _TEMPORARY:
        return asks._replace(connection=True, apart=True)
    if verb == "VACUUM" and copies(sql):
        return asks
    return asks._replace(file=True) if verb in _SCHEMA else asks if any(asks) else NONE


_NO_TIMEOUT: Final = "pragma_busy_timeout does not know of virtual time; PRAGMA busy_timeout does"
_NO_PLACE: Final = "PRAGMA database_list tells where this machine keeps the run's file"


def _unanswerable(text: str) -> str:
    """Return why a statement cannot be answered in a run as it would be anywhere."""
    if _PLACE.search(text):
        return _NO_PLACE
    return _NO_TIMEOUT if _TIMEOUT.search(text) else ""


_ATTACHED: Final = (
    "ATTACH opens another file, whose locks and contents are no part of a run (a literal "
    "':memory:' can be attached)"
)


def _in_memory(sql: str) -> bool:
    """Say whether an ATTACH opens a database that is nobody else's and ends with its connection
    (https://www.sqlite.org/inmemorydb.html)."""
    named = [token for token in tokens(sql) if token.upper() not in ("ATTACH", "DATABASE")]
    return named[:1] != [] and unquoted(named[0]) in (":memory:", "") and named[0][0] in "'\""


def copies(sql: str) -> bool:
    """Say whether a VACUUM only reads: VACUUM INTO writes to a file of its own
    (https://www.sqlite.org/lang_vacuum.html#vacuuminto)."""
    return "INTO" in [token.upper() for token in tokens(sql)][1:3]


_SIMPLE: Final = frozenset(("SELECT", "INSERT", "UPDATE", "REPLACE", "DELETE"))


@lru_cache(maxsize=4096)
def is_simple(sql: str) -> bool:
    """Say whether it leaves nothing behind but rows."""
    return verb_of(sql) in _SIMPLE and wear(sql) is NONE


def _pragma_wear(asked: Pragma, asks: Wear) -> Wear:
    """What is not known to be harmless wears out the file: `optimize` may change the schema."""
    name, sets = asked.name, asked.value != ""
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
    text = bare(schema)
    asks = any(asked.search(text) for asked in (_CHANCE, _ROWID, _TOTAL))
    return asks or "WITHOUT ROWID" in text.upper()
