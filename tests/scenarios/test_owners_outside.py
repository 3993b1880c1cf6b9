"""The hooks outside, on real aiosqlite, and what a test of them would have seen."""

import asyncio
import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from sim_core.judge.scenario import recipe_of
from sim_core.judge.serial import OneByOne
from sim_core.judge.trial import Trial
from sim_core.judge.verdict import perform
from sim_core.scenarios import owners

OWNER = "every event is under its owner"


class Waits:
    """A clock whose sleep lets the others go on at once."""

    def __init__(self, others: sqlite3.Connection) -> None:
        self.others = others
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        if self.others.in_transaction:
            self.others.commit()


async def one_by_one(path: Path, fixes: tuple[str, str, str]) -> dict[str, object]:
    alone: Any = owners
    async with aiosqlite.connect(path, isolation_level=None) as db:
        await db.executescript(alone.SCHEMA)
    told = {}
    for name in ("hook", "hook2"):
        async with aiosqlite.connect(path, isolation_level=None) as db:
            told[name] = await alone.hook(db, name, None, *fixes, "stranger")
    async with aiosqlite.connect(path, isolation_level=None) as db:
        told["reconciler"] = await alone.reconciler(db)
    return told


@pytest.mark.parametrize("switch", ["on", "off"])
def test_the_writers_run_unchanged_under_real_aiosqlite(switch: str, tmp_path: Path) -> None:
    fixes = "&".join(f"fix{number}={switch}" for number in (1, 2, 3))
    policy = OneByOne("ABC")
    trial = Trial(*recipe_of(f"owners?{fixes}&writers=hook,hook,reconciler"))
    facade = trial.run(lambda: policy, hooks=(policy.look,)).run.told
    real = asyncio.run(one_by_one(tmp_path / "real.db", (switch, switch, switch)))
    assert real == dict(facade)


async def refused(path: Path, fix2: str, fix3: str) -> tuple[object, float, list[float]]:
    """File an event while somebody else writes, and lets go as soon as the hook sleeps; return
    what the hook was told, after how many seconds, and how long it slept."""
    alone: Any = owners
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.executescript(alone.SCHEMA + alone.EVENTS)
        other.execute("BEGIN IMMEDIATE")
        clock = Waits(other)
        began = time.monotonic()
        async with aiosqlite.connect(path, isolation_level=None, timeout=5) as db:
            try:
                told: object = await alone.hook(db, "hook2#7", clock, "on", fix2, fix3, "stranger")
            except sqlite3.OperationalError as error:
                told = error.sqlite_errorname
        return told, time.monotonic() - began, clock.slept


def test_real_sqlite_refuses_the_first_change_to_wal_at_once_whatever_the_timeout(
    tmp_path: Path,
) -> None:
    told, seconds, slept = asyncio.run(refused(tmp_path / "once.db", "on", "off"))
    assert (told, slept) == ("SQLITE_BUSY", [])
    assert seconds < 5
    told, _, slept = asyncio.run(refused(tmp_path / "again.db", "on", "on"))
    assert (told, slept) == ("filed", [0.05])
    with closing(sqlite3.connect(tmp_path / "again.db")) as db:
        assert db.execute("SELECT owner, what FROM events").fetchall() == [("seat-2", "hook2#7")]
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


# What a test would have seen.


def cells(recipe: str) -> dict[str, bool]:
    return {name: bool(found) for name, found in perform(recipe).checked.items()}


def test_a_row_that_moves_between_owners_leaves_every_check_green_but_one() -> None:
    recipe = owners.FAILURES["misattribution between owners"]
    assert perform(f"owners?{recipe}").broken == (OWNER,)
    assert cells(f"owners?{recipe}") == {
        "total row count": False,
        "exit codes": False,
        "did all report": False,
        "distinct owner count": False,
        "per owner row count": True,
    }


def test_the_same_order_moves_the_same_row_to_a_stranger_or_to_a_neighbour() -> None:
    new, known = (f"owners?{owners.FAILURES[f'misattribution {to}']}" for to in TO)
    assert perform(new).run.grants == perform(known).run.grants
    assert cells(new) == cells(known) | {"distinct owner count": True}


TO = ("to a new owner", "between owners")


def test_loss_can_be_injected_too() -> None:
    fault = "faults=A.insert-into-events:SQLITE_FULL"
    assert cells(f"owners?{owners.BASELINE}&journal=wal&{fault}") == {
        "total row count": True,
        "exit codes": True,
        "did all report": True,
        "distinct owner count": False,
        "per owner row count": True,
    }


def test_no_failure_needs_a_fault() -> None:
    assert not any(re.search("faults|p=", query) for query in owners.FAILURES.values())
