"""What orders come to: groups of equal ends, each counted and with its shortest story.

Two orders end equally when the file holds the same rows, every writer was told the same and
ended the same, and the same promises are broken. Three figures are kept apart: in how many
orders, with which probability under a fair throw at every grant, and the shortest witness.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from sim_core.engine.trace import encode
from sim_core.engine.writer import Writer
from sim_core.judge.rows import Content
from sim_core.judge.trial import Outcome


def switches(grants: str) -> int:
    """Return how often the schedule turns to another writer."""
    return sum(a != b for a, b in pairwise(grants))


def smaller(grants: str) -> tuple[int, int, str]:
    """Return what makes one story smaller than another: fewer switches, then fewer grants."""
    return switches(grants), len(grants), grants


@dataclass(frozen=True)
class End:
    """What one order came to."""

    rows: Content
    told: tuple[tuple[str, str], ...]
    """Name of a writer → what it was told, as JSON; or how it ended instead."""
    broken: tuple[str, ...]
    failing: bool

    @classmethod
    def of(cls, outcome: Outcome) -> "End":
        writers = outcome.run.writers.values()
        told = tuple((writer.name, _told(writer)) for writer in writers)
        return cls(outcome.rows, told, outcome.broken, outcome.failing)


def _told(writer: Writer) -> str:
    if writer.ended == "finished":
        return encode(writer.answer)
    return f"{writer.ended or 'waiting'} {writer.error}".strip()


@dataclass
class Group:
    """Orders with one end."""

    end: End
    count: int = 0
    probability: Fraction = Fraction(0)
    witness: str = ""

    def add(self, grants: str, count: int = 1, probability: Fraction = Fraction(0)) -> None:
        """Enter orders, the smallest of which is `grants`."""
        self.count += count
        self.probability += probability
        if not self.witness or smaller(grants) < smaller(self.witness):
            self.witness = grants


@dataclass
class Groups:
    """All ends met so far."""

    by_end: dict[End, Group] = field(default_factory=dict)

    def group(self, end: End) -> Group:
        """Return the group of `end`, new if it was not met before."""
        if end not in self.by_end:
            self.by_end[end] = Group(end)
        return self.by_end[end]

    def __iter__(self) -> Iterator[Group]:
        return iter(sorted(self.by_end.values(), key=lambda one: (-one.count, one.witness)))

    @property
    def orders(self) -> int:
        return sum(group.count for group in self.by_end.values())

    @property
    def broken(self) -> int:
        return sum(group.count for group in self.by_end.values() if group.end.broken)

    @property
    def failing(self) -> int:
        return sum(group.count for group in self.by_end.values() if group.end.failing)

    @property
    def probability(self) -> Fraction:
        """Return the exact probability, under a fair throw at every grant, that it breaks."""
        return sum(
            (group.probability for group in self.by_end.values() if group.end.broken), Fraction(0)
        )

    def witness(self) -> str:
        """Return the smallest order that breaks something, or nothing."""
        broken = [group.witness for group in self.by_end.values() if group.end.broken]
        return min(broken, key=smaller, default="")

    def json(self) -> list[dict[str, Any]]:
        """Return the groups as `outcomes` of exhaust/1."""
        orders = self.orders
        return [
            {
                "rows": {table: [list(row) for row in rows] for table, _, rows in group.end.rows},
                "told": dict(group.end.told),
                "broken": list(group.end.broken),
                "failing": group.end.failing,
                "count": group.count,
                "share": round(group.count / orders, 6) if orders else 0,
                "witness": group.witness,
            }
            for group in self
        ]
