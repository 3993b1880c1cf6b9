"""One of many processes that write a database while it is looked at.

Each transaction adds a row and, in the same breath, to what is expected of its owner; so at every
instant the two agree, and at none where they are read one after the other.
"""

import sqlite3
import sys
import time
from pathlib import Path

SCHEMA = """
PRAGMA journal_mode={journal};
CREATE TABLE events (n INTEGER PRIMARY KEY, owner TEXT);
CREATE TABLE expected (owner TEXT PRIMARY KEY, n INTEGER NOT NULL);
"""


def prepare(path: Path, journal: str) -> None:
    with sqlite3.connect(path) as db:
        db.executescript(SCHEMA.format(journal=journal))
    db.close()


def main(path: str, owner: str, pause: str) -> None:
    db = sqlite3.connect(path, timeout=60, isolation_level=None)
    print("ready", flush=True)
    while True:
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO events (owner) VALUES (?)", (owner,))
        db.execute(
            "INSERT INTO expected VALUES (?, 1) ON CONFLICT (owner) DO UPDATE SET n = n + 1",
            (owner,),
        )
        db.execute("COMMIT")
        time.sleep(float(pause))


if __name__ == "__main__":
    main(*sys.argv[1:])
