"""A clear that removes what its caller never saw, and the column that prevents it."""

import asyncio
from pathlib import Path

import aiosqlite
import pytest

from sim_core.judge.verdict import perform
from sim_core.scenarios import clear
from sim_core.search.sweep import Sweep
from tests.core.orders import every_order
from tests.scenarios.mutants import mutant
from tests.searches import searched

SHOWN = "cleared as shown"


def broken_orders(recipe: str) -> dict[str, tuple[str, ...]]:
    return {outcome.run.grants: outcome.broken for outcome in every_order(recipe)}


def test_by_status_two_of_six_orders_clear_what_nobody_was_shown() -> None:
    assert broken_orders("clear?clear=by-status") == {
        "AAB": (),  # cleared before it could be opened again
        "ABAB": (),  # open just then, so it stays
        "ABBA": (SHOWN,),  # shown as it was before
        "BAAB": (),
        "BABA": (SHOWN,),  # not shown at all
        "BBAA": (),
    }


def test_by_revision_the_same_orders_clear_nothing() -> None:
    assert set(broken_orders("clear?clear=by-revision").values()) == {()}
    changed = perform("clear?clear=by-revision&grants=ABBA")
    assert changed.run.told["clearer"] == "shown 1, cleared 0"


def test_a_handoff_that_was_filed_meanwhile_goes_too() -> None:
    outcome = perform("clear?clear=by-status&writers=clearer,filer&grants=ABBA")
    assert outcome.broken == (SHOWN,)
    assert outcome.run.told == {"clearer": "shown 1, cleared 2", "filer": "finished 3"}
    assert "backups checked" in outcome.violations[0].detail


@pytest.mark.parametrize("writers", ["clearer,reopener", "clearer,filer"])
def test_by_status_is_red_under_eleven_of_thirty_seeds(writers: str) -> None:
    sweep = Sweep(f"clear?clear=by-status&writers={writers}")
    for _ in sweep.over(range(30)):
        pass
    assert len(sweep.broken) == 11


@pytest.mark.parametrize(("crashes", "broken", "orders"), [(0, 2, 6), (1, 17, 64)])
def test_by_status_is_red_in_so_many_orders(crashes: int, broken: int, orders: int) -> None:
    search = searched("clear?clear=by-status", crashes=crashes)
    assert search.verdict == "broken"
    assert (search.groups.broken, search.groups.orders) == (broken, orders)


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize(
    ("writers", "crashes", "orders"),
    [
        ("clearer,reopener", 0, 5),
        ("clearer,reopener", 1, 48),
        ("clearer,filer", 1, 67),
        ("clearer,reopener,filer", 1, 1_394),
        ("clearer,clearer,filer", 0, 96),
    ],
)
def test_by_revision_is_proved(writers: str, crashes: int, orders: int, journal: str) -> None:
    recipe = f"clear?clear=by-revision&writers={writers}&journal={journal}"
    search = searched(recipe, crashes=crashes)
    assert (search.verdict, search.groups.orders) == ("proved", orders)


@pytest.mark.parametrize("crashes", [0, 1])
def test_by_revision_is_proved_where_every_call_is_a_grant(crashes: int) -> None:
    assert searched("clear?granularity=call", crashes=crashes).verdict == "proved"


def test_who_starts_after_a_crash_clears_only_what_it_is_shown_itself() -> None:
    outcome = perform("clear?clear=by-status&grants=AAaBBa&faults=A1after:crash")
    assert outcome.broken == (SHOWN,)
    fixed = perform("clear?clear=by-revision&grants=AAaBBa&faults=A1after:crash")
    assert not fixed.broken
    assert fixed.run.told["clearer again"] == "shown 1, cleared 0"


SAFEGUARDS = {
    "the revision in the DELETE": (
        "clearer,reopener",
        "WHERE id = ? AND revision = ?",
        "WHERE id = ?1 AND ?2 > 0",
    ),
    "the number in the DELETE": (
        "clearer,reopener",
        "WHERE id = ? AND revision = ?",
        "WHERE ?1 > 0 AND revision = ?2",
    ),
    "that every change counts the revision up": (
        "clearer,reopener",
        'result = ?,"\n        " revision = revision + 1 WHERE id = ?"',
        'result = ?"\n        " WHERE id = ?"',
    ),
    "that no number is given twice": (
        "clearer,clearer,filer",
        "PRIMARY KEY AUTOINCREMENT",
        "PRIMARY KEY",
    ),
}


@pytest.mark.parametrize("safeguard", SAFEGUARDS)
def test_no_safeguard_can_be_left_out(safeguard: str, tmp_path: Path) -> None:
    writers, old, new = SAFEGUARDS[safeguard]
    file = mutant("clear", old, new, tmp_path)
    search = searched(f"{file}?clear=by-revision&writers={writers}")
    assert search.verdict == "broken"
    assert search.by_invariant[SHOWN] > 0


def test_a_number_that_is_given_again_clears_a_new_handoff(tmp_path: Path) -> None:
    file = mutant("clear", "PRIMARY KEY AUTOINCREMENT", "PRIMARY KEY", tmp_path)
    order = "writers=clearer,clearer,filer&grants=ABACBC"
    reused = perform(f"{file}?{order}")
    assert reused.broken == (SHOWN,)
    assert "handoff 2 was cleared as open at revision 1" in reused.violations[0].detail
    assert not perform(f"clear?{order}").broken


def test_the_opening_run_shows_a_result_that_nobody_saw() -> None:
    outcome = perform(f"clear?{clear.OPENING}")
    assert outcome.broken == (SHOWN,)
    assert outcome.run.told == {"clearer": "shown 1, cleared 1", "reopener": "closed again"}
    assert "old keys were leaked" in outcome.violations[0].detail


@pytest.mark.parametrize("how", ["by-status", "by-revision"])
def test_real_aiosqlite_gives_the_same_answers(how: str, tmp_path: Path) -> None:
    async def real() -> dict[str, str]:
        async with aiosqlite.connect(tmp_path / "real.db", **clear.CONNECT) as db:
            await db.executescript(clear.SCHEMA)
            return {
                "filer": await clear.filer(db),
                "reopener": await clear.reopener(db),
                "clearer": await clear.clearer(db, how),
            }

    order = "writers=filer,reopener,clearer&grants=AABBCCC"
    order = order.removesuffix("C") if how == "by-status" else order
    simulated = perform(f"clear?clear={how}&{order}").run.told
    assert asyncio.run(real()) == simulated
    assert simulated["clearer"] == "shown 2, cleared 2"
