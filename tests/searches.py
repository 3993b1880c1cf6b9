"""Searches to their end, and what they found: what tests of many rooms ask of `Exhaust`."""

from sim_core.search.exhaust import BUDGET, Exhaust


def searched(
    recipe: str, crashes: int = 0, *, brute: bool = False, budget: int = BUDGET
) -> Exhaust:
    """Return a search that has come to its end, or used up its budget."""
    search = Exhaust(recipe, crashes=crashes, brute=brute, budget=budget)
    for _ in search.steps():
        pass
    return search


def breaks(search: Exhaust) -> dict[str, int]:
    """Return promise → in how many orders it is broken, where that is any."""
    return {name: count for name, count in search.by_invariant.items() if count}
