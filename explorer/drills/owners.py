"""The drill `owners`: hundreds of hook processes, one log, and whose record each became.

One run is one file: so many processes, so many at a time, an event each, the same number for every
owner. Afterwards five checks are asked; four of them are those that stay green while a record
moves to another owner.

Wrong in this module: a process (crowd.py, hook.py), and a word for people (told.py).
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple

from explorer.drift import Drift
from explorer.drills.crowd import Ended, Job, waves
from explorer.driver import packages
from explorer.expected import Counts, owner_of
from explorer.progress import Bar
from explorer.snapshot import in_wal, reading
from sim_core.errors import MachineError
from sim_core.scenarios import owners as scenario

TIMEOUT: Final = 5.0
"""Seconds of every process's busy timeout."""
PATIENCE: Final = 60.0
"""Seconds that a wave of processes may take: twelve busy timeouts."""
CHECKS: Final = tuple(check.__name__.replace("_", " ") for check in scenario.CHECKS)
"""The scenario's own, by the names that its matrix has; here they are asked of real processes."""


class Plan(NamedTuple):
    """What is drilled."""

    processes: int
    concurrent: int
    owners: int
    fixes: tuple[int, ...]
    file: str
    """new: not in WAL yet; wal: it is."""
    client: str
    """Whom the environment names: a stranger, or a neighbour."""

    @property
    def switches(self) -> dict[str, str]:
        """Return the scenario's options."""
        fixes = {f"fix{n}": "on" if n in self.fixes else "off" for n in (1, 2, 3)}
        return fixes | {"client": self.client}

    def session(self, process: int) -> str:
        """Return the session that a process belongs to; its first eight characters tell it."""
        return f"{process % self.owners:08x}"

    def me(self, process: int) -> str:
        return f"{self.session(process)}#{process // self.owners}"

    def owner(self, process: int) -> str:
        return f"seat-{process % self.owners + 1}"

    @property
    def expected(self) -> Counts:
        owners = Counter(map(self.owner, range(self.processes)))
        return {owner_of(owner): count for owner, count in owners.items()}


class Found(NamedTuple):
    """What one run came to."""

    checks: dict[str, bool]
    """Check → whether it is green."""
    failed: int
    """Processes that ended with another exit status than 0."""
    late: int
    """Processes that were killed because they took too long."""
    errors: Counter[str]
    """Error that ended a process → how many."""
    swallowed: Counter[str]
    """Error that a process met and went on after → how often."""
    drift: Drift
    markers: int
    filed: int | None
    """Records that the reconciler filed; None where it did not run."""
    ms: list[float]
    """Milliseconds that each process that succeeded took to open, write and close."""
    journal: str
    seconds: float = 0.0

    @property
    def broken(self) -> bool:
        return not all(self.checks.values())

    @property
    def processes(self) -> int:
        """Return how many processes there were: each had one record to file."""
        return sum(self.drift.expected.values())


def prepare(plan: Plan, path: Path) -> None:
    """Make the file that the processes find."""
    with closing(sqlite3.connect(path)) as db:
        if plan.file == "wal":
            db.execute("PRAGMA journal_mode=WAL")
        db.executescript(scenario.SCHEMA)
        db.execute("DELETE FROM registry")
        pairs = {plan.session(one): plan.owner(one) for one in range(plan.owners)}
        db.executemany("INSERT INTO registry VALUES (?, ?)", pairs.items())
        db.commit()


def processes(plan: Plan, path: Path) -> Iterator[Ended]:
    """Let every hook process run, and yield what came of each."""
    one = job(path, "hook", plan.switches)
    jobs = [one | {"given": one["given"] | {"me": plan.me(n)}} for n in range(plan.processes)]
    return waves(jobs, plan.concurrent, PATIENCE)


def reconciled(plan: Plan, path: Path) -> int | None:
    """Let the reconciler run where there is one, and return how many records it filed."""
    if 2 not in plan.fixes:
        return None
    for ended in waves([job(path, "reconciler", {})], 1, PATIENCE):
        if ended.said and ended.said["told"]:
            return int(ended.said["told"]["filed"])
    raise MachineError("The reconciler of the drill did not come to its end.")


def job(path: Path, role: str, given: dict[str, str]) -> Job:
    """Return what a process is told."""
    return {
        "task": str(Path(__file__).with_name("hook.py")),
        "paths": [packages()],
        "scenario": scenario.__file__,
        "database": str(path),
        "role": role,
        "given": given,
        "timeout": TIMEOUT,
    }


def judged(plan: Plan, path: Path, ended: list[Ended], filed: int | None) -> Found:
    """Return what the file holds, and what the processes said."""

    def read(db: sqlite3.Connection) -> tuple[Counts, set[str], int]:
        if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'events'").fetchone():
            return {}, set(), 0
        counts = db.execute(
            "SELECT owner, count(*) FROM events WHERE kind = 'event' GROUP BY owner"
        ).fetchall()
        whats = {what for (what,) in db.execute("SELECT what FROM events WHERE kind = 'event'")}
        (markers,) = db.execute("SELECT count(*) FROM events WHERE kind = 'marker'").fetchone()
        return {owner_of(owner): count for owner, count in counts}, whats, markers

    counted, reported, markers = reading(path, read)
    drift = Drift(plan.expected, counted)
    answers = [one.said for one in ended if one.said]
    return Found(
        checks=dict(
            zip(
                CHECKS,
                (
                    sum(counted.values()) == plan.processes,
                    all(one.status == 0 for one in ended),
                    reported == {plan.me(n) for n in range(plan.processes)},
                    len(counted) == len(plan.expected),
                    not drift.drifted,
                ),
                strict=True,
            )
        ),
        failed=sum(one.status != 0 for one in ended),
        late=sum(one.late for one in ended),
        errors=Counter(error_name(said["failed"]) for said in answers if said["failed"]),
        swallowed=Counter(name for said in answers for name in _swallowed(said)),
        drift=drift,
        markers=markers,
        filed=filed,
        ms=[said["ms"] for said in answers if not said["failed"]],
        journal="wal" if in_wal(path) else "delete",
    )


def _swallowed(said: dict[str, Any]) -> list[str]:
    """Return the errors that a process met and went on after."""
    names = [f"{error_name(one)} at {one['sql']}" for one in said["met"]]
    return names[:-1] if said["failed"] and names else names


def error_name(error: dict[str, Any]) -> str:
    """Return an error with SQLite's name and its extended code."""
    if error["name"]:
        return f"{error['name']} ({error['code']})"
    return f"{error['class']}: {error['text']}"


def run(plan: Plan, path: Path, bar: Bar) -> Found:
    """Make one run in a new file, and return what it came to; the file stays."""
    prepare(plan, path)
    began = monotonic()
    ended, failed = [], 0
    for one in processes(plan, path):
        ended.append(one)
        failed += one.status != 0
        bar.step(f"{failed} failed")
    seconds = monotonic() - began
    return judged(plan, path, ended, reconciled(plan, path))._replace(seconds=seconds)
