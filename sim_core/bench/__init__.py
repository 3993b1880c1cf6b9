"""How fast is a run, as ratios within one process and one measurement.

Machines differ and are noisy; ratios travel. Three things take turns in blocks: W1 (two
adders, four statements) through the engine on kept files; the same statements on the same
connections without the engine, which is the limit; and a fresh file for every run. Every side
makes the file as new and reads the final rows; the engine also judges and hashes.

The only module that reads the machine's clock.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any, Final

from sim_core.bench import w1
from sim_core.engine import pool
from sim_core.engine.file import Layout
from sim_core.engine.policy import Uniform
from sim_core.engine.recipe import parse
from sim_core.judge.scenario import scenario_of
from sim_core.judge.trial import Trial
from sim_core.seams.clock import Clock

BLOCKS: Final = 5
SECONDS_A_BLOCK: Final = 0.25
JOURNALS: Final = ("delete", "wal")
ORDERS: Final = 64

BLOCKS_IN_ALL: Final = BLOCKS * len(JOURNALS) * 3

Json = dict[str, Any]


def bench() -> Iterator[tuple[str, str, float]]:
    """Yield (what, journal, runs per second) block after block, the sides taking turns."""
    scenario = scenario_of("w1", w1)
    for _ in range(BLOCKS):
        for journal in JOURNALS:
            trial = Trial(scenario, parse(f"journal={journal}", scenario.terms))
            layout = trial.stage.layout
            orders = [trial.run(partial(Uniform, seed)).run.grants for seed in range(ORDERS)]
            for name, once in (
                ("engine", _engine(trial)),
                ("bare", _bare(layout, orders)),
                ("fresh", _fresh(trial)),
            ):
                yield name, journal, _rate(once)


def summary(blocks: list[tuple[str, str, float]]) -> Json:
    """Return `bench/1`: the median of the blocks, and the ratios."""
    rates = {
        (name, journal): median(rate for n, j, rate in blocks if (n, j) == (name, journal))
        for name, journal in dict.fromkeys(block[:2] for block in blocks)
    }
    ratios = {}
    for journal in JOURNALS:
        engine = rates["engine", journal]
        ratios[f"engine_over_bare_{journal}"] = round(rates["bare", journal] / engine, 2)
        ratios[f"pooled_over_fresh_{journal}"] = round(engine / rates["fresh", journal], 2)
    return {
        "schema": {"name": "bench", "version": 1},
        "results": [
            {"name": f"{name} {journal}", "runs_per_second": round(rate)}
            for (name, journal), rate in rates.items()
        ],
        "ratios": ratios,
    }


def _rate(once: Callable[[int], object]) -> float:
    """Return how often a second `once` runs, warm."""
    for number in range(20):
        once(number)
    done, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < SECONDS_A_BLOCK:
        for number in range(20):
            once(number)
        done += 20
    return done / elapsed


def _engine(trial: Trial) -> Callable[[int], object]:
    return lambda seed: trial.run(partial(Uniform, seed), seed=seed).hash


def _fresh(trial: Trial) -> Callable[[int], object]:
    return lambda seed: trial.run(partial(Uniform, seed), seed=seed, fresh=True).hash


def _bare(layout: Layout, orders: list[str]) -> Callable[[int], object]:
    """Return W1's statements on kept connections, in the engine's own orders, with nothing
    around them: connections that take turns drop their caches, whoever calls them."""
    clock = Clock()

    def once(seed: int) -> list[Any]:
        file = pool.take(layout, clock, seed)
        raws = {"A": file.connect(16), "B": file.connect(17)}
        read: dict[str, int] = {}
        for letter in orders[seed % ORDERS]:
            if letter in read:
                raws[letter].execute("UPDATE counter SET v = ?", (read[letter] + 1,))
            else:
                (read[letter],) = raws[letter].execute("SELECT v FROM counter").fetchone()
        for raw in raws.values():
            file.close(raw)
        rows = file.reader.execute("SELECT v FROM counter").fetchall()
        file.remove()
        return rows

    return once
