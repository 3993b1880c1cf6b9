"""What a drill came to, beside what was reported: for people and for programs.

Wrong in this module: making a run.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from statistics import fmean
from textwrap import wrap
from typing import Any, Final

from explorer.drills.campaign import UNTESTED, Campaign, verdict
from explorer.drills.owners import CHECKS, Found, Plan
from explorer.driver import machine, made_on
from sim_core import enough, reported
from sim_core.greens import percent
from sim_core.quoting import line

MOST_ERRORS: Final = 4
"""Errors that are told; --json has them all."""
MORE: Final = 10
"""Times the limit that is offered to a drill that it was too short for."""
Row = tuple[Plan, Campaign[Found]]


# For a person.


def owners_text(rows: Sequence[Row], limit: float, width: int = 100) -> str:
    """Return all of it: the table beside the reported one, then each of ours by itself."""
    plan, _ = rows[0]
    head = (
        f"drill owners   {_crowd(plan)}, {plan.owners} owner{'s' * (plan.owners != 1)}, "
        f"on a {'new' if plan.file == 'new' else 'WAL'} file; the "
        f"environment names a {plan.client}"
    )
    blocks = [
        "\n".join([*wrap(head, width), made_on()]),
        enough.columns([*_beside(rows)], right=(1, 2), width=width),
        "\n".join(wrap(f"reported: “{reported.OWNERS}” ({reported.PLATFORM})", width)),
        *("\n".join(_one(plan, campaign, width)) for plan, campaign in rows),
        f"next: explorer drill owners {_next(rows, limit)}",
    ]
    return "\n\n".join(blocks)


def _crowd(plan: Plan) -> str:
    at_a_time = min(plan.concurrent, plan.processes)
    many = f"{plan.processes:,} process{'es' * (plan.processes != 1)}"
    return f"{many}, {at_a_time} at a time"


def _next(rows: Sequence[Row], limit: float) -> str:
    """Return the words of the drill after this one: the same with more time, where it lacked that,
    else other fixes."""
    if any(campaign.out_of_time for _, campaign in rows):
        fixes = " ".join(f"--fix {_words(plan.fixes)}" for plan, _ in rows)
        return " ".join([*_given(*rows[0]), fixes, f"--limit {MORE * limit:g}"])
    made = [plan.fixes for plan, _ in rows]
    order: tuple[tuple[int, ...], ...] = ((1, 2, 3), (1, 2), (1,), ())
    return f"--fix {_words(next((each for each in order if each not in made), (1, 2, 3)))}"


def _given(plan: Plan, campaign: Campaign[Found]) -> Iterator[str]:
    """Yield the options of a drill, but fixes and limit."""
    yield f"--processes {plan.processes} --concurrent {plan.concurrent} --owners {plan.owners}"
    yield f"--file {plan.file} --client {plan.client} --repeat {campaign.asked}"


def _beside(rows: Sequence[Row]) -> Iterator[tuple[str, ...]]:
    """Yield the reported table, and our figures in its rows."""
    ours = {plan.fixes: campaign for plan, campaign in rows}
    theirs: dict[tuple[int, ...], str] = {
        (): ", ".join(f"{percent(one.failed)} {one.what[8:]}" for one in reported.RATES),
        **{row.fixes: f"{row.failed} of {row.runs} runs" for row in reported.ROWS},
    }
    new = reported.NEW_FILE
    theirs[new.fixes] += f"; then {new.failed} of {new.runs} processes on a new file"
    yield "fixes", "runs that failed here", "processes that failed", "reported"
    for fixes in dict.fromkeys([*theirs, *ours]):
        mine = ours.get(fixes)
        yield (
            _fixes(fixes),
            f"{mine.broken} of {len(mine.runs)}" if mine and mine.runs else "",
            _processes(mine) if mine and mine.runs else "",
            theirs.get(fixes, "nothing"),
        )


def _processes(campaign: Campaign[Found]) -> str:
    return (
        f"{sum(run.failed for run in campaign.runs):,} of "
        f"{sum(run.processes for run in campaign.runs):,}"
    )


def _fixes(fixes: tuple[int, ...]) -> str:
    *first, last = map(str, fixes or ("none",))
    return f"{', '.join(first)} and {last}" if first else last


def _words(fixes: tuple[int, ...]) -> str:
    return ",".join(map(str, fixes)) if fixes else "none"


def _one(plan: Plan, campaign: Campaign[Found], width: int) -> Iterator[str]:
    """Yield what our runs of one plan came to."""
    runs, of = campaign.runs, len(campaign.runs)
    yield f"fixes: {_fixes(plan.fixes)}"
    if campaign.stopped:
        yield (f"  ended early, after {of:,} of {campaign.asked:,} runs: {line(campaign.stopped)}")
    if not runs:
        yield f"  {UNTESTED}"
        return
    for check in CHECKS:
        yield f"  {check:<22}red in {sum(not run.checks[check] for run in runs)} of {of}"
    for what, errors in (
        ("ended by", _all(runs, "errors")),
        ("went on after", _all(runs, "swallowed")),
    ):
        for name, count in errors.most_common(MOST_ERRORS):
            said = f"{count:,} process{'es' * (count != 1)} {what} {line(name)}"
            yield from wrap(said, width, initial_indent="  ", subsequent_indent="    ")
    for sentence in _sentences(plan, campaign):
        yield from wrap(sentence, width, initial_indent="  ", subsequent_indent="  ")


def _all(runs: Sequence[Found], what: str) -> "Counter[str]":
    return sum((getattr(run, what) for run in runs), Counter())


def _sentences(plan: Plan, campaign: Campaign[Found]) -> Iterator[str]:
    runs = campaign.runs
    took = max(run.seconds for run in runs)
    yield (
        f"A process took {_ms(runs)} to open, write and close ({float(reported.WRITE_MS):g} ms "
        f"were reported); the longest run took {took:.1f} s. The file ended in "
        f"{' or '.join(sorted({run.journal for run in runs}))} mode."
    )
    if late := sum(run.late for run in runs):
        yield f"{late:,} were killed, because they took too long."
    misfiled, lost = (
        sum(getattr(run.drift, name) for run in runs) for name in ("misfiled", "lost")
    )
    yield f"Records filed under a wrong owner: {misfiled:,}; records lost: {lost:,}."
    if 2 in plan.fixes:
        yield (
            f"Markers: {sum(run.markers for run in runs):,}; rows that the reconciler filed: "
            f"{sum(run.filed or 0 for run in runs):,}."
        )
    base = reported.BASELINE
    if comparable(plan):
        yield (
            f"What that proves, beside the {percent(base.failed)} of runs that failed in the "
            f"report ({base.what}):"
        )
        yield from enough.sentences(answer(campaign, base.failed))
        return
    yield (
        f"A run of the report had {reported.PROCESSES} processes, {reported.AT_A_TIME} at a time, "
        f"and one of ours {_crowd(plan)}: their rates do not compare. What ours prove:"
    )
    yield from enough.sentences(answer(campaign))


def comparable(plan: Plan) -> bool:
    """Say whether a run is as large as those that were reported."""
    return (plan.processes, plan.concurrent) == (reported.PROCESSES, reported.AT_A_TIME)


def answer(campaign: Campaign[Any], beside: Fraction | None = None) -> dict[str, Any]:
    """Return what so many runs, and so many failures of them, say; `beside` a reported rate."""
    rate = None if beside is None else str(beside)
    if campaign.broken:
        return enough.answered(rate, failed=campaign.broken, runs=len(campaign.runs))
    return enough.answered(rate, greens=len(campaign.runs))


def _ms(runs: Sequence[Found]) -> str:
    every = [ms for run in runs for ms in run.ms]
    return f"{fmean(every):.1f} ms on average" if every else "no time, for none succeeded,"


# For a program.


def owners_json(rows: Sequence[Row]) -> dict[str, Any]:
    """Return all of it as `drill/1`."""
    plan, _ = rows[0]
    return {
        "schema": {"name": "drill", "version": 1},
        "drill": "owners",
        "processes": plan.processes,
        "concurrent": plan.concurrent,
        "owners": plan.owners,
        "file": plan.file,
        "client": plan.client,
        **machine(),
        "comparable": comparable(plan),
        "verdict": verdict(campaign for _, campaign in rows),
        "rows": [_row_json(plan, campaign) for plan, campaign in rows],
        "reported": _reported_json(),
    }


def _row_json(plan: Plan, campaign: Campaign[Found]) -> dict[str, Any]:
    runs = campaign.runs
    every = [ms for run in runs for ms in run.ms]
    return {
        "fixes": list(plan.fixes),
        "asked": campaign.asked,
        "stopped": campaign.stopped or None,
        "runs": len(runs),
        "broken": campaign.broken,
        "red": {check: sum(not run.checks[check] for run in runs) for check in CHECKS},
        "failed_processes": sum(run.failed for run in runs),
        "late": sum(run.late for run in runs),
        "errors": dict(_all(runs, "errors")),
        "swallowed": dict(_all(runs, "swallowed")),
        "misfiled": sum(run.drift.misfiled for run in runs),
        "lost": sum(run.drift.lost for run in runs),
        "markers": sum(run.markers for run in runs),
        "reconciled": sum(run.filed or 0 for run in runs) if 2 in plan.fixes else None,
        "write_ms": fmean(every) if every else None,
        "seconds": [round(run.seconds, 3) for run in runs],
        "journal": [run.journal for run in runs],
        "greens": answer(campaign, reported.BASELINE.failed) if runs else None,
    }


def _reported_json() -> dict[str, Any]:
    return {
        "report": reported.OWNERS,
        "platform": reported.PLATFORM,
        "rates": {one.what: float(one.failed) for one in reported.RATES},
        "rows": [row._asdict() for row in (*reported.ROWS, reported.NEW_FILE)],
        "write_ms": float(reported.WRITE_MS),
        "markers": reported.MARKERS,
    }
