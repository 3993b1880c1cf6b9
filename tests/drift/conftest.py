"""A database whose table `events` has so many rows of each owner."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest


@pytest.fixture
def events(tmp_path: Path) -> Callable[..., Path]:
    def make(journal: str = "wal", **rows: int) -> Path:
        path = tmp_path / "hook.db"
        with closing(sqlite3.connect(path)) as db:
            db.execute(f"PRAGMA journal_mode={journal}")
            db.execute("CREATE TABLE events (owner)")
            for owner, count in rows.items():
                db.executemany("INSERT INTO events VALUES (?)", [(owner,)] * count)
            db.commit()
        return path

    return make
