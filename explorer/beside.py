"""What the engine says of a recipe whose real runs are counted: a sweep's figures and exact ones.

Wrong in this module: a real run (explorer/incidence.py), and a word for people.
"""

from fractions import Fraction
from itertools import chain
from typing import Final

from explorer import interrupt
from explorer.progress import Bar
from sim_core.errors import ExplorerError
from sim_core.figures import SEEDS
from sim_core.judge.declared import SERIAL
from sim_core.search.exhaust import Exhaust
from sim_core.search.sweep import Sweep

BUDGET: Final = 2_000
"""Runs of the engine that counting the orders may take."""


class Beside:
    """The engine's own figures of the same recipe, as far as it can make them."""

    MOST: Final = SEEDS + BUDGET
    """Runs of the engine that it takes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sweep = Sweep(text)
        self.search = Exhaust(text, budget=BUDGET)

    def work(self, bar: Bar) -> KeyboardInterrupt | None:
        """Sweep, then count, and return what ended it early; what the engine refuses to run stops
        that figure and no other."""
        try:
            for _ in chain(self.sweep.over(range(SEEDS)), self.search.steps()):
                bar.step("")
                interrupt.check()
        except ExplorerError as error:
            self.stop(str(error))
        except KeyboardInterrupt as error:
            self.stop("interrupted")
            return error
        return None

    def stop(self, why: str) -> None:
        """What is not figured out by now will not be."""
        if len(self.sweep.runs) < SEEDS:
            self.sweep.stopped = self.sweep.stopped or why
        self.search.stopped = why

    @property
    def counted(self) -> bool:
        """Say whether every order was counted."""
        return self.search.counted and not self.search.stopped

    def seeds(self, name: str) -> int:
        """Return how many seeds broke a promise."""
        found = self.sweep.odd if _default(self.sweep, name) else self.sweep.by_invariant[name]
        return len(found)

    def orders(self, name: str) -> tuple[int, Fraction]:
        """Return how many orders break a promise, and how probable that is under fair throws."""
        default = _default(self.sweep, name)
        hit = [
            group
            for group in self.search.groups
            if (group.apart if default else name in group.end.broken)
        ]
        return sum(one.count for one in hit), sum((one.probability for one in hit), Fraction(0))


def _default(sweep: Sweep, name: str) -> bool:
    return name == SERIAL and not sweep.scenario.invariants
