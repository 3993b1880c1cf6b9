"""The commands: `explorer run`, `sweep`, `check`, `bench`, `list`, `serve`.

Thin on purpose. A command reads its words, calls one function of sim_core, prints text or one
JSON object, and returns the exit status: 0 nothing broken, 1 something broken. Everything that
ends a command otherwise is an error, and is told by explorer/cli.py.
"""

import re
from typing import Any

import click

from explorer import check_cli as checking
from explorer import interrupt, terminal
from explorer.answers import BROKEN, Early, as_json, say_json
from explorer.corpus_cli import corpus, pin
from explorer.drift_cli import drift_command as drift
from explorer.drill_cli import drill
from explorer.greens_cli import greens
from explorer.incidence_cli import incidence
from explorer.leaks_cli import leaks
from explorer.matrix_cli import matrix_of
from explorer.progress import progress
from explorer.searching import exhaust, shrink
from explorer.workers import ENOUGH, MOST, how_many, workers
from sim_core import bridge, figures, report
from sim_core.bench import BLOCKS_IN_ALL, bench, summary
from sim_core.bench.growth import PARTS, growth, memory
from sim_core.bench.growth import summary as summary_of_growth
from sim_core.engine.plain import readable
from sim_core.engine.recipe import MOST_SEED
from sim_core.judge.scenario import load, slugs
from sim_core.judge.verdict import perform
from sim_core.quoting import short
from sim_core.search.sweep import MOST_SEEDS, Sweep


class Command(click.Command):
    """A command whose answer is all that it writes to stdout."""

    def invoke(self, ctx: click.Context) -> Any:
        with terminal.answers_only():
            return super().invoke(ctx)


class Group(click.Group):
    command_class = Command


class Seeds(click.ParamType[range]):
    """A range of seeds, first and last: 0..29."""

    name = "first..last"

    def convert(self, value: Any, param: Any, ctx: Any) -> range:
        if isinstance(value, range):
            return value
        said = short(value)
        match = re.fullmatch(r"([0-9]{1,16})(?:\.\.([0-9]{1,16}))?", str(value))
        if not match:
            self.fail(f"'{said}' is not a range of seeds; write 0..29 or one seed like 7.")
        first, last = int(match[1]), int(match[2] or match[1])
        if not first <= last <= min(MOST_SEED, first + MOST_SEEDS - 1):
            self.fail(
                f"'{said}' must go upwards, over at most {MOST_SEEDS:,} seeds, to at most "
                f"{MOST_SEED}."
            )
        return range(first, last + 1)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
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
    outcome = perform(recipe, film=True)
    interrupt.check()
    if as_json:
        say_json(bridge.run_json(outcome))
    else:
        if outcome.recipe.check and outcome.recipe.check != outcome.check:
            terminal.complain(bridge.mismatch(outcome))
        terminal.say(report.run_text(outcome, terminal.width()))
    return BROKEN if outcome.violations else 0


@cli.command("sweep")
@click.argument("recipe")
@click.option(
    "--seeds", type=Seeds(), default="0..29", show_default=True, help="First and last seed."
)
@click.option(
    "--jobs",
    type=click.IntRange(1, MOST),
    help=f"Processes that share the seeds; one a core from {ENOUGH:,} seeds on.",
)
@as_json
def sweep_seeds(recipe: str, seeds: range, jobs: int | None, as_json: bool) -> int:
    """Run RECIPE under many seeds and count what breaks."""
    grown = Sweep(recipe)
    ended_by = _swept(grown, seeds, how_many(len(seeds), jobs))
    if as_json:
        say_json(bridge.sweep_json(grown))
    else:
        terminal.say(report.sweep_text(grown, terminal.width()))
    if ended_by:
        raise ended_by
    return BROKEN if grown.broken else 0


def _swept(grown: Sweep, seeds: range, jobs: int) -> BaseException | None:
    """Sweep, and return what ended it early."""
    early = Early(grown, len(seeds))
    with early, workers(jobs) as pool, progress("sweeping", len(seeds)) as bar:
        for run in grown.over(seeds, pool):
            early.step(run, bar)
    return early.error


@cli.command()
@click.argument("recipe", required=False)
@click.option("--all", "everything", is_flag=True, help="Every scenario, variant and journal.")
@click.option("--seeds", type=Seeds(), help="First and last seed; 0..29 unless RECIPE names one.")
@click.option("--digest", is_flag=True, help="Only run, and print one hash of all the runs.")
@as_json
def check(
    recipe: str | None, everything: bool, seeds: range | None, digest: bool, as_json: bool
) -> int:
    """Run RECIPE twice, compare, and name every call that reads the machine's clock or dice."""
    if everything == bool(recipe):
        raise click.UsageError("Give a RECIPE, or --all.")
    seeds = checking.seeds_of(recipe, seeds)
    if digest:
        runs, one = checking.only_digest(recipe, seeds)
        answer = checking.answered_digest(runs, one, recipe, seeds)
        say_json(answer) if as_json else terminal.say(one)
        return 0
    found = checking.check(recipe, seeds)
    if as_json:
        say_json(checking.answered(found, recipe, seeds))
    else:
        terminal.say(checking.told(found, recipe, seeds))
    return BROKEN if found.found else 0


cli.add_command(exhaust)
cli.add_command(shrink)
cli.add_command(pin)
cli.add_command(corpus)
cli.add_command(leaks)
cli.add_command(incidence)
cli.add_command(greens)
cli.add_command(drift)
cli.add_command(drill)
cli.add_command(matrix_of)


@cli.command("list")
@click.option("--measure", is_flag=True, help="First measure every variant anew: a minute or two.")
@as_json
def list_scenarios(measure: bool, as_json: bool) -> int:
    """List the scenarios, their options and writers; with --json also what each variant comes to:
    red seeds of thirty, orders, and orders with one crash anywhere."""
    if measure:
        figures.FILE.write_text(f"{readable(figures.measured(), indent=1)}\n")
    if as_json:
        say_json(bridge.list_json())
        return 0
    for slug in slugs():
        terminal.say(report.scenario_text(load(slug)))
    return 0


@cli.command("bench")
@as_json
def bench_engine(as_json: bool) -> int:
    """Measure the engine against bare SQLite, and how a search grows: ratios within this run."""
    blocks = []
    grown = []
    with progress("measuring", BLOCKS_IN_ALL + PARTS) as bar:
        for block in bench():
            blocks.append(block)
            bar.step()
        for one in growth():
            grown.append(one)
            bar.step()
        kept = memory()
        bar.step()
    answer = summary(blocks) | summary_of_growth(grown, kept)
    if as_json:
        say_json(answer)
    else:
        terminal.say(report.bench_text(answer))
    return 0


@cli.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option("--open/--no-open", "open_page", default=True, help="Open the page in a browser.")
def serve(port: int, open_page: bool) -> int:
    """Serve the pages on this machine, at http://127.0.0.1:8000/ unless told otherwise."""
    from explorer.app import serve as serve_pages  # a run needs no server

    interrupt.leave_to_server()
    return serve_pages(port=port, open_browser=open_page)


def obey(words: list[str]) -> int:
    """Do what the words say, and return the exit status. (Click's own `main` would print
    errors, and end the process.)"""
    try:
        with cli.make_context("explorer", words or ["--help"]) as context:
            return int(cli.invoke(context) or 0)
    except click.exceptions.Exit as done:
        return done.exit_code
