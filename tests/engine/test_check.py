"""Checking finds what makes two runs of one recipe differ, and names the place."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from sim_core.judge.verdict import perform
from sim_core.search.check import Check, digest, everything, hash_of, seeded

ROOT = Path(__file__).parent.parent.parent
RUN = "from explorer.cli import main; main()"

PARITY = """
import time
SCHEMA = "CREATE TABLE t (v)"
CONNECT = {"isolation_level": None}
WRITERS = ("one", "two")
def parity():
    return time.perf_counter_ns() % 2
async def one(db):
    "Writes a parity."
    await db.execute("INSERT INTO t VALUES (?)", (parity(),))
async def two(db):
    "Writes none."
    await db.execute("INSERT INTO t VALUES (2)")
"""

TODAY = """
from datetime import date
SCHEMA = "CREATE TABLE t (v)"
CONNECT = {"isolation_level": None}
WRITERS = ("one", "one")
async def one(db):
    "Writes a day."
    await db.execute("INSERT INTO t VALUES (?)", (date.today().isoformat(),))
"""


def checked(folder: Path, source: str, seeds: range = range(3)) -> Check:
    path = folder / "mine.py"
    path.write_text(textwrap.dedent(source))
    found = Check()
    for _ in found.over(seeded(str(path), seeds)):
        pass
    return found


def explorer(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", RUN, "check", *words],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def answer(*words: str, **environment: str) -> Any:
    return json.loads(explorer(*words, "--json", **environment).stdout)


@pytest.mark.parametrize(
    ("source", "call", "line"),
    [(PARITY, "time.perf_counter_ns", 7), (TODAY, "date.today", 8)],
    ids=["parity", "today"],
)
@pytest.mark.leaks
def test_a_leak_is_flagged_under_each_of_200_seeds(
    tmp_path: Path, source: str, call: str, line: int
) -> None:
    found = checked(tmp_path, source, range(200))
    ((leak, recipes),) = found.leaks.items()
    assert (leak.call, leak.line) == (call, line)
    assert len(set(recipes)) == 200


@pytest.mark.leaks
def test_comparing_alone_finds_a_parity_in_about_half_of_the_pairs(tmp_path: Path) -> None:
    found = checked(tmp_path, PARITY, range(60))
    assert 0 < len(found.divergences) < 60
    one = found.divergences[0]
    assert one.grant > 0 and one.first != one.second
    assert json.loads(one.first)[:6] == json.loads(one.second)[:6]


@pytest.mark.leaks
def test_what_leaks_from_run_to_run_without_a_call_is_named_by_its_grant(tmp_path: Path) -> None:
    found = checked(
        tmp_path,
        """
        import itertools
        numbers = itertools.count()
        SCHEMA = "CREATE TABLE t (v)"
        async def one(db):
            "Writes a number that outlives the run."
            await db.execute("SELECT 1")
            await db.execute("INSERT INTO t VALUES (?)", (next(numbers),))
        """,
        range(1),
    )
    assert not found.leaks
    (divergence,) = found.divergences
    assert divergence.grant == 2
    assert ("[0]" in divergence.first, "[1]" in divergence.second) == (True, True)


def test_clean_scenarios_give_no_finding() -> None:
    found = Check()
    for _ in found.over([*everything(range(5)), *seeded("tests/tiny/w3.py", range(5))]):
        pass
    assert not found.found and found.runs > 25


def test_every_scenario_comes_in_every_variant_and_both_journals() -> None:
    recipes = list(everything(range(2)))
    assert {"sections", "sections?seed=1", "sections?mode=warn&journal=wal&seed=1"} <= set(recipes)
    assert len(recipes) == len(set(recipes))


def test_a_recipe_that_does_not_come_to_a_run_is_a_finding_and_not_the_end(tmp_path: Path) -> None:
    found = checked(
        tmp_path,
        """
        SCHEMA = "CREATE TABLE t (v)"
        async def one(db):
            "Asks for what is not modelled."
            await db.execute("SELECT date('now', 'localtime', 'floor')")
        """,
    )
    assert [one.error for one in found.misfits] == ["UncoveredShape"] * 3
    assert found.runs == 0 and found.found


# The command.


def test_the_command_is_quiet_about_a_clean_recipe() -> None:
    done = explorer("sections?mode=warn", "--seeds", "0..4")
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("clean: 5 recipes")
    assert done.stdout.splitlines()[-1] == "next: explorer sweep 'sections?mode=warn'"


def test_the_command_names_the_call_site_and_returns_1(tmp_path: Path) -> None:
    path = tmp_path / "day.py"
    path.write_text(TODAY)
    done = explorer(f"{path}?seed=4")
    assert done.returncode == 1
    assert f"LEAK  date.today  {path}:8, in one" in done.stdout
    assert 'VALUES (?)", (date.today().isoformat(),))' in done.stdout


def test_the_order_of_a_set_shows_in_the_other_process(tmp_path: Path) -> None:
    path = tmp_path / "ordered.py"
    path.write_text(
        'SCHEMA = "CREATE TABLE t (v)"\nWRITERS = ("one",)\n'
        "async def one(db):\n    'Writes a set.'\n"
        "    for v in {f'name {i}' for i in range(20)}:\n"
        '        await db.execute("INSERT INTO t VALUES (?)", (v,))\n'
    )
    told = answer(str(path), "--seeds", "3")
    (divergence,) = told["divergences"]
    assert told["verdict"] == "leaky" and not told["leaks"]
    assert divergence["grant"] == 1 and "another process" in divergence["where"]
    assert "name" in divergence["first"] and divergence["first"] != divergence["second"]


def test_json_is_one_object_of_check_1() -> None:
    told = answer("sections", "--seeds", "0..2")
    assert told["schema"] == {"name": "check", "version": 1}
    assert (told["runs"], told["seeds"], told["verdict"]) == (3, [0, 2], "clean")
    assert told["digest"] == digest(map(hash_of, seeded("sections", range(3))))


@pytest.mark.parametrize("words", [[], ["sections", "--all"], ["nope"], ["sections?mode=x"]])
def test_words_that_are_off_get_status_2(words: list[str]) -> None:
    done = explorer(*words)
    assert done.returncode == 2 and "Traceback" not in done.stderr


def test_a_digest_is_the_same_under_every_hash_seed_and_in_every_zone() -> None:
    told = [
        explorer("--all", "--seeds", "0..9", "--digest", PYTHONHASHSEED=seed, TZ=zone).stdout
        for seed, zone in (("0", "UTC"), ("1", "Asia/Tokyo"), ("random", "America/St_Johns"))
    ]
    assert len(set(told)) == 1 and len(told[0].strip()) == 64


def test_every_test_runs_twice_and_fails_where_the_runs_differ(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        'SCHEMA = "CREATE TABLE t (v)"\nsaid = []\n'
        'async def one(db):\n    "Tells how often it ran."\n    said.append(1)\n'
        '    await db.execute("INSERT INTO t VALUES (?)", (len(said),))\n'
    )
    with pytest.raises(AssertionError, match="not the same run twice"):
        perform(str(path))
