"""What a test of the writers would look at, and whether it sees what went wrong.

A promise is judged by somebody who knows everything. A check knows what a test knows: a count, an
exit code. It is written and called as an invariant is, and it is none: a run that a check is red
about is not broken for that, and one that it is green about may be. Which failures it sees is
worked out on runs that do fail (sim_core/matrix.py).

Wrong in this module: a verdict.
"""

import re
from pathlib import PurePath
from types import ModuleType

from sim_core.engine.recipe import Terms, parse
from sim_core.engine.run import Run
from sim_core.errors import RecipeError, ScenarioError
from sim_core.judge.declared import JUDGES_GIVEN, declared
from sim_core.judge.invariants import Invariant, invariant_of, judge
from sim_core.quoting import short


def checks_of(name: str, module: ModuleType, options: tuple[str, ...]) -> tuple[Invariant, ...]:
    """Return a scenario's checks; ScenarioError for one that cannot be called."""
    allowed = (*JUDGES_GIVEN, *options)
    given = declared(name, module, "CHECKS")
    checks = tuple(invariant_of(name, entry, allowed, always=False) for entry in given)
    names = [one.name for one in checks]
    if twice := [one for one in names if names.count(one) > 1]:
        raise ScenarioError(f"CHECKS of {name} names {twice[0]!r} twice.", part="CHECKS")
    return checks


def failures_of(name: str, module: ModuleType, terms: Terms) -> dict[str, str]:
    """Return name of a failure → its recipe, in canonical form."""
    failures: dict[str, str] = declared(name, module, "FAILURES")
    found = {}
    for failure, query in failures.items():
        try:
            found[failure] = parse(_of_its_own(query, name), terms).text
        except RecipeError as error:
            raise ScenarioError(
                f"FAILURES of {name} names {failure!r}, whose recipe cannot be read: {error}",
                part=failure,
            ) from error
    return found


def _of_its_own(text: str, scenario: str) -> str:
    """Return what stands behind a recipe's ?, where it is a whole one and of this very scenario,
    from wherever that was run."""
    whole = re.fullmatch(r"([^=]*)\?(.*)", text, re.DOTALL)
    if whole is None:
        return text
    if PurePath(whole[1]).name != PurePath(scenario).name:
        raise RecipeError(
            f"'{short(text)}' is of another scenario; write what stands behind the ? of a recipe "
            "of this one.",
            part=text,
        )
    return whole[2]


def checks_on(
    run: Run, checks: tuple[Invariant, ...], options: dict[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return check → what it finds wrong with a run that has ended; nothing where it is green."""
    found = judge(checks, run, options) if checks else []
    return {
        one.name: tuple(each.detail for each in found if each.invariant == one.name)
        for one in checks
    }
