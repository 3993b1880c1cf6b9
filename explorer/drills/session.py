"""What one process of the drill `claims` does: the scenario's own claim code, for real.

Real aiosqlite, real time (TTL and grace shortened by the drill, which says so), the real process
list. Each role is a loop around the functions of the scenario, for as long as the drill lasts.

Wrong in this module: how a claim is taken or lost (sim_core/scenarios/claims.py).
"""

import asyncio
import random
from collections.abc import Callable
from time import monotonic
from typing import Any

import aiosqlite

from explorer.drills.child import Job, error_json, load

MOMENT = 0.02
"""Seconds that a holder holds, or a loser waits, at most."""


class Worker:
    """One process: its connection, its name, the rules, and what it was told."""

    def __init__(self, claims: Any, processes: Any, db: Any, job: Job) -> None:
        self.claims = claims
        self.processes = processes
        self.db = db
        self.job = job
        self.me: str = job["me"]
        self.claimer = f"auto-{self.me}"
        self.rules: dict[str, str] = job["rules"]
        self.chance = random.Random(self.me)  # leak: allowed, because a drill is no run
        self.until: float = monotonic() + job["seconds"]
        self.won: list[tuple[str, int]] = []
        self.counts = dict.fromkeys(("denied", "renewed", "completed", "abandoned", "lost"), 0)

    @property
    def on(self) -> bool:
        """Say whether the drill still lasts."""
        return monotonic() < self.until

    async def claim(self, key: str) -> int | None:
        """Claim, and keep what it was told."""
        given = (self.db, self.me, self.processes, key, self.claimer)
        epoch: int | None = await self.claims.claim(*given)
        if epoch is None:
            self.counts["denied"] += 1
        else:
            self.won.append((key, epoch))
        return epoch

    async def do(self, what: str, key: str, epoch: int) -> bool:
        """Renew, complete or abandon, and keep whether that was granted."""
        more = [self.rules["ghost_complete"]] if what == "complete" else []
        given = (self.db, self.me, key, self.claimer, epoch, self.rules["fix"], *more)
        done: bool = await getattr(self.claims, what)(*given)
        self.counts[f"{what.removesuffix('e')}ed" if done else "lost"] += 1
        return done

    async def moment(self) -> None:
        await asyncio.sleep(self.chance.random() * MOMENT)


async def contested(worker: Worker) -> None:
    """S1: wants every key as all others do at the same time, and gives each back but the last."""
    for key in worker.job["keys"]:
        while worker.on:
            epoch = await worker.claim(key)
            await worker.moment()
            if epoch is None:
                if await _completed(worker, key):
                    break
            elif epoch >= worker.job["epochs"]:
                await worker.do("complete", key, epoch)
                break
            else:
                await worker.do("abandon", key, epoch)


async def _completed(worker: Worker, key: str) -> bool:
    sql = "SELECT 1 FROM claims WHERE key = ? AND status = 'completed'"
    rows = await worker.db.execute_fetchall(sql, (key,))
    return bool(rows)


async def long(worker: Worker) -> None:
    """S2: claims, renews, gives back, or lets the lease run out, again and again."""
    while worker.on:
        key = worker.chance.choice(worker.job["keys"])
        epoch = await worker.claim(key)
        await worker.moment()
        if epoch is None:
            continue
        for _ in range(worker.chance.randrange(3)):
            await worker.do("renew", key, epoch)
            await worker.moment()
        if worker.chance.random() < 0.5:
            await worker.do("abandon", key, epoch)
        else:
            await asyncio.sleep(worker.claims.TTL * (0.8 + worker.chance.random() * 0.4))
            await worker.do("renew", key, epoch)


async def session(worker: Worker) -> None:
    """S3: claims a task of its own, starts up, shows, renews, completes; then the next."""
    number = 0
    while worker.on:
        number += 1
        key = f"{worker.me}, task {number}"
        epoch = await worker.claim(key)
        if epoch is None:
            continue
        worker.processes.show(worker.claimer, after=worker.job["startup"])
        await asyncio.sleep(worker.job["startup"])
        while not worker.processes.shows(worker.claimer):  # work begins when it is up
            await worker.moment()
        for what in ("renew", "renew", "complete"):
            if not await worker.do(what, key, epoch):
                break  # somebody took it
            await worker.moment()
        worker.processes.hide(worker.claimer)


async def launcher(worker: Worker) -> None:
    """S3: claims for a session that it never starts, and dies."""
    await worker.claim(f"{worker.me}, never begun")


async def reaper(worker: Worker) -> None:
    """S3: evicts what the dead hold, all the time."""
    names = ("fix", "identity_shapes", "bare_status", "startup_window")
    rules = [worker.rules[name] for name in names]
    looks = evicted = 0
    while worker.on:
        given = (worker.db, worker.me, worker.processes, "*", *rules)
        evicted += await worker.claims.reap(*given)
        looks += 1
        await worker.moment()
    worker.counts |= {"looks": looks, "evicted": evicted}


ROLES = {one.__name__: one for one in (contested, long, session, launcher, reaper)}


def prepared(job: Job) -> Callable[[], dict[str, Any]]:
    """Load the scenario, and return what is done when everybody goes."""
    claims: Any = load(job["scenario"])
    claims.TTL, claims.GRACE = job["ttl"], job["grace"]
    processes = load(job["processes"]).Processes()
    return lambda: asyncio.run(_worked(claims, processes, job))


async def _worked(claims: Any, processes: Any, job: Job) -> dict[str, Any]:
    """Work until the time is over, and say what came of it."""
    worker, failed = None, None
    try:
        async with aiosqlite.connect(
            job["database"], timeout=job["timeout"], isolation_level=None
        ) as db:
            worker = Worker(claims, processes, db, job)
            await ROLES[job["role"]](worker)
    except Exception as error:
        failed = error_json(error)
    return {
        "failed": failed,
        "won": worker.won if worker else [],
        "counts": worker.counts if worker else {},
        "took": max(processes.took, default=None),
    }
