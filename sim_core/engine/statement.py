"""What a SQL text is, before anybody runs it.

The engine needs three things of a statement: its *fingerprint* (its shape, by which faults and
traces name it: literals out, white space and comments folded), its *literals* (so that two
statements of one shape still differ in the trace), and its *verb* (BEGIN IMMEDIATE, COMMIT and
their kin change locks by themselves). Whether an ordinary statement reads or writes is not
guessed from its text: SQLite says so itself, through EXPLAIN (see `effect`).
"""

import re
import sqlite3
import warnings
from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from typing import Any, Final, NamedTuple

from sim_core.seams.sqltime import Value

Parameters = tuple[Value, ...] | dict[str, Value]

_TOKEN: Final = re.compile(
    r"""(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))
      | (?P<literal>[xX]?'(?:[^']|'')*' | (?<![\w.])\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)
      | (?P<name>"(?:[^"]|"")*" | `[^`]*` | \[[^\]]*\])
      | (?P<word>\w+)
      | (?P<space>\s+)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


class Shape(NamedTuple):
    """A SQL text taken apart: `verb` is its first keyword, or two where the second matters."""

    fingerprint: str
    literals: tuple[str, ...]
    verb: str
    words: tuple[str, ...] = ()
    """Its first keywords, in capitals."""


_TWO_WORDS: Final = {
    ("BEGIN", "IMMEDIATE"),
    ("BEGIN", "EXCLUSIVE"),
    ("ROLLBACK", "TO"),
}


_MOST_WORDS: Final = 4
"""Keywords that may decide what a statement is: ROLLBACK TRANSACTION TO SAVEPOINT."""


def _verb(words: tuple[str, ...]) -> str:
    said = tuple(word for word in words if word != "TRANSACTION")
    if not said:
        return ""
    if said[:2] in _TWO_WORDS:
        return " ".join(said[:2])
    return "COMMIT" if said[0] == "END" else said[0]


@lru_cache(maxsize=4096)
def shape(sql: str) -> Shape:
    """Return the shape of `sql`; a text without a statement has an empty verb."""
    parts: list[str] = []
    literals: list[str] = []
    words: list[str] = []
    for match in _TOKEN.finditer(sql):
        text = match.group()
        if match.lastgroup in ("comment", "space"):
            text = " "
        elif match.lastgroup == "literal":
            literals.append(text)
            text = "?"
        elif match.lastgroup == "word":
            words.append(text)
        parts.append(text)
    folded = re.sub(r" +", " ", "".join(parts)).strip(" ;")
    first = tuple(word.upper() for word in words[:_MOST_WORDS])
    return Shape(folded, tuple(literals), _verb(first), first)


def verb_of(sql: str) -> str:
    """Return the statement's first keyword, or two where the second matters."""
    return shape(sql).verb


def tokens(sql: str) -> Iterator[str]:
    """Yield what SQLite reads of `sql`: its tokens, without comments, space and semicolons."""
    for match in _TOKEN.finditer(sql):
        if match.lastgroup not in ("comment", "space") and match.group() != ";":
            yield match.group()


def unquoted(token: str) -> str:
    """Return a name or text without its quotes: SQLite takes 'a', "a", `a` and [a] for names."""
    if token[:1] == "[":
        return token[1:-1]
    quote = token[:1]
    return token[1:-1].replace(quote * 2, quote) if quote in ("'", '"', "`") and quote else token


@lru_cache(maxsize=4096)
def bare(sql: str) -> str:
    """Return `sql` without comments, literals and quotes, in which a name can be looked for."""
    return shape(sql).fingerprint.translate(_NO_QUOTES)


_NO_QUOTES: Final = str.maketrans("", "", '"`[]')

DML: Final = frozenset(("INSERT", "UPDATE", "DELETE", "REPLACE"))
"""Verbs before which Python's sqlite3 opens a transaction, unless isolation_level is None."""


SCHEMA_VERBS: Final = frozenset(("CREATE", "DROP", "ALTER", "REINDEX", "ANALYZE", "VACUUM"))
"""Verbs that change the schema, or what SQLite keeps beside it."""


def split_script(script: str) -> list[str]:
    """Return the statements of a script, as sqlite3.executescript would run them."""
    statements: list[str] = []
    rest = ""
    *pieces, last = script.split(";")
    for piece in pieces:
        rest += piece + ";"
        if sqlite3.complete_statement(rest):
            statements.append(rest)
            rest = ""
    return [text for text in [*statements, rest + last] if verb_of(text)]


class Pragma(NamedTuple):
    """A PRAGMA's words in lower case, unquoted; empty strings where there are none."""

    name: str = ""
    value: str = ""
    schema: str = ""


@lru_cache(maxsize=1024)
def pragma(sql: str) -> Pragma:
    """Return which PRAGMA `sql` is (https://www.sqlite.org/pragma.html); no name where none."""
    if verb_of(sql) != "PRAGMA":
        return Pragma()
    words = [unquoted(token).lower() for token in tokens(sql)][1:]
    schema = ""
    if words[1:2] == ["."]:
        schema, words = words[0], words[2:]
    if not words:
        return Pragma()
    given = words[2:] if words[1:2] in (["="], ["("]) else []
    return Pragma(words[0], "".join(given).removesuffix(")"), schema)


def truth(value: str) -> bool:
    """Return a PRAGMA's value as SQLite takes it for yes or no: any number but 0 (of a byte)."""
    if value[:1].isdigit():
        return leading_number(value) & 0xFF != 0
    return value in ("on", "yes", "true")


def leading_number(value: str) -> int:
    """Return the number that a PRAGMA's value begins with, as SQLite reads it; 0 for none."""
    number = re.match(r"[+-]?[0-9]+", value)
    return int(number[0]) if number else 0


class Effect(NamedTuple):
    """What a statement does to the shared file."""

    reads: bool
    writes: bool
    changes: bool
    """It writes somewhere: into the file, a temporary table or an attached database. SQLite
    counts such statements, and commits when the last of them is at its end."""
    certain: bool = True
    """SQLite said so; otherwise it could not be asked, and the verb must do."""


NO_EFFECT: Final = Effect(False, False, False)

TRANSACTION_VERBS: Final = frozenset(
    (
        *("BEGIN", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "COMMIT", "ROLLBACK", "ROLLBACK TO"),
        *("SAVEPOINT", "RELEASE", "ATTACH", "DETACH", "VACUUM", "EXPLAIN", "PRAGMA", ""),
    )
)
"""Verbs about which EXPLAIN says nothing useful; a PRAGMA it may even carry out."""


_NAMED: Final = re.compile(r"[:@$]\w|\?\d")
"""What may be a named parameter."""


_asked: Final = count()


def fresh(sql: str) -> str:
    """Return `sql` as Python has not prepared it before.

    A prepared EXPLAIN that is used again lists a program whose tables another connection's
    change of the schema may have freed: SQLite 3.40 then crashes.
    """
    return f"{sql}\n/* {next(_asked)} */"


def readable(text: bytes) -> str:
    """Return bytes that should be UTF-8 as text, whatever they are."""
    return text.decode("utf-8", "replace")


def explained(cursor: sqlite3.Cursor, sql: str, parameters: Parameters) -> list[tuple[Any, ...]]:
    """Return SQLite's program for `sql`, as EXPLAIN lists it."""
    question = fresh("EXPLAIN " + sql)
    if isinstance(parameters, dict) or not _NAMED.search(sql):
        return cursor.execute(question, parameters).fetchall()
    with warnings.catch_warnings():
        # names given a sequence: sqlite3 warns, and of the statement itself, not of our question
        warnings.simplefilter("ignore")
        return cursor.execute(question, parameters).fetchall()


def effect(connection: sqlite3.Connection, sql: str, parameters: Parameters) -> Effect:
    """Return whether `sql` reads or writes the main database, as SQLite compiles it.

    The opcode Transaction opens a database (p1: 0 main, 1 temp, then those attached) for reading
    (p2 = 0) or writing (p2 = 1); triggers, views, upserts and foreign keys are thereby included
    (https://www.sqlite.org/opcode.html). A statement that does not compile has no effect: its
    error is for whoever runs it.
    """
    if shape(sql).verb in TRANSACTION_VERBS:
        return NO_EFFECT
    cursor = connection.cursor()
    cursor.row_factory = None
    # a writer's own might fail, and so does str where a literal is no UTF-8
    texts, connection.text_factory = connection.text_factory, readable
    try:
        program = explained(cursor, sql, parameters)
    except sqlite3.OperationalError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY:
            return NO_EFFECT
        # the schema has to be read again, and somebody is in the way
        writes = shape(sql).verb in DML | SCHEMA_VERBS
        return Effect(True, writes, writes, certain=False)
    except (sqlite3.Error, sqlite3.Warning, ValueError, TypeError, OverflowError):
        return NO_EFFECT
    finally:
        connection.text_factory = texts
    opened = [row[2:4] for row in program if row[1] == "Transaction"]
    main = [writes for database, writes in opened if database == 0]
    return Effect(bool(main), any(main), any(writes for _, writes in opened))
