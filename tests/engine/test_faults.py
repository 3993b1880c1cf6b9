"""Faults by name, place, fingerprint and probability: they strike where they are told."""

import asyncio
from pathlib import Path

import pytest

from sim_core.errors import RecipeError
from sim_core.judge.trial import Outcome
from sim_core.judge.verdict import perform

SOURCE = '''
import asyncio, sqlite3
SCHEMA = "CREATE TABLE t (v INTEGER); INSERT INTO t VALUES (0);"
CONNECT = {"isolation_level": None}
WATCH = ("t", "SELECT v FROM t")
WRITERS = ("adder", "adder")

async def adder(db):
    """Adds one three times, and says how each went."""
    told = []
    for _ in range(3):
        try:
            await db.execute("UPDATE t SET v = v + 1")
            told.append("ok")
        except sqlite3.Error as error:
            told.append(error.sqlite_errorname)
        except asyncio.CancelledError:
            told.append("cancelled")
    await db.execute("SELECT v FROM t")
    return told
'''


@pytest.fixture
def recipe(tmp_path: Path) -> str:
    path = tmp_path / "adders.py"
    path.write_text(SOURCE)
    return str(path)


def last(outcome: Outcome) -> object:
    assert outcome.film is not None
    return outcome.film.frames[-1].rows[0][0]


@pytest.mark.parametrize(
    ("faults", "told", "value"),
    [
        ("A2before:SQLITE_FULL", ["ok", "SQLITE_FULL", "ok"], 5),
        ("A2after:SQLITE_IOERR_FSYNC", ["ok", "SQLITE_IOERR_FSYNC", "ok"], 6),
        ("A2before:cancel", ["ok", "cancelled", "ok"], 5),
        ("A2after:cancel", ["ok", "cancelled", "ok"], 6),
        ("A.update-t.3:SQLITE_BUSY", ["ok", "ok", "SQLITE_BUSY"], 5),
        ("A.update:SQLITE_LOCKED", ["SQLITE_LOCKED"] * 3, 3),
        ("*.update-t-set-v.1after:cancel", ["cancelled", "ok", "ok"], 6),
    ],
)
def test_an_error_strikes_before_or_after_the_effect(
    recipe: str, faults: str, told: list[str], value: int
) -> None:
    outcome = perform(f"{recipe}?faults={faults}", film=True)
    assert outcome.run.told["adder"] == told
    assert last(outcome) == value


def test_an_injected_error_is_of_the_class_that_sqlite3_raises(recipe: str) -> None:
    outcome = perform(f"{recipe}?faults=A4before:SQLITE_CONSTRAINT_UNIQUE")
    assert outcome.run.writers["A"].error == "SQLITE_CONSTRAINT_UNIQUE"
    failed = next(e for e in outcome.run.events if e.kind == "failed")
    assert failed.error == "SQLITE_CONSTRAINT_UNIQUE"


def test_a_cancelled_writer_that_does_not_catch_it_fails_by_that_name(recipe: str) -> None:
    outcome = perform(f"{recipe}?faults=A4after:cancel")
    assert outcome.run.writers["A"].error == asyncio.CancelledError.__name__


def test_a_crash_is_keyed_on_a_fingerprint_and_its_occurrence(recipe: str) -> None:
    outcome = perform(f"{recipe}?faults=B.update-t.2after:crash", film=True)
    assert outcome.run.writers["B"].ended == "crashed"
    assert last(outcome) == 5


def test_a_probability_strikes_some_seeds_and_leaves_schedules_alone(recipe: str) -> None:
    struck = []
    for seed in range(40):
        plain = perform(f"{recipe}?seed={seed}")
        faulty = perform(f"{recipe}?seed={seed}&faults=*:SQLITE_FULL&p=0.1")
        assert plain.run.grants == faulty.run.grants
        struck.append(len(faulty.run.strikes.struck))
    assert 10 < sum(struck) < 60  # 8 places a run, 40 runs, one in ten
    assert 0 in struck and max(struck) > 1


def test_the_same_seed_strikes_the_same_places(recipe: str) -> None:
    text = f"{recipe}?seed=3&faults=*:crash&p=0.2"
    assert perform(text).hash == perform(text).hash


@pytest.mark.parametrize(
    "faults",
    ["A2during:crash", "A0before:crash", "A2:SQLITE_NONSENSE", "A..1:crash", "F1before:crash", "A"],
)
def test_a_fault_that_is_none_is_named(recipe: str, faults: str) -> None:
    with pytest.raises(RecipeError, match=r"faults=|SQLITE_NONSENSE"):
        perform(f"{recipe}?faults={faults}")


def test_a_fault_that_never_strikes_is_named(recipe: str) -> None:
    with pytest.raises(RecipeError, match="never strikes"):
        perform(f"{recipe}?faults=A.delete-from.1:crash")
