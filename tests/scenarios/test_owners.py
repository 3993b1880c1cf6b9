"""The event under the wrong owner: what leads to it, and which fix closes what."""

from pathlib import Path

import pytest

from sim_core.figures import known
from sim_core.judge.verdict import perform
from sim_core.scenarios import owners
from sim_core.search.exhaust import Exhaust
from sim_core.search.sweep import Sweep
from tests.scenarios.mutants import mutant
from tests.searches import breaks, searched

ROW = "each event has one row"
OWNER = "every event is under its owner"
MARKER = "a placeholder has its marker"
LATER = "what the reconciler saw is filed"
WAL = "who filed left the log in wal"
FINISHED = "every writer finished"
ALL_OFF = "fix1=off&fix2=off&fix3=off"


def swept(recipe: str) -> Sweep:
    sweep = Sweep(recipe)
    for _ in sweep.over(range(30)):
        pass
    return sweep


def seen(sweep: Sweep) -> dict[str, int]:
    return {name: len(seeds) for name, seeds in sweep.by_invariant.items() if seeds}


# The collision, by SQLite's own locks.


def test_the_first_change_to_wal_is_refused_by_sqlite_and_by_nobody_else() -> None:
    outcome = perform(f"owners?{owners.OPENING}")
    (refused,) = [event for event in outcome.run.events if event.error]
    assert (refused.sql, refused.error) == ("PRAGMA journal_mode = WAL", "SQLITE_BUSY")
    assert (refused.lock, refused.holders, refused.side) == ("RESERVED", "A", "")
    assert outcome.recipe.faults == ()
    assert outcome.broken == (OWNER,)
    assert outcome.run.told == {"hook": "filed", "hook2": "filed"}


def test_with_everything_off_two_hooks_misfile_in_every_sixth_order_and_fail_in_a_few() -> None:
    search = searched(f"owners?{ALL_OFF}")
    assert (search.groups.orders, breaks(search)) == (8_220, {OWNER: 1_400, FINISHED: 32})
    assert seen(swept(f"owners?{ALL_OFF}")) == {OWNER: 5, FINISHED: 8}
    # a neighbour's environment is the right one for the neighbour
    search = searched(f"owners?{ALL_OFF}&client=neighbour")
    assert breaks(search) == {OWNER: 700, FINISHED: 32}


@pytest.mark.once
@pytest.mark.parametrize(
    "query", [ALL_OFF, pytest.param(f"{ALL_OFF}&client=neighbour", marks=pytest.mark.long)]
)
def test_what_the_reduction_leaves_out_nobody_misses(query: str) -> None:
    reduced, brute = searched(f"owners?{query}"), searched(f"owners?{query}", brute=True)
    assert reduced.explored < brute.explored / 50
    ends = [{(one.end, one.count, one.witness) for one in each.groups} for each in (reduced, brute)]
    assert ends[0] == ends[1]


# Every switch alone.

NEW = ""
REFUSED = "&journal=wal&faults=*.pragma-journal_mode-wal:SQLITE_BUSY"
"""A file in WAL, on which every PRAGMA journal_mode = WAL is refused: injected, since SQLite's own
locks never refuse it there."""
UNREADABLE = "&journal=wal&faults=A.select-owner:SQLITE_IOERR"

SWITCHES: dict[str, dict[str, set[str]]] = {
    "": {NEW: set(), REFUSED: set(), UNREADABLE: set()},
    "fix1=off": {NEW: set(), REFUSED: {FINISHED}, UNREADABLE: set()},
    "fix2=off": {NEW: set(), REFUSED: set(), UNREADABLE: {OWNER}},
    "fix3=off": {NEW: {FINISHED}, REFUSED: set(), UNREADABLE: set()},
}
"""Switched off → where → what breaks: nothing but what that fix is for."""


@pytest.mark.parametrize("off", SWITCHES)
@pytest.mark.parametrize("where", [NEW, REFUSED, UNREADABLE])
def test_every_switch_alone_breaks_what_its_fix_is_for(off: str, where: str) -> None:
    search = searched(f"owners?{off}{where}".replace("?&", "?"))
    assert set(breaks(search)) == SWITCHES[off][where]
    assert search.verdict == ("broken" if SWITCHES[off][where] else "proved")


def test_fix_1_alone_leaves_the_brand_new_file_as_it_was() -> None:
    assert set(breaks(searched("owners?fix2=off&fix3=off"))) == {OWNER, FINISHED}


def test_fixes_1_and_2_file_nothing_wrong_and_fail_now_and_then() -> None:
    assert breaks(searched("owners?fix3=off")) == {FINISHED: 88}
    assert seen(swept("owners?fix3=off")) == {FINISHED: FIXES_1_2_OF_30}


FIXES_1_2_OF_30 = 2


def test_on_a_file_in_wal_sqlite_itself_never_refuses_the_pragma() -> None:
    assert searched(f"owners?{ALL_OFF}&journal=wal").verdict == "proved"
    outcome = perform(f"owners?{ALL_OFF}{REFUSED}")
    refused = [one for one in outcome.run.events if one.kind == "operation" and one.error]
    assert {(one.error, one.side) for one in refused} == {("SQLITE_BUSY", "before")}


@pytest.mark.parametrize("client", ["stranger", "neighbour"])
def test_a_refused_pragma_files_under_the_environment(client: str) -> None:
    fault = "faults=B.pragma-journal_mode-wal.1:SQLITE_BUSY"
    outcome = perform(f"owners?{ALL_OFF}&journal=wal&client={client}&{fault}")
    assert outcome.broken == (OWNER,)
    wrong = {"stranger": owners.STRANGER, "neighbour": owners.NEIGHBOUR}[client]
    assert outcome.violations[0].detail.endswith(f"filed under {wrong}")


# Proved.


def test_all_fixes_are_proved_over_every_order_and_every_place_of_a_kill() -> None:
    """Measured anew by test_figures.py."""
    crashes = next(one["crashes"] for one in known()["owners"] if one["variant"] == "owners")
    assert crashes == {"verdict": "proved", "broken": 0, "orders": 218_058}


@pytest.mark.once
@pytest.mark.parametrize("fault", ["", "&faults=A.select-owner:SQLITE_IOERR"])
def test_all_fixes_are_proved_with_the_reconciler_and_a_kill_anywhere(fault: str) -> None:
    assert searched(f"owners?writers=hook,reconciler{fault}", crashes=1).verdict == "proved"


def test_the_reconciler_files_what_stood_under_a_placeholder() -> None:
    fault = "faults=A.select-owner:SQLITE_IOERR"
    outcome = perform(f"owners?writers=hook,reconciler&{fault}&grants={'A' * 9}", film=True)
    assert outcome.film is not None
    under = [frame.rows for frame in outcome.film.frames if frame.rows]
    assert (under[0], under[-1]) == ([("session hook", "hook")], [("seat-1", "hook")])
    assert outcome.run.told["reconciler"] == {"seen": 2, "filed": 2}
    assert outcome.broken == ()


@pytest.mark.parametrize("policy", ["uniform", "pct3"])
def test_who_is_kept_out_for_too_long_fails_loudly_and_files_nothing_wrong(policy: str) -> None:
    assert set(seen(swept(f"owners?timers=any&policy={policy}"))) == {FINISHED}


# Every safeguard: what is taken out, what stands there instead, under what, and what breaks.

UNREAD = "writers=hook,reconciler&faults=A.select-owner:SQLITE_IOERR"

MUTANTS = {
    "fix 1: it asks only where the file is not in WAL": (
        '        if mode == "wal":\n            return\n',
        "",
        REFUSED,
        FINISHED,
    ),
    "fix 2: no word of the environment": (
        "        owner = placeholder(session)\n",
        "        owner = STRANGER\n",
        UNREAD,
        OWNER,
    ),
    "fix 2: the placeholder is the session's": (
        'return f"session {session[:8]}"',
        'return "unknown"',
        UNREAD,
        LATER,
    ),
    "fix 2: the event is filed all the same": (
        '    await db.execute(row, {"owner": owner, "me": me})\n',
        '    if row == FILE:\n        await db.execute(row, {"owner": owner, "me": me})\n',
        UNREAD,
        ROW,
    ),
    "fix 2: the marker": ("        row += \", (:owner, 'marker', :me)\"\n", "", UNREAD, MARKER),
    "fix 2: the marker in the same statement": (
        "        row += \", (:owner, 'marker', :me)\"\n",
        "        await open_log(db, clock, fix1, fix3)\n"
        '        await db.execute(row, {"owner": owner, "me": me})\n'
        "        row = row.replace(\"'event'\", \"'marker'\")\n",
        UNREAD,
        MARKER,
    ),
    "fix 2: the reconciler files": (
        " WHERE events.owner = 'session '",
        " WHERE 0 AND events.owner = 'session '",
        UNREAD,
        LATER,
    ),
    "fix 2: each under the owner of its own session": (
        "\" WHERE events.owner = 'session ' || substr(session, 1, 8)\"",
        "\" WHERE events.owner LIKE 'session %' AND session = 'hook2'\"",
        UNREAD,
        OWNER,
    ),
    "fix 2: the reconciler moves the row, and makes no new one": (
        '        "UPDATE events SET owner = registry.owner FROM registry"\n',
        '        "INSERT INTO events (owner, kind, what)"\n'
        '        " SELECT registry.owner, kind, what FROM events, registry"\n',
        UNREAD,
        ROW,
    ),
    "fix 3: it tries again": ("ATTEMPTS = 5", "ATTEMPTS = 1", NEW, FINISHED),
    "fix 3: it waits before it tries again": (
        "            await clock.sleep(attempt / 20)  # longer each time\n",
        "            pass\n",
        NEW,
        FINISHED,
    ),
    "fix 3: it fails loudly": (
        "    raise busy\n",
        "    return\n",
        "writers=hook,reconciler&faults=A.pragma-journal_mode-wal:SQLITE_BUSY",
        WAL,
    ),
    "who fails amid the schema gives it back": (
        "        await db.rollback()\n",
        "",
        "writers=hook,reconciler&faults=A.create-table.1:SQLITE_FULL",
        FINISHED,
    ),
}


@pytest.mark.parametrize("safeguard", MUTANTS)
def test_without_one_safeguard_its_promise_is_broken(safeguard: str, tmp_path: Path) -> None:
    old, new, query, promise = MUTANTS[safeguard]
    crashes = int("same statement" in safeguard)
    assert not is_broken(f"owners?{query}".replace("?&", "?"), promise, crashes)
    file = mutant("owners", old, new, tmp_path)
    assert is_broken(f"{file}?{query}".replace("?&", "?"), promise, crashes)


MOST_RUNS = 3_000


def is_broken(recipe: str, promise: str, crashes: int) -> bool:
    """Say whether some order breaks a promise; of more than so many runs, one of the first."""
    search = Exhaust(recipe, crashes=crashes, budget=MOST_RUNS)
    return any(search.seen_red[promise] for _ in search.steps())


def test_five_attempts_with_a_longer_wait_before_each() -> None:
    recipe = "owners?writers=hook,reconciler&faults=A.pragma-journal_mode-wal:SQLITE_BUSY"
    outcome = perform(recipe)
    assert outcome.broken == (FINISHED,)
    made = [event for event in outcome.run.events if event.writer == "A"]
    slept = [event.parameters for event in made if event.call == "sleep"]
    assert slept == [(0.05,), (0.1,), (0.15,), (0.2,)] * 2
    refused = [event.error for event in made if event.call == "execute" and event.error]
    assert refused == ["SQLITE_BUSY"] * 10
