"""Many seeds: how often does chance meet the bug?

A sweep measures exposure to chance. It can break a promise; it can never prove one, and says
*held* at best.
"""

from collections.abc import Iterable, Iterator
from math import sqrt
from typing import Final, NamedTuple

from sim_core.engine.recipe import Recipe
from sim_core.judge.scenario import recipe_of
from sim_core.judge.verdict import Outcome, run

MOST_SEEDS: Final = 1_000_000


class Swept(NamedTuple):
    """What a sweep keeps of one run."""

    seed: int
    grants: str
    hash: str
    broken: tuple[str, ...]
    failing: bool


class Sweep:
    """The runs of `text` under one seed after another, as far as it has come.

    Raises RecipeError for a recipe that cannot be read.
    """

    def __init__(self, text: str) -> None:
        self.scenario, recipe = recipe_of(text)
        self.recipe: Recipe = recipe.but(seed=0, step=None, check="")
        self.runs: list[Swept] = []

    def over(self, seeds: Iterable[int]) -> Iterator[Swept]:
        """Run each seed, one a step: whoever iterates can show progress, and stop."""
        for seed in seeds:
            swept = _kept(seed, run(self.scenario, self.recipe.but(seed=seed)))
            self.runs.append(swept)
            yield swept

    @property
    def broken(self) -> list[int]:
        """Return the seeds that broke any invariant."""
        return [run.seed for run in self.runs if run.broken]

    @property
    def by_invariant(self) -> dict[str, list[int]]:
        """Return invariant → the seeds that broke it."""
        return {
            one.name: [run.seed for run in self.runs if one.name in run.broken]
            for one in self.scenario.invariants
        }

    @property
    def failing(self) -> int:
        """Return in how many runs a writer ended in an error."""
        return sum(run.failing for run in self.runs)

    @property
    def verdict(self) -> str:
        """Return `broken`, or `held` (sampled; never proved)."""
        return "broken" if self.broken else "held"


def _kept(seed: int, outcome: Outcome) -> Swept:
    return Swept(seed, outcome.run.grants, outcome.hash, outcome.broken, outcome.failing)


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share (E. B. Wilson, 1927), as fractions."""
    if not of:
        return 0.0, 1.0
    z = 1.959964
    share = hits / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    spread = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - spread), min(1.0, middle + spread)
