"""Who goes next: one class an idea, each choosing from a tuple of names.

A policy sees letters and nothing else. It cannot run what it chooses, so it cannot cheat.
"""

from typing import Protocol

from sim_core.errors import Divergence
from sim_core.seams.chance import SCHEDULE, stream


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
