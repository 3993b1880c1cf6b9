"""Every order of one cast, those with the fewest switches first.

Most bugs need one or two switches of writer (M. Musuvathi and S. Qadeer, "Iterative Context
Bounding for Systematic Testing of Multithreaded Programs", PLDI 2007), so the smallest story is
near the front. A run follows a prefix and then stays with whoever ran last, for as long as that
one can go; every other choice on its way is a prefix of its own, worth its switches. Each order
is met once, and no order with fewer switches can come after one with more.

Wrong in this module: judging.
"""

from collections.abc import Iterator
from heapq import heappop, heappush

from sim_core.engine.trace import TIME
from sim_core.judge.trial import Outcome, Trial
from sim_core.search.outcomes import switches


class Stay:
    """Follow a prefix, then stay with whoever ran last."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.offered: list[tuple[str, ...]] = []
        """What was offered at every grant."""
        self._last = ""

    def choose(self, offered: tuple[str, ...]) -> str:
        at = len(self.offered)
        self.offered.append(offered)
        if at < len(self.prefix):
            self._last = self.prefix[at]
        elif self._last not in offered or self._last == TIME:
            self._last = offered[0]
        return self._last


class Fewest:
    """The orders of a trial, by their number of switches."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self._waiting: list[tuple[int, int, str]] = [(0, 0, "")]

    @property
    def least(self) -> int | None:
        """Return how many switches every order that is still to come has at least."""
        return self._waiting[0][0] if self._waiting else None

    def outcomes(self, most: int | None = None) -> Iterator[Outcome]:
        """Yield the run of each order that may have at most so many switches."""
        while self._waiting and (most is None or self._waiting[0][0] <= most):
            _, _, prefix = heappop(self._waiting)
            policy = Stay(prefix)
            outcome = self.trial.run(lambda policy=policy: policy)  # type: ignore[misc]
            self._branch(prefix, outcome.run.grants, policy.offered)
            yield outcome

    def _branch(self, prefix: str, grants: str, offered: list[tuple[str, ...]]) -> None:
        for at in range(len(prefix), len(grants)):
            for letter in offered[at]:
                if letter != grants[at]:
                    other = grants[:at] + letter
                    heappush(self._waiting, (switches(other), len(other), other))
