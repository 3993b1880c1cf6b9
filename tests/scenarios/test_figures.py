"""The figures that are printed are those that are measured, and each scenario keeps its word."""

from pathlib import Path
from typing import Any

import pytest

from sim_core.engine.plain import decode, encode
from sim_core.engine.recipe import Recipe
from sim_core.figures import exposures, figures, known, table
from sim_core.judge.scenario import load, recipe_of, slugs
from sim_core.judge.verdict import perform

Json = dict[str, Any]
README = Path("README.md").read_text()
MANY = 100_000
"""Orders with a crash that are searched at every change; of more, the long tests see to."""


def many(kept: Json) -> bool:
    return (kept["crashes"]["orders"] or MANY + 1) > MANY


KEPT = [
    pytest.param(kept, exposed, id=exposed.head, marks=[pytest.mark.long] if many(kept) else [])
    for slug, all_kept in known().items()
    for kept, exposed in zip(all_kept, exposures(slug), strict=True)
]


@pytest.mark.once
@pytest.mark.parametrize(("kept", "exposed"), KEPT)
def test_what_is_kept_is_what_is_measured(kept: Json, exposed: Recipe) -> None:
    assert kept == decode(encode(figures(exposed))), "run explorer list --measure"


def test_of_every_variant_something_is_kept() -> None:
    assert {slug: len(kept) for slug, kept in known().items()} == {
        slug: len(exposures(slug)) for slug in slugs()
    }


def test_the_readme_prints_the_figures() -> None:
    missing = [row for row in table() if row not in README]
    assert not missing, "README's table of scenarios is out of date"


def test_a_row_names_every_fault_that_its_seeds_ran_under() -> None:
    kept = [one for figures_ in known().values() for one in figures_]
    under = [recipe_of(one["seeds"]["recipe"])[1].faults for one in kept]
    assert any(under)
    for faults, row in zip(under, table()[2:], strict=True):
        assert f"`faults={','.join(map(str, faults))}`" in row or not faults


@pytest.mark.parametrize("slug", slugs())
def test_it_opens_with_a_run_worth_looking_at(slug: str) -> None:
    assert perform(load(slug).opening).broken


@pytest.mark.parametrize("slug", slugs())
def test_some_variant_breaks_and_another_is_proved(slug: str) -> None:
    verdicts = {each["orders"]["verdict"] for each in known()[slug]}
    verdicts |= {each["crashes"]["verdict"] for each in known()[slug]}
    assert {"broken", "proved"} <= verdicts


@pytest.mark.parametrize("slug", slugs())
def test_each_broken_variant_is_red_under_some_seed(slug: str) -> None:
    """With the writers, and with the faults, that its story needs."""
    broken: dict[str, bool] = {}
    red: dict[str, bool] = {}
    for each in known()[slug]:
        variant = each["variant"]
        breaks = "broken" in (each["orders"]["verdict"], each["crashes"]["verdict"])
        assert breaks or not each["seeds"]["broken"], each
        broken[variant] = breaks or broken.get(variant, False)
        red[variant] = bool(each["seeds"]["broken"]) or red.get(variant, False)
    assert red == broken


@pytest.mark.parametrize("slug", slugs())
def test_its_promises_are_named_and_told_in_a_sentence(slug: str) -> None:
    scenario, _ = recipe_of(slug)
    assert scenario.invariants and scenario.report and scenario.story
    for one in scenario.invariants:
        assert one.promise.endswith(".") and one.promise != one.name
