"""'localtime' and 'utc' in SQL, by the run's zone and not by the machine's.

SQLite applies a time function's modifiers from left to right. Here the list is split at these
two: an untouched SQLite applies what stands between them, and the step from UTC to local time,
or back, is made by the zone of the run. It is made as SQLite makes it: years outside 1970–2037
are given the offset of a year of the same leap rule in 2000–2003, and 'utc' guesses until the
guess, seen locally, is what was asked for.

What is no step at all changed with SQLite 3.46: before, 'utc' did nothing to a value that named
its zone (or had been through 'utc'); since then 'localtime' also does nothing to a local value,
and 'now' is known to be UTC. The SQLite at hand is followed.
"""

from collections.abc import Callable
from re import IGNORECASE, compile
from typing import Final

from sim_core.errors import UncoveredShape
from sim_core.seams.zones import ahead

Value = str | int | float | bytes | None

ZONED: Final = frozenset(("localtime", "utc"))
"""Modifiers whose answer depends on a time zone."""

DAY: Final = 86_400_000
UNIX: Final = 210_866_760_000_000
"""1970-01-01 in milliseconds since julian day 0."""
YEAR_10000: Final = 464_269_060_800_000
MIDDLE: Final = 2_451_545.0
"""A julian day with room on both sides: what is NULL here, is NULL for its modifiers."""

MOST_GUESSES: Final = 3
"""After which SQLite takes its guess as it is: the hour that a clock put forward skips."""

FIRST_ONLY: Final = frozenset(("unixepoch", "julianday", "auto"))
"""Modifiers that make NULL anywhere but in the first place."""

_NAMES_ZONE: Final = compile(r"\d:\d\d(:\d\d(\.\d+)?)?\s*(z|[+-]\d\d:\d\d)\s*\Z", IGNORECASE)
_NUMBER: Final = compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*\Z")


def word(value: Value) -> str:
    """Return an argument as SQLite compares it with its own words: a C string, small letters."""
    if type(value) is not str:
        if type(value) is not bytes:
            return ""
        value = value.decode(errors="replace")
    return value.partition("\0")[0].lower()


class Zoned:
    """One call of a time function with at least one of the two modifiers."""

    def __init__(
        self, ask: Callable[[str, tuple[Value, ...]], Value], zone: str, function: str, modern: bool
    ) -> None:
        self._ask = ask
        self._modern = modern
        """SQLite 3.46 or newer, which knows whether a value is local."""
        self._zone = zone
        self._function = function

    def answer(
        self, head: tuple[Value, ...], value: Value, modifiers: tuple[Value, ...], *, is_now: bool
    ) -> Value:
        """Return what SQLite would say of the call, if the machine stood in the zone."""
        words = [word(one) for one in modifiers]
        if not FIRST_ONLY.isdisjoint(words[1:]):
            return None
        self._covered(words)
        utc, local = self._begins_as_utc(value, is_now=is_now), False
        subsec: list[Value] = []
        waiting: list[Value] = []
        for name, modifier in zip(words, modifiers, strict=True):
            if name not in ZONED:
                waiting.append(modifier)
                if name.startswith("subsec"):
                    subsec = [modifier]
                continue
            if (utc and name == "utc") or (local and name == "localtime" and self._modern):
                continue
            at = self._ask("julianday", (value, *waiting))
            if at is None:
                self._is_nothing(name, value, waiting)
                return None
            value, waiting = self._moved(name, at) / DAY, []
            if name == "utc":
                utc, local, subsec = True, False, []
            else:
                utc, local = utc and not self._modern, True
        return self._ask(self._function, (*head, value, *waiting, *subsec))

    def _begins_as_utc(self, value: Value, *, is_now: bool) -> bool:
        if is_now:
            return self._modern
        return bool(_NAMES_ZONE.search(word(value)))

    def _is_nothing(self, name: str, value: Value, waiting: list[Value]) -> None:
        """Accept NULL where a text or a modifier means nothing. Beyond its calendar SQLite goes on
        with a date that nobody asked for; we do not."""
        number = type(value) in (int, float) or bool(_NUMBER.match(word(value)))
        middle = MIDDLE if number else "2000-01-01 12:00"
        if self._ask("julianday", (middle, *waiting)) is None:
            return
        if number or self._ask("julianday", (value,)) is not None:
            raise self._beyond(name)

    def _moved(self, name: str, julian: Value) -> int:
        """Return milliseconds since julian day 0, moved to local time or back from it."""
        assert isinstance(julian, float), "julianday gives a number"
        there = round(julian * DAY)
        local = there + self._ahead(there)
        moved = local if name == "localtime" else self._back(there)
        if not (0 <= local < YEAR_10000 and 0 <= moved < YEAR_10000):
            raise self._beyond(name)
        return moved

    def _back(self, there: int) -> int:
        guess = there
        for _ in range(MOST_GUESSES):
            error = guess + self._ahead(guess) - there
            if not error:
                break
            guess -= error
        return guess

    def _ahead(self, milliseconds: int) -> int:
        return ahead(self._zone, (milliseconds - UNIX) // 1000)

    def _covered(self, words: list[str]) -> None:
        """'floor' undoes what a month before the split may have done: that is not known here."""
        split = next(i for i, name in enumerate(words) if name in ZONED)
        if "floor" in words[split:]:
            call = f"{self._function}(…, {words[split]!r}, …, 'floor')"
            raise UncoveredShape(f"{call} is not modelled; convert in Python.", part=call)

    def _beyond(self, name: str) -> UncoveredShape:
        call = f"{self._function}(…, {name!r})"
        return UncoveredShape(
            f"{call} of a value that is no date up to the year 9999 is not modelled.", part=call
        )
