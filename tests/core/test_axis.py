"""The axis of virtual time: what stands on it, and where there is none."""

from pathlib import Path

import pytest

from sim_core.axis import axis_text, moments, seconds
from sim_core.bridge import run_json
from sim_core.errors import ScenarioError
from sim_core.judge.verdict import perform
from sim_core.report import run_text

SCENARIO = '''"""One waits."""

SCHEMA = "CREATE TABLE t (v INTEGER);"


async def waits(db, clock):
    """Writes, waits, writes."""
    await db.execute("INSERT INTO t VALUES (1)")
    {wait}
    await db.execute("INSERT INTO t VALUES (2)")
    await db.commit()


def the_writes(events):
    for event in events:
        if event.sql.startswith("INSERT"):
            yield {moment}


AXIS = the_writes
'''


def scenario(
    tmp_path: Path, wait: str = "await clock.sleep(2.5)", moment: str = 'event, "writes"'
) -> str:
    path = tmp_path / "waits.py"
    path.write_text(SCENARIO.format(wait=wait, moment=moment))
    return f"{path}?writers=waits"


def test_a_scenario_names_its_moments_and_both_report_and_json_have_them(tmp_path: Path) -> None:
    outcome = perform(scenario(tmp_path), film=True)
    assert [(one.at, one.label, one.writer) for one in moments(outcome)] == [
        (0, "writes", "A"),
        (2500, "writes", "A"),
    ]
    lines = list(axis_text(outcome, 40))
    assert lines == [
        "the writes, in virtual time",
        "       1                         2",
        "  0 s  ┴─────────────────────────┴ 2.5 s",
        "  1   0 s  A waits  writes",
        "  2 2.5 s  A waits  writes",
    ]
    assert "\n".join(lines) in run_text(outcome, 40)
    answer = run_json(outcome)
    assert answer["axis_title"] == "the writes"
    assert answer["axis"][1] == {"at": 2500, "label": "writes", "writer": "A", "grant": 4}


def test_what_happened_at_one_moment_stands_on_top_of_each_other() -> None:
    outcome = perform("claims?startup=600&writers=session,reaper&grants=AtBBBtAA")
    assert list(axis_text(outcome, 40))[1:4] == [
        "            2                    4",
        "       1    3                    5",
        "  0 s  ┴────┴────────────────────┴ 600 s",
    ]


def test_where_the_clock_does_not_move_there_is_no_axis(tmp_path: Path) -> None:
    outcome = perform(scenario(tmp_path, wait="pass"), film=True)
    assert not moments(outcome)
    assert "virtual time" not in run_text(outcome)
    assert "axis" not in run_json(outcome)


@pytest.mark.parametrize("moment", ['"writes"', "event", "event, 1", "1 / 0"])
def test_what_is_no_moment_is_told_with_its_remedy(moment: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="AXIS of"):
        moments(perform(scenario(tmp_path, moment=moment)))


def test_seconds_are_told_without_what_nobody_reads() -> None:
    assert [seconds(at) for at in (0, 120_000, 2_500, 1)] == ["0 s", "120 s", "2.5 s", "0.001 s"]
