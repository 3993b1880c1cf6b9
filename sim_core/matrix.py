"""Which check sees which failure: a table, every cell of which was looked up on a run.

A scenario declares CHECKS, which a test of its writers might make, and FAILURES, the recipes of
runs that fail in one way each. Every failure is run, every check is asked about that very run, and
its cell says *catches* where it turned red, and *blind* where it stayed green. A recipe whose run
breaks no promise has no failure to see, and is an error; a check that is red where nothing failed
cries wolf, and the table says so.

Wrong in this module: a cell that nobody looked up.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, Final

from sim_core.errors import ScenarioError
from sim_core.judge.scenario import Scenario, load, recipe_of, slugs
from sim_core.judge.trial import Outcome
from sim_core.judge.verdict import perform
from sim_core.quoting import line, short
from sim_core.report import again, following, quoted

CATCHES: Final = "catches"
BLIND: Final = "blind"
NARROWEST: Final = 9
"""Columns that a cell takes."""
GAP: Final = 3

Json = dict[str, Any]
Quiet = tuple[str, dict[str, tuple[str, ...]]]


@dataclass(frozen=True)
class Column:
    """One kind of failure: the run that failed so, and what every check said of it."""

    name: str
    recipe: str
    broke: dict[str, str]
    """Promise that the run broke → how."""
    found: dict[str, tuple[str, ...]]
    """Check → what it found; nothing where it was blind."""

    @property
    def caught(self) -> int:
        """Return how many checks catch it."""
        return sum(map(bool, self.found.values()))


@dataclass(frozen=True)
class Matrix:
    """Checks against failures."""

    scenario: Scenario
    columns: tuple[Column, ...]
    quiet: Quiet
    """The recipe of a run without a failure, and what the checks said of that."""

    @property
    def wolf(self) -> list[str]:
        """Return the checks that are red where nothing failed."""
        return [name for name, found in self.quiet[1].items() if found]

    @property
    def hardest(self) -> Column:
        """Return the failure that the fewest checks see."""
        return min(self.columns, key=lambda one: one.caught)


def matrix(name: str) -> Matrix:
    """Run every failure of a scenario and ask every check about it.

    Raises ScenarioError where the scenario declares none, or a failure's run breaks nothing.
    """
    plain, mark, _ = name.partition("?")
    if mark:
        raise ScenarioError(
            f"A matrix is of a scenario without options, for its failures set them; ask for "
            f"'{short(plain)}', and not for '{short(name)}'.",
            part=name,
        )
    scenario = load(name)
    missing = [what for what, given in _DECLARED.items() if not getattr(scenario, given)]
    if missing:
        raise ScenarioError(
            f"{name} declares no {' and no '.join(missing)}, so there is nothing to hold against "
            f"each other. Of the built-in scenarios, {_have_both()}.",
            part=missing[0],
        )
    columns = tuple(_column(scenario, *failure) for failure in scenario.failures.items())
    return Matrix(scenario, columns, _quiet(scenario, columns))


_DECLARED: Final = {"CHECKS": "checks", "FAILURES": "failures"}


def _have_both() -> str:
    names = [slug for slug in slugs() if all(getattr(load(slug), of) for of in _DECLARED.values())]
    return f"{' and '.join(names) or 'none'} {'have' if len(names) > 1 else 'has'} both"


def _column(scenario: Scenario, name: str, recipe: str) -> Column:
    outcome = perform(recipe)
    if not outcome.violations:
        raise ScenarioError(
            f"FAILURES of {scenario.terms.scenario} names {name!r}, and nothing fails in the run "
            f"{recipe}; give the recipe of one that breaks a promise.",
            part=name,
        )
    broke: dict[str, str] = {}
    for one in outcome.violations:
        said = broke.get(one.invariant)
        broke[one.invariant] = f"{said}; {one.detail}" if said else one.detail
    return Column(name, recipe, broke, outcome.checked)


def _quiet(scenario: Scenario, columns: tuple[Column, ...]) -> Quiet:
    """Return a run of the same writers in which nothing fails: every option at its default, which
    is the fix, and no fault."""
    _, failing = recipe_of(columns[0].recipe)
    _, plain = recipe_of(scenario.terms.scenario)
    outcome: Outcome = perform(plain.but(writers=failing.writers).text)
    if outcome.violations:
        raise ScenarioError(
            f"{outcome.recipe.text} breaks “{outcome.broken[0]}”: the matrix needs a run in which "
            "nothing fails, and takes the first choice of every option for it.",
            part=outcome.recipe.text,
        )
    return outcome.recipe.text, outcome.checked


# As JSON.


def matrix_json(found: Matrix) -> Json:
    """Return the table as `matrix/1`."""
    recipe, quiet = found.quiet
    return {
        "schema": {"name": "matrix", "version": 1},
        "scenario": found.scenario.terms.scenario,
        "checks": [{"name": one.name, "promise": one.promise} for one in found.scenario.checks],
        "failures": [
            {
                "name": one.name,
                "recipe": one.recipe,
                "broke": one.broke,
                "cells": {name: cell(said) for name, said in one.found.items()},
                "found": {name: list(said) for name, said in one.found.items()},
            }
            for one in found.columns
        ],
        "quiet": {
            "recipe": recipe,
            "red": {name: list(said) for name, said in quiet.items() if said},
        },
    }


def cell(found: tuple[str, ...]) -> str:
    """Return what one check is worth against one failure."""
    return CATCHES if found else BLIND


# In words.


def matrix_text(found: Matrix, width: int = 100) -> str:
    """Return the table of at most `width` columns, the run behind each column, and what to type
    next."""
    scenario, hardest = found.scenario, found.hardest
    blocks = [
        f"{scenario.terms.scenario}: {_many(len(scenario.checks), 'check')}, "
        f"{_many(len(found.columns), 'failure')}, every cell looked up on the run below",
        "\n".join(_table(found, width)),
        "\n\n".join(_legend(number, one, width) for number, one in enumerate(found.columns, 1)),
        "\n".join(_reading(found, width)),
        f"{following(again(hardest.recipe))}\n"
        f"then: explorer shrink {quoted(hardest.recipe)}\n"
        f"      explorer matrix {quoted(scenario.terms.scenario)} --json",
    ]
    return "\n\n".join(blocks)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _table(found: Matrix, width: int) -> Iterator[str]:
    names = [line(one.name) for one in found.scenario.checks]
    first = max(map(len, names))
    column = min(16, (width - first) // len(found.columns) - GAP)
    heads = _heads([line(one.name) for one in found.columns], column)
    column = max(column, NARROWEST - 1)
    if first + len(heads) * (GAP + NARROWEST) > width:
        yield from _list(found)
        return
    tall = max(map(len, heads))
    for at in range(tall):
        cells = [head[at - tall + len(head)] if at >= tall - len(head) else "" for head in heads]
        yield _row("", cells, first, column)
    yield _row("─" * first, ["─" * column] * len(heads), first, column)
    for name in names:
        yield _row(name, [_MARKS[cell(one.found[name])] for one in found.columns], first, column)


def _heads(names: list[str], column: int) -> list[list[str]]:
    """Return the head of each column, as lines; where a word is too long for one, the numbers
    alone, which the legend below explains."""
    if max(len(word) for name in names for word in name.split()) > column:
        return [[str(number)] for number in range(1, len(names) + 1)]
    numbered = [f"{number} {name}" for number, name in enumerate(names, 1)]
    return [wrap(one, column, break_on_hyphens=False) for one in numbered]


_MARKS: Final = {CATCHES: "✓ catches", BLIND: "  blind"}


def _list(found: Matrix) -> Iterator[str]:
    """Yield the table for whom it is too wide: the cells one below the other."""
    for check in found.scenario.checks:
        yield line(check.name)
        for number, one in enumerate(found.columns, 1):
            yield f"  {number} {_MARKS[cell(one.found[check.name])]}"


def _row(name: str, cells: list[str], first: int, column: int) -> str:
    gap = " " * GAP
    return (f"{name:<{first}}{gap}" + gap.join(f"{one:<{column}}" for one in cells)).rstrip()


def _legend(number: int, one: Column, width: int) -> str:
    lines = [f"{number} {line(one.name)}", f"  {again(one.recipe)}"]
    for promise, detail in one.broke.items():
        lines += _wrapped(f"broke {line(promise)}: {line(detail)}", width)
    for name, said in one.found.items():
        if said:
            lines += _wrapped(f"seen by {line(name)}: {line('; '.join(said))}", width)
    return "\n".join(lines)


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def _reading(found: Matrix, width: int) -> Iterator[str]:
    """Yield what the table comes to."""
    every = [
        line(one.name)
        for one in found.scenario.checks
        if all(column.found[one.name] for column in found.columns)
    ]
    names = " and ".join(every) or "No check"
    yield from wrap(f"{names} catch{'es' * (len(every) < 2)} every one of these failures.", width)
    for number, column in enumerate(found.columns, 1):
        seen = [name for name, said in column.found.items() if said]
        if len(seen) < 2:
            alone = f"only {line(seen[0])} sees it" if seen else "no check sees it"
            yield from wrap(f"{number} {line(column.name)}: {alone}.", width)
    if found.wolf:
        yield from wrap(
            f"And yet: {', '.join(map(line, found.wolf))} is red in {found.quiet[0]} too, where "
            "nothing fails.",
            width,
        )
    else:
        yield from wrap(f"Where nothing fails every check is green: {found.quiet[0]}", width)
