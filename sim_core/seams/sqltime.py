"""Time and chance inside SQL, answered by the run and not by the machine.

Half of an application's timestamps never touch Python: they come from column defaults such as
`strftime('%s', 'now')`. SQLite lets a connection replace its own functions, and the replacement
is called in statements, DEFAULTs, CHECKs, triggers and views alike. Ours puts the virtual
instant where 'now' stood and lets an untouched SQLite do the rest, so that every modifier
keeps SQLite's meaning (https://www.sqlite.org/lang_datefunc.html).

Wrong in this module: falling back to the real clock. A shape we do not model raises
UncoveredShape, and because SQLite swallows the exceptions of user functions, the exception is
also kept in `uncovered` for the engine to raise in its own words.
"""

import sqlite3
from functools import lru_cache, partial
from typing import Final

from sim_core.errors import UncoveredShape
from sim_core.seams.chance import Pcg32
from sim_core.seams.clock import Clock

Value = str | int | float | bytes | None

TIME_ARGUMENT: Final = {
    "strftime": 1,
    "date": 0,
    "time": 0,
    "datetime": 0,
    "julianday": 0,
    "unixepoch": 0,
}
"""SQL function → how many arguments stand before its time value."""

KEYWORDS: Final = {
    "current_timestamp": "datetime",
    "current_date": "date",
    "current_time": "time",
}
"""Keyword → the function it abbreviates."""

ZONED: Final = ("localtime", "utc")
"""Modifiers whose answer depends on the machine's time zone."""


@lru_cache(maxsize=1)
def _untouched() -> sqlite3.Connection:
    """A private SQLite whose functions nobody replaced."""
    return sqlite3.connect(":memory:", check_same_thread=False)


@lru_cache(maxsize=4096)
def _ask(function: str, arguments: tuple[Value, ...]) -> Value:
    marks = ", ".join("?" * len(arguments))
    answer: Value = _untouched().execute(f"SELECT {function}({marks})", arguments).fetchone()[0]
    return answer


def _is_now(value: Value) -> bool:
    return isinstance(value, str) and value.lower() == "now"


def answer(clock: Clock, function: str, arguments: tuple[Value, ...]) -> Value:
    """Return what SQLite's `function` would say at the clock's instant.

    Raises UncoveredShape for the modifiers 'localtime' and 'utc', whose answer the machine's
    zone decides.
    """
    before = TIME_ARGUMENT[function]
    for argument in arguments[before + 1 :]:
        if isinstance(argument, str) and argument.strip().lower() in ZONED:
            raise UncoveredShape(
                f"{function}(…, {argument!r}) depends on the machine's time zone; keep times in "
                "UTC and convert them in Python.",
                part=f"{function}(…, {argument!r})",
            )
    if len(arguments) <= before:
        arguments = (*arguments, "now")
    if not _is_now(arguments[before]):
        return _ask(function, arguments)
    instant = clock.now().strftime("%Y-%m-%d %H:%M:%S.") + f"{clock.milliseconds % 1000:03d}"
    return _ask(function, (*arguments[:before], instant, *arguments[before + 1 :]))


class SqlSeam:
    """The replaced functions of one connection."""

    def __init__(self, clock: Clock, dice: Pcg32) -> None:
        self.clock = clock
        self.dice = dice
        self.uncovered: UncoveredShape | None = None

    def install(self, connection: sqlite3.Connection) -> None:
        """Replace every function of SQLite that reads the clock or throws dice."""
        for function in TIME_ARGUMENT:
            # deterministic: generated columns and indexes refuse the others, and within one
            # statement SQLite keeps 'now' still anyway
            connection.create_function(
                function, -1, partial(self._time, function), deterministic=True
            )
        for keyword, function in KEYWORDS.items():
            connection.create_function(
                keyword, 0, partial(self._time, function), deterministic=True
            )
        connection.create_function("random", 0, self.dice.word64)
        connection.create_function("randomblob", 1, self.dice.blob)

    def _time(self, function: str, *arguments: Value) -> Value:
        try:
            return answer(self.clock, function, arguments)
        except UncoveredShape as error:
            self.uncovered = error
            raise

    def raised(self) -> UncoveredShape | None:
        """Return, and forget, the error that SQLite swallowed in the last statement."""
        error, self.uncovered = self.uncovered, None
        return error
