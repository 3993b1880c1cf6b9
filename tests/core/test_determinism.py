"""Same recipe, same bytes: in a fresh process, under any hash seed; other schedules differ."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sim_core.judge.verdict import perform

ROOT = Path(__file__).parent.parent.parent
RECIPES = [
    *(f"sections?mode={mode}&seed={seed}" for mode in ("warn", "enforce") for seed in range(5)),
    "sections?mode=warn&seed=3&writers=careful,blind,overwriter,reader,careful&journal=wal",
    "sections?mode=warn&seed=16&faults=A2after:crash",
    "tests/tiny/w3.py?seed=2",
]
HASHES = "import sys; from sim_core import perform\nfor r in sys.argv[1:]: print(perform(r).hash)"


def in_a_fresh_process(hash_seed: str) -> list[str]:
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", HASHES, *RECIPES]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_a_fresh_process_gives_the_same_hashes(hash_seed: str) -> None:
    assert in_a_fresh_process(hash_seed) == [perform(recipe).hash for recipe in RECIPES]


def test_a_run_repeated_is_the_same_run() -> None:
    for recipe in RECIPES:
        first, second = perform(recipe), perform(recipe)
        assert [e.line() for e in first.run.events] == [e.line() for e in second.run.events]


def test_schedules_differ_and_the_seed_is_not_part_of_the_hash() -> None:
    outcomes = [perform(f"sections?mode=warn&seed={seed}") for seed in range(40)]
    by_grants = {outcome.run.grants: outcome.hash for outcome in outcomes}
    assert len(by_grants) == 6
    assert len(set(by_grants.values())) == 6
    assert all(by_grants[outcome.run.grants] == outcome.hash for outcome in outcomes)


def test_grants_reproduce_what_a_seed_chose() -> None:
    for seed in range(12):
        seeded = perform(f"sections?mode=warn&seed={seed}")
        assert perform(f"sections?mode=warn&grants={seeded.run.grants}").hash == seeded.hash


def test_a_fault_does_not_reshuffle_the_schedule() -> None:
    for seed in range(20):
        plain = perform(f"sections?mode=warn&seed={seed}").run.grants
        crashed = perform(f"sections?mode=warn&seed={seed}&faults=A2after:crash").run.grants
        assert crashed.startswith(plain[: plain.rindex("A") + 1])
