"""What the drill `claims` came to: for people and for programs.

Wrong in this module: making a run (claims.py).
"""

from collections import Counter
from collections.abc import Iterator
from textwrap import wrap
from typing import Any, Final

from explorer.drills.campaign import UNTESTED, Campaign, verdict
from explorer.drills.claims import STARTUP, SUITES, Found, Plan, promises
from explorer.drills.told import MORE, answer
from explorer.driver import machine, made_on
from sim_core import enough, reported
from sim_core.quoting import line
from sim_core.scenarios import claims as scenario

HASTY: Final = 2.0
"""Seconds of a TTL below which a drill says that it measures the machine."""


def claims_text(plan: Plan, campaign: Campaign[Found], limit: float, width: int = 100) -> str:
    """Return what was promised, how often it broke, and what was done meanwhile."""
    blocks = [
        "\n".join(line for each in _head(plan, campaign) for line in wrap(each, width)),
        "\n".join(line for each in _table(plan, campaign) for line in _hung(each, width)),
        "\n".join(line for each in _sentences(plan, campaign) for line in wrap(each, width)),
        f"next: explorer drill claims --suite {plan.suite} {_next(plan, campaign, limit)}",
    ]
    return "\n\n".join(filter(None, blocks))


def _hung(text: str, width: int) -> list[str]:
    return wrap(text, width, subsequent_indent="    ", break_on_hyphens=False)


def _next(plan: Plan, campaign: Campaign[Found], limit: float) -> str:
    if campaign.out_of_time:
        grace = f" --grace {_grace(plan)}" if SUITES[plan.suite].reapers else ""
        return (
            f"--workers {plan.workers} --fix {plan.fix}{grace} --speed {plan.speed:g} "
            f"--repeat {campaign.asked} --limit {MORE * limit:g}"
        )
    if plan.suite == "S3":
        return f"--grace {'off' if plan.grace else 'on'}"
    return "--fix published" if plan.fix == "epoch" else "--repeat 20"


def _grace(plan: Plan) -> str:
    return "on" if plan.grace else "off"


def _head(plan: Plan, campaign: Campaign[Found]) -> Iterator[str]:
    suite = SUITES[plan.suite]
    crowd = [f"{plan.workers} worker{'s' * (plan.workers != 1)}"]
    crowd += [f"{suite.launchers} launchers that die"] * bool(suite.launchers)
    crowd += ["a reaper that looks at the process list"] * bool(suite.reapers)
    yield (
        f"drill claims, {plan.suite} ({suite.what}): {', '.join(crowd)}; fix={plan.fix}"
        + (f", grace {_grace(plan)}" if suite.reapers else "")
    )
    yield _times(plan)
    if scenario.TTL / plan.speed < HASTY:
        yield (
            f"At --speed {plan.speed:g} the times are so short that a machine which is busy for a "
            "moment looks like a worker that died: what breaks may be the drill's doing."
        )
    of = len(campaign.runs)
    yield f"{of} run{'s' * (of != 1)}   {made_on()}"
    if campaign.stopped:
        yield f"ended early, after {of:,} of {campaign.asked:,} runs: {line(campaign.stopped)}"


def _times(plan: Plan) -> str:
    """Return how the times were shortened; who reads a drill must know."""
    ttl, grace = plan.shortened
    times = [f"TTL {ttl:g} s, published {scenario.TTL:g}"]
    if SUITES[plan.suite].reapers:
        times.append(f"grace {grace:g} s, published {scenario.GRACE:g}")
        times.append(f"made-slow start-up {STARTUP / plan.speed:g} s, standing for {STARTUP:g}")
    return f"Time is shortened: {'; '.join(times)}."


def _table(plan: Plan, campaign: Campaign[Found]) -> Iterator[str]:
    runs = campaign.runs
    if not runs:
        return
    names = promises(plan)
    wide = max(map(len, names))
    idle = untested(campaign)
    for name in names:
        if name in idle:
            yield f"{name:<{wide}}  not tested: nothing was {ABOUT[name]}"
            continue
        wrong = [run.broken_by[name] for run in runs if name in run.broken_by]
        said = f"  for one: {line(wrong[0])}" if wrong else ""
        yield f"{name:<{wide}}  broken in {len(wrong)} of {len(runs)}{said}"


def _sentences(plan: Plan, campaign: Campaign[Found]) -> Iterator[str]:
    runs = campaign.runs
    if not runs:
        yield UNTESTED
        return
    acts, told = acts_of(campaign), told_of(campaign)
    done = ", ".join(f"{count:,} {act}" for act, count in sorted(acts.items()))
    yield f"In all: {done}; {told['denied']:,} denied, {told['lost']:,} lost."
    if SUITES[plan.suite].reapers:
        yield from _of_the_reaper(plan, campaign)
    yield f"The longest run took {max(run.seconds for run in runs):.1f} s."
    yield from enough.sentences(answer(campaign))


def _of_the_reaper(plan: Plan, campaign: Campaign[Found]) -> Iterator[str]:
    runs = campaign.runs
    alive = sum(run.evicted_alive for run in runs)
    looks = told_of(campaign)["looks"]
    yield f"Evictions of holders that live: {alive:,}, in {looks:,} looks of the reaper."
    if firsts := [run.first for run in runs if run.first is not None]:
        yield f"The first one of a run came {max(firsts):.1f} s after its start, or sooner."
    if slowest := max((run.slowest for run in runs if run.slowest), default=None):
        yield f"The slowest session showed in the process list {slowest:.1f} s after its claim."
        _, grace = plan.shortened
        if slowest > grace:
            yield (
                f"That is more than the grace of {grace:g} s: what the grace takes for granted did "
                "not hold on this machine. A smaller --speed gives every start more time."
            )


ABOUT: Final = {
    "only a live holder completes": "completed",
    "only the dead are reaped": "evicted",
    "an eviction hits what was looked at": "evicted",
    "a reclaim takes a fresh epoch": "reclaimed",
    "a renewal keeps its epoch": "renewed",
}
"""Promise that only something of a kind can break → that kind."""


def untested(campaign: Campaign[Found]) -> list[str]:
    """Return the promises that nothing in all runs could have broken."""
    done = acts_of(campaign) + Counter(reclaimed=sum(run.reclaimed for run in campaign.runs))
    return [name for name, kind in ABOUT.items() if not done[kind]]


def acts_of(campaign: Campaign[Found]) -> "Counter[str]":
    """Return what was done in all runs."""
    return sum((run.acts for run in campaign.runs), Counter())


def told_of(campaign: Campaign[Found]) -> "Counter[str]":
    """Return what the workers of all runs were told."""
    return sum((run.told for run in campaign.runs), Counter())


def claims_json(plan: Plan, campaign: Campaign[Found]) -> dict[str, Any]:
    """Return all of it as `drill/1`."""
    runs = campaign.runs
    ttl, grace = plan.shortened
    return {
        "schema": {"name": "drill", "version": 1},
        "drill": "claims",
        "suite": plan.suite,
        "workers": plan.workers,
        "fix": plan.fix,
        "grace": plan.grace,
        "speed": plan.speed,
        "ttl_s": ttl,
        "grace_s": grace,
        "startup_s": STARTUP / plan.speed,
        "journal": "wal",
        **machine(),
        "verdict": verdict([campaign]),
        "asked": campaign.asked,
        "stopped": campaign.stopped or None,
        "runs": len(runs),
        "broken": campaign.broken,
        "by_promise": {name: sum(name in run.broken_by for run in runs) for name in promises(plan)},
        "untested": untested(campaign),
        "examples": {
            name: wrong for run in reversed(runs) for name, wrong in run.broken_by.items()
        },
        "acts": dict(acts_of(campaign)),
        "told": dict(told_of(campaign)),
        "evicted_alive": sum(run.evicted_alive for run in runs),
        "first_eviction_s": [run.first for run in runs],
        "slowest_start_s": max((run.slowest for run in runs if run.slowest), default=None),
        "late": sum(run.late for run in runs),
        "seconds": [round(run.seconds, 3) for run in runs],
        "greens": answer(campaign) if runs else None,
        "report": reported.CLAIMS,
    }
