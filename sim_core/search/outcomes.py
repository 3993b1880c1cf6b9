"""What orders come to: groups of equal ends, each counted and with its shortest story.

Two orders end equally when the file holds the same rows, every writer was told the same and
ended the same, and the same promises are broken. Three figures are kept apart: in how many
orders, with which probability under a fair throw at every grant, and the shortest witness.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from sim_core.engine.faults import Fault
from sim_core.judge.end import End
from sim_core.judge.serial import Apart


def switches(grants: str) -> int:
    """Return how often the schedule turns to another writer."""
    return sum(a != b for a, b in pairwise(grants))


def smaller(grants: str) -> tuple[int, int, str]:
    """Return what makes one story smaller than another: fewer switches, then fewer grants."""
    return switches(grants), len(grants), grants


@dataclass
class Group:
    """Orders with one end."""

    end: End
    count: int = 0
    probability: Fraction = Fraction(0)
    witness: str = ""
    """The smallest order that ends so."""
    faults: tuple[Fault, ...] = ()
    """What struck in it."""
    apart: Apart | None = None
    """Why no one-after-the-other order comes to it, if so."""

    def add(
        self,
        grants: str,
        count: int = 1,
        probability: Fraction = Fraction(0),
        faults: tuple[Fault, ...] = (),
    ) -> None:
        """Enter orders in which `faults` struck; the smallest of them is `grants`."""
        self.count += count
        self.probability += probability
        mine, known = (len(faults), smaller(grants)), (len(self.faults), smaller(self.witness))
        if self.count == count or mine < known:
            self.witness, self.faults = grants, faults


@dataclass
class Groups:
    """All ends met so far."""

    by_end: dict[tuple[End, bool], Group] = field(default_factory=dict)

    def group(self, end: End, apart: Apart | None = None) -> Group:
        """Return the group of `end`, new if it was not met before. The same end may be serial
        after one crash, and not after another: those are two groups."""
        return self.by_end.setdefault((end, apart is None), Group(end, apart=apart))

    def __iter__(self) -> Iterator[Group]:
        """The broken first, then what is odd otherwise; of equal worth, the most frequent first."""
        return iter(sorted(self.by_end.values(), key=_place))

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
    def apart(self) -> int:
        """Return how many orders are not serial."""
        return sum(group.count for group in self.by_end.values() if group.apart)

    @property
    def probability(self) -> Fraction:
        """Return the exact probability, under a fair throw at every grant, that it breaks."""
        return sum(
            (group.probability for group in self.by_end.values() if group.end.broken), Fraction(0)
        )


def _place(group: Group) -> tuple[bool, bool, bool, int, str]:
    ok = (not group.end.broken, group.apart is None, not group.end.failing)
    return (*ok, -group.count, group.witness)
