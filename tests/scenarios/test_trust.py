"""The label: while nobody changes it the gap is proved harmless, and relabel makes it count."""

import asyncio
from pathlib import Path

import aiosqlite
import pytest

from sim_core.judge.verdict import perform
from sim_core.scenarios import trust
from tests.core.orders import every_order
from tests.scenarios.mutants import mutant
from tests.searches import searched

TAKEN, OWNER = "taken only while trusted", "one owner"
TODAY, TOMORROW = "writers=agent,agent", "writers=agent,relabel"
UNGUARDED, GUARDED = "verify=read-then-write", "verify=in-update"


@pytest.mark.parametrize("verify", [UNGUARDED, GUARDED])
def test_as_long_as_nobody_changes_a_label_the_gap_is_proved_harmless(verify: str) -> None:
    search = searched(f"trust?{verify}&{TODAY}", crashes=2)
    assert (search.verdict, search.groups.orders, search.groups.failing) == ("proved", 106, 0)


def test_relabel_in_the_gap_is_one_order_of_three() -> None:
    met = {one.run.grants: one.broken for one in every_order(f"trust?{UNGUARDED}&{TOMORROW}")}
    assert met == {"AAB": (), "ABA": (TAKEN,), "BA": ()}


def test_two_agents_and_relabel_meet_in_24_ways_and_eight_of_them_break() -> None:
    search = searched(f"trust?{UNGUARDED}&writers=agent,agent,relabel")
    assert search.groups.orders == 24
    assert search.by_invariant == {TAKEN: 8, OWNER: 0}


@pytest.mark.parametrize(("writers", "count"), [(TOMORROW, 43), (f"{TODAY},relabel", 1114)])
@pytest.mark.once
def test_guarded_nothing_suspect_is_taken_whoever_dies(writers: str, count: int) -> None:
    search = searched(f"trust?{GUARDED}&{writers}", crashes=2)
    assert (search.verdict, search.groups.orders, search.groups.failing) == ("proved", count, 0)


def test_a_label_that_changes_after_the_taking_breaks_no_promise() -> None:
    outcome = perform(f"trust?{UNGUARDED}&{TOMORROW}&grants=AAB")
    assert outcome.run.told == {"agent": "taken", "relabel": "labelled suspect"}
    assert not outcome.violations


def test_five_of_thirty_seeds_reach_the_gap_and_none_where_it_is_closed() -> None:
    seeds = range(30)
    red = [s for s in seeds if perform(f"trust?{UNGUARDED}&{TOMORROW}&seed={s}").broken]
    assert red == [11, 13, 16, 24, 27]
    assert not any(perform(f"trust?{GUARDED}&{TOMORROW}&seed={s}").broken for s in seeds)


def test_the_opening_run_shows_the_taking_of_what_is_suspect() -> None:
    outcome = perform(f"trust?{trust.OPENING}")
    assert outcome.run.told["agent"] == "taken"
    assert [(one.invariant, one.grant) for one in outcome.violations] == [(TAKEN, 3)]


SAFEGUARDS = {
    "the UPDATE asks for the label again": (
        '(take + " AND label = ?", (me, label))',
        "(take, (me,))",
        TAKEN,
    ),
    "the label is judged before": ('if label != "trusted":', "if False:", TAKEN),
    "the UPDATE takes only what is free": ('" WHERE owner IS NULL"', '" WHERE true"', OWNER),
    "the answer tells whether it took": ("cursor.rowcount == 1", "True", OWNER),
}


@pytest.mark.parametrize(("old", "new", "red"), SAFEGUARDS.values(), ids=SAFEGUARDS)
def test_without_any_one_safeguard_its_promise_breaks(
    old: str, new: str, red: str, tmp_path: Path
) -> None:
    file = mutant("trust", old, new, tmp_path)
    search = searched(f"{file}?{GUARDED}&writers=agent,agent,relabel")
    assert search.verdict == "broken"
    assert [name for name, count in search.by_invariant.items() if count] == [red]


@pytest.mark.parametrize("verify", list(trust.OPTIONS["verify"]))
def test_the_writers_run_unmodified_on_real_aiosqlite(verify: str, tmp_path: Path) -> None:
    async def real() -> list[str]:
        async with aiosqlite.connect(tmp_path / "real.db", **trust.CONNECT) as db:
            await db.executescript(trust.SCHEMA)
            first = await trust.agent(db, "agent", verify)
            second = await trust.agent(db, "agent2", verify)
            third = await trust.relabel(db)
            fourth = await trust.agent(db, "agent3", verify)
            return [first, second, third, fourth]

    simulated = perform(f"trust?verify={verify}&writers=agent,agent,relabel&grants=AABBC")
    told = asyncio.run(real())
    assert told == ["taken", "not taken", "labelled suspect", "refused: it is suspect"]
    assert told[:3] == list(simulated.run.told.values())
