"""The command line: `explorer run`, `sweep`, `list`, `serve`.

Thin on purpose. A command reads its words, calls one function of sim_core, prints text or one
JSON object, and returns the exit status: 0 nothing broken, 1 something broken, 2 the words of
the call are off, 130 interrupted.
"""

import json
import os
import shutil
import sys
from collections.abc import Callable
from typing import Any, Final

import click

from sim_core import bridge, report
from sim_core.errors import ExplorerError
from sim_core.judge.scenario import load, slugs
from sim_core.judge.verdict import perform
from sim_core.search.sweep import MOST_SEEDS, Sweep

BROKEN: Final = 1
WRONG_WORDS: Final = 2
INTERRUPTED: Final = 130

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")


def _width() -> int:
    return min(shutil.get_terminal_size((100, 24)).columns, 140)


def _print(answer: dict[str, Any]) -> None:
    click.echo(json.dumps(answer, ensure_ascii=False))


class Seeds(click.ParamType[range]):
    """A range of seeds, first and last: 0..29."""

    name = "first..last"

    def convert(self, value: Any, param: Any, ctx: Any) -> range:
        if isinstance(value, range):
            return value
        first, dots, last = str(value).partition("..")
        if not (first.isdecimal() and (last.isdecimal() if dots else not last)):
            self.fail(f"{value!r} is not a range of seeds; write 0..29 or one seed like 7.")
        seeds = range(int(first), int(last or first) + 1)
        if not seeds or len(seeds) > MOST_SEEDS or seeds[-1] > 2**53 - 1:
            self.fail(f"{value!r} must go upwards, over at most {MOST_SEEDS:,} seeds.")
        return seeds


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="interleaving-explorer")
def cli() -> None:
    """Run several writers of one SQLite file in every order, and see what breaks.

    A RECIPE is one line that identifies a run: a scenario and, behind a question mark, its
    options, writers, seed, grants and crashes, as in 'sections?mode=warn&seed=16'. Quote it.
    """


@cli.command()
@click.argument("recipe")
@as_json
def run(recipe: str, as_json: bool) -> int:
    """Run RECIPE once and tell its story, one column a writer."""
    outcome = perform(recipe, film=not as_json)
    if as_json:
        _print(bridge.run_json(outcome))
    else:
        if outcome.recipe.check and outcome.recipe.check != outcome.check:
            click.echo(bridge.mismatch(outcome), err=True)
        click.echo(report.run_text(outcome, _width()))
    return BROKEN if outcome.violations else 0


@cli.command("sweep")
@click.argument("recipe")
@click.option(
    "--seeds", type=Seeds(), default="0..29", show_default=True, help="First and last seed."
)
@as_json
def sweep_seeds(recipe: str, seeds: range, as_json: bool) -> int:
    """Run RECIPE under many seeds and count what breaks."""
    grown, interrupted = Sweep(recipe), False
    try:
        for _ in grown.over(seeds):
            pass
    except KeyboardInterrupt:
        interrupted = True
    if not grown.runs:
        return INTERRUPTED
    if as_json:
        _print(bridge.sweep_json(grown))
    else:
        click.echo(report.sweep_text(grown))
    return INTERRUPTED if interrupted else BROKEN if grown.broken else 0


@cli.command("list")
@as_json
def list_scenarios(as_json: bool) -> int:
    """List the scenarios, their options and writers."""
    if as_json:
        _print(json.loads(bridge.handle('{"version": 1, "ask": "list"}')))
        return 0
    for slug in slugs():
        click.echo(report.scenario_text(load(slug)))
    return 0


@cli.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option("--open/--no-open", "open_page", default=True, help="Open the page in a browser.")
def serve(port: int, open_page: bool) -> int:
    """Serve the pages on this machine, at http://127.0.0.1:8000/ unless told otherwise."""
    from explorer.app import serve as serve_pages  # a run needs no server

    return serve_pages(port=port, open_browser=open_page)


def _wants_json(words: list[str]) -> bool:
    return "--json" in words


def main() -> None:
    """Run the command; a person never meets a traceback."""
    sys.exit(_guarded(lambda: cli.main(standalone_mode=False)))


def _guarded(command: Callable[[], Any]) -> int:
    try:
        return int(command() or 0)
    except click.exceptions.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return WRONG_WORDS
    except ExplorerError as error:
        if _wants_json(sys.argv):
            _print(bridge.error_json(error))
        click.echo(f"explorer: {error}", err=True)
        return WRONG_WORDS
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # the reader of our output left (explorer … | head); Python must not flush into it again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
