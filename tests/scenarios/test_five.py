"""Five agents in their roles on one file: what safety off breaks, and on keeps."""

import asyncio
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from sim_core.judge.scenario import recipe_of
from sim_core.judge.serial import OneByOne
from sim_core.judge.trial import Trial
from sim_core.judge.verdict import perform
from sim_core.scenarios import five
from sim_core.search.sweep import Sweep
from tests.scenarios.mutants import mutant
from tests.searches import breaks, searched

PLAN = "acknowledged work survives"
CLAIM = "a claim is kept"
TRUST = "nobody claims what was revoked"
RECEIPT = "every loss has one receipt"
AWAY = "nothing is put away unread"
DAY = "a shipment has one day"


# Off.

TWO_PICKERS = "writers=picker,picker,keeper"
CRASH = "faults=*.insert-into-receipts.1after:crash&p=0.9"


@pytest.mark.parametrize(
    ("query", "promise", "seeds"),
    [
        ("", PLAN, 6),
        ("", TRUST, 5),
        ("", AWAY, 6),
        ("&tz=-10:00", DAY, 30),  # 09:00 UTC is still yesterday there
        (f"&{TWO_PICKERS}", CLAIM, 17),
        (f"&{CRASH}", RECEIPT, 2),
        (f"&{TWO_PICKERS}&{CRASH}", RECEIPT, 13),
    ],
)
def test_off_is_red_for_so_many_of_thirty_seeds(query: str, promise: str, seeds: int) -> None:
    sweep = Sweep(f"five?safety=off{query}")
    for _ in sweep.over(range(30)):
        pass
    assert sum(promise in run.broken for run in sweep.runs) == seeds


def test_twelve_of_thirty_seeds_break_something_among_the_five() -> None:
    sweep = Sweep("five?safety=off")
    for _ in sweep.over(range(30)):
        pass
    assert sum(bool(run.broken) for run in sweep.runs) == 12


def test_one_run_breaks_three_promises_at_once() -> None:
    assert perform(f"five?{five.OPENING}").broken == (PLAN, TRUST, AWAY)


@pytest.mark.once
def test_off_is_red_in_two_orders_of_three() -> None:
    search = searched("five?safety=off")
    assert (search.groups.broken, search.groups.orders) == (182_512, 277_200)
    assert breaks(search) == {PLAN: 83_160, TRUST: 83_160, AWAY: 83_160}


# On.


@pytest.mark.once
def test_on_is_proved_for_the_five_without_a_crash() -> None:
    search = searched("five?tz=-10:00")
    assert (search.verdict, search.groups.orders) == ("proved", 52_236)


@pytest.mark.once
@pytest.mark.parametrize(
    ("writers", "orders"),
    [("shipper,picker,keeper", 3_272), ("picker,picker,keeper", 1_460)],
)
def test_on_is_proved_for_three_with_a_crash_anywhere(writers: str, orders: int) -> None:
    search = searched(f"five?writers={writers}", crashes=1)
    assert (search.verdict, search.groups.orders) == ("proved", orders)


@pytest.mark.once
@pytest.mark.parametrize("writers", ["shipper,archivist,reader", "keeper,archivist,reader"])
def test_on_is_proved_for_those_who_read_along_with_a_crash_anywhere(writers: str) -> None:
    assert searched(f"five?writers={writers}", crashes=1).verdict == "proved"


# Every safeguard: what is taken out, what stands there instead, who writes, and what breaks.

MUTANTS = {
    "the shipper names the version it read": (
        '            " WHERE version = ?",\n            (body, version),',
        '            "",\n            (body,),',
        "writers=shipper,keeper",
        PLAN,
    ),
    "the keeper names the version it read": (
        '        " WHERE version = ?",\n        (f"{body}\\n{me}’s line", version),',
        '        "",\n        (f"{body}\\n{me}’s line",),',
        "writers=shipper,keeper",
        PLAN,
    ),
    "the shipper looks whether its write took": (
        "if cursor.rowcount == 0:",
        "if cursor.rowcount < 0:",
        "writers=shipper,keeper",
        PLAN,
    ),
    "the keeper looks whether its write took": (
        'saved = "success" if cursor.rowcount == 1 else "conflict"',
        'saved = "success"',
        "writers=shipper,keeper",
        PLAN,
    ),
    "the claim asks for trust": (
        "            \" AND trust = 'trusted'\"\n",
        "",
        "writers=picker,keeper",
        TRUST,
    ),
    "the revocation asks for an open handoff": (
        '        " WHERE id = 1 AND claimed_by IS NULL"',
        '        " WHERE id = 1"',
        "writers=picker,keeper",
        TRUST,
    ),
    "the claim asks for a free handoff": (
        '            " AND (claimed_by IS NULL OR claimed_by = ?)",\n            (me, me),',
        '            "",\n            (me,),',
        "writers=picker,picker",
        CLAIM,
    ),
    "the claim knows its own": (
        '            " AND (claimed_by IS NULL OR claimed_by = ?)",\n            (me, me),',
        '            " AND claimed_by IS NULL",\n            (me,),',
        "writers=picker,reader",
        CLAIM,
    ),
    "the picker looks whether its claim took": (
        "if cursor.rowcount == 1:\n            return",
        "if cursor.rowcount >= 0:\n            return",
        "writers=picker,picker",
        CLAIM,
    ),
    "the loser writes a receipt": (
        "SELECT 1, ?1 WHERE NOT EXISTS",
        "SELECT 1, ?1 WHERE 0 AND NOT EXISTS",
        "writers=picker,picker",
        RECEIPT,
    ),
    "the receipt is written if absent": (
        '"INSERT INTO receipts SELECT 1, ?1 WHERE NOT EXISTS"\n'
        '            " (SELECT 1 FROM receipts WHERE loser = ?1)",',
        '"INSERT INTO receipts SELECT 1, ?1",',
        "writers=picker,keeper",
        RECEIPT,
    ),
    "the archivist puts away only what it read": (
        '            " WHERE away_after IS NULL AND id <= ?",\n            (newest, newest),',
        '            " WHERE away_after IS NULL",\n            (newest,),',
        "writers=shipper,archivist",
        AWAY,
    ),
    "the shipper's day is the UTC day": (
        "day = clock.today()\n",
        "day = clock.local().date()\n",
        "writers=shipper,reader&tz=-10:00",
        DAY,
    ),
}


@pytest.mark.parametrize("safeguard", MUTANTS)
def test_without_one_safeguard_its_promise_is_broken(safeguard: str, tmp_path: Path) -> None:
    old, new, query, promise = MUTANTS[safeguard]
    assert searched(f"five?{query}", crashes=1).verdict == "proved"
    search = searched(f"{mutant('five', old, new, tmp_path)}?{query}", crashes=1)
    assert promise in breaks(search)


# Outside.


class Morning:
    """A clock that stands where a run begins."""

    def local(self) -> datetime:
        return datetime(2026, 7, 10, 9, tzinfo=UTC)

    def today(self) -> date:
        return self.local().date()


async def one_by_one(path: Path, safety: str) -> dict[str, str]:
    clock = Morning()
    alone: Any = five
    async with aiosqlite.connect(path, isolation_level=None) as db:
        await db.executescript(five.SCHEMA)
        return {
            "shipper": await alone.shipper(db, "shipper", clock, safety),
            "picker": await alone.picker(db, "picker", safety),
            "keeper": await alone.keeper(db, "keeper"),
            "archivist": await alone.archivist(db, safety),
            "picker2": await alone.picker(db, "picker2", safety),
        }


@pytest.mark.parametrize("safety", ["on", "off"])
def test_the_writers_run_unchanged_under_real_aiosqlite(safety: str, tmp_path: Path) -> None:
    text = f"five?safety={safety}&writers=shipper,picker,keeper,archivist,picker"
    policy = OneByOne("ABCDE")
    facade = Trial(*recipe_of(text)).run(lambda: policy, hooks=(policy.look,)).run.told
    assert asyncio.run(one_by_one(tmp_path / "real.db", safety)) == dict(facade)
