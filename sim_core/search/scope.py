"""What a verdict is about, and by which method it may be reached.

Two orders are told equal by what they touch in the file, and two states by what they hold. Where
writers share more than the file, that is not the whole story: there reduction or merging is left
off, and the scope says why.

Wrong in this module: searching.
"""

from dataclasses import asdict, dataclass
from typing import Any, Final

from sim_core.engine.recipe import CERTAIN, Recipe
from sim_core.engine.run import Run
from sim_core.engine.statement import pragma
from sim_core.judge.scenario import Scenario
from sim_core.judge.sharing import shared_object
from sim_core.quoting import short

BRUTE: Final = "brute force"
REDUCED: Final = "sleep sets on lock-aware footprints"
COUNTED: Final = "path counting over memoised states"

THE_LOG: Final = "a checkpoint tells how the log stands, which no footprint and no row does"


@dataclass(frozen=True)
class Scope:
    """Who wrote, how, and how it was searched."""

    scenario: str
    options: tuple[tuple[str, str], ...]
    writers: tuple[str, ...]
    granularity: str
    journal: str
    timers: str
    tz: str
    faults: tuple[str, ...]
    crashes: int
    """Processes that may be killed, at any place of any order."""
    method: str
    why: str = ""
    """Why a method that is faster was left off."""

    def json(self) -> dict[str, Any]:
        """Return it as `scope` of exhaust/1."""
        return asdict(self) | {"options": dict(self.options)}


def scope_of(scenario: Scenario, recipe: Recipe, *, crashes: int, brute: bool) -> Scope:
    """Return the scope of a search, its method chosen."""
    why = why_not_reduced(scenario, recipe)
    return Scope(
        scenario=recipe.terms.scenario,
        options=recipe.options,
        writers=recipe.writers,
        granularity=recipe.granularity,
        journal=recipe.journal,
        timers=recipe.timers,
        tz=recipe.zone,
        faults=tuple(map(str, recipe.faults)),
        crashes=crashes,
        method=BRUTE if brute or why else f"{REDUCED}; counts by {COUNTED}",
        why="" if brute else why,
    )


def why_not_reduced(scenario: Scenario, recipe: Recipe) -> str:
    """Return why orders cannot be told equal by what they touch in the file, nor states by what
    they hold, if so."""
    if any("events" in invariant.wants for invariant in scenario.invariants):
        return "an invariant looks at the order of events"
    if scenario.tick:
        return "the clock ticks at every grant"
    if scenario.clock and scenario.clock != "frozen":
        return "the clock is set at a grant"
    if recipe.probability != CERTAIN:
        return "faults throw common dice"
    recoveries = [scenario.recovers[role] for role in recipe.writers if role in scenario.recovers]
    everybody = [*recipe.writers, *recoveries]
    asks = [role for role in everybody if "memory" in scenario.asks(role)]
    homes = [scenario.processes.get(role) for role in asks]
    if any(home and homes.count(home) > 1 for home in homes) or set(asks) & set(recoveries):
        return "writers share Python objects"
    if name := shared_object([scenario.functions[role] for role in everybody]):
        return f"writers share a Python object, {short(name)}"
    shared = [role for role in recipe.writers if scenario.processes.get(role) in scenario.shares]
    if len(shared) > 1:
        return "writers share a connection, and its dice"
    return ""


def asks_for_log(run: Run) -> bool:
    """Say whether a statement of a run has asked how far the log in WAL mode is written back: two
    orders that are equal otherwise may differ there."""
    return run.locks.wal and any(
        event.sql and pragma(event.sql).name == "wal_checkpoint" for event in run.events
    )
