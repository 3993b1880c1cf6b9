"""How many orders are there, about? For a search that did not come to its end.

A walk that throws fair dice at every choice ends in an order with a known probability p; the mean
of 1/p over many walks is, in expectation, the number of orders (D. E. Knuth, "Estimating the
Efficiency of Backtrack Programs", 1975). The spread is wide: it is an estimate, and called one.
"""

from statistics import mean
from typing import Final

from sim_core.judge.trial import Trial
from sim_core.seams.chance import SCHEDULE, stream

WALKS: Final = 200


class Weighing:
    """Throw fair dice, and remember the odds."""

    def __init__(self, seed: int) -> None:
        self._dice = stream(seed, SCHEDULE)
        self.weight = 1
        """One over the probability of the choices so far."""

    def choose(self, offered: tuple[str, ...]) -> str:
        self.weight *= len(offered)
        return self._dice.choose(offered)


def orders(trial: Trial, walks: int = WALKS) -> int:
    """Return about how many orders a trial has."""
    weights = []
    for seed in range(walks):
        policy = Weighing(seed)
        trial.run(lambda policy=policy: policy)  # type: ignore[misc]
        weights.append(policy.weight)
    return round(mean(weights))
