"""Time and chance in SQL that stands in a Python string, found without running it.

Half of an application's timestamps come from column defaults and triggers. In a run they are
answered (seams/sqltime.py, whose table of functions this reads); on the machine they read its
clock and throw its dice. The SQL is split into words, literals and marks, no further: what
matters is whether a call of such a function is given 'now', or nothing.

Wrong in this module: Python's syntax tree.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from sim_core.seams.sqltime import KEYWORDS, OF_NUMBERS, REPLACED, SUBSEC, TIME_ARGUMENT

WHY: Final = {
    "sql clock": "reads the machine's clock, in SQL; in a run the run's clock answers",
    "sql time zone": "asks for the machine's time zone, in SQL; in a run the recipe's tz= answers",
    "sql random": "throws the machine's dice, in SQL; in a run the run's dice answer",
}
"""Kind of leak → what it does."""
CLOCK, ZONE, CHANCE = WHY

_STATEMENT: Final = re.compile(
    r"""\s*+(?>--[^\n]*+\n\s*+|/\*(?>.*?\*/)\s*+|\(\s*+)*+
    (?:SELECT|INSERT\s++(?:OR\s++\w++\s++)?INTO|UPDATE\s++\S++(?:\s++\S++){0,3}?\s++SET
    |DELETE\s++FROM|REPLACE\s++INTO|ALTER\s++TABLE|EXPLAIN|PRAGMA|VALUES\s*+\(
    |WITH\s++(?:RECURSIVE\s++)?\w+
    |CREATE\s++(?:TEMP\s++|TEMPORARY\s++|UNIQUE\s++|VIRTUAL\s++)?(?:TABLE|INDEX|TRIGGER|VIEW))\b""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
"""How a statement begins: its first word alone also begins many a sentence. No repetition gives
back what it took, so that no string takes long."""
_CLAUSE: Final = re.compile(
    r"\b(?:DEFAULT|WHERE|ORDER BY|VALUES|SET|SELECT|CHECK|LIMIT|AND|CASE|INTEGER|TEXT|RETURNING)\b"
)
"""A piece of a statement is known by a clause in capitals."""
_ALONE: Final = re.compile(
    r"""\(?\s*(?:CURRENT_(?:TIME|DATE|TIMESTAMP)|["`\[]?\w+["`\]]?\s*\([^()]*'now'[^()]*\))\s*\)?"""
)
"""An expression all by itself, as a column's default is given to a library."""
MOST_ALONE: Final = 200
"""Characters of such an expression."""
_PROSE: Final = frozenset(("the", "an", "this", "that", "these", "your", "you", "its", "please"))
"""Words that no statement has, outside of its texts and names."""
_MENTIONS: Final = re.compile(rf"\b(?:{'|'.join(sorted(REPLACED))})\b", re.IGNORECASE)
_TOKEN: Final = re.compile(
    r"""--[^\n]* | /\*.*?(?:\*/|\Z)
    | (?P<text>'(?:[^']|'')*+(?:'|\Z))
    | (?P<quoted>"[^"]*(?:"|\Z) | `[^`]*(?:`|\Z) | \[[^\]]*(?:\]|\Z))
    | (?P<word>\w+) | (?P<mark>[^\s\w])""",
    re.VERBOSE | re.DOTALL,
)
"""What is opened and not closed goes to the end."""

MOST_TOKENS: Final = 100
"""Words and marks of one call that are read."""


class Read(NamedTuple):
    """One reading of time or chance in a piece of SQL."""

    call: str
    kind: str
    nth: int
    """How many times its name was mentioned before, whether or not that was a reading."""

    @property
    def name(self) -> str:
        return self.call.partition("(")[0]


_QUOTES: Final = '"`[]'


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


def reads(sql: str) -> Iterator[Read]:
    """Yield what a string asks of the machine; nothing where it is not SQL."""
    if not _MENTIONS.search(sql) or not _looks_like_sql(sql):
        return
    tokens = [
        _Token(match.lastgroup, match[0], match.start())
        for match in _TOKEN.finditer(sql)
        if match.lastgroup
    ]
    if _is_prose(tokens):
        return
    seen: dict[str, tuple[int, int]] = {}
    for index, token in enumerate(tokens):
        name = _function(token)
        if name not in REPLACED or _is_part(tokens, index):
            continue
        if kind := _kind(name, _arguments(tokens, index + 1)):
            call = token.text if name in KEYWORDS else f"{token.text.strip(_QUOTES)}()"
            before, at = seen.get(name, (0, 0))
            seen[name] = before + mentions(name, sql[at : token.at]), token.at
            yield Read(call, kind, seen[name][0])


def _function(token: _Token) -> str:
    """Return the function that a word may call; its name can be quoted, a keyword cannot."""
    if token.kind == "quoted":
        name = token.text[1:-1].lower()
        return "" if name in KEYWORDS else name
    return token.text.lower() if token.kind == "word" else ""


def mentions(name: str, text: str) -> int:
    """Return how many times a text has the name, whatever it means there."""
    return len(re.findall(rf"\b{name}\b", text, re.IGNORECASE))


def _looks_like_sql(text: str) -> bool:
    if _STATEMENT.match(text) or _CLAUSE.search(text):
        return True
    alone = text.strip()
    return len(alone) <= MOST_ALONE and bool(_ALONE.fullmatch(alone))


def _is_prose(tokens: list[_Token]) -> bool:
    """Say whether this is a sentence: it ends like one, or has a word that no statement has."""
    if tokens and tokens[-1].text in (".", "…", "!"):
        return True
    return any(
        token.kind == "word" and token.text.lower() in _PROSE and not _is_name(tokens, index)
        for index, token in enumerate(tokens)
    )


def _is_name(tokens: list[_Token], index: int) -> bool:
    """Say whether a word is plainly the name of a table or a column: that.id, AS its."""
    around = [one.text.upper() for one in tokens[max(index - 1, 0) : index + 2]]
    return "." in around or "AS" in around[:1]


def _is_part(tokens: list[_Token], index: int) -> bool:
    """Say whether the word is a column of a table that is named: t.date."""
    return index > 0 and tokens[index - 1].text == "."


def _arguments(tokens: list[_Token], index: int) -> list[list[_Token]] | None:
    """Return the arguments of the call that opens here; None where none does."""
    if index >= len(tokens) or tokens[index].text != "(":
        return None
    depth, arguments = 0, [[]]  # type: tuple[int, list[list[_Token]]]
    for token in tokens[index : index + MOST_TOKENS]:
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            break
        if token.text == "," and depth == 1:
            arguments.append([])
        elif depth > 1 or token.text != "(":
            arguments[-1].append(token)
    return arguments if arguments != [[]] else []


def _kind(name: str, arguments: list[list[_Token]] | None) -> str:
    """Return what a call of this function asks for; empty where that is nothing."""
    if name in KEYWORDS:
        return "" if arguments is not None else CLOCK
    if arguments is None:
        return ""
    if name in ("random", "randomblob"):
        return CHANCE if bool(arguments) == (name == "randomblob") else ""
    texts = [_literal(argument) for argument in arguments]
    if name == "timediff":
        return CLOCK if "now" in texts else ""
    before = TIME_ARGUMENT[name]
    if len(texts) == before or texts[before : before + 1] in (["now"], *([one] for one in SUBSEC)):
        return "" if set(texts[before + 1 : before + 2]) & OF_NUMBERS else CLOCK
    return ZONE if {"localtime", "utc"} & set(texts[before + 1 :]) else ""


def _literal(argument: list[_Token]) -> str:
    """Return what an argument says, where it is one literal; empty elsewhere."""
    if len(argument) != 1 or argument[0].kind != "text":
        return ""
    return argument[0].text[1:-1].strip().lower()
