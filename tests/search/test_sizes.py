"""How much the reduced walk leaves out, and that what it cuts short is judged all the same.

The counts are those of a measured prototype, which compared itself with brute force: more runs
than that would be a footprint grown too large, and nobody would notice. Its operations are not
told; SELECT, UPDATE, SELECT, UPDATE … on one row gives its numbers for two writers exactly.
"""

from pathlib import Path

import pytest

from sim_core.judge.scenario import recipe_of
from sim_core.judge.trial import Trial
from sim_core.search.exhaust import Exhaust
from sim_core.search.orders import Walk

pytestmark = pytest.mark.once

AUTOCOMMIT = '''"""Every adder reads and adds, again and again."""

SCHEMA = "CREATE TABLE counter (v INTEGER); INSERT INTO counter VALUES (0);"
CONNECT = {"isolation_level": None}
OPTIONS = {"times": ("2", "3")}
INVARIANTS = ("every writer finished",)


async def adder(db, times):
    """Reads, adds one, and so on."""
    for _ in range(int(times)):
        await db.execute("SELECT v FROM counter")
        await db.execute("UPDATE counter SET v = v + 1")
'''

DEFERRED = '''"""Every adder reads and adds in a transaction, and undoes it where it has to."""

import sqlite3

SCHEMA = "CREATE TABLE counter (v INTEGER); INSERT INTO counter VALUES (0);"
CONNECT = {"isolation_level": None}
INVARIANTS = (("never", "It is never negative.", "SELECT 1 FROM counter WHERE v < 0"),)


async def adder(db):
    """Begins, reads, adds one and commits."""
    try:
        await db.execute("BEGIN")
        await db.execute("SELECT v FROM counter")
        await db.execute("UPDATE counter SET v = v + 1")
        await db.execute("COMMIT")
    except sqlite3.Error:
        await db.execute("ROLLBACK")
        raise
'''

TWO_TABLES = '''"""Two writers who have nothing to do with each other."""

SCHEMA = """
CREATE TABLE debit (v INTEGER); INSERT INTO debit VALUES (0);
CREATE TABLE credit (v INTEGER); INSERT INTO credit VALUES (0);
"""
CONNECT = {"isolation_level": None}
ALWAYS = (
    (
        "debit first",
        "Nothing is credited before it is debited.",
        "SELECT 1 FROM debit, credit WHERE credit.v > debit.v",
    ),
)


async def debits(db):
    """Debits one."""
    await db.execute("UPDATE debit SET v = 1")


async def credits(db):
    """Credits one."""
    await db.execute("UPDATE credit SET v = 1")
'''


def recipe(folder: Path, text: str, query: str = "") -> str:
    path = folder / "sized.py"
    path.write_text(text)
    return f"{path}?{query}"


def adders(count: int) -> str:
    return f"writers={','.join(['adder'] * count)}"


def searched(text: str, *, brute: bool = False) -> Exhaust:
    search = Exhaust(text, brute=brute)
    for _ in search.steps():
        pass
    return search


def walked(text: str) -> Walk:
    walk = Walk(Trial(*recipe_of(text)), reduce=True)
    for _ in walk.outcomes():
        pass
    return walk


@pytest.mark.parametrize(("times", "orders", "kinds"), [(2, 70, 34), (3, 924, 328)])
def test_two_adders_need_fewer_runs_than_orders(
    times: int, orders: int, kinds: int, tmp_path: Path
) -> None:
    text = recipe(tmp_path, AUTOCOMMIT, f"{adders(2)}&times={times}")
    assert searched(text, brute=True).explored == orders
    assert walked(text).complete <= kinds


@pytest.mark.slow
def test_three_adders_of_four_operations_need_a_fifth_of_34650_runs(tmp_path: Path) -> None:
    text = recipe(tmp_path, AUTOCOMMIT, adders(3))
    search, brute = searched(text), searched(text, brute=True)
    assert brute.explored == brute.groups.orders == 34_650
    assert search.explored <= 7_134
    assert (search.verdict, brute.verdict) == ("proved", "proved")
    assert {g.end: g.count for g in search.groups} == {g.end: g.count for g in brute.groups}


@pytest.mark.parametrize(
    ("journal", "orders", "kinds", "cut"), [("delete", 29_370, 84, 51), ("wal", 34_650, 60, 90)]
)
def test_three_deferred_transactions_come_down_to_a_few_runs(
    journal: str, orders: int, kinds: int, cut: int, tmp_path: Path
) -> None:
    """A writer that fails executes ROLLBACK, which is a step."""
    text = recipe(tmp_path, DEFERRED, f"{adders(3)}&journal={journal}")
    search = searched(text)
    assert search.groups.orders == orders  # by path counting, through a few hundred runs
    assert search.explored <= kinds
    assert search.cut <= cut
    assert search.verdict == "proved"


def test_a_state_that_only_a_cut_run_comes_to_is_judged(tmp_path: Path) -> None:
    text = recipe(tmp_path, TWO_TABLES)
    outcomes = list(Walk(Trial(*recipe_of(text)), reduce=True).outcomes())
    assert [(one.run.grants, one.cut, one.broken) for one in outcomes] == [
        ("AB", False, ()),
        ("B", True, ("debit first",)),
    ]
    search, brute = searched(text), searched(text, brute=True)
    assert (search.verdict, brute.verdict) == ("broken", "broken")
    assert (brute.groups.broken, search.groups.broken, brute.groups.orders) == (1, 1, 2)


@pytest.mark.parametrize(
    ("writers", "orders"), [("careful,blind", 3), ("careful,careful,careful", 90)]
)
def test_the_fix_of_sections_is_proved_with_and_without_reduction(
    writers: str, orders: int
) -> None:
    text = f"sections?mode=enforce&writers={writers}"
    search, brute = searched(text), searched(text, brute=True)
    assert (search.verdict, brute.verdict) == ("proved", "proved")
    assert search.groups.orders == brute.explored == orders
