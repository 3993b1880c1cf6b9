"""`explorer drill`: the stories of the scenarios, with real processes on this machine.

Wrong in this module: what a drill does (explorer/drills), and its words (explorer/drills/told.py).
"""

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from explorer import terminal
from explorer.answers import BROKEN, as_json, say_json
from explorer.drills import claims as sessions
from explorer.drills import leases, told
from explorer.drills import owners as hooks
from explorer.drills.campaign import Campaign, Timed, verdict
from explorer.drills.folder import folder
from explorer.numbers import Number
from explorer.progress import progress
from sim_core.errors import MachineError

MOST_PROCESSES: Final = 100_000
MOST_AT_A_TIME: Final = 500
LIMIT: Final = 3600.0


class Fixes(click.ParamType[tuple[int, ...]]):
    """Which fixes are in: 1,2,3 or none."""

    name = "1,2,3|none"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        words = [] if value == "none" else str(value).split(",")
        if len(set(words)) < len(words) or not set(words) <= {"1", "2", "3"}:
            self.fail(f"'{value}' names no fixes; write 1,2,3 or some of them, or none.")
        return tuple(sorted(map(int, words)))


@click.group()
def drill() -> None:
    """Run a scenario's code in real processes, on real files, with nobody in control.

    A drill proves nothing: it says how often something happens by itself, here and today.
    """


repeat = click.option(
    "--repeat", type=click.IntRange(1, 10_000), default=1, show_default=True, help="Runs."
)
limit = click.option(
    "--limit",
    type=Number(1),
    default=LIMIT,
    show_default=True,
    help="Seconds that all of it may take; what was made until then counts.",
)
place = click.option(
    "--folder",
    "where",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the files are made; they are kept there. Else they are removed.",
)


@drill.command()
@click.option("--processes", type=click.IntRange(1, MOST_PROCESSES), default=300, show_default=True)
@click.option(
    "--concurrent",
    type=click.IntRange(1, MOST_AT_A_TIME),
    default=30,
    show_default=True,
    help="Processes at a time; these go in the same instant.",
)
@click.option("--owners", "count", type=click.IntRange(1, 1_000), default=30, show_default=True)
@click.option(
    "--fix",
    "fixes",
    type=Fixes(),
    multiple=True,
    default=["1,2,3"],
    help="Which fixes are in; may be given several times.  [default: 1,2,3]",
)
@click.option(
    "--file",
    type=click.Choice(["new", "wal"]),
    default="new",
    show_default=True,
    help="A brand-new file, or one that is in WAL mode already.",
)
@click.option(
    "--client",
    type=click.Choice(["stranger", "neighbour"]),
    default="stranger",
    show_default=True,
    help="Whom the environment names: nobody's owner, or another's.",
)
@repeat
@limit
@place
@as_json
def owners(
    processes: int,
    concurrent: int,
    count: int,
    fixes: tuple[tuple[int, ...], ...],
    file: str,
    client: str,
    repeat: int,
    limit: float,
    where: Path | None,
    as_json: bool,
) -> int:
    """Hook processes that file one record each, and under whom it lies afterwards.

    Our figures stand beside those of “The test we called flaky was filing records under the wrong
    owner”. Needs aiosqlite. The exit status is 1 where a check is red in a run, or no run ended.
    """
    if count > processes:
        raise click.UsageError(
            f"{count} owners need a process each; give --processes {count}, "
            f"or --owners {processes}."
        )
    plans = [hooks.Plan(processes, concurrent, count, each, file, client) for each in fixes]
    rows: list[told.Row] = [(plan, Campaign(repeat)) for plan in dict.fromkeys(plans)]
    ended_by = _drilled(rows, limit, where)
    in_json, in_words = partial(told.owners_json, rows), partial(told.owners_text, rows, limit)
    campaigns = [campaign for _, campaign in rows]
    return _ended(campaigns, ended_by, in_json if as_json else None, in_words)


@drill.command()
@click.option(
    "--suite",
    type=click.Choice(list(sessions.SUITES)),
    required=True,
    help="S1 contested keys, S2 epoch integrity, S3 hostile reaper.",
)
@click.option("--workers", type=click.IntRange(1, MOST_AT_A_TIME), help="Processes that claim.")
@click.option(
    "--fix", type=click.Choice(["epoch", "published"]), default="epoch", show_default=True
)
@click.option(
    "--grace",
    type=click.Choice(["on", "off"]),
    default="on",
    show_default=True,
    help="Whether a claim that is younger than the grace is never reaped.",
)
@click.option(
    "--speed",
    type=Number(1, 1000),
    default=24.0,
    show_default=True,
    help="By what TTL, grace and start-up are shortened: at 24, two minutes are five seconds.",
)
@repeat
@limit
@place
@as_json
def claims(
    suite: str,
    workers: int | None,
    fix: str,
    grace: str,
    speed: float,
    repeat: int,
    limit: float,
    where: Path | None,
    as_json: bool,
) -> int:
    """Workers that claim, a reaper, and the machine's own process list.

    After “The Startup-Window Theft Bug”. Needs aiosqlite, and a system with processes like those of
    Unix. The exit status is 1 where a promise breaks in a run, or no run ended.
    """
    if os.name != "posix":
        raise MachineError("This system has no process list that a reaper could look at.")
    count = workers or sessions.SUITES[suite].workers
    if grace == "off" and not sessions.SUITES[suite].reapers:
        raise click.UsageError(
            f"In {suite} nobody reaps, so --grace does nothing; S3 has a reaper."
        )
    plan = sessions.Plan(suite, count, fix, grace == "on", speed)
    campaign: Campaign[sessions.Found] = Campaign(repeat)
    with folder(where) as here, progress("drilling", repeat) as drawn:
        run = partial(sessions.run, plan)
        name = f"claims-{suite}"
        ended_by = campaign.made(run, here, name, Timed(drawn, limit), keep=where is not None)
    in_json = partial(leases.claims_json, plan, campaign)
    in_words = partial(leases.claims_text, plan, campaign, limit)
    return _ended([campaign], ended_by, in_json if as_json else None, in_words)


def _ended(
    campaigns: Sequence[Campaign[Any]],
    ended_by: BaseException | None,
    in_json: Callable[[], dict[str, Any]] | None,
    in_words: Callable[[int], str],
) -> int:
    """Tell what the runs came to, where there are any, and return the exit status."""
    if ended_by and not any(campaign.runs for campaign in campaigns):
        if isinstance(ended_by, KeyboardInterrupt):  # an error says so itself
            terminal.complain("explorer: interrupted before the first run was done.")
        raise ended_by
    if in_json:
        say_json(in_json())
    else:
        terminal.say(in_words(terminal.width()))
    if ended_by:
        raise ended_by
    return 0 if verdict(campaigns) == "ok" else BROKEN


def _drilled(rows: list[told.Row], limit: float, where: Path | None) -> BaseException | None:
    """Make all runs, and return what ended them early."""
    total = sum(plan.processes * campaign.asked for plan, campaign in rows)
    with folder(where) as here, progress("drilling", total) as drawn:
        bar = Timed(drawn, limit)
        for plan, campaign in rows:
            name = f"owners-{'-'.join(map(str, plan.fixes)) or 'none'}"
            run = partial(hooks.run, plan)
            error = campaign.made(run, here, name, bar, keep=where is not None)
            if error:
                return error
    return None
