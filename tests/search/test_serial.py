"""`serial` needs no promise of the user's: what no one-after-the-other order comes to, is odd."""

from pathlib import Path

import pytest

from sim_core.judge.verdict import perform
from tests.searches import searched

KEYS = """
SCHEMA = "CREATE TABLE t (id INTEGER PRIMARY KEY, who TEXT)"
CONNECT = {"isolation_level": None}
WRITERS = ("one", "two")
async def one(db):
    "Takes two keys."
    first = await db.execute_insert("INSERT INTO t (who) VALUES ('one')")
    second = await db.execute_insert("INSERT INTO t (who) VALUES ('one')")
    return {"keys": [first[0], second[0]], "done": True}
async def two(db):
    "Takes two keys."
    first = await db.execute_insert("INSERT INTO t (who) VALUES ('two')")
    second = await db.execute_insert("INSERT INTO t (who) VALUES ('two')")
    return {"keys": [first[0], second[0]], "done": True}
"""
ADDER = """
SCHEMA = "CREATE TABLE t (v); INSERT INTO t VALUES (0)"
CONNECT = {"isolation_level": None}
WRITERS = ("adder", "adder")
async def adder(db):
    "Adds one."
    (v,) = await (await db.execute("SELECT v FROM t")).fetchone()
    await db.execute("UPDATE t SET v = ?", (v + 1,))
"""


def file(folder: Path, source: str) -> str:
    path = folder / "mine.py"
    path.write_text(source)
    return str(path)


@pytest.mark.parametrize(
    ("name", "apart", "orders"), [("w1", 4, 6), ("w2", 0, 2), ("w3", 0, 2), ("w4", 4, 6)]
)
def test_what_loses_an_update_is_not_serial_and_nothing_else_is(
    name: str, apart: int, orders: int
) -> None:
    groups = searched(f"tests/tiny/{name}.py").groups
    assert (groups.apart, groups.orders) == (apart, orders)
    assert all((group.apart is None) == (not group.end.broken) for group in groups)


def test_the_nearest_serial_end_is_told() -> None:
    (odd,) = [group.apart for group in searched("tests/tiny/w1.py").groups if group.apart]
    assert str(odd) == "nearest is A then B, where counter has v 2 instead of v 1"


def test_a_writer_that_failed_may_be_missing_from_the_serial_order() -> None:
    search = searched("tests/tiny/w1_deferred.py?timeout=0")
    assert (search.groups.failing, search.groups.apart) == (40, 0)


@pytest.mark.parametrize(
    ("generated", "verdict"),
    [
        ((), "not serial"),
        (("t.id",), "not serial"),
        (("t.id", "told"), "proved"),
        (("t.id", "told.keys"), "proved"),
        (("t.id", "told.done"), "not serial"),
    ],
)
def test_keys_that_tell_only_who_came_first_can_be_left_out(
    tmp_path: Path, generated: tuple[str, ...], verdict: str
) -> None:
    search = searched(file(tmp_path, f"{KEYS}GENERATED = {generated!r}\n"))
    assert search.verdict == verdict
    assert search.groups.orders == 6


def test_without_promises_a_run_is_held_to_it_and_is_not_called_broken(tmp_path: Path) -> None:
    path = file(tmp_path, ADDER)
    lost, kept = perform(f"{path}?grants=ABBA"), perform(f"{path}?grants=AABB")
    assert lost.verdict == "ok" and lost.apart and not kept.apart
    assert lost.apart.order == "AB" and lost.apart.differences == ("t has v 2 instead of v 1",)


def test_declared_it_is_a_promise_like_any_other(tmp_path: Path) -> None:
    path = file(tmp_path, f'{ADDER}INVARIANTS = ("serial",)\n')
    (broken,) = perform(f"{path}?grants=ABBA").violations
    assert (broken.invariant, broken.grant) == ("serial", 4)
    assert searched(path).verdict == "broken"


def test_random_values_are_compared_under_the_same_dice(tmp_path: Path) -> None:
    path = file(
        tmp_path,
        'SCHEMA = "CREATE TABLE t (v)"\nCONNECT = {"isolation_level": None}\n'
        'async def a(db):\n    "A."\n    await db.execute("INSERT INTO t VALUES (random())")\n'
        'async def b(db):\n    "B."\n    await db.execute("INSERT INTO t VALUES (random())")\n',
    )
    assert not any(perform(f"{path}?seed={seed}").apart for seed in range(5))


def test_a_crash_is_compared_with_the_same_crash_one_after_the_other(tmp_path: Path) -> None:
    path = file(tmp_path, ADDER)
    assert not perform(f"{path}?grants=AAB&faults=B1after:crash").apart
    assert searched(path, crashes=1).groups.orders > 6
    lost = perform(f"{path}?grants=ABBBA&faults=B2after:crash")
    assert lost.apart is None, "B was never told: without it, 1 is what A alone comes to"


def test_a_writer_that_sleeps_is_still_one_after_the_other(tmp_path: Path) -> None:
    path = file(
        tmp_path,
        ADDER.replace("adder(db)", "adder(db, clock)").replace(
            '    await db.execute("UPDATE', '    await clock.sleep(1)\n    await db.execute("UPDATE'
        ),
    )
    search = searched(path)
    for group in search.groups:
        ((_, _, (row,)),) = group.end.rows
        assert (group.apart is None) == (row == "[2]")
