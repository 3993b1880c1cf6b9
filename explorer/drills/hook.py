"""What one process of the drill `owners` does: the scenario's own writer, for real.

Real aiosqlite, a real clock, a connection of its own. It notes the errors that SQLite raises, those
too that the writer swallows: they are what files a record under the wrong owner.

Wrong in this module: what a hook does (sim_core/scenarios/owners.py).
"""

import asyncio
import sqlite3
from collections.abc import Callable
from time import perf_counter
from typing import Any

import aiosqlite

from explorer.drills.child import Clock, Job, error_json, load

_met: list[dict[str, Any]] = []


class Noting(sqlite3.Connection):
    """A connection that remembers which of its statements failed."""

    def execute(self, *given: Any) -> sqlite3.Cursor:
        try:
            return super().execute(*given)
        except sqlite3.Error as error:
            _met.append(error_json(error) | {"sql": str(given[0]).strip()[:80]})
            raise


def prepared(job: Job) -> Callable[[], dict[str, Any]]:
    """Load the scenario, and return what is done when everybody goes."""
    scenario = load(job["scenario"])
    return lambda: asyncio.run(_written(getattr(scenario, job["role"]), job))


async def _written(writer: Any, job: Job) -> dict[str, Any]:
    """Open the file, write, close; and say how long that took and what was raised."""
    told, failed, began = None, None, perf_counter()
    try:
        async with aiosqlite.connect(
            job["database"], timeout=job["timeout"], isolation_level=None, factory=Noting
        ) as db:
            given = job["given"] | {"db": db, "clock": Clock()}
            wanted = writer.__code__.co_varnames[: writer.__code__.co_argcount]
            told = await writer(**{name: given[name] for name in wanted})
    except Exception as error:
        failed = error_json(error)
    milliseconds = (perf_counter() - began) * 1000
    return {"told": told, "failed": failed, "met": _met, "ms": milliseconds}
