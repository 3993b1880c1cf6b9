"""Who goes next: one class an idea, each choosing from a tuple of names.

A policy sees letters and nothing else. It cannot run what it chooses, so it cannot cheat.
"""

from collections.abc import Callable
from typing import Final, Protocol

from sim_core.errors import Divergence
from sim_core.seams.chance import SCHEDULE, stream

POLICIES: Final = ("uniform", "pct2", "pct3", "pct4", "pct5")
"""What may follow a seed; the digit is a depth."""


class Policy(Protocol):
    """Chooses the next grant."""

    def choose(self, offered: tuple[str, ...]) -> str:
        """Return one of `offered` (letters; `t` lets time pass)."""


class Enough(Exception):
    """Raised by a policy that wants to see no more of this run."""


class Uniform:
    """A fair throw at every grant: the seed decides."""

    def __init__(self, seed: int) -> None:
        self._dice = stream(seed, SCHEDULE)

    def choose(self, offered: tuple[str, ...]) -> str:
        return self._dice.choose(offered)


class Pct:
    """Priorities: of those who can go, the highest does; `depth` - 1 times somebody falls.

    As in S. Burckhardt, P. Kothari, M. Musuvathi and S. Nagarakatte, "A Randomized Scheduler with
    Probabilistic Guarantees of Finding Bugs", ASPLOS 2010. Who is met draws a rank among those
    met before. The falls are drawn over the first `length` grants; who takes such a grant is
    below everybody from then on. What needs `depth` grants in one certain order is met with a
    probability of at least 1 / (n · length^(depth - 1)) where n can go and no run is longer.

    Time has a rank too; with timers=idle it is only ever offered alone, and so below everybody.

    It is not fair: who tries again and again, and does not sleep, starves whom it waits for. A
    run of twice the length is not the run that was measured, and goes on by fair throws.
    """

    def __init__(self, seed: int, depth: int, length: int) -> None:
        self._dice = stream(seed, SCHEDULE)
        self._falls = [1 + self._dice.below(length) for _ in range(depth - 1)]
        self._ranks = [""] * (depth - 1)
        """From low to high: a place for each fall, then everybody else."""
        self._at = 0
        self._fair_after = 2 * length

    def choose(self, offered: tuple[str, ...]) -> str:
        self._at += 1
        if self._at > self._fair_after:
            return self._dice.choose(offered)
        for letter in offered:
            if letter not in self._ranks:
                self._meet(letter)
        chosen = max(offered, key=self._ranks.index)
        for place, at in enumerate(self._falls):
            if at == self._at:
                self._fall(chosen, place)
        return chosen

    def _meet(self, letter: str) -> None:
        lowest = len(self._falls)
        self._ranks.insert(lowest + self._dice.below(len(self._ranks) - lowest + 1), letter)

    def _fall(self, letter: str, place: int) -> None:
        self._ranks[self._ranks.index(letter)] = ""
        self._ranks[place] = letter


def seeded(name: str, seed: int, length: Callable[[], int]) -> Policy:
    """Return the policy of that name under a seed; `length` is asked only where it matters."""
    if name == POLICIES[0]:
        return Uniform(seed)
    return Pct(seed, int(name.removeprefix("pct")), length())


class Scripted:
    """Follow a schedule letter by letter; where it ends, another policy goes on."""

    def __init__(self, grants: str, after: Policy) -> None:
        self._grants = grants
        self._after = after
        self._at = 0

    def choose(self, offered: tuple[str, ...]) -> str:
        if self._at >= len(self._grants):
            return self._after.choose(offered)
        letter = self._grants[self._at]
        self._at += 1
        if letter not in offered:
            raise Divergence(
                f"Grant {self._at} of grants={self._grants} goes to {letter}, which cannot run "
                f"there; it can go to {' or '.join(offered)}.",
                part=f"grants={self._grants}",
            )
        return letter

    def left(self) -> str:
        """Return the grants that the run did not come to."""
        return self._grants[self._at :]


class Wish:
    """Follow a schedule as far as it can be followed: a grant that cannot go is passed over, and
    where it ends, whoever ran last goes on."""

    def __init__(self, grants: str) -> None:
        self._grants = list(grants)
        self._last = ""

    def choose(self, offered: tuple[str, ...]) -> str:
        while self._grants:
            self._last = self._grants.pop(0)
            if self._last in offered:
                return self._last
        if self._last not in offered:
            self._last = offered[0]
        return self._last
