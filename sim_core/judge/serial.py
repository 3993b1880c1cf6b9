"""`serial`, the promise that needs none of the user's: one after the other would do the same.

What a run came to (the rows, and what each writer was told) is compared with every order in
which the same writers run one after the other, under the same faults. A writer that failed or
was killed may be missing from that order, or stand in it. Where nothing equals it, the run is
*not serial*, and the nearest serial end says what is odd about it. (The idea is serializability
of outcomes: C. H. Papadimitriou, "The Serializability of Concurrent Database Updates", 1979,
final-state and with the answers as output.)

What it cannot see: a loss that a serial order produces too. And what tells only who came first
(a generated key), or when, has to be left out by name: the scenario's GENERATED.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, permutations, zip_longest
from typing import Final, NamedTuple

from sim_core.engine.plain import decode, encode, readable
from sim_core.engine.policy import Enough
from sim_core.engine.run import Run
from sim_core.engine.trace import TIME
from sim_core.judge.end import End
from sim_core.judge.rows import Content, row_words, without

PROMISE: Final = (
    "What the rows and the answers came to, some one-after-the-other order of the same writers "
    "comes to as well."
)
MOST_APART: Final = 6
"""Writers and recoveries whose orders are all tried."""
TOLD: Final = "told"
"""In GENERATED: every answer, or with `.key` one entry of every answer."""


class OneByOne:
    """Let each writer of `order` run to its end before the next begins, and time pass while it
    sleeps; a recovery is a writer of its own, and its letter a small one."""

    def __init__(self, order: str) -> None:
        self._order = order
        self._run: Run | None = None

    def look(self, run: Run) -> None:
        """Be told of the run, to know who has ended."""
        self._run = run

    def choose(self, offered: tuple[str, ...]) -> str:
        assert self._run is not None, "a run is looked at before its first grant"
        for letter in self._order:
            writer = self._run.writers.get(letter)
            if writer is None or writer.ended:
                continue
            if letter in offered or TIME in offered:
                return letter if letter in offered else TIME
        raise Enough  # whoever is left is to be missing from this order


class Apart(NamedTuple):
    """Why an end is not serial: the nearest serial order, and how that differs."""

    order: str
    differences: tuple[str, ...]
    """One line each: what is here, and what it is there."""

    @property
    def order_words(self) -> str:
        """Return the order as a person reads it."""
        return " then ".join(self.order) or "nobody"

    def __str__(self) -> str:
        return f"nearest is {self.order_words}, where {'; '.join(self.differences)}"


@dataclass(frozen=True)
class Bare:
    """An end without what GENERATED leaves out."""

    rows: Content
    told: tuple[tuple[str, str], ...]


class Serial:
    """The serial ends of one trial, worked out when they are first asked for."""

    def __init__(
        self,
        run: Callable[[str, int], End],
        letters: dict[str, str],
        generated: tuple[str, ...] = (),
    ) -> None:
        self._run = run
        """Runs the writers in an order, under a seed."""
        self._letters = letters
        """Name of a writer, or of a recovery → its letter."""
        self._columns = frozenset(generated)
        self._ends: dict[tuple[str, int], Bare] = {}

    def apart(self, end: End, seed: int) -> Apart | None:
        """Return how far `end` is from every serial end; None where it is one of them."""
        mine = self._bare(end)
        nearest: tuple[int, int, Apart] | None = None
        for order in self._orders(end):
            differences = tuple(_differences(mine, self._end(order, seed)))
            if not differences:
                return None
            found = (len(differences), -len(order), Apart(order, differences))
            nearest = min(nearest or found, found)
        return nearest[2] if nearest else None

    def _orders(self, end: End) -> Iterator[str]:
        """Yield every order of all who took part, then of fewer, as far as they may be missing."""
        finished = {self._letters[name] for name, _ in end.told}
        may_miss = {self._letters[name] for name, _ in end.ended}
        for count in range(len(may_miss) + 1):
            for missing in combinations(sorted(may_miss), count):
                yield from _permuted(sorted((finished | may_miss) - set(missing)))

    def _end(self, order: str, seed: int) -> Bare:
        if (order, seed) not in self._ends:
            self._ends[order, seed] = self._bare(self._run(order, seed))
        return self._ends[order, seed]

    def _bare(self, end: End) -> Bare:
        told = () if TOLD in self._columns else end.told
        keys = [each.removeprefix("told.") for each in self._columns if each.startswith("told.")]
        if keys:
            told = tuple((name, _cut(answer, keys)) for name, answer in told)
        # rows in no order: only a rowid that nobody declared tells which came first
        return Bare(without(end.rows, self._columns), told)


def _permuted(letters: list[str]) -> Iterator[str]:
    """Yield every order of some letters in which each recovery comes after who it stands in for;
    of more than MOST_APART, those in which it comes right after."""
    together = len(letters) > MOST_APART
    for order in map("".join, permutations(letters)):
        gaps = [order.index(one) - order.find(one.upper()) for one in order if one.islower()]
        if all(gap == 1 if together else gap > 0 for gap in gaps):
            yield order


def _cut(answer: str, keys: list[str]) -> str:
    value = decode(answer)
    if not isinstance(value, dict):
        return answer
    return encode({key: each for key, each in value.items() if key not in keys})


def _differences(here: Bare, there: Bare) -> Iterator[str]:
    """Yield what differs, one line a row or answer; answers only of who finished here."""
    other = dict(there.told)
    for name, answer in here.told:
        if name not in other:
            yield f"{name} is missing"
        elif other[name] != answer:
            yield f"{name} is told {_said(other[name])} instead of {_said(answer)}"
    mine, theirs = _by_table(here.rows), _by_table(there.rows)
    for table in sorted(mine.keys() | theirs.keys()):
        yield from _rows_apart(table, mine.get(table, []), theirs.get(table, []))


def _said(answer: str) -> str:
    return readable(decode(answer))


def _by_table(rows: Content) -> dict[str, list[str]]:
    return {table: [row_words(names, row) for row in each] for table, names, each in rows}


def _rows_apart(table: str, here: list[str], there: list[str]) -> Iterator[str]:
    more, fewer = list(here), list(there)
    for row in here:
        if row in fewer:
            more.remove(row)
            fewer.remove(row)
    for mine, other in zip_longest(more, fewer, fillvalue="no row"):
        yield f"{table} has {other} instead of {mine}"
