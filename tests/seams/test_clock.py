"""The clock moves only when told; the one on the wall can be set, if a scenario asks by name."""

from datetime import timedelta
from pathlib import Path

import pytest

from sim_core.errors import ScenarioError
from sim_core.judge.verdict import Outcome, perform
from sim_core.seams.clock import EPOCH, Clock

TICKING = """
SCHEMA = "CREATE TABLE t (at DEFAULT (unixepoch()))"
CONNECT = {"isolation_level": None}
WRITERS = ("one",)
TICK = 1000
async def one(db, clock):
    "Looks at the clock after each of three writes."
    seen = []
    for _ in range(3):
        await db.execute("INSERT INTO t DEFAULT VALUES")
        seen.append([clock.now().second, clock.monotonic()])
    rows = await db.execute_fetchall("SELECT at - unixepoch('2026-07-10 09:00:00') FROM t")
    return [seen, [at for (at,) in rows]]
"""


def run(folder: Path, clock: str, query: str = "") -> Outcome:
    path = folder / f"ticking{len(list(folder.iterdir()))}.py"  # a file is loaded once
    path.write_text(TICKING + clock)
    return perform(f"{path}?{query}")


def test_time_goes_forward_only() -> None:
    clock = Clock(5)
    clock.advance(5)
    with pytest.raises(AssertionError, match="cannot go back from 5 to 4"):
        clock.advance(4)


def test_local_time_is_the_runs_zone_and_today_is_utc() -> None:
    clock = Clock(16 * 3_600_000, "Asia/Tokyo")
    assert clock.now() == EPOCH + timedelta(hours=16)
    assert clock.local() == clock.now()
    assert clock.local().isoformat() == "2026-07-11T10:00:00+09:00"
    assert (str(clock.today()), str(clock.local().date())) == ("2026-07-11", "2026-07-11")
    early = Clock(7 * 3_600_000, "Asia/Tokyo")
    assert (str(early.today()), str(early.local().date())) == ("2026-07-10", "2026-07-11")


def test_python_and_sql_stand_in_the_same_zone(tmp_path: Path) -> None:
    path = tmp_path / "zoned.py"
    path.write_text("""
SCHEMA = "CREATE TABLE t (at DEFAULT (datetime('now', 'localtime')))"
WRITERS = ("one",)
async def one(db, clock):
    "Writes and looks."
    await db.execute("INSERT INTO t DEFAULT VALUES")
    rows = await db.execute_fetchall("SELECT at, datetime(at, 'utc') FROM t")
    return [rows, str(clock.local()), str(clock.now())]
""")
    told = perform(f"{path}?tz=America/St_Johns").run.told["one"]
    assert told == [
        [["2026-07-10 06:30:00", "2026-07-10 09:00:00"]],
        "2026-07-10 06:30:00-02:30",
        "2026-07-10 09:00:00+00:00",
    ]
    assert perform(str(path)).run.told["one"][0] == [["2026-07-10 09:00:00"] * 2]


def test_every_grant_ticks(tmp_path: Path) -> None:
    told = run(tmp_path, "").run.told["one"]
    assert told == [[[1, 1.0], [2, 2.0], [3, 3.0]], [1, 2, 3]]


def test_a_frozen_clock_stands_still_on_the_wall_and_deadlines_go_on(tmp_path: Path) -> None:
    told = run(tmp_path, 'CLOCK = "frozen"').run.told["one"]
    assert told == [[[0, 1.0], [0, 2.0], [0, 3.0]], [0, 0, 0]]


def test_a_clock_is_set_back_at_the_grant_that_was_named(tmp_path: Path) -> None:
    outcome = run(tmp_path, "CLOCK = ((2, -60), (3, 0.5))")
    assert outcome.run.told["one"] == [[[1, 1.0], [2, 2.0], [3, 3.0]], [1, -58, -57]]
    steps = [(e.grant, e.writer, e.answer) for e in outcome.run.events if e.kind == "clock"]
    assert steps == [(2, "t", -60), (3, "t", 0.5)]
    assert outcome.hash != run(tmp_path, "").hash


@pytest.mark.parametrize(
    "wrong", ["'slow'", "[(1, 2)]", "((0, 5),)", "((1,),)", "((1, 'x'),)", "5"]
)
def test_a_clock_that_is_off_is_named(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(ScenarioError, match=r"CLOCK of .* must be frozen"):
        run(tmp_path, f"CLOCK = {wrong}")


def test_an_invariants_sql_reads_the_runs_clock(tmp_path: Path) -> None:
    outcome = run(
        tmp_path,
        "INVARIANTS = (('fresh', 'Nothing here is older than a minute.',"
        " 'SELECT at FROM t WHERE at < unixepoch() - 60 OR at > unixepoch()'),)",
    )
    assert outcome.verdict == "ok"
