"""Programs that change the journal mode and the schema while others write: what the searches leave
out, nobody misses.

Opening a file is where programs do both, and where most of what a statement means is still in
motion: who has read since, knows the mode; who reads the schema, other tables. So these programs
are nothing but openings, put together from a seed, and every search is held against brute force.
"""

import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from sim_core.judge.end import End
from sim_core.judge.scenario import recipe_of
from sim_core.judge.trial import Outcome, Trial
from sim_core.search import footprint
from sim_core.search.counting import Count
from sim_core.search.orders import Walk
from sim_core.search.outcomes import Group

pytestmark = pytest.mark.once

HEAD = '''"""An opening."""

import sqlite3

SCHEMA = "CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER); INSERT INTO t VALUES (1, 0);"
CONNECT = {"isolation_level": None}
WRITERS = ("one", "two")


async def step(db, seen, sql):
    try:
        cursor = await db.execute(sql)
        rows = await cursor.fetchall()
        seen.append([list(row) for row in rows])
    except sqlite3.Error as error:
        seen.append(getattr(error, "sqlite_errorname", "no name"))

'''

PIECES = (
    ("PRAGMA journal_mode",),
    ("PRAGMA journal_mode",),
    ("PRAGMA journal_mode = wal",),
    ("PRAGMA journal_mode = wal",),
    ("SELECT name FROM sqlite_schema ORDER BY name",),
    ("SELECT v FROM t",),
    ("UPDATE t SET v = v + 1",),
    ("INSERT INTO e (w) VALUES (7)",),
    ("SELECT count(*) FROM e",),
    ("CREATE TABLE IF NOT EXISTS e (w)",),
    ("DROP TABLE IF EXISTS e",),
    ("BEGIN IMMEDIATE", "CREATE TABLE IF NOT EXISTS e (w)", "COMMIT"),
    (
        "BEGIN IMMEDIATE",
        "CREATE TABLE IF NOT EXISTS e (w)",
        "INSERT INTO e (w) VALUES (8)",
        "COMMIT",
    ),
    ("BEGIN IMMEDIATE", "CREATE TABLE e (w, x)", "ROLLBACK"),
    ("BEGIN IMMEDIATE", "UPDATE t SET v = v + 3", "COMMIT"),
    ("BEGIN", "SELECT v FROM t", "COMMIT"),
    ("BEGIN", "CREATE TABLE IF NOT EXISTS f (w)"),
)
MOST = 5
"""Steps of one writer."""


def program(seed: int) -> str:
    """Return a scenario's text: two writers, each a few pieces long."""
    dice = random.Random(seed)
    text = HEAD
    for role in ("one", "two"):
        steps: list[str] = []
        while len(steps) < 3:
            steps += dice.choice(PIECES)
        lines = "".join(f'    await step(db, seen, "{sql}")\n' for sql in steps[:MOST])
        text += f'\nasync def {role}(db):\n    """Opens."""\n    seen = []\n{lines}'
        text += "    return seen\n\n"
    return text


def trial(seed: int, folder: Path) -> Trial:
    path = folder / f"opening_{seed}.py"
    path.write_text(program(seed))
    crash = f"&faults={'AB'[seed % 2]}{1 + seed % 4}before:crash" if seed % 3 == 0 else ""
    return Trial(*recipe_of(f"{path}?timeout=1{crash}"))


def ends(outcomes: Iterable[Outcome]) -> set[End]:
    return {End.of(one.run, one.rows, one.broken) for one in outcomes if not one.cut}


def groups(count: Count) -> dict[End, tuple[int, object, str]]:
    for _ in count.steps():
        pass
    found: dict[End, Group] = {group.end: group for group in count.groups}
    return {end: (one.count, one.probability, one.witness) for end, one in found.items()}


@pytest.mark.parametrize("block", range(6))
def test_openings_are_searched_as_by_brute_force(block: int, tmp_path: Path) -> None:
    for seed in range(block, 120, 6):
        this = trial(seed, tmp_path)
        brute = groups(Count(this, merge=False))
        assert groups(Count(this, merge=True)) == brute, f"merging is wrong about:\n{program(seed)}"
        reduced = ends(Walk(this, reduce=True, rows=True).outcomes())
        assert reduced == set(brute), f"the reduced walk is wrong about:\n{program(seed)}"


def wrong(what: str, tmp_path: Path) -> bool:
    """Say whether some program shows that a search goes wrong."""
    for seed in range(120):
        this = trial(seed, tmp_path)
        brute = groups(Count(this, merge=False))
        if what == "merging":
            found: object = groups(Count(this, merge=True))
        else:
            found, brute = ends(Walk(this, reduce=True, rows=True).outcomes()), set(brute)  # type: ignore[assignment]
        if found != brute:
            return True
    return False


def test_a_change_of_the_mode_that_touches_nothing_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = footprint._mode

    def blind(*given: object) -> footprint.Footprint | None:
        return {} if given[1].operation.sql.startswith("PRAGMA") else true(*given)  # type: ignore[attr-defined, arg-type]

    monkeypatch.setattr(footprint, "_mode", blind)
    assert wrong("reduction", tmp_path)


def test_merging_that_forgets_who_is_behind_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sim_core.engine import execution

    monkeypatch.setattr(execution.Hold, "behind", property(lambda _: False, lambda *_: None))
    assert wrong("merging", tmp_path)
