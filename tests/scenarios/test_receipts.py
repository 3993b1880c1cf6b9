"""The conflict receipt, in three rounds: each closes what the one before it left open."""

import asyncio
from pathlib import Path

import aiosqlite
import pytest

from sim_core.judge.verdict import perform
from sim_core.scenarios import receipts
from tests.scenarios.mutants import mutant
from tests.searches import breaks, searched

HOLE, TWICE, OWNER = "every loser has a receipt", "one receipt a conflict", "one owner"
CREW = "writers=agent,worker,watcher"
"""An agent, and a process of two tasks that come back as two retries."""
ALONE = "writers=agent,worker"
"""The same process with one task: one retry."""


def red_seeds(recipe: str) -> list[int]:
    return [seed for seed in range(30) if perform(f"{recipe}&seed={seed}").broken]


# Round 0.


def test_round_0_without_a_crash_is_proved() -> None:
    for writers, count in (("agent,agent", 2), ("agent,agent,agent", 18)):
        search = searched(f"receipts?round=0&writers={writers}")
        assert (search.verdict, search.groups.orders, search.groups.failing) == ("proved", count, 0)


def test_round_0_breaks_only_where_the_kill_lands_between_rollback_and_receipt() -> None:
    search = searched("receipts?round=0", crashes=1)
    assert (search.groups.orders, breaks(search)) == (32, {HOLE: 2})
    red = [group for group in search.groups if group.end.broken]
    for group in red:
        recipe = search.with_crashes(group.faults, group.witness)
        outcome = perform(recipe.text)
        dead = next(event for event in outcome.run.events if event.kind == "crash")
        mine = [event.sql for event in outcome.run.events if event.writer == dead.writer]
        assert [sql for sql in mine if sql][-1] == "ROLLBACK"
        assert outcome.run.writers[dead.writer].operation.sql.startswith("\nINSERT INTO receipts")
    assert sorted(str(fault) for group in red for fault in group.faults) == [
        "A3after:crash",
        "B3after:crash",
    ]


def test_a_loss_that_left_no_trace_looks_in_the_file_like_a_claim_never_made() -> None:
    lost = perform("receipts?round=0&grants=AAABBBB&faults=B3after:crash", film=True)
    never = perform("receipts?round=0&grants=AAAB&faults=B1before:crash", film=True)
    assert lost.film is not None and never.film is not None
    assert lost.film.frames[-1].rows == never.film.frames[-1].rows == [("agent", "none")]
    assert (lost.broken, never.broken) == ((HOLE,), ())


@pytest.mark.parametrize(
    ("faults", "seeds"),
    [
        ("*:crash&p=0.1", [2, 22, 23]),
        (
            "*.rollback.1after:crash&p=0.5",
            [0, 2, 3, 9, 12, 13, 14, 15, 17, 19, 20, 21, 27, 29],
        ),
    ],
)
def test_seeds_that_reach_the_hole_of_round_0(faults: str, seeds: list[int]) -> None:
    assert red_seeds(f"receipts?round=0&faults={faults}") == seeds


def test_the_opening_run_is_the_hole() -> None:
    outcome = perform(f"receipts?{receipts.OPENING}")
    assert outcome.run.told == {"agent": "agent owns it"}
    assert [(one.invariant, one.grant) for one in outcome.violations] == [(HOLE, 7)]


# Round 1.


@pytest.mark.once
def test_round_1_is_proved_while_at_most_one_retry_runs_at_a_time() -> None:
    for writers, count in (("writers=agent,agent", 106), (ALONE, 839)):
        search = searched(f"receipts?round=1&{writers}", crashes=2)
        assert (search.verdict, search.groups.orders, search.groups.failing) == ("proved", count, 0)


@pytest.mark.once
def test_round_1_writes_two_receipts_once_two_retries_run_together() -> None:
    assert searched(f"receipts?round=1&{CREW}").verdict == "proved"
    search = searched(f"receipts?round=1&{CREW}", crashes=1)
    assert (search.groups.orders, breaks(search)) == (2541, {TWICE: 1356})
    for group in search.groups:
        if group.end.broken:
            outcome = perform(search.with_crashes(group.faults, group.witness).text)
            assert {"b", "c"} < set(outcome.run.writers)


def test_seeds_that_reach_the_two_receipts_of_round_1_and_none_of_round_2() -> None:
    crash = "faults=B2before:crash"
    assert red_seeds(f"receipts?round=1&{CREW}&{crash}") == [7, 9, 14, 15, 19, 22]
    assert red_seeds(f"receipts?round=2&{CREW}&{crash}") == []


def test_two_retries_need_no_crash_of_their_own_to_write_two_receipts() -> None:
    assert breaks(searched("receipts?round=1&writers=agent,retry,retry")).keys() == {TWICE}
    assert searched("receipts?round=2&writers=agent,retry,retry").verdict == "proved"


def test_what_holds_round_1_up_is_that_a_retry_looks_first(tmp_path: Path) -> None:
    file = mutant("receipts", "if receipts:", "if False:", tmp_path)
    assert breaks(searched(f"{file}?round=1&{ALONE}", crashes=1)).keys() == {TWICE}


# Round 2.


@pytest.mark.once
@pytest.mark.parametrize(
    ("writers", "crashes", "count"),
    [
        ("writers=agent,agent", 0, 2),
        ("writers=agent,agent", 1, 32),
        ("writers=agent,agent", 2, 106),
        (ALONE, 2, 839),
        (CREW, 1, 2541),
    ],
)
def test_round_2_is_proved(writers: str, crashes: int, count: int) -> None:
    search = searched(f"receipts?round=2&{writers}", crashes=crashes)
    assert (search.verdict, search.groups.orders, search.groups.failing) == ("proved", count, 0)


BEGIN = '    await db.execute("BEGIN IMMEDIATE")\n'
STAGED = '    await db.execute(RECEIPT + once, {"who": who})\n'
COMMIT = '    await db.execute("COMMIT")\n    return f"{who} lost"'
AGENTS = "writers=agent,agent"

SAFEGUARDS = {
    "insert if absent": (
        'IF_ABSENT if round == "2" else ""',
        '""',
        f"{CREW}&faults=B1before:crash",
        TWICE,
    ),
    "absent for this loser": (
        " WHERE loser = :who)",
        " WHERE :who IS NOT NULL)",
        "writers=agent,agent,agent",
        HOLE,
    ),
    "the receipt": (STAGED, "", AGENTS, HOLE),
    "the receipt before the end": (
        STAGED + COMMIT,
        COMMIT.replace("return", STAGED.strip() + "\n    return"),
        f"{AGENTS}&faults=B3after:crash",
        HOLE,
    ),
    "one transaction": (BEGIN, "", f"{AGENTS}&faults=B1after:crash", HOLE),
    "the commit of loss and receipt": (COMMIT, '    return f"{who} lost"', AGENTS, HOLE),
    "the commit of the win": ('        await db.execute("COMMIT")\n', "", AGENTS, OWNER),
    "only what is free is claimed": (
        " WHERE owner IS NULL OR owner = :who",
        " WHERE true OR :who",
        AGENTS,
        OWNER,
    ),
    "who owns it still owns it": (
        " OR owner = :who",
        "",
        "writers=worker,watcher&faults=A1before:crash",
        TWICE,
    ),
}


@pytest.mark.parametrize(("old", "new", "where", "red"), SAFEGUARDS.values(), ids=SAFEGUARDS)
def test_without_any_one_safeguard_its_promise_breaks(
    old: str, new: str, where: str, red: str, tmp_path: Path
) -> None:
    assert searched(f"receipts?round=2&{where}").verdict == "proved"
    file = mutant("receipts", old, new, tmp_path)
    search = searched(f"{file}?round=2&{where}")
    assert search.verdict == "broken"
    assert red in breaks(search)


@pytest.mark.parametrize("round_", list(receipts.OPTIONS["round"]))
def test_the_writers_run_unmodified_on_real_aiosqlite(round_: str, tmp_path: Path) -> None:
    async def real() -> list[str]:
        async with aiosqlite.connect(tmp_path / "real.db", **receipts.CONNECT) as db:
            await db.executescript(receipts.SCHEMA)
            told = [
                await receipts.agent(db, "agent", round_),
                await receipts.worker(db, round_),
                await receipts.watcher(db),
                await receipts.retry(db, round_),
            ]
            rows = await (await db.execute("SELECT * FROM receipts")).fetchall()
            assert [*map(tuple, rows)] == [("crew", "agent")]
            return told

    told = asyncio.run(real())
    assert told == [
        "agent owns it",
        "crew lost",
        "saw agent own it",
        "crew lost, as its receipt says",
    ]
    grants = "AAA" + "BBBB" + "C" + "D"
    facade = perform(f"receipts?round={round_}&{CREW},retry&grants={grants}")
    assert told == list(facade.run.told.values())
