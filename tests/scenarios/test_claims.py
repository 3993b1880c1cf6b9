"""The startup-window theft, and what was left open by the four fixes around it."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from explorer.realrun import RealClock, RealProcesses
from sim_core.axis import moments
from sim_core.figures import known
from sim_core.judge.scenario import recipe_of
from sim_core.judge.serial import OneByOne
from sim_core.judge.trial import Outcome, Trial
from sim_core.judge.verdict import perform
from sim_core.scenarios import claims
from sim_core.search.shrink import Shrink
from sim_core.search.sweep import Sweep
from tests.searches import breaks, searched

MUTEX = "at most one live holder"
EPOCHS = "epochs are unique and gapless"
GHOST = "only a live holder completes"
REAP = "only the dead are reaped"
GUARDED = "an eviction hits what was looked at"
TTL = "every lease runs out"
RECLAIM = "a reclaim takes a fresh epoch"
RENEWAL = "a renewal keeps its epoch"
EVERY = (MUTEX, EPOCHS, GHOST, REAP, GUARDED, TTL, RECLAIM, RENEWAL)


def test_there_are_eight_invariants_judged_after_every_grant() -> None:
    scenario, _ = recipe_of("claims")
    assert tuple(one.name for one in scenario.invariants) == EVERY
    assert all(one.always for one in scenario.invariants)


# Every switch alone.

SWITCHES = {
    "ghost_complete=on&writers=session,pm": {GHOST},
    "identity_shapes=on&writers=pm,reaper": {REAP},
    "identity_shapes=on&writers=session,pm": {REAP, MUTEX},
    "bare_status=on&writers=launcher,session,reaper": {REAP, GUARDED},
    "startup_window=on&writers=session,reaper": {REAP},
    "startup=121&writers=session,reaper": {REAP},
    "startup=600&writers=session,reaper": {REAP},
    "fix=published&writers=session,pm": {GHOST},
}
"""A switch, who writes, and exactly what breaks. A theft is a second live holder, too, as soon as
somebody who was denied takes what was freed."""


@pytest.mark.parametrize("query", SWITCHES)
def test_each_switch_alone_breaks_exactly_its_promises(query: str) -> None:
    _, _, writers = query.partition("&")
    search = searched(f"claims?{query}")
    assert search.counted
    assert set(breaks(search)) == SWITCHES[query]
    assert searched(f"claims?{writers}").verdict == "proved"


# The fix that was published.


def smallest(recipe: str, crashes: int) -> str:
    witness = searched(recipe, crashes).witness
    assert witness is not None
    shrink = Shrink(witness.text)
    for _ in shrink.steps():
        pass
    assert shrink.complete
    return shrink.recipe.text


def pinned() -> str:
    return (Path(claims.__file__).parent.parent / "corpus" / "claims.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("writers", "crashes", "schedule"),
    [
        ("session,pm", 0, "grants=AtAAtBBAB"),
        ("session,reaper", 1, "grants=AAtBBaBa&faults=A1after:crash"),
    ],
)
def test_the_search_finds_the_schedules_that_break_what_was_published(
    writers: str, crashes: int, schedule: str
) -> None:
    recipe = f"claims?fix=published&writers={writers}"
    assert smallest(recipe, crashes) == f"{recipe}&{schedule}"
    assert f"\n{recipe}&{schedule}\n" in pinned()


def test_one_completes_what_another_has_claimed_since() -> None:
    outcome = perform("claims?fix=published&writers=session,pm&grants=AtAAtBBAB")
    assert dict(outcome.run.told) == {"session": "completed", "pm": "lost"}
    assert [one.detail for one in outcome.violations] == ["session completed the claim of pm"]


def test_key_and_claimer_let_a_reaper_evict_the_claimers_next_epoch() -> None:
    schedule = "writers=session,reaper&grants=AAtBBaBa&faults=A1after:crash"
    outcome = perform(f"claims?fix=published&{schedule}")
    assert outcome.broken == (REAP,)
    hits = [e for e in outcome.run.events if "act = :act" in e.sql and e.rowcount == 1]
    assert [event.parameters["claimer"] for event in hits] == ["auto-session"]
    assert not perform(f"claims?{schedule}").broken


# The fix that is proved.


PROVED = {
    "session, pm, reaper": (3_123, 129_361),
    "session, session": (30, 702),
    "operator, pm": (46, 374),
    "session, hostile": (96, 2_525),
}
"""Writers → orders, and orders with one crash anywhere; test_figures.py measures them anew."""


def test_the_epoch_is_proved_for_the_default_writers_and_the_suites_with_a_crash_anywhere() -> None:
    found = {
        ", ".join(one["writers"]): (one["orders"], one["crashes"])
        for one in known()["claims"]
        if one["variant"] == "claims"
    }
    for writers, (orders, crashes) in PROVED.items():
        proved = {"verdict": "proved", "broken": 0}
        assert found[writers] == (proved | {"orders": orders}, proved | {"orders": crashes})
    assert searched("claims").scope.timers == "any"


@pytest.mark.once
@pytest.mark.parametrize(
    ("startup", "verdict"),
    [("3", "proved"), ("119", "proved"), ("120", "proved"), ("121", "broken"), ("600", "broken")],
)
def test_the_grace_buys_two_minutes_of_startup(startup: str, verdict: str) -> None:
    assert searched(f"claims?startup={startup}&writers=session,reaper", 1).verdict == verdict


# The three suites of the report.


def ends(recipe: str) -> list[Outcome]:
    return [perform(f"{recipe}&seed={seed}") for seed in range(30)]


@pytest.mark.once
def test_s1_of_many_that_race_for_one_key_one_wins_each_epoch() -> None:
    for outcome in ends("claims?writers=session,session,session,pm,operator"):
        assert not outcome.broken
        answers = [one for one in outcome.run.told.values() if one == "completed"]
        assert len(answers) <= 1


@pytest.mark.once
def test_s2_over_many_reclaims_the_epochs_have_no_gap() -> None:
    most = 0
    for outcome in ends("claims?writers=operator,operator,pm,pm,session"):
        assert not outcome.broken
        events = outcome.run.events
        epochs = [e.rows[0][0] for e in events if "RETURNING epoch" in e.sql and e.rows]
        assert epochs == list(range(1, len(epochs) + 1))
        most = max(most, len(epochs))
    assert most >= 5


@pytest.mark.once
def test_s3_a_hostile_reaper_evicts_the_dead_and_nobody_else() -> None:
    evicted = 0
    for outcome in ends("claims?writers=launcher,session,session,hostile,hostile"):
        assert not outcome.broken
        events = outcome.run.events
        evicted += sum(e.rowcount for e in events if "act = :act" in e.sql)
    assert evicted > 0
    stolen = [
        one for one in ends("claims?startup=600&writers=session,session,hostile") if one.broken
    ]
    assert stolen
    assert {name for one in stolen for name in one.broken} <= {REAP, MUTEX}


@pytest.mark.once
def test_s3_no_phantom_is_left_once_the_grace_is_over() -> None:
    """A launcher claims and is gone; whoever looks two minutes later frees the task."""
    for writers, told in (
        ("launcher,hostile,session", "completed"),
        ("launcher,session", "denied"),
    ):
        trial = Trial(*recipe_of(f"claims?writers={writers}"))
        policy = OneByOne("ABC"[: writers.count(",") + 1])
        outcome = trial.run(lambda policy=policy: policy, hooks=(policy.look,))
        assert outcome.run.told["session"] == told


# The axis of time.


def test_the_theft_stands_on_the_axis_of_time() -> None:
    outcome = perform(f"claims?{claims.OPENING}")
    assert [(one.at, one.writer, one.label) for one in moments(outcome)] == [
        (0, "A", "claim registered, epoch 1"),
        (120_000, "B", "looks for auto-session in ps: not there"),
        (120_000, "B", "auto-session evicted"),
        (600_000, "A", "its sentinel shows: auto-session"),
        (600_000, "A", "ends, told lost"),
    ]


def test_whose_sentinel_is_not_there_any_more_has_ended_on_the_axis() -> None:
    outcome = perform("claims?startup=600&writers=session,reaper,pm,operator,hostile&seed=5")
    labels = [one.label for one in moments(outcome)]
    shows = labels.index("its sentinel shows: auto-session")
    assert labels[shows : shows + 3] == [
        "its sentinel shows: auto-session",
        "ends, told lost",
        "looks for auto-session in ps: not there",
    ]


# Outside.


async def one_by_one(path: Path) -> dict[str, Any]:
    there: Any = claims
    names = ("session", "operator", "pm", "launcher")
    clock: Any = RealClock(10.0, 600.0)
    table = RealProcesses(clock, Counter(names))
    async with aiosqlite.connect(path, isolation_level=None) as db:
        await db.executescript(claims.SCHEMA)
        of = {name: table.of(name) for name in names}
        switches = ("epoch", "off", "off", "off", "off")
        return {
            "operator": await there.operator(db, "operator", of["operator"], "epoch"),
            "session": await there.session(db, "session", clock, of["session"], *switches, "3"),
            "pm": await there.pm(db, "pm", clock, of["pm"], "epoch", "off"),
            "launcher": await there.launcher(db, "launcher", of["launcher"]),
        }


def test_the_writers_run_unchanged_under_real_aiosqlite(tmp_path: Path) -> None:
    text = "claims?writers=operator,session,pm,launcher"
    policy = OneByOne("ABCD")
    facade = Trial(*recipe_of(text)).run(lambda: policy, hooks=(policy.look,)).run.told
    assert asyncio.run(one_by_one(tmp_path / "real.db")) == dict(facade)


@pytest.mark.once
def test_some_seed_of_thirty_breaks_what_was_published() -> None:
    sweep = Sweep("claims?fix=published&writers=session,reaper&faults=A1after:crash")
    for _ in sweep.over(range(30)):
        pass
    assert sweep.broken == [16]
