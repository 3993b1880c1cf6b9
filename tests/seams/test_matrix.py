"""The same recipes come to the same hashes in every Python, under every hash seed and on a newer
SQLite. What this machine does not have is skipped by name, and listed by pytest -rs."""

import os
import sqlite3
import subprocess
import sys
from functools import cache

import pytest

from sim_core.search.check import digest, everything, hash_of
from tests.seams.matrix import ROOT, digest_of, newer_sqlite, pythons

seeded = pytest.mark.parametrize("seeds", [30, pytest.param(200, marks=pytest.mark.long)])
ON_A_NEWER_SQLITE = [
    *("tests/engine/test_lock_table.py", "tests/engine/test_schedules.py"),
    *("tests/seams/test_sqltime.py", "tests/seams/test_clock.py", "tests/core"),
]

needs_newer = pytest.mark.skipif(not newer_sqlite(), reason="apsw's SQLite is not installed here")


@cache
def here(seeds: int) -> str:
    return digest(map(hash_of, everything(range(seeds))))


@pytest.mark.parametrize("seed", ["0", "1", "random"])
@seeded
def test_every_hash_seed_gives_the_same_digest(seeds: int, seed: str) -> None:
    assert digest_of(sys.executable, seeds, PYTHONHASHSEED=seed)[1] == here(seeds)


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
@seeded
def test_every_python_gives_the_same_digest(seeds: int, version: str) -> None:
    if version not in pythons():
        pytest.skip(f"this machine has no CPython {version}")
    assert digest_of(pythons()[version], seeds)[1] == here(seeds)


@needs_newer
@seeded
def test_a_newer_sqlite_gives_the_same_digest(seeds: int) -> None:
    version, there = digest_of(sys.executable, seeds, **newer_sqlite())
    assert version != sqlite3.sqlite_version
    assert there == here(seeds)


@needs_newer
@pytest.mark.slow
def test_the_lock_table_and_sql_time_hold_on_a_newer_sqlite() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *ON_A_NEWER_SQLITE],
        cwd=ROOT,
        env=os.environ | newer_sqlite(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]
