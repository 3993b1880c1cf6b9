"""The drill of the claims: what the real process list shows, and what each suite judges."""

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from explorer.drills import claims as drill
from explorer.drills.child import load
from explorer.drills.processlist import PROC, Processes, shown
from tests.cli.hostile import explorer

pytestmark = pytest.mark.skipif(os.name != "posix", reason="this system has no process list")


def drilled(*words: str) -> tuple[int, dict[str, Any]]:
    done = explorer("drill", "claims", *words, "--json")
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize("suite", ["S1", "S2"])
def test_keys_are_won_once_an_epoch_and_epochs_have_no_gaps(suite: str) -> None:
    status, answer = drilled("--suite", suite, "--workers", "6")
    assert (status, answer["verdict"], answer["by_promise"]["one winner an epoch"]) == (0, "ok", 0)
    assert answer["told"]["denied"] > 0, "nobody came in anybody's way"
    assert answer["acts"]["claimed"] > answer["workers"]


def test_without_grace_the_reaper_evicts_a_session_that_lives() -> None:
    status, answer = drilled("--suite", "S3", "--grace", "off", "--speed", "80")
    assert (status, answer["by_promise"]["only the dead are reaped"]) == (1, 1)
    assert answer["evicted_alive"] > 0 and answer["first_eviction_s"][0] < 60
    assert "which lives" in answer["examples"]["only the dead are reaped"]


def test_with_grace_it_evicts_only_the_dead() -> None:
    status, answer = drilled("--suite", "S3", "--workers", "6", "--speed", "12")
    assert (status, answer["evicted_alive"], answer["broken"]) == (0, 0, 0), answer
    assert answer["acts"]["evicted"] == drill.SUITES["S3"].launchers
    assert answer["told"]["looks"] > 0 and answer["acts"]["completed"] > 0


def test_a_person_is_told_that_time_is_shortened() -> None:
    done = explorer("drill", "claims", "--suite", "S1", "--workers", "3", COLUMNS="140")
    assert done.returncode == 0
    assert "Time is shortened: TTL 12.5 s, published 300." in done.stdout
    assert "1 green excludes, with 95 % confidence" in done.stdout


def test_what_nothing_could_break_is_not_called_kept() -> None:
    done = explorer("drill", "claims", "--suite", "S1", "--workers", "3")
    rows = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert "only the dead are reaped not tested: nothing was evicted" in rows
    assert "a renewal keeps its epoch not tested: nothing was renewed" in rows
    assert "a reclaim takes a fresh epoch broken in 0 of 1" in rows
    done = explorer("drill", "claims", "--suite", "S1", "--grace", "off")
    assert (done.returncode, "In S1 nobody reaps" in done.stderr) == (2, True)


def test_one_worker_is_one_and_haste_is_said() -> None:
    words = ("drill", "claims", "--suite", "S1", "--workers", "1", "--speed", "1000")
    out = " ".join(explorer(*words, COLUMNS="140").stdout.split())
    assert "1 worker;" in out and "At --speed 1000 the times are so short" in out


def test_a_suite_that_does_not_exist_is_said() -> None:
    done = explorer("drill", "claims", "--suite", "S4")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'S4' is not one of" in done.stderr


# The process list.


def test_a_slow_session_shows_only_when_it_has_come_up() -> None:
    processes, name = Processes(), f"auto-test-{os.getpid()}"
    began = time.monotonic()
    processes.show(name, after=0.5)
    assert not shown(name)
    while not processes.shows(name):
        assert time.monotonic() - began < 30
    assert time.monotonic() - began >= 0.5
    processes.hide(name)
    assert not shown(name)
    assert len(processes.took) == 1 and processes.took[0] >= 0.5


def test_a_name_is_a_whole_word_of_the_command() -> None:
    processes, name = Processes(), f"auto-test-{os.getpid()}-whole"
    processes.show(name)
    began = time.monotonic()
    while not processes.shows(name):
        assert time.monotonic() - began < 30
    assert not shown(name[:-1]) and not shown(f"{name}x")
    processes.hide(name)


def test_where_there_is_no_proc_ps_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.drills.processlist.PROC", "/nowhere")
    test_a_name_is_a_whole_word_of_the_command()
    assert PROC != "/nowhere"


# What a suite promises can be seen to break.


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    claims = load(drill.scenario.__file__)
    with closing(sqlite3.connect(tmp_path / "claims.db")) as db:
        db.executescript(claims.SCHEMA)
        yield db


class Dead:
    def lives(self, number: str) -> bool:
        return False


ROW = "INSERT INTO history (at, act, actor, key, claimer, epoch, old_status, old_expires_at) VALUES"


def test_two_winners_of_one_epoch_are_seen(db: sqlite3.Connection) -> None:
    db.execute(f"{ROW} (1, 'claimed', 'a', 'k', 'auto-a', 1, NULL, NULL)")
    assert not [*drill._one_winner(db, {"a": {"won": [("k", 1)]}})]
    assert [*drill._one_winner(db, {"b": {"won": [("k", 1)]}})]
    db.execute(f"{ROW} (2, 'claimed', 'b', 'k', 'auto-b', 1, 'abandoned', 9)")
    assert [*drill._one_winner(db, {})] == ["epoch 1 of “k” has 2 winners"]


def test_a_clobbered_claim_is_seen(db: sqlite3.Connection) -> None:
    db.execute(f"{ROW} (1, 'claimed', 'a', 'k', 'auto-a', 1, NULL, NULL)")
    db.execute(f"{ROW} (20, 'claimed', 'b', 'k', 'auto-b', 2, 'claimed', 10)")
    assert not [*drill._not_clobbered(db)]
    db.execute(f"{ROW} (25, 'claimed', 'c', 'k', 'auto-c', 3, 'claimed', 30)")
    assert [*drill._not_clobbered(db)] == ["auto-c claimed “k” while auto-b held it"]


def test_a_phantom_is_seen(db: sqlite3.Connection) -> None:
    claims = load(drill.scenario.__file__)
    old = 1000 * (claims.TTL + claims.GRACE)
    sql = (
        "INSERT INTO claims (key, claimer, epoch, status, registered_at) "
        "SELECT ?, 'auto-a', 1, 'claimed', now - ? FROM clock"
    )
    db.execute(sql, ("young", old - 60_000))
    assert not [*drill._no_phantom(db, Dead(), claims)]  # type: ignore[arg-type]
    db.execute(sql, ("old", old + 1))
    (said,) = drill._no_phantom(db, Dead(), claims)  # type: ignore[arg-type]
    assert "“old” is still held by the dead" in said


def test_a_key_that_is_not_completed_is_seen(db: sqlite3.Connection) -> None:
    sql = "INSERT INTO claims (key, claimer, epoch, status, registered_at) VALUES (?, 'a', ?, ?, 1)"
    claims = load(drill.scenario.__file__)
    db.execute(sql, ("k", drill.BACK, "completed"))
    assert not [*drill._all_completed(db, {"a": {}}, claims)]
    db.execute(sql, ("l", drill.BACK - 1, "abandoned"))
    assert [*drill._all_completed(db, {"a": {}}, claims)] == ["“l” ended abandoned in epoch 2"]
