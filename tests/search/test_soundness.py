"""What the searches leave out, nobody misses: held against brute force, program by program.

A footprint that forgets a resource still gives a verdict, and a wrong one. So every search here
is compared with the walk of every order, over programs that nobody chose; and a search that is
known to be wrong (tables without locks) has to be caught by the same programs.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from sim_core.judge.end import End
from sim_core.judge.scenario import recipe_of
from sim_core.judge.trial import Outcome, Trial
from sim_core.search.counting import Count
from sim_core.search.exhaust import Exhaust
from sim_core.search.footprint import Footprint, dependent
from sim_core.search.orders import Walk
from tests.search.programs import FILE, MEMORY, TICKS, Program, program

pytestmark = pytest.mark.once

PROGRAMS = 300
BLOCKS = 10


class Found(NamedTuple):
    """What a search came upon."""

    ends: frozenset[End]
    red: frozenset[str]


class Case(NamedTuple):
    """A program, and the truth about it."""

    program: Program
    recipe: str
    trial: Trial
    brute: Count
    truth: Found


def found(outcomes: Iterable[Outcome], always: frozenset[str]) -> Found:
    """Return the ends, and everything that was broken on the way.

    What is promised of every moment is no part of an end, because equal orders pass through
    different moments; it has to be red in some run, be it one that was cut short.
    """
    ends, red = set(), set()
    for outcome in outcomes:
        red.update(outcome.broken)
        if not outcome.cut:
            lasting = tuple(name for name in outcome.broken if name not in always)
            ends.add(End.of(outcome.run, outcome.rows, lasting))
    return Found(frozenset(ends), frozenset(red))


def always(trial: Trial) -> frozenset[str]:
    return frozenset(one.name for one in trial.scenario.invariants if one.always)


def reduced(trial: Trial) -> Found:
    return found(Walk(trial, reduce=True, rows=True).outcomes(), always(trial))


def counted(trial: Trial, *, merge: bool) -> tuple[Count, Found]:
    count = Count(trial, merge=merge)
    return count, found(count.steps(), always(trial))


def figures(count: Count | Exhaust) -> dict[End, tuple[int, object]]:
    return {group.end: (group.count, group.probability) for group in count.groups}


def witnesses(count: Count) -> dict[End, str]:
    return {group.end: group.witness for group in count.groups}


def case(one: Program, folder: Path) -> Case:
    recipe = one.recipe(folder)
    trial = Trial(*recipe_of(recipe))
    return Case(one, recipe, trial, *counted(trial, merge=False))


@pytest.fixture(scope="module", params=range(BLOCKS))
def block(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    """Return every tenth program, with all its orders walked."""
    folder = tmp_path_factory.mktemp("programs")
    seeds = range(request.param, PROGRAMS, BLOCKS)
    return [case(program(seed), folder) for seed in seeds]


def only_the_file(block: list[Case]) -> list[Case]:
    return [one for one in block if one.program.shares == FILE]


def test_the_reduced_walk_misses_no_end_and_no_violation(block: list[Case]) -> None:
    for one in only_the_file(block):
        seen = reduced(one.trial)
        assert seen == one.truth, (
            f"program({one.program.seed}), {one.program.style}:"
            f" {one.program.query}\nthe reduced walk found\n{seen}\nand there is\n{one.truth}"
        )


def test_path_counting_and_brute_force_count_alike(block: list[Case]) -> None:
    for one in only_the_file(block):
        merged, _ = counted(one.trial, merge=True)
        assert merged.groups.orders == one.brute.groups.orders == one.brute.runs
        assert figures(merged) == figures(one.brute), f"program({one.program.seed})"
        assert witnesses(merged) == witnesses(one.brute), f"program({one.program.seed})"
        assert sum(group.probability for group in merged.groups) == 1


def tables_alone(one: Footprint, other: Footprint) -> bool:
    """What everybody thinks of first: two statements meet where they meet in a table."""
    if "ALL" in one or "ALL" in other:
        return True
    tables = [{k: v for k, v in each.items() if k.startswith("table ")} for each in (one, other)]
    return dependent(*tables)


def test_footprints_of_tables_alone_miss_ends(
    block: list[Case], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim_core.search.orders.dependent", tables_alone)
    missed = [one.program.seed for one in only_the_file(block) if reduced(one.trial) != one.truth]
    assert len(missed) >= 5


def test_where_more_than_the_file_is_shared_every_order_is_walked(block: list[Case]) -> None:
    """And the scope says why."""
    for one in block:
        search = Exhaust(one.recipe)
        assert bool(search.scope.why) == (one.program.shares != FILE), search.scope
        if one.program.shares != FILE:
            assert list(search.steps())
            assert figures(search) == figures(one.brute)
            assert search.explored == one.brute.runs


def test_reduced_all_the_same_such_programs_would_be_judged_wrongly(tmp_path: Path) -> None:
    """So leaving reduction off is not mere caution. (Writers who share a connection meet in it
    at every step, so that nothing is left out even then.)"""
    wrong = set()
    for seed in range(PROGRAMS):
        if (one := program(seed)).shares != FILE:
            this = case(one, tmp_path)
            merged, _ = counted(this.trial, merge=True)
            if reduced(this.trial) != this.truth or figures(merged) != figures(this.brute):
                wrong.add(one.shares)
    assert wrong == {TICKS, MEMORY}


# What no throw of the dice is likely to come to, one by one.

TWO_TABLES = """
CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER); INSERT INTO t VALUES (1, 0);
CREATE TABLE u (k INTEGER PRIMARY KEY, v INTEGER); INSERT INTO u VALUES (1, 0);
"""

RARE = {
    "a setting makes the same text read another table": (
        """
CREATE TABLE parent (k INTEGER PRIMARY KEY); CREATE TABLE child (k REFERENCES parent);
""",
        ("INSERT INTO child VALUES (1)",),
        ("PRAGMA foreign_keys=ON", *["INSERT INTO child VALUES (1)"] * 2),
        ("INSERT INTO parent VALUES (1)",),
    ),
    "a virtual table keeps its rows where no program tells": (
        "CREATE VIRTUAL TABLE f USING fts5(v);",
        ("INSERT INTO f VALUES ('a')",),
        ("SELECT count(*) FROM f", "SELECT count(*) FROM f"),
    ),
    "a view is made anew under its old name": (
        TWO_TABLES + "UPDATE t SET v = 5; CREATE VIEW w AS SELECT sum(v) FROM t;",
        ("SELECT * FROM w", "SELECT * FROM w"),
        ("DROP VIEW w", "CREATE VIEW w AS SELECT sum(v) FROM u"),
        ("UPDATE u SET v = 1",),
    ),
    "a statement means something only later": (
        TWO_TABLES,
        ("SELECT * FROM w", "SELECT * FROM w"),
        ("CREATE VIEW w AS SELECT sum(v) FROM u",),
        ("UPDATE u SET v = 1",),
    ),
    "an autocommit that waits for a reader keeps new readers out": (
        TWO_TABLES,
        ("BEGIN", "SELECT v FROM t", "COMMIT"),
        ("UPDATE t SET v = 1",),
        ("PRAGMA busy_timeout=0", "SELECT v FROM u"),
    ),
    "a question is about the file and not about a table": (
        TWO_TABLES,
        ("INSERT INTO t VALUES (2, zeroblob(9000))",),
        ("PRAGMA page_count", "PRAGMA page_count"),
    ),
}


def scenario(schema: str, *writers: tuple[str, ...]) -> str:
    head = f'"""Rare."""\nimport sqlite3\nSCHEMA = """{schema}"""\n'
    head += "CONNECT = {'isolation_level': None}\n"
    head += "INVARIANTS = (('none', 'Nothing is promised.', 'SELECT 1 WHERE 0'),)\n"
    names = [f"writer{number}" for number in range(len(writers))]
    return head + f"WRITERS = {tuple(names)}\n" + "".join(map(written, names, writers))


def written(name: str, steps: tuple[str, ...]) -> str:
    return f'''
async def {name}(db):
    """Takes its steps whatever comes of them."""
    seen = []
    for sql in {steps}:
        try:
            cursor = await db.execute(sql)
            seen.append(await cursor.fetchall())
        except sqlite3.Error as error:
            seen.append(error.sqlite_errorname)
    return seen
'''


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize("what", RARE)
def test_rare_things_are_not_missed_either(what: str, journal: str, tmp_path: Path) -> None:
    path = tmp_path / "rare.py"
    path.write_text(scenario(*RARE[what]))
    trial = Trial(*recipe_of(f"{path}?journal={journal}"))
    seen = reduced(trial)
    merged, _ = counted(trial, merge=True)
    brute, truth = counted(trial, merge=False)
    assert len(truth.ends) > 1
    assert seen == truth
    assert figures(merged) == figures(brute)


STARTS_OVER = (
    ("INSERT INTO t (v) VALUES (1)", "BEGIN IMMEDIATE", "SELECT last_insert_rowid()", "COMMIT"),
    ("SELECT last_insert_rowid()", "INSERT INTO t (v) VALUES (2)", "SELECT sum(v) FROM t"),
)
"""What a kept connection cannot answer, after some grants (engine/pool.py)."""


def test_a_run_that_starts_over_on_a_fresh_file_counts_once(tmp_path: Path) -> None:
    def trial(number: int) -> Trial:
        path = tmp_path / f"starts_over_{number}.py"
        # only the first run of a schema starts over, so every search has its own
        path.write_text(scenario(f"{TWO_TABLES}-- {number}, {tmp_path}", *STARTS_OVER))
        return Trial(*recipe_of(str(path)))

    brute, truth = counted(first := trial(0), merge=False)
    assert figures(brute) == figures(counted(first, merge=False)[0])
    assert figures(brute) == figures(counted(trial(1), merge=True)[0])
    assert reduced(trial(2)) == truth


ORDER_OF_EVENTS = """
def writer0_goes_first(events):
    if next(one for one in events if one.kind == "operation").writer != "A":
        yield "writer1 went first"


INVARIANTS = (writer0_goes_first,)
"""


def test_a_promise_about_the_order_of_events_is_judged_in_every_order(tmp_path: Path) -> None:
    path = tmp_path / "events.py"
    steps = ("UPDATE t SET v = 1",), ("UPDATE u SET v = 1",)
    path.write_text(scenario(TWO_TABLES, *steps) + ORDER_OF_EVENTS)
    search = Exhaust(str(path))
    assert list(search.steps())
    assert (search.groups.broken, search.groups.orders) == (1, 2)
    assert search.verdict == "broken"
