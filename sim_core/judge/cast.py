"""From a scenario and a recipe to a stage: who plays, under which name, with which connection."""

from collections.abc import Coroutine
from typing import Any

from sim_core.engine.db import Connection
from sim_core.engine.park import Operation
from sim_core.engine.recipe import LETTERS, Recipe
from sim_core.engine.stage import Part, Stage
from sim_core.engine.writer import Start
from sim_core.engine.writerclock import WriterClock
from sim_core.engine.writerprocesses import WriterProcesses
from sim_core.judge.asked import answer
from sim_core.judge.scenario import Scenario


def stage(scenario: Scenario, recipe: Recipe) -> Stage:
    """Return what a run of `recipe` needs."""
    options = dict(recipe.options)
    names = _names(recipe.writers)
    roles = zip(LETTERS, names, recipe.writers, strict=False)
    return Stage(
        head=recipe.head,
        schema=scenario.schema,
        journal=recipe.journal,
        isolation=scenario.isolation,
        timeout=recipe.timeout,
        parts=tuple(_part(scenario, *who, options) for who in roles),
        seed=recipe.seed,
        faults=recipe.faults,
        probability=recipe.probability,
        granularity=recipe.granularity,
        timers=recipe.timers,
        tick=scenario.tick,
        start_granted=scenario.start_granted,
        zone=recipe.zone,
        clock=scenario.clock,
    )


def _part(scenario: Scenario, letter: str, name: str, role: str, options: dict[str, str]) -> Part:
    process = scenario.processes.get(role, "")
    recover = scenario.recovers.get(role)
    return Part(
        letter=letter,
        name=name,
        role=role,
        start=_starter(scenario, role, name, options),
        process=process,
        shares=process in scenario.shares,
        recover=_recovery(scenario, letter, name, recover, process, options) if recover else None,
    )


def _recovery(
    scenario: Scenario,
    letter: str,
    name: str,
    role: str,
    process: str,
    options: dict[str, str],
) -> Part:
    """Return the part that starts after a crash, under the small letter."""
    return Part(
        letter=letter.lower(),
        name=f"{name} again",
        role=role,
        start=_starter(scenario, role, name, options),
        process=process or letter,
        shares=process in scenario.shares,
    )


def _starter(scenario: Scenario, role: str, name: str, options: dict[str, str]) -> Start:
    function = scenario.functions[role]

    def start(
        db: Connection, clock: WriterClock, memory: dict[str, Any], processes: WriterProcesses
    ) -> Coroutine[Operation, Any, Any]:
        given = {"db": db, "me": name, "clock": clock, "memory": memory, "processes": processes}
        given |= options
        made: Coroutine[Operation, Any, Any] = answer(function, given)
        return made

    return start


def _names(roles: tuple[str, ...]) -> list[str]:
    """Return one name a writer: the role, numbered from its second player on."""
    names = []
    for index, role in enumerate(roles):
        before = roles[:index].count(role)
        names.append(f"{role}{before + 1}" if before else role)
    return names
