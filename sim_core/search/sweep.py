"""Many seeds: how often does chance meet the bug?

A sweep measures exposure to chance. It can break a promise; it can never prove one, and says
*held* at best.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from math import sqrt
from typing import Any, Final, NamedTuple

from sim_core.engine.policy import Policy, Scripted, Uniform
from sim_core.engine.recipe import Recipe, parse
from sim_core.errors import within
from sim_core.judge.scenario import recipe_of
from sim_core.judge.trial import Outcome, Trial

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
        self.asked = 0
        """Runs that were asked for; fewer were made where something stopped the sweep."""
        self.stopped = ""
        """What stopped it, in words."""

    def over(self, seeds: Sequence[int]) -> Iterator[Swept]:
        """Run each seed, one a step: whoever iterates can show progress, and stop.

        An error of ours ends the sweep and names the run it came in; `runs` keeps what was found.
        """
        self.asked += len(seeds)
        trial = Trial(self.scenario, self.recipe)
        for seed in seeds:
            with within(self.recipe.but(seed=seed).text):
                outcome = trial.run(partial(_policy, self.recipe.grants, seed), seed=seed)
            swept = _kept(seed, outcome)
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
    def one_order(self) -> bool:
        """Say whether the recipe's grants leave the seeds nothing to choose."""
        grants = self.recipe.grants
        return bool(grants) and all(run.grants == grants for run in self.runs)

    @property
    def published(self) -> dict[str, Any]:
        """Return what the scenario's report measured, where this sweep is of the same thing."""
        said = self.scenario.published
        same = said and self.recipe == parse(said.get("variant", ""), self.scenario.terms)
        return said if same else {}

    @property
    def verdict(self) -> str:
        """Return `broken`, or `held` (sampled; never proved)."""
        return "broken" if self.broken else "held"


def _policy(grants: str, seed: int) -> Policy:
    return Scripted(grants, Uniform(seed))


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
