"""SQLITE_BUSY is an event in virtual time, and never a wait in C."""

from pathlib import Path

import pytest

from sim_core.judge.trial import Outcome
from sim_core.judge.verdict import perform
from tests.core.orders import every_order

W3 = "tests/tiny/w3.py"

HEAD = """
SCHEMA = "CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER); INSERT INTO t VALUES (1, 0);"
CONNECT = {"isolation_level": None}
WRITERS = ("first", "second")
"""


def story(tmp_path: Path, first: str, second: str, query: str) -> Outcome:
    """Run two writers given as SQL, one operation a line."""
    path = tmp_path / "story.py"
    writers = [
        f'async def {name}(db):\n    "Runs its lines."\n'
        + "".join(f"    await db.execute({line!r})\n" for line in sql.split("; "))
        for name, sql in (("first", first), ("second", second))
    ]
    path.write_text(HEAD + "\n\n".join(writers))
    return perform(f"{path}?{query}")


def kinds(outcome: Outcome) -> list[str]:
    return [f"{e.writer} {e.kind} {e.error or e.lock}".strip() for e in outcome.run.events]


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize(("writers", "orders"), [(2, 2), (3, 6)])
def test_immediate_transactions_take_turns(journal: str, writers: int, orders: int) -> None:
    recipe = f"{W3}?writers={','.join(['adder'] * writers)}&journal={journal}"
    outcomes = list(every_order(recipe))
    assert len(outcomes) == orders
    assert not any(outcome.violations or outcome.failing for outcome in outcomes)


def test_a_waiting_writer_says_for_what_and_who_has_it() -> None:
    waits = [e for e in perform(W3).run.events if e.kind == "wait"]
    assert [(e.lock, e.deadline) for e in waits] == [("RESERVED", 5_000)]
    assert {waits[0].writer, waits[0].holders} == {"A", "B"}


def test_a_busy_timeout_expires_on_the_virtual_clock(tmp_path: Path) -> None:
    outcome = story(
        tmp_path,
        "BEGIN IMMEDIATE; UPDATE t SET v = 1",
        "BEGIN IMMEDIATE; COMMIT",
        "grants=A&timeout=2",
    )
    assert kinds(outcome)[0] == "A operation"
    assert "B wait RESERVED" in kinds(outcome)
    assert not outcome.failing  # the first writer ends without COMMIT, and its lock goes with it


def test_an_upgrade_from_a_read_fails_at_once(tmp_path: Path) -> None:
    outcome = story(
        tmp_path,
        "BEGIN IMMEDIATE; UPDATE t SET v = 1; COMMIT",
        "BEGIN; SELECT v FROM t; UPDATE t SET v = 2; COMMIT",
        "grants=ABBBAA",
    )
    assert "B operation SQLITE_BUSY" in kinds(outcome)
    assert "B failed SQLITE_BUSY" in kinds(outcome)
    assert not any(kind.startswith("B wait") for kind in kinds(outcome))


def test_a_stale_snapshot_fails_at_once_with_its_own_name(tmp_path: Path) -> None:
    outcome = story(
        tmp_path,
        "UPDATE t SET v = 1",
        "BEGIN; SELECT v FROM t; UPDATE t SET v = 2; COMMIT",
        "journal=wal&grants=BBAB",
    )
    assert "B failed SQLITE_BUSY_SNAPSHOT" in kinds(outcome)


def test_a_commit_that_waits_for_a_reader_keeps_new_readers_out(tmp_path: Path) -> None:
    outcome = story(
        tmp_path,
        "BEGIN; SELECT v FROM t; COMMIT",
        "BEGIN IMMEDIATE; UPDATE t SET v = 1; COMMIT",
        "grants=AABBB",
    )
    assert "B wait EXCLUSIVE" in kinds(outcome)
    assert not outcome.failing
