"""The drill `claims`: real workers, a real reaper, the real process list, the scenario's own code.

One run is one file and one suite. The scenario's promises are judged again and again while it
goes, for whether a holder lives is only known while it does; so nobody ends before the last look,
but who is to die. TTL and grace are shortened, as are the start-ups, all by the same factor.

Wrong in this module: a process (crowd.py, session.py), and a word for people (leases.py).
"""

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from explorer.drills.campaign import Timed
from explorer.drills.child import load
from explorer.drills.crowd import Crowd, Job
from explorer.drills.owners import error_name
from explorer.drills.processlist import shown
from explorer.driver import packages
from explorer.snapshot import reading
from sim_core.judge.asked import answer
from sim_core.scenarios import claims as scenario

HERE: Final = Path(__file__).parent
STARTUP: Final = 30.0
"""Seconds that a session takes to show, before they are shortened."""
LOOK: Final = 0.2
"""Seconds between two looks at the promises."""
TIMEOUT: Final = 30.0
PATIENCE: Final = 60.0
"""Seconds that a run may take beyond its own."""
BACK: Final = 3
"""S1: epochs that each key is claimed in; then it is completed."""


class Suite(NamedTuple):
    """Who does what."""

    what: str
    role: str
    workers: int
    keys: int
    seconds: float
    """That it takes at most; shortened like every other time where it depends on the leases."""
    launchers: int = 0
    reapers: int = 0


SUITES: Final = {
    "S1": Suite("contested keys", "contested", 20, 40, 60.0),
    "S2": Suite("epoch integrity", "long", 12, 4, 10.0),
    "S3": Suite("hostile reaper", "session", 8, 0, 480.0, launchers=3, reapers=1),
}
S2_TTL: Final = 0.3
"""Seconds of a lease in S2, where many are to run out."""


class Plan(NamedTuple):
    """What is drilled."""

    suite: str
    workers: int
    fix: str
    grace: bool
    speed: float

    @property
    def rules(self) -> dict[str, str]:
        """Return the scenario's options."""
        off = dict.fromkeys(("ghost_complete", "identity_shapes", "bare_status"), "off")
        return {**off, "fix": self.fix, "startup_window": "off" if self.grace else "on"}

    @property
    def seconds(self) -> float:
        """Return how long a run takes at most."""
        suite = SUITES[self.suite]
        return suite.seconds / self.speed if suite.reapers else suite.seconds

    @property
    def shortened(self) -> tuple[float, float]:
        """Return TTL and grace."""
        ttl = S2_TTL if self.suite == "S2" else scenario.TTL / self.speed
        return ttl, scenario.GRACE / self.speed


class Found(NamedTuple):
    """What one run came to."""

    broken_by: dict[str, str]
    """Promise that broke → what was wrong the first time."""
    acts: Counter[str]
    """What the history tells: claimed, renewed, completed, abandoned, evicted → how often."""
    told: Counter[str]
    """What the workers were told: denied, lost, looks … → how often."""
    reclaimed: int
    """Claims of a key that had been claimed before."""
    evicted_alive: int
    first: float | None
    """Seconds until the first of these."""
    slowest: float | None
    """Seconds that the slowest session took to show."""
    errors: Counter[str]
    late: int
    seconds: float

    @property
    def broken(self) -> bool:
        return bool(self.broken_by)


def promises(plan: Plan) -> list[str]:
    """Return the names of all that is judged."""
    own = [name for name, suite, _ in CHECKS if plan.suite in suite]
    return ["every worker finished", *map(_name, scenario.ALWAYS), *own]


def _name(promise: Any) -> str:
    return str(promise.__name__).replace("_", " ")


def run(plan: Plan, path: Path, bar: Timed) -> Found:
    """Make one run in a new file, and return what it came to; the file stays."""
    claims = load(scenario.__file__)  # its own copy: the times in it are changed
    ttl, grace = plan.shortened
    vars(claims).update(TTL=ttl, GRACE=grace)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.executescript(claims.SCHEMA)
    jobs = list(_jobs(plan, path, ttl, grace))
    with Crowd(jobs, plan.seconds + PATIENCE) as crowd:
        judge = Judge(plan, claims, path, crowd)
        answers: list[Any] = []
        hearing = threading.Thread(
            target=lambda: answers.extend(child.answer() for child in crowd.children), daemon=True
        )
        began = time.time()
        crowd.go()
        hearing.start()
        while hearing.is_alive():
            judge.look({})
            bar.check()
            hearing.join(LOOK)
        told = {job["me"]: said for job, said in zip(jobs, answers, strict=True)}
        judge.look(told)
        late = sum(child.late for child in crowd.children)
    bar.step(f"{len(judge.broken)} broken" if judge.broken else "")
    return judge.found(told, late, began)


def _jobs(plan: Plan, path: Path, ttl: float, grace: float) -> Iterator[Job]:
    suite = SUITES[plan.suite]
    one: Job = {
        "task": str(HERE / "session.py"),
        "processes": str(HERE / "processlist.py"),
        "paths": [packages()],
        "scenario": scenario.__file__,
        "database": str(path),
        "rules": plan.rules,
        "ttl": ttl,
        "grace": grace,
        "startup": STARTUP / plan.speed,
        "seconds": plan.seconds,
        "keys": [f"task {n}" for n in range(suite.keys)],
        "epochs": BACK,
        "timeout": TIMEOUT,
        "stay": True,
    }
    name = path.stem.casefold()  # a key is canonical, and so is whoever stands in it
    for n in range(plan.workers):
        yield one | {"role": suite.role, "me": f"worker{n}-{name}"}
    for n in range(suite.launchers):
        yield one | {"role": "launcher", "me": f"launcher{n}-{name}", "stay": False}
    for n in range(suite.reapers):
        yield one | {"role": "reaper", "me": f"reaper{n}-{name}"}


class Judge:
    """Judges the promises while the processes live, and keeps what was wrong."""

    def __init__(self, plan: Plan, claims: ModuleType, path: Path, crowd: Crowd) -> None:
        self.broken: dict[str, str] = {}
        self._plan = plan
        self._claims = claims
        self._path = path
        self._of = {str(child.process.pid): child.process for child in crowd.children}
        self._evicted: dict[int, float] = {}
        """Row of the history that tells of a living holder's eviction → when that was."""
        self._acts: Counter[str] = Counter()
        self._reclaimed = 0

    def lives(self, number: str) -> bool:
        """Say whether the process with that number lives."""
        process = self._of.get(number)
        return process is not None and process.poll() is None

    def shows(self, name: str) -> bool:
        """Look at the process list."""
        return shown(name)

    def look(self, told: Mapping[str, Any]) -> None:
        """Judge what the file holds at this moment."""
        reading(self._path, lambda db: self._judge(db, told))

    def _judge(self, db: sqlite3.Connection, told: Mapping[str, Any]) -> None:
        for promise in self._claims.ALWAYS:
            self._keep(_name(promise), promise, {"db": db, "told": told, "processes": self})
        for name, suites, check in CHECKS:
            if self._plan.suite in suites:
                given = {"db": db, "told": told, "judge": self, "claims": self._claims}
                self._keep(name, check, given)
        acts = db.execute("SELECT act, count(*) FROM history GROUP BY act").fetchall()
        self._acts = Counter(dict(acts))
        (self._reclaimed,) = db.execute(
            "SELECT count(*) FROM history WHERE act = 'claimed' AND old_epoch IS NOT NULL"
        ).fetchone()
        for row, at, process in db.execute(
            "SELECT rowid, at, process FROM history WHERE act = 'evicted'"
        ):
            if self.lives(process):
                self._evicted.setdefault(row, at / 1000)

    def _keep(self, name: str, check: Callable[..., Any], given: dict[str, Any]) -> None:
        for one in answer(check, given) or ():
            self.broken.setdefault(name, one[-1] if isinstance(one, tuple) else str(one))

    def found(self, told: Mapping[str, Any], late: int, began: float) -> Found:
        """Return what the run came to."""
        said = [one for one in told.values() if one]
        errors = Counter(error_name(one["failed"]) for one in said if one["failed"])
        silent = [me for me, one in told.items() if not one]
        if errors or silent:
            why = next(iter(errors), "") or f"{silent[0]} did not answer"
            self.broken["every worker finished"] = why
        return Found(
            broken_by=self.broken,
            acts=self._acts,
            reclaimed=self._reclaimed,
            told=sum((Counter(one["counts"]) for one in said), Counter()),
            evicted_alive=len(self._evicted),
            first=min(self._evicted.values()) - began if self._evicted else None,
            slowest=max((one["took"] for one in said if one["took"]), default=None),
            errors=errors,
            late=late,
            seconds=time.time() - began,
        )


# What a suite promises beside the scenario's own promises.


def _one_winner(db: sqlite3.Connection, told: Mapping[str, Any]) -> Iterator[str]:
    """Each epoch of a key has one winner, and whoever was told so is in the history."""
    taken = Counter(
        db.execute("SELECT key, epoch, actor FROM history WHERE act = 'claimed'").fetchall()
    )
    winners = Counter((key, epoch) for key, epoch, _ in taken.elements())
    for (key, epoch), count in winners.items():
        if count > 1:
            yield f"epoch {epoch} of “{key}” has {count} winners"
    for me, said in told.items():
        for key, epoch in said["won"] if said else ():
            if not taken[key, epoch, me]:
                yield f"{me} was told that it has epoch {epoch} of “{key}”, which nobody wrote"


def _not_clobbered(db: sqlite3.Connection) -> Iterator[str]:
    """Nobody claims what another holds, in time and not given back."""
    holders: dict[str, str] = {}
    rows = db.execute(
        "SELECT key, act, claimer, old_status = 'claimed' AND old_expires_at >= at "
        "FROM history ORDER BY rowid"
    )
    for key, act, claimer, held in rows:
        if act == "claimed" and held and holders[key] != claimer:
            yield f"{claimer} claimed “{key}” while {holders[key]} held it"
        holders[key] = claimer


def _all_completed(
    db: sqlite3.Connection, told: Mapping[str, Any], claims: ModuleType
) -> Iterator[str]:
    """Each key was given back as often as it was to be, and then completed."""
    if told:
        for key, status, epoch in db.execute("SELECT key, status, epoch FROM claims"):
            if (status, epoch) != ("completed", BACK):
                yield f"“{key}” ended {status} in epoch {epoch}"


def _no_phantom(db: sqlite3.Connection, judge: Judge, claims: ModuleType) -> Iterator[str]:
    """No claim of a dead holder is older than its TTL and the grace together."""
    for key, process, age in db.execute(
        "SELECT key, process, now - registered_at FROM claims, clock WHERE status = 'claimed'"
    ):
        if age > 1000 * (claims.TTL + claims.GRACE) and not judge.lives(process):
            yield f"“{key}” is still held by the dead after {age / 1000:.1f} s"


CHECKS: Final[tuple[tuple[str, tuple[str, ...], Callable[..., Iterator[str]]], ...]] = (
    ("one winner an epoch", ("S1", "S2", "S3"), _one_winner),
    ("no live claim is clobbered", ("S1", "S2", "S3"), _not_clobbered),
    ("every key is completed in the end", ("S1",), _all_completed),
    ("no phantom outlives TTL and grace", ("S3",), _no_phantom),
)
