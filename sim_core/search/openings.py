"""How the orders of a recipe begin, so that several workers can share one search.

A search by brute force is a walk over a tree, and below two different openings there are two
different trees: what they come to adds up. Many openings for few workers, because trees are of
unequal size and whoever is done takes the next.

Wrong in this module: judging, or knowing what a worker is.
"""

from sim_core.engine.policy import Enough
from sim_core.judge.trial import Trial


class Opening:
    """Follow an opening, see what is offered behind it, and want to see no more."""

    def __init__(self, grants: str) -> None:
        self.grants = grants
        self.offered: tuple[str, ...] = ()
        """Nothing, where the run is over before."""
        self._at = 0

    def begin(self) -> "Opening":
        """Be the policy of a run, from its first grant: a run may start over (NotAsNew)."""
        self._at = 0
        return self

    def choose(self, offered: tuple[str, ...]) -> str:
        if self._at == len(self.grants):
            self.offered = offered
            raise Enough
        self._at += 1
        return self.grants[self._at - 1]


def openings(trial: Trial, parts: int) -> list[str]:
    """Return openings that every order has one of, all equally long (or whole orders), and at
    least `parts` of them if there are as many orders."""
    found = [""]
    while len(found) < parts:
        longer = [each for opening in found for each in _longer(trial, opening)]
        if longer == found:
            break
        found = longer
    return found


def _longer(trial: Trial, opening: str) -> list[str]:
    policy = Opening(opening)
    trial.run(policy.begin)
    return [opening + letter for letter in policy.offered] or [opening]
