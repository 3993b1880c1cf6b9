"""The drill of the hooks: its figures, its five checks, and what it says of them."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from explorer.drills.crowd import Ended
from explorer.drills.owners import CHECKS, Found, Plan, judged, prepare
from sim_core import reported
from sim_core.judge.scenario import load
from tests.cli.hostile import explorer

SMALL = ("drill", "owners", "--processes", "30", "--concurrent", "15", "--owners", "10")


def test_with_all_fixes_nothing_fails_and_greens_say_how_little_that_is() -> None:
    done = explorer(*SMALL, "--repeat", "2", "--json")
    answer = json.loads(done.stdout)
    (row,) = answer["rows"]
    assert (done.returncode, answer["schema"], answer["verdict"]) == (
        0,
        {"name": "drill", "version": 1},
        "ok",
    )
    assert (row["runs"], row["broken"], row["failed_processes"], row["lost"]) == (2, 0, 0, 0)
    assert row["journal"] == ["wal", "wal"] and row["write_ms"] > 0
    assert (row["greens"]["greens"], row["greens"]["needed"]) == (2, 44)
    assert answer["sqlite"] == sqlite3.sqlite_version


def test_the_checks_are_those_of_the_matrix_by_the_same_names() -> None:
    assert list(CHECKS) == [one.name for one in load("owners").checks]


def test_our_figures_stand_in_the_reported_table() -> None:
    done = explorer(*SMALL, "--fix", "none", "--fix", "1,2", "--file", "wal", COLUMNS="140")
    lines = done.stdout.splitlines()
    assert done.returncode in (0, 1), done.stderr
    rows = [" ".join(line.split()) for line in lines]
    assert any(
        row.startswith("none ")
        and row.endswith("6.7 % alone on the machine, 24 % on a noisy machine")
        for row in rows
    )
    assert "1 1 of 10 runs" in rows and "1, 2 and 3 0 of 20 runs" in rows
    assert any(row.endswith("0 of 10 runs; then 7 of 300 processes on a new file") for row in rows)
    assert f"reported: “{reported.OWNERS}” ({reported.PLATFORM})" in lines
    assert any("mode." in row for row in rows) and any("on a WAL file" in row for row in rows)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--fix", "4"), "'4' names no fixes"),
        (("--fix", "1,1"), "'1,1' names no fixes"),
        (("--owners", "40"), "40 owners need a process each; give --processes 40, or --owners 30."),
        (("--processes", "0"), "0 is not in the range"),
        (("--file", "old"), "'old' is not one of"),
    ],
)
def test_words_that_are_off_are_said(words: tuple[str, ...], said: str) -> None:
    done = explorer(*SMALL, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and "Traceback" not in done.stderr


def test_when_the_time_is_used_up_what_was_made_counts() -> None:
    done = explorer(*SMALL, "--repeat", "10000", "--limit", "8", "--json")
    (row,) = json.loads(done.stdout)["rows"]
    assert row["stopped"] == "the time that it may take is used up"
    assert row["runs"] < 10_000


def test_where_the_time_was_too_short_nothing_was_tested_and_more_of_it_is_offered() -> None:
    words = (*SMALL, "--fix", "1,2,3", "--fix", "none", "--limit", "1", "--processes", "3000")
    done = explorer(*words, COLUMNS="200")
    assert done.returncode == 1
    assert done.stdout.count("Nothing was tested: no run came to its end.") == 2
    assert "0 of 0" not in done.stdout
    assert done.stdout.splitlines()[-1].endswith("--fix 1,2,3 --fix none --limit 10")
    assert json.loads(explorer(*words, "--json").stdout)["verdict"] == "untested"


def test_a_run_of_another_size_is_not_compared_with_the_reported_ones() -> None:
    out = explorer("drill", "owners", "--processes", "4", "--owners", "4", COLUMNS="80").stdout
    assert "drill owners   4 processes, 4 at a time, 4 owners" in out
    assert "their rates do not compare" in " ".join(out.split()) and "takes 44 greens" not in out
    assert max(map(len, out.splitlines())) <= 80


# The five checks, on files that hold what went wrong.

PLAN = Plan(processes=12, concurrent=4, owners=4, fixes=(), file="new", client="stranger")


@pytest.fixture
def look(tmp_path: Path) -> Callable[..., Found]:
    """Judge a file in which every hook has filed, and then something happened."""

    def after(change: str = "", status: int = 0) -> Found:
        path = tmp_path / "log.db"
        prepare(PLAN, path)
        with closing(sqlite3.connect(path)) as db:
            db.execute(
                "CREATE TABLE events (id INTEGER PRIMARY KEY, owner TEXT, kind TEXT, what TEXT)"
            )
            rows = [(PLAN.owner(n), PLAN.me(n)) for n in range(PLAN.processes)]
            db.executemany("INSERT INTO events (owner, kind, what) VALUES (?, 'event', ?)", rows)
            db.executescript(change)
            db.commit()
        said: dict[str, Any] = {"told": "filed", "failed": None, "met": [], "ms": 1.0}
        ended = [Ended(n, 0, said, False) for n in range(PLAN.processes)]
        ended[0] = ended[0]._replace(status=status)
        return judged(PLAN, path, ended, None)

    return after


def red(found: Found) -> list[str]:
    return [check for check, green in found.checks.items() if not green]


TOTAL, CODES, ALL, OWNERS, EACH = CHECKS


def test_when_all_is_well_every_check_is_green(look: Callable[..., Found]) -> None:
    assert red(look()) == []


def test_loss_is_seen_by_all_but_the_number_of_owners(look: Callable[..., Found]) -> None:
    assert red(look("DELETE FROM events WHERE id = 1", status=1)) == [TOTAL, CODES, ALL, EACH]


def test_an_owner_that_lost_every_row_is_seen_by_all(look: Callable[..., Found]) -> None:
    found = look("DELETE FROM events WHERE owner = 'seat-1'", status=1)
    assert red(found) == [TOTAL, CODES, ALL, OWNERS, EACH]


def test_a_record_under_a_new_owner_is_seen_by_two(look: Callable[..., Found]) -> None:
    found = look("UPDATE events SET owner = 'env-seat-0' WHERE id = 1")
    assert red(found) == [OWNERS, EACH]
    assert (found.drift.misfiled, found.drift.into_new.least) == (1, 1)


def test_a_record_under_another_owner_is_seen_by_one_alone(look: Callable[..., Found]) -> None:
    found = look("UPDATE events SET owner = 'seat-2' WHERE id = 1")
    assert red(found) == [EACH]
    assert (found.drift.misfiled, found.drift.between.least) == (1, 1)


def test_a_log_that_nobody_began_is_red_everywhere(look: Callable[..., Found]) -> None:
    assert red(look("DROP TABLE events", status=1)) == list(CHECKS)
