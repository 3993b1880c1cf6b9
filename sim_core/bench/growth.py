"""How a search of every interleaving grows: orders a second, and what it keeps in memory.

The reduced search runs one order of each kind. Its rate falls with the length of an order, since
each begins at the start; its memory must not grow with their number, since it keeps one path.
"""

import time
import tracemalloc
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

from sim_core.bench import steps
from sim_core.engine.recipe import parse
from sim_core.judge.scenario import scenario_of
from sim_core.judge.trial import Trial
from sim_core.search.orders import Walk

SIZES: Final = ((2, 3), (3, 4), (2, 8))
"""Writers, and operations of each."""
MOST_ORDERS: Final = 3_000
EARLY: Final = 1_000
"""Orders after which memory is looked at for the first time; the second time is at the end."""

PARTS: Final = len(SIZES) + 1

Json = dict[str, Any]


class Growth(NamedTuple):
    """One search: complete orders, and how long they took."""

    writers: int
    operations: int
    orders: int
    seconds: float

    @property
    def name(self) -> str:
        return f"{self.writers}x{self.operations}"

    @property
    def rate(self) -> float:
        """Return complete orders a second."""
        return self.orders / self.seconds


def growth() -> Iterator[Growth]:
    """Yield the search of each size, as far as MOST_ORDERS."""
    for writers, operations in SIZES:
        walk = _walk(writers, operations)
        start = time.perf_counter()
        for _ in islice(walk.outcomes(), MOST_ORDERS):
            pass
        yield Growth(writers, operations, walk.complete, time.perf_counter() - start)


def memory() -> tuple[int, int]:
    """Return the most bytes that a search of 3 × 4 operations needs, early and later in it."""
    walk = _walk(3, 4)
    outcomes = walk.outcomes()
    tracemalloc.start()
    try:
        for _ in islice(outcomes, EARLY):
            pass
        early = tracemalloc.get_traced_memory()[1]
        tracemalloc.reset_peak()
        for _ in islice(outcomes, MOST_ORDERS - EARLY):
            pass
        return early, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def summary(found: list[Growth], kept: tuple[int, int]) -> Json:
    """Return what is added to `bench/1`: rates, and how they and memory grow."""
    first, *others = found
    early, late = kept
    return {
        "searches": [
            {
                "name": f"search {one.name}",
                "orders": one.orders,
                "orders_per_second": round(one.rate),
            }
            for one in found
        ],
        "memory": {"orders": [EARLY, MOST_ORDERS], "bytes": [early, late]},
        "growth": {
            **{
                f"rate_{one.name}_over_{first.name}": _ratio(one.rate, first.rate) for one in others
            },
            "memory_late_over_early": _ratio(late, early),
        },
    }


def _ratio(one: float, other: float) -> float:
    return round(one / other, 2)


def _walk(writers: int, operations: int) -> Walk:
    scenario = scenario_of("steps", steps)
    cast = ",".join(["stepper"] * writers)
    recipe = parse(f"operations={operations}&writers={cast}", scenario.terms)
    return Walk(Trial(scenario, recipe), reduce=True)
