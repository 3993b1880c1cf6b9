"""Time and chance inside SQL, answered by the run and not by the machine.

Half of an application's timestamps never touch Python: they come from column defaults such as
`strftime('%s', 'now')`. SQLite lets a connection replace its own functions, and the replacement
is called in statements, DEFAULTs, CHECKs, generated columns, indexes, triggers and views alike.
Ours puts the virtual instant where 'now' stood and lets an untouched SQLite do the rest, so that
every modifier keeps the meaning it has in the SQLite at hand
(https://www.sqlite.org/lang_datefunc.html). The two modifiers that ask for the machine's time
zone are answered by the run's (seams/sqlzones.py).

The instant goes in as a julian day number: 1.005 seconds written as text would be read as 1.004.

Wrong in this module: falling back to the real clock. A shape we do not model raises
UncoveredShape, and because SQLite swallows the exceptions of user functions, the exception is
also kept in `uncovered` for the engine to raise in its own words. One thing is more lenient than
SQLite: 'now' in an index, a CHECK or a generated column, which SQLite refuses when a row comes,
is answered here.
"""

import re
import sqlite3
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from sim_core.errors import Endless, ExplorerError, UncoveredShape
from sim_core.seams.chance import Pcg32, stream
from sim_core.seams.clock import EPOCH, Clock
from sim_core.seams.sqlzones import DAY, ZONED, Zoned, word
from sim_core.seams.sqlzones import Value as Value

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

REPLACED: Final = frozenset((*TIME_ARGUMENT, *KEYWORDS, "timediff", "random", "randomblob"))
_UNSAFE: Final = re.compile(r"unsafe use of (\w+)\(\)")

SUBSEC: Final = frozenset(("subsec", "subsecond"))
"""Modifiers that, where a time value should stand, mean 'now' as well (SQLite 3.42)."""

OF_NUMBERS: Final = frozenset(("unixepoch", "julianday"))
"""First modifiers that make NULL of every time value but a number."""

MODERN: Final = sqlite3.sqlite_version_info >= (3, 46)
START: Final = round(EPOCH.timestamp() * 1000) + 210_866_760_000_000
"""EPOCH in milliseconds since julian day 0."""

MOST_KNOWN: Final = 4096
"""Answers that are kept of one instant."""


@lru_cache(maxsize=1)
def _untouched() -> sqlite3.Connection:
    """A private SQLite whose functions nobody replaced."""
    return sqlite3.connect(":memory:", check_same_thread=False)


@lru_cache(maxsize=512)
def _select(function: str, count: int) -> str:
    return f"SELECT {function}({', '.join('?' * count)})"


def _ask(function: str, arguments: tuple[Value, ...]) -> Value:
    cursor = _untouched().execute(_select(function, len(arguments)), arguments)
    answer: Value = cursor.fetchone()[0]
    return answer


@lru_cache(maxsize=64)
def _has(function: str, *arguments: Value) -> bool:
    """Say whether this SQLite makes anything but NULL of a call."""
    try:
        return _ask(function, arguments) is not None
    except sqlite3.OperationalError:
        return False


def answer(clock: Clock, function: str, arguments: tuple[Value, ...]) -> Value:
    """Return what SQLite's `function` would say at the clock's instant, in its zone.

    Raises UncoveredShape, naming the call, where that is not known.
    """
    now = (START + clock.wall) / DAY
    if function == "timediff":
        return _ask(function, tuple(now if _is_now(one) else one for one in arguments))
    before = TIME_ARGUMENT[function]
    if len(arguments) < before:
        return _ask(function, arguments)
    head, value, modifiers = arguments[:before], "now", arguments[before + 1 :]
    if len(arguments) > before:
        value = arguments[before]  # type: ignore[assignment]
    if word(value) in SUBSEC and _has("datetime", "subsec"):
        value, modifiers = "now", ("subsec", *modifiers)
    is_now = _is_now(value)
    if is_now:
        if modifiers and word(modifiers[0]) in OF_NUMBERS:
            return None
        value = now  # type: ignore[assignment]
    if ZONED.isdisjoint(map(word, modifiers)):
        return _ask(function, (*head, value, *modifiers))
    zoned = Zoned(_ask, clock.zone, function, MODERN)
    return zoned.answer(head, value, modifiers, is_now=is_now)


def _is_now(value: Value) -> bool:
    return word(value) == "now"


@lru_cache(maxsize=256)
def _known(zone: str, wall: int) -> dict[tuple[str, ...], Value]:
    """Answers at one instant in one zone, by function and arguments: texts only, because
    1 and 1.0 are one key and two texts."""
    return {}


STEPS: Final = 1_000_000
"""Steps of SQLite's machine between two looks at a statement."""
MOST_STEPS: Final = 300


class SqlSeam:
    """The replaced functions of one connection, which may serve one run after another."""

    def __init__(self, clock: Clock, seed: int, purpose: int) -> None:
        self.serve(clock, seed, purpose)

    def serve(self, clock: Clock, seed: int, purpose: int) -> None:
        """Answer by this clock, and by the dice of `purpose` under `seed`, from now on."""
        self.clock = clock
        self._source = (seed, purpose)
        self._dice: Pcg32 | None = None
        self.uncovered: ExplorerError | None = None
        self._steps = 0

    @property
    def dice(self) -> Pcg32:
        """Return the dice, made at the first throw: most runs throw none."""
        if self._dice is None:
            self._dice = stream(*self._source)
        return self._dice

    @property
    def thrown(self) -> int | None:
        """Return how far its dice have come; None where they were not thrown."""
        return None if self._dice is None else self._dice.state

    def install(self, connection: sqlite3.Connection) -> None:
        """Replace every function of SQLite that reads the clock or throws dice."""
        functions = [*TIME_ARGUMENT]
        if _has("timediff", "2000-01-01", "2000-01-01"):  # from SQLite 3.43
            functions.append("timediff")
        for function in functions:
            # deterministic: generated columns and indexes refuse the others, and within one
            # statement SQLite keeps 'now' still anyway
            count = 2 if function == "timediff" else -1
            self._replace(connection, function, count, function)
        for keyword, function in KEYWORDS.items():
            self._replace(connection, keyword, 0, function)
        connection.set_progress_handler(self._step, STEPS)
        connection.create_function("random", 0, self._random)
        connection.create_function("randomblob", 1, self._blob)

    def _replace(self, raw: sqlite3.Connection, name: str, count: int, function: str) -> None:
        raw.create_function(name, count, self._replaced(function), deterministic=True)

    def _replaced(self, function: str) -> Callable[..., Value]:
        def replaced(*arguments: Value) -> Value:
            clock = self.clock
            known = _known(clock.zone, clock.wall)
            key = (function, *arguments)
            if key in known:
                return known[key]  # type: ignore[index]
            try:
                said = answer(clock, function, arguments)
            except UncoveredShape as error:
                self.uncovered = error
                raise
            if all(type(one) is str for one in arguments):
                if len(known) >= MOST_KNOWN:
                    known.clear()
                known[key] = said  # type: ignore[index]
            return said

        return replaced

    def _step(self) -> int:
        """Count; also lets Ctrl-C through to a statement that runs for long."""
        self._steps += 1
        if self._steps <= MOST_STEPS:
            return 0
        self._steps = 0
        self.uncovered = Endless(
            f"A statement takes more than {STEPS * MOST_STEPS:,} steps of SQLite; it seems to have "
            "no end."
        )
        return 1

    def _random(self) -> int:
        return self.dice.word64()

    def _blob(self, length: Value) -> bytes:
        count = length if type(length) is int else _whole(length)
        if count > 1_000_000_000:
            raise OverflowError  # which Python's sqlite3 turns into SQLite's own SQLITE_TOOBIG
        return self.dice.blob(count)

    def raised(self, error: BaseException | None = None) -> ExplorerError | None:
        """Return, and forget, the error that SQLite swallowed in the last statement; or the one
        behind `error`, where SQLite took a function of ours for unsafe."""
        kept, self.uncovered, self._steps = self.uncovered, None, 0
        unsafe = _UNSAFE.match(str(error)) if error else None
        if kept or not unsafe or unsafe[1].lower() not in REPLACED:
            return kept
        return UncoveredShape(
            f"PRAGMA trusted_schema=OFF bars {unsafe[1]}() from the schema here, because the "
            "run's clock and dice stand in SQLite's place; leave it ON in a run.",
            part="PRAGMA trusted_schema",
        )


def _whole(value: Value) -> int:
    """Return the integer that SQLite reads in a value of another type."""
    whole = _untouched().execute("SELECT CAST(? AS INTEGER)", (value,)).fetchone()[0]
    return int(whole or 0)
