"""The commands that search: `explorer exhaust` and `explorer shrink`.

A search is iterated here, one run a step, so that a person sees how far it is and can stop it:
what it found until then is printed all the same.
"""

from collections.abc import Iterator
from typing import Any

import click

from explorer import interrupt, terminal
from explorer.answers import BROKEN, as_json, say_json
from explorer.progress import progress
from sim_core import findings, searched
from sim_core.search.exhaust import BUDGET, Exhaust
from sim_core.search.shrink import BUDGET as SHRINK_BUDGET
from sim_core.search.shrink import Shrink

budget = click.IntRange(1, 100_000_000)


@click.command()
@click.argument("recipe")
@click.option(
    "--crashes",
    type=click.IntRange(0, 2),
    default=0,
    show_default=True,
    help="Kill up to so many processes, at every place of every order.",
)
@click.option("--brute", is_flag=True, help="Run every order; no reduction, no merging.")
@click.option(
    "--budget", type=budget, default=BUDGET, show_default=True, help="Runs that it may take."
)
@as_json
def exhaust(recipe: str, crashes: int, brute: bool, budget: int, as_json: bool) -> int:
    """Judge every interleaving of RECIPE's writers: proved, held or broken.

    The recipe's seed and grants play no part: every order is tried. The verdict says what it is
    about: which writers, which journal, how many crashes, and by which method.
    """
    search = Exhaust(recipe, crashes=crashes, brute=brute, budget=budget)
    stopped = _iterated(search.steps(), "searching", budget, lambda: _note(search))
    if stopped:
        search.stop("interrupted")
    if as_json:
        say_json(searched.exhaust_json(search))
    else:
        terminal.say(findings.exhaust_text(search, terminal.width()))
    if stopped:
        raise stopped
    return BROKEN if search.verdict == "broken" else 0


def _note(search: Exhaust) -> str:
    return "broken" if search.red else ""


@click.command()
@click.argument("recipe")
@click.option(
    "--budget",
    type=budget,
    default=SHRINK_BUDGET,
    show_default=True,
    help="Runs that it may take.",
)
@click.option("--promise", default="", help="Which broken promise is kept; else the first.")
@as_json
def shrink(recipe: str, budget: int, promise: str, as_json: bool) -> int:
    """Find the smallest run that breaks what RECIPE breaks, in the same way.

    Fewest writers first, then fewest faults, then fewest switches of writer, then shortest.
    """
    shrunk = Shrink(recipe, budget=budget, promise=promise)
    stopped = _iterated(shrunk.steps(), "shrinking", budget, lambda: shrunk.best.run.grants[:40])
    if as_json:
        say_json(searched.shrink_json(shrunk))
    else:
        terminal.say(findings.shrink_text(shrunk, terminal.width()))
    if stopped:
        raise stopped
    return BROKEN if shrunk.best.violations else 0


def _iterated(steps: Iterator[None], what: str, budget: int, note: Any) -> KeyboardInterrupt | None:
    """Make every step, and return what ended it early."""
    try:
        with progress(what, budget) as bar:
            for _ in steps:
                bar.step(note())
                interrupt.check()
    except KeyboardInterrupt as error:
        return error
    return None
