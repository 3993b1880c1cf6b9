"""The runs that travel with a page, computed by the native core when the site is built.

A figure steps before any Python is there, because what it opens with has come along: on a
scenario's own page thirty seeds of its variants and the telling run of every other cast, in an
essay the one run that the prose is about and those that its links lead to. It stands apart from
the pages because a run is the core's affair and a page is not.

Wrong in this module: HTML, or a run that was not made just now.
"""

import json
from functools import lru_cache
from types import FunctionType
from typing import Any, Final

from sim_core import bridge
from sim_core.engine.recipe import Recipe
from sim_core.figures import SEEDS
from sim_core.judge.scenario import load, recipe_of, slugs
from sim_core.seams.clock import EPOCH

MOST_SHIPPED: Final = 150_000
"""Characters of runs that travel with a page; of a larger scenario only the opening run does, and
Python makes the others."""
UNREAD: Final = ("story", "casts", "particular", "checks", "failures", "published", "report")
"""What describes a scenario and no essay's figure shows."""

Json = dict[str, Any]


@lru_cache(maxsize=len(slugs()))
def figure_data(slug: str) -> Json:
    """Return what a figure ships: the scenario, and for each of its variants thirty seeds, under
    the faults and writers that the opening run has.

    Seeds that come to the same run share it: `seeds` holds places in `runs`. Of a scenario whose
    runs are too large to travel, `sweeps` says what each of the opening's seeds comes to.
    """
    scenario = asked(ask="describe", scenario=slug)
    _, opening = recipe_of(scenario["opening"])
    every_order = opening.every_order
    families = [_family(recipe) for recipe in _variants(every_order, scenario)]
    sweeps = {}
    if len(json.dumps(families)) > MOST_SHIPPED:
        families = [{"recipe": every_order.text, "seeds": [], "runs": []}]
        sweeps[every_order.text] = _swept(every_order.text)
    _ship(families, every_order.text, opening.run_text)
    families += _casts(scenario, {each["recipe"] for each in families})
    return {"scenario": scenario, "families": families, "sweeps": sweeps} | _times(slug)


def _swept(recipe: str) -> list[Json]:
    """Return what a strip of seeds shows: of each seed, who went when and what broke."""
    runs = asked(ask="sweep", recipe=recipe, seeds=[0, SEEDS - 1])["runs"]
    return [{key: each[key] for key in ("seed", "broken", "grants")} for each in runs]


@lru_cache(maxsize=100)
def essay_data(opening: str, *then: str) -> Json:
    """Return what a figure of an essay ships: the run that it opens with, and those that links
    in the prose open in it."""
    slug = recipe_of(opening)[1].terms.scenario
    described = asked(ask="describe", scenario=slug)
    scenario = {key: value for key, value in described.items() if key not in UNREAD}
    families: dict[str, Json] = {}
    for text in (opening, *then):
        _, recipe = recipe_of(text)
        siblings = _siblings(text)
        empty: Json = {"recipe": siblings, "seeds": [], "runs": [], "telling": {}}
        family = families.setdefault(siblings, empty)
        if not recipe.grants:
            family["telling"][recipe.seed] = len(family["runs"])
        family["runs"].append(_run(recipe.run_text))
    scenario["opening"] = opening
    return {"scenario": scenario, "families": list(families.values())} | _times(slug)


@lru_cache(maxsize=100)
def run_data(recipe: str) -> Json:
    """Return what the page of one run ships: the scenario, opened at that run, and no other."""
    slug = recipe_of(recipe)[1].terms.scenario
    scenario = asked(ask="describe", scenario=slug) | {"opening": recipe}
    family = {"recipe": _siblings(recipe), "seeds": [], "runs": [_run(recipe)], "opening": 0}
    return {"scenario": scenario, "families": [family]} | _times(slug)


def _siblings(text: str) -> str:
    """Return the recipe of all runs that differ in nothing but who went when."""
    return recipe_of(text)[1].but(seed=0, grants="", step=None, check="").text


def _times(slug: str) -> Json:
    """Return when a run's clock starts, where nobody sets it, and whether zones matter."""
    start = round(EPOCH.timestamp() * 1000) if load(slug).clock == () else None
    return {"start": start, "local_time": _asks_local_time(slug)}


def _variants(recipe: Recipe, scenario: Json) -> list[Recipe]:
    """Return the recipe under every choice of the scenario's first option; a variant that reads
    the machine has no run that could ship."""
    if not scenario["options"]:
        return [recipe]
    first = scenario["options"][0]
    chosen = [
        tuple((name, choice if name == first["name"] else value) for name, value in recipe.options)
        for choice in first["choices"]
        if f"{first['name']}={choice}" not in scenario["leaky"]
    ]
    return [recipe.but(options=options) for options in chosen]


def _casts(scenario: Json, shipped: set[str]) -> list[Json]:
    """Return one telling run of each other cast under each choice: the first seed that breaks
    a promise, or the one that told under the choice before."""
    families = []
    for text in scenario["casts"]:
        seed, cast = 0, recipe_of(text)[1].every_order
        alone = text in scenario["particular"]
        for recipe in [cast] if alone else reversed(_variants(cast, scenario)):
            broken = asked(ask="sweep", recipe=recipe.text, seeds=[0, SEEDS - 1])["broken"]
            seed = broken[0] if broken else seed
            runs = [_run(recipe.but(seed=seed).text)]
            family = {"recipe": recipe.text, "seeds": [], "runs": runs, "telling": {seed: 0}}
            families += [family] * (recipe.text not in shipped)
    return families


def _asks_local_time(slug: str) -> bool:
    """Say whether any function beside a scenario's writers asks what the local time is."""
    beside = next(iter(load(slug).functions.values())).__globals__.values()
    functions = [each for each in beside if isinstance(each, FunctionType)]
    return any("local" in each.__code__.co_names for each in functions)


def _family(recipe: Recipe) -> Json:
    swept = asked(ask="sweep", recipe=recipe.text, seeds=[0, SEEDS - 1])
    hashes = [run["hash"] for run in swept["runs"]]
    distinct = list(dict.fromkeys(hashes))
    runs = [_run(recipe.but(seed=hashes.index(one)).text) for one in distinct]
    return {
        "recipe": swept["recipe"],
        "seeds": [distinct.index(one) for one in hashes],
        "runs": runs,
    }


def _ship(families: list[Json], home: str, opening: str) -> None:
    """Add the run that the page opens with, where no seed came to it."""
    family = next(each for each in families if each["recipe"] == home)
    run = _run(opening)
    grants = [each["grants"] for each in family["runs"]]
    if run["grants"] not in grants:
        family["runs"].append(run)
        grants.append(run["grants"])
    family["opening"] = grants.index(run["grants"])


def _run(recipe: str) -> Json:
    """One run without what the page does not read."""
    run = asked(ask="run", recipe=recipe)
    for event in run["events"]:
        event.pop("fingerprint", None)
    return run


def asked(**request: object) -> Json:
    """Return the core's answer to a request of the site's own, which it never refuses."""
    answer: Json = json.loads(bridge.handle(json.dumps({"version": 1, **request})))
    assert answer["schema"]["name"] != "error", answer.get("message")
    return answer
