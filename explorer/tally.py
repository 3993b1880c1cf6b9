"""Numbers that stand in prose, each taken from where it was measured.

A sentence asks for what it says: `proved(recipe)` gives the number of orders that were judged, and
is an error where they were not proved; `broken(recipe)` is one where nothing broke. So a page
whose words the figures no longer bear out does not build.

Wrong in this module: a number that nobody measured, and a sentence.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from sim_core import greens
from sim_core.figures import known
from sim_core.judge.invariants import Invariant
from sim_core.judge.scenario import load
from sim_core.search.corpus import BUILT_IN, entries, files
from sim_core.search.exhaust import Exhaust

Json = dict[str, Any]

SEARCHES: Final = ("orders", "crashes")
"""What was searched, by how many processes may be killed."""


class Unsaid(Exception):
    """The prose claims what the figures do not say."""


def orders(recipe: str, crashes: int = 0) -> str:
    """Return in how many orders a recipe's writers can go, with so many kills anywhere."""
    return _written(_searched(recipe, crashes)["orders"], recipe)


def broken(recipe: str, crashes: int = 0) -> str:
    """Return in how many of them a promise breaks; Unsaid where none does."""
    return _written(_found(recipe, crashes, "broken")["broken"], recipe)


def proved(recipe: str, crashes: int = 0) -> str:
    """Return over how many orders a recipe is proved; Unsaid where it is not."""
    return _written(_found(recipe, crashes, "proved")["orders"], recipe)


def red_seeds(recipe: str) -> str:
    """Return how many of thirty seeds break a promise, under the faults of the recipe's cast."""
    return str(_figures(recipe)["seeds"]["broken"])


def likely(recipe: str) -> str:
    """Return how likely a promise breaks under a fair throw at every grant, in per cent."""
    search = Exhaust(recipe)
    for _ in search.steps():
        pass
    if not search.counted:
        raise Unsaid(f"the orders of {recipe} were not all counted, so its odds are not known")
    return greens.percent(search.groups.probability)


def _found(recipe: str, crashes: int, verdict: str) -> Json:
    found = _searched(recipe, crashes)
    if found["verdict"] != verdict:
        raise Unsaid(f"{recipe} with {crashes} crashes is {found['verdict']}, and not {verdict}")
    return found


def _searched(recipe: str, crashes: int) -> Json:
    found: Json = _figures(recipe)[SEARCHES[crashes]]
    return found


def _figures(recipe: str) -> Json:
    for each in _known():
        if each["recipe"] == recipe:
            return each
    there = ", ".join(each["recipe"] for each in _known())
    raise Unsaid(f"no figures are kept of {recipe}; they are of {there}")


def _known() -> Iterator[Json]:
    return (each for variants in known().values() for each in variants)


def _written(count: int | None, recipe: str) -> str:
    if count is None:
        raise Unsaid(f"the orders of {recipe} were not counted")
    return f"{count:,}"


# What a scenario declares, and what is kept.


def promises(slug: str) -> tuple[Invariant, ...]:
    """Return what a scenario promises."""
    return load(slug).invariants


def published(slug: str) -> Json:
    """Return what the report behind a scenario counted."""
    return load(slug).published


@lru_cache(maxsize=1)
def kept() -> str:
    """Return how many runs the corpus keeps."""
    return str(sum(1 for file in files(BUILT_IN) for _ in entries(file)))


# How many greens.


def per_cent(rate: Fraction) -> str:
    """Return a share as it is written."""
    return greens.percent(rate)


def passes(rate: Fraction, count: int) -> str:
    """Return how often a system that fails so often shows so many greens."""
    return greens.chance(greens.passes(rate, count))


def needed(rate: Fraction) -> str:
    """Return how many greens make it 95 % sure that a system does not fail so often."""
    return str(greens.needed(rate))


def between(failed: int, runs: int) -> str:
    """Return the rates that so many failures leave open, with 95 % confidence."""
    low, high = greens.interval(failed, runs)
    return f"{greens.percent(low, down=True)} and {greens.percent(high, up=True)}"


def alike(failed: int, runs: int, rate: Fraction) -> str:
    """Return a rate that so many failures cannot be told from; Unsaid where they can."""
    if greens.apart(failed, runs, rate):
        raise Unsaid(f"{failed} of {runs} can be told from {greens.percent(rate)}")
    return greens.percent(rate)
