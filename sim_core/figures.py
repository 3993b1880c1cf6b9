"""What each variant of the built-in scenarios comes to: measured, kept, and measured again by CI.

Searching them all takes minutes, which is too long for a list. So the figures stand in a file,
figures.json, written by `explorer list --measure`; a test measures anew and compares.

Wrong in this module: a figure that nobody measured.
"""

from pathlib import Path
from typing import Any, Final

from sim_core.engine.faults import CRASH
from sim_core.engine.plain import decode
from sim_core.engine.recipe import CERTAIN, Recipe
from sim_core.judge.scenario import recipe_of, slugs
from sim_core.search.exhaust import Exhaust
from sim_core.search.sweep import Sweep

FILE: Final = Path(__file__).parent / "figures.json"
SEEDS: Final = 30
BUDGET: Final = 200_000
"""Runs of one search; where they are used up, the figure says held."""
ENOUGH: Final = 20_000
"""Runs of a search that has found what breaks: it is not counted to its end."""

Json = dict[str, Any]


def known() -> dict[str, list[Json]]:
    """Return slug → the figures of its variants, as they were measured last."""
    found: dict[str, list[Json]] = decode(FILE.read_text()) if FILE.is_file() else {}
    return found


def measured() -> dict[str, list[Json]]:
    """Measure every variant of every built-in scenario."""
    return {slug: [figures(exposed) for exposed in exposures(slug)] for slug in slugs()}


def exposures(slug: str) -> list[Recipe]:
    """Return what is measured: each variant with the opening's cast and with every other; a cast
    that names an option, in its own variant alone, and there its faults count."""
    scenario, _ = recipe_of(slug)
    found: dict[str, Recipe] = {}
    for text in (scenario.opening, *scenario.casts):
        cast = recipe_of(text)[1].every_order
        mine = [cast] if scenario.casts.get(text) else variants(slug)
        exposed = [cast.but(options=one.options) for one in mine]
        found |= {one.head: one for one in exposed}
    return list(found.values())


def variants(slug: str) -> list[Recipe]:
    """Return one recipe for each choice of each option, the others at their default."""
    scenario, default = recipe_of(slug)
    found = [default]
    for at, (name, choices) in enumerate(scenario.terms.options.items()):
        for choice in choices:
            options = (*default.options[:at], (name, choice), *default.options[at + 1 :])
            found.append(default.but(options=options))
    return [one for one in dict.fromkeys(found) if not scenario.leaks(one)]


def figures(exposed: Recipe) -> Json:
    """Measure one of them: thirty seeds under its faults; every order; and every order with one
    crash anywhere."""
    errors = tuple(fault for fault in exposed.faults if fault.kind != CRASH)
    unharmed = exposed.but(faults=errors, probability=CERTAIN)
    sweep = Sweep(exposed.text)
    for _ in sweep.over(range(SEEDS)):
        pass
    return {
        "variant": _variant(exposed),
        "writers": list(exposed.writers),
        "recipe": unharmed.text,
        "seeds": {"recipe": exposed.text, "broken": len(sweep.broken), "of": SEEDS},
        "orders": _searched(unharmed, 0),
        "crashes": _searched(unharmed, 1),
    }


def _variant(recipe: Recipe) -> str:
    """Return a variant's name: its one option, or those of several that are not as by default."""
    terms = recipe.terms
    named = [pair for pair in recipe.options if pair[1] != terms.options[pair[0]][0]]
    shown = recipe.options if len(recipe.options) == 1 else named
    return " ".join([terms.scenario, *map("=".join, shown)])


def _searched(recipe: Recipe, crashes: int) -> Json:
    search = Exhaust(recipe.text, crashes=crashes, budget=BUDGET)
    for _ in search.steps():
        if search.red and search.runs >= ENOUGH:
            search.stop("it breaks")
            break
    counted = search.counted
    return {
        "verdict": search.verdict,
        "orders": search.groups.orders if counted else None,
        "broken": search.groups.broken if counted else None,
    }


def table() -> list[str]:
    """Return what is known as rows of Markdown, for the README. A row names all faults of its
    seeds, also the crashes that its searches leave out: without them nobody sees what it counts."""
    rows = [
        "| variant | writers | red seeds of 30 | broken orders | with one crash anywhere |",
        "|---|---|---|---|---|",
    ]
    for each in (one for figures_ in known().values() for one in figures_):
        extras = recipe_of(each["seeds"]["recipe"])[1].extras
        beside = [f"`{key}={value}`" for key, value in extras]
        cells = [
            f"`{each['variant']}`",
            ", ".join([*each["writers"], *beside]),
            str(each["seeds"]["broken"]),
        ]
        rows.append(f"| {' | '.join([*cells, _cell(each['orders']), _cell(each['crashes'])])} |")
    return rows


def _cell(found: Json) -> str:
    of = "" if found["orders"] is None else f"{found['broken']:,} of {found['orders']:,}"
    if found["verdict"] == "broken":
        return of or "broken"
    return f"{found['verdict']}{', ' if of else ''}{of}"
