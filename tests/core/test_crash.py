"""A crash is one more grant: SIGKILL before an operation, or after a writer's last."""

from pathlib import Path

import pytest

from sim_core.errors import RecipeError
from sim_core.judge.verdict import perform

CAREFUL_FIRST = "sections?mode=warn&grants=AA"


def rows(recipe: str) -> list[tuple[object, ...]]:
    outcome = perform(recipe, film=True)
    assert outcome.film is not None
    return outcome.film.frames[-1].rows


def test_before_its_write_nothing_of_the_writer_is_left() -> None:
    assert rows(f"{CAREFUL_FIRST}BB&faults=A2before:crash") == [("draft\nblind’s line", 2, 1)]


def test_after_its_write_the_row_is_durable_and_the_writer_never_learns() -> None:
    outcome = perform(f"{CAREFUL_FIRST}ABB&faults=A2after:crash")
    assert rows(f"{CAREFUL_FIRST}ABB&faults=A2after:crash") == [
        ("draft\ncareful’s line\nblind’s line", 3, 1)
    ]
    assert "careful" not in outcome.run.told
    assert outcome.run.writers["A"].ended == "crashed"


def test_after_one_operation_is_before_the_next() -> None:
    before = perform(f"{CAREFUL_FIRST}BB&faults=A2before:crash")
    after = perform(f"{CAREFUL_FIRST}BB&faults=A1after:crash")
    assert before.hash == after.hash


def test_a_crash_in_a_transaction_takes_its_work_and_its_lock() -> None:
    outcome = perform("tests/tiny/w3.py?grants=AAA&faults=A4before:crash", film=True)
    assert outcome.film is not None
    assert outcome.film.frames[3].pending == ("A", [(1,)])
    assert outcome.film.frames[3].offers[1].why == "waits for RESERVED, held by A"
    assert outcome.film.frames[4].rows == [(0,)]
    assert outcome.film.frames[-1].rows == [(1,)]
    assert outcome.run.told == {"adder2": "added"}


def test_a_crash_runs_nothing_of_the_writer_against_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tidy.py"
    path.write_text("""
SCHEMA = "CREATE TABLE t (v)"
CONNECT = {"isolation_level": None}
WATCH = ("t", "SELECT v FROM t")
WRITERS = ("tidy",)
async def tidy(db):
    "Cleans up behind itself, which a killed process does not."
    try:
        await db.execute("INSERT INTO t VALUES ('work')")
        await db.execute("INSERT INTO t VALUES ('more')")
    finally:
        await db.execute("INSERT INTO t VALUES ('cleanup')")
""")
    assert rows(f"{path}?faults=A2before:crash") == [("work",)]


@pytest.mark.parametrize(
    ("faults", "allowed"),
    [("A9before:crash", "A1before to A2after"), ("B3after:crash", "B1before to B2after")],
)
def test_a_crash_point_that_never_comes_is_named_with_those_that_do(
    faults: str, allowed: str
) -> None:
    with pytest.raises(RecipeError, match=allowed):
        perform(f"sections?mode=warn&faults={faults}")
