"""A reader that forgets to end its transaction, and what SQLite's checkpoints say of it."""

import asyncio
from itertools import pairwise
from pathlib import Path

import aiosqlite
import pytest

from sim_core.judge.trial import Outcome
from sim_core.judge.verdict import perform
from sim_core.scenarios import checkpoint
from sim_core.search.sweep import Sweep
from tests.scenarios.mutants import mutant
from tests.searches import searched

EMPTY = "the log can be emptied"
MANY = 1_000


def checkpoints(outcome: Outcome, mode: str) -> list[tuple[int, int, int]]:
    """Return what each checkpoint said: busy, frames in the log, frames copied back."""
    asked = (event for event in outcome.run.events if f"({mode})" in event.sql)
    return [event.rows[0] for event in asked if event.rows]


def test_a_leak_is_red_under_twenty_nine_of_thirty_seeds() -> None:
    sweep = Sweep("checkpoint?leak=on")
    for _ in sweep.over(range(30)):
        pass
    assert len(sweep.broken) == 29


@pytest.mark.parametrize(
    ("crashes", "broken", "orders"), [(0, 77, 99), (1, 508, 1_137)], ids=["alive", "one killed"]
)
def test_a_leak_is_red_in_so_many_orders(crashes: int, broken: int, orders: int) -> None:
    search = searched("checkpoint?leak=on", crashes=crashes)
    assert search.verdict == "broken"
    assert (search.groups.broken, search.groups.orders) == (broken, orders)


@pytest.mark.parametrize("brute", [False, True], ids=["reduced", "brute"])
@pytest.mark.parametrize(("crashes", "orders"), [(0, 232), (1, 2_812)])
def test_without_a_leak_it_is_proved(crashes: int, orders: int, brute: bool) -> None:
    search = searched("checkpoint?leak=off", crashes=crashes, brute=brute)
    assert (search.verdict, search.groups.orders) == ("proved", orders)


def test_under_a_leak_the_log_grows_with_each_write_and_no_checkpoint_complains() -> None:
    outcome = perform("checkpoint?leak=on&grants=AAABBBBBBtBtA")
    assert checkpoints(outcome, "PASSIVE") == [(0, 1, 0), (0, 2, 0), (0, 3, 0)]


def test_only_a_checkpoint_that_waits_is_told_busy_after_five_seconds() -> None:
    outcome = perform("checkpoint?leak=on&grants=AAABBBBBBtBtA")
    assert checkpoints(outcome, "TRUNCATE") == [(1, 3, 0)]
    (wait,) = (event for event in outcome.run.events if event.kind == "wait")
    assert (wait.writer, wait.lock, wait.holders, wait.deadline) == ("B", "SNAPSHOT", "A", 5_000)


def test_what_was_written_before_the_leaked_snapshot_is_copied_back_and_no_more() -> None:
    outcome = perform("checkpoint?leak=on&grants=BAAABBBBBtBtA")
    assert checkpoints(outcome, "PASSIVE") == [(0, 1, 1), (0, 2, 1), (0, 3, 1)]


def test_without_a_leak_every_checkpoint_lets_the_log_start_anew() -> None:
    outcome = perform("checkpoint?leak=off&grants=AAAABBBBBBBtA")
    assert checkpoints(outcome, "PASSIVE") == [(0, 1, 1)] * 3
    assert checkpoints(outcome, "TRUNCATE") == [(0, 0, 0)]


def test_a_kill_of_the_reporter_is_what_ends_the_leak() -> None:
    outcome = perform("checkpoint?leak=on&grants=AAABBBBABBB&faults=A3after:crash")
    assert checkpoints(outcome, "PASSIVE") == [(0, 1, 0), (0, 2, 0), (0, 3, 3)]
    assert outcome.run.told["recorder"]["busy"] == 0


def test_who_starts_after_a_killed_recorder_is_held_up_as_well() -> None:
    outcome = perform("checkpoint?leak=on&grants=AAABBBtbtA&faults=B2after:crash")
    assert outcome.broken == (EMPTY,)
    assert "recorder again waited" in outcome.violations[0].detail


def test_the_fix_buys_an_assumption_that_nobody_stays_in_a_transaction_for_five_seconds() -> None:
    assert searched("checkpoint?leak=off&timers=any").verdict == "broken"


@pytest.fixture(scope="module")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("checkpoint")
    return mutant("checkpoint", "ENTRIES = 3", f"ENTRIES = {MANY}", home)


def test_a_thousand_writes_under_a_leak_leave_every_frame_in_the_log(long_run: Path) -> None:
    outcome = perform(f"{long_run}?leak=on&grants=AAA&timers=idle")
    frames = [log for _, log, _ in checkpoints(outcome, "PASSIVE")]
    assert len(frames) == MANY and frames[-1] >= MANY
    assert all(later > before for before, later in pairwise(frames))
    assert {done for _, _, done in checkpoints(outcome, "PASSIVE")} == {0}
    assert outcome.broken == (EMPTY,)


@pytest.mark.parametrize("seed", range(3))
def test_a_thousand_writes_without_a_leak_leave_a_handful(long_run: Path, seed: int) -> None:
    outcome = perform(f"{long_run}?leak=off&seed={seed}")
    said = checkpoints(outcome, "PASSIVE")
    assert len(said) == MANY and max(log for _, log, _ in said) <= 10
    assert said[-1][1] == said[-1][2]
    assert not outcome.broken


SAFEGUARDS = {
    "the COMMIT": (
        '    if leak == "off":\n        await db.execute("COMMIT")\n',
        "",
    ),
    "that it stands before the model is asked": (
        '    if leak == "off":\n        await db.execute("COMMIT")\n'
        "    # Left open, the snapshot lives as long as the process: no\n"
        "    # checkpoint may pass it while the model thinks, nor ever after.\n"
        "    await clock.sleep(THINKING)\n",
        '    await clock.sleep(THINKING)\n    await db.execute("COMMIT")\n',
    ),
    "that it is also made where there is nothing to report": (
        'if leak == "off":',
        'if leak == "off" and count:',
    ),
}


@pytest.mark.parametrize("safeguard", SAFEGUARDS)
def test_no_safeguard_can_be_left_out(safeguard: str, tmp_path: Path) -> None:
    search = searched(str(mutant("checkpoint", *SAFEGUARDS[safeguard], tmp_path)) + "?leak=off")
    assert search.verdict == "broken"
    assert search.by_invariant[EMPTY] > 0


def test_the_opening_run_shows_the_log_growing() -> None:
    outcome = perform(f"checkpoint?{checkpoint.OPENING}")
    assert outcome.broken == (EMPTY,)
    assert checkpoints(outcome, "PASSIVE") == [(0, 1, 1), (0, 2, 1), (0, 3, 1)]


class Thinking:
    """A clock whose sleeper is woken by hand."""

    def __init__(self) -> None:
        self.asleep, self.answered = asyncio.Event(), asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        assert seconds == checkpoint.THINKING
        self.asleep.set()
        await self.answered.wait()


@pytest.mark.parametrize("leak", ["on", "off"])
def test_real_aiosqlite_gives_the_same_answers(leak: str, tmp_path: Path) -> None:
    file, how = tmp_path / "real.db", {"timeout": 0, **checkpoint.CONNECT}

    async def real() -> dict[str, object]:
        clock = Thinking()
        async with aiosqlite.connect(file, **how) as one, aiosqlite.connect(file, **how) as other:
            await one.execute("PRAGMA journal_mode = wal")
            await one.executescript(checkpoint.SCHEMA)
            await checkpoint.janitor(other)
            reporting = asyncio.create_task(checkpoint.reporter(one, clock, leak))
            await clock.asleep.wait()
            told: dict[str, object] = {"recorder": await checkpoint.recorder(other)}
            clock.answered.set()
            return {"reporter": await reporting, **told}

    grants = "AAABBBBBBBtA" if leak == "on" else "AAAABBBBBBBtA"
    simulated = perform(f"checkpoint?leak={leak}&timeout=0&grants={grants}")
    assert asyncio.run(real()) == simulated.run.told
