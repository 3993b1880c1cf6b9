"""The opening story: what is lost, in which orders, and what is only serial."""

import asyncio
from pathlib import Path

import aiosqlite
import pytest

from sim_core.judge.verdict import perform
from sim_core.scenarios import sections
from tests.core.orders import every_order

LOST, WIDE = "lost update", "acknowledged work survives"


def broken_orders(recipe: str) -> dict[str, tuple[str, ...]]:
    return {outcome.run.grants: outcome.broken for outcome in every_order(recipe)}


def test_careful_and_blind_meet_in_six_ways_and_two_of_them_lose() -> None:
    assert broken_orders("sections?mode=warn") == {
        "AABB": (),
        "ABAB": (LOST, WIDE),
        "ABBA": (),
        "BAAB": (LOST, WIDE),
        "BABA": (),
        "BBAA": (),
    }


def test_the_overwriter_destroys_in_one_order_of_three_and_that_order_is_serial() -> None:
    assert broken_orders("sections?mode=warn&writers=careful,overwriter") == {
        "AAB": (WIDE,),
        "ABA": (),
        "BAA": (),
    }


@pytest.mark.parametrize(
    ("writers", "count"),
    [("careful,blind", 3), ("careful,overwriter", 1), ("blind,blind,careful", 12)],
)
@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_enforce_loses_nothing_in_any_order(writers: str, count: int, journal: str) -> None:
    orders = broken_orders(f"sections?mode=enforce&writers={writers}&journal={journal}")
    assert len(orders) == count  # a refused writer never comes to its second operation
    assert set(orders.values()) == {()}


@pytest.mark.parametrize("mode", ["warn", "enforce"])
def test_two_careful_writers_never_lose_and_the_later_one_is_told_conflict(mode: str) -> None:
    outcomes = list(every_order(f"sections?mode={mode}&writers=careful,careful"))
    assert len(outcomes) == 6
    assert not any(outcome.violations for outcome in outcomes)
    told = [tuple(sorted(outcome.run.told.values())) for outcome in outcomes]
    assert told.count(("conflict", "success")) == 4
    assert told.count(("success", "success")) == 2


def test_both_were_told_success_and_the_loss_names_the_grants() -> None:
    outcome = perform("sections?mode=warn&grants=ABAB")
    assert outcome.run.told == {"careful": "success", "blind": "success"}
    lost = outcome.violations[0]
    assert (lost.invariant, lost.grant) == (LOST, 4)
    assert "grant 3" in lost.detail and "grant 2" in lost.detail


def test_a_blind_write_is_counted_under_warn_and_refused_under_enforce() -> None:
    warned = perform("sections?mode=warn&grants=AABB", film=True)
    refused = perform("sections?mode=enforce&grants=AAB", film=True)
    assert warned.film is not None and refused.film is not None
    assert warned.film.frames[-1].rows == [("draft\ncareful’s line\nblind’s line", 3, 1)]
    assert refused.film.frames[-1].rows == [("draft\ncareful’s line", 2, 0)]
    assert refused.run.told["blind"].startswith("refused")


def test_an_acknowledged_write_that_died_unheard_is_nobodys_broken_promise() -> None:
    outcome = perform("sections?mode=warn&grants=ABABA&faults=A2after:crash")
    assert outcome.run.told == {"blind": "success"}
    assert not outcome.violations


def test_the_opening_run_shows_the_loss() -> None:
    assert perform(f"sections?{sections.OPENING}").broken == (LOST, WIDE)


def test_the_writers_run_unmodified_on_real_aiosqlite(tmp_path: Path) -> None:
    async def real() -> tuple[str, str, str]:
        async with aiosqlite.connect(tmp_path / "real.db", **sections.CONNECT) as db:
            await db.executescript(sections.SCHEMA)
            first = await sections.careful(db, "careful", "warn")
            second = await sections.blind(db, "blind", "warn")
            row = await (await db.execute(sections.WATCH[1])).fetchone()
            assert row is not None
            return first, second, row[0]

    assert asyncio.run(real()) == ("success", "success", "draft\ncareful’s line\nblind’s line")
