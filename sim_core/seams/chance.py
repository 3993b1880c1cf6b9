"""Dice that outlive their implementation.

A link must mean the same run in ten years, so nothing here may depend on `random`, whose
algorithms are free to change. The generator is PCG32 (XSH-RR 64/32; M. E. O'Neill, "PCG: A
Family of Simple Fast Space-Efficient Statistically Good Algorithms", 2014); its published
demo output is our test vector. A seed is first passed through one step of SplitMix64 (Steele,
Lea, Flood, 2014), because people try seeds 0, 1, 2 and neighbours must not resemble each other.

Wrong in this module: floats, `hash()`, and sharing one stream between two purposes. Adding a
fault must not reshuffle the schedule, so schedule, faults and every writer have their own.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

Item = TypeVar("Item")

_MASK64: Final = (1 << 64) - 1
_MASK32: Final = (1 << 32) - 1
_MULTIPLIER: Final = 6364136223846793005

SCHEDULE: Final = 1
"""Stream that picks the next writer."""
FAULTS: Final = 2
"""Stream that decides whether a fault with a probability strikes."""
READER: Final = 3
"""Stream that answers random() in an invariant's SQL."""
WRITERS: Final = 16
"""Stream of the first writer's own dice; the next writer's is one higher."""


def splitmix64(state: int) -> int:
    """Return the first output of SplitMix64 started at `state` (64 bits in, 64 bits out)."""
    z = (state + 0x9E3779B97F4A7C15) & _MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK64
    return z ^ (z >> 31)


class Pcg32:
    """The generator as published: `state` and `sequence` are pcg32_srandom's arguments."""

    __slots__ = ("_increment", "state")

    def __init__(self, state: int, sequence: int) -> None:
        increment = self._increment = ((sequence << 1) | 1) & _MASK64
        # pcg32_srandom: from 0, one step, add the state, one step
        self.state = ((increment + state) * _MULTIPLIER + increment) & _MASK64

    def word(self) -> int:
        """Return the next 32 random bits."""
        old = self.state
        self.state = (old * _MULTIPLIER + self._increment) & _MASK64
        shifted = (((old >> 18) ^ old) >> 27) & _MASK32
        rotation = old >> 59
        return ((shifted >> rotation) | (shifted << (-rotation & 31))) & _MASK32

    def below(self, bound: int) -> int:
        """Return an unbiased number in 0..bound-1 (pcg32_boundedrand: reject, never fold)."""
        threshold = (1 << 32) % bound
        while True:
            word = self.word()
            if word >= threshold:
                return word % bound

    def choose(self, options: Sequence[Item]) -> Item:
        """Return one of `options`; a single option costs no throw."""
        return options[0] if len(options) == 1 else options[self.below(len(options))]

    def word64(self) -> int:
        """Return a signed 64-bit number, as SQLite's random() does."""
        word = (self.word() << 32) | self.word()
        return word - (1 << 64) if word >> 63 else word

    def blob(self, length: int) -> bytes:
        """Return `length` random bytes, as SQLite's randomblob() does (at least one)."""
        words = (self.word().to_bytes(4, "big") for _ in range((max(length, 1) + 3) // 4))
        return b"".join(words)[: max(length, 1)]


def stream(seed: int, purpose: int) -> Pcg32:
    """Return the dice of one purpose (SCHEDULE, FAULTS, WRITERS + n) under `seed`."""
    return Pcg32(splitmix64(seed), purpose)
