"""A drill whose processes never end: one calculates inside SQLite for ever, and one in Python."""

import sqlite3
import sys
from collections.abc import Callable
from typing import Any

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c"


def prepared(job: dict[str, Any]) -> Callable[[], dict[str, Any]]:
    def task() -> dict[str, Any]:
        db = sqlite3.connect(job["database"], timeout=600)
        if job["role"] == "python":
            while True:
                pass
        if job["role"] == "busy":  # waits in C for a lock that nobody gives back
            db.execute("BEGIN IMMEDIATE")
        if job["role"] == "query":
            db.execute(ENDLESS)
        return {"failed": None}

    return task


def jobs(path: str) -> list[dict[str, Any]]:
    one = {"task": __file__, "paths": [], "database": path}
    return [one | {"role": role} for role in ("python", "busy", "query")]


def main(path: str) -> None:
    from explorer.drills.crowd import Crowd

    holder = sqlite3.connect(path)
    holder.execute("BEGIN EXCLUSIVE")
    with Crowd(jobs(path), 600) as crowd:
        crowd.go()
        print("gone", flush=True)
        list(crowd.ended())


if __name__ == "__main__":
    main(*sys.argv[1:])
