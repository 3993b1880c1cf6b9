"""One run outside the engine: a file, its connections, its writers, and an end in any case.

A writer can hang in an await, in a statement or in plain Python. So the run is awaited for a
bounded time, then its statements are interrupted and its tasks cancelled; a timer of the machine
wakes whoever never awaits.

Wrong in this module: what a run was worth (explorer/incidence.py).
"""

import asyncio
import signal
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from time import monotonic
from types import FrameType, MappingProxyType, ModuleType
from typing import Any, Final

from sim_core.engine.place import remove
from sim_core.engine.plain import encode, plain
from sim_core.engine.reader import Reader
from sim_core.engine.recipe import MOST_GRANTS
from sim_core.engine.stage import Part, Stage
from sim_core.errors import ScenarioError
from sim_core.judge.end import End
from sim_core.judge.rows import content
from sim_core.quoting import said, short
from sim_core.seams.chance import READER
from sim_core.seams.clock import Clock
from sim_core.seams.sqltime import STEPS, SqlSeam

CLOSING: Final = 0.4
"""Seconds that writers, and then their connections, have to end: Ctrl-C has patience for both."""


class TooLong(Exception):
    """A writer sleeps longer than a run may take."""


class RealClock:
    """What a writer asks for as `clock`: the machine's, and the event loop's sleep.

    patience: real seconds that a sleep may take.
    speed: seconds of this clock that pass in one of the machine's.
    """

    def __init__(self, patience: float, speed: float = 1.0) -> None:
        self.longest = 0.0
        """Seconds of the longest sleep that nobody can wait for; 0 where there was none."""
        self._patience = patience
        self._began = datetime.now(UTC)
        self._start = monotonic()
        self._speed = speed

    def now(self) -> datetime:
        """Return the instant, in UTC."""
        return self._began + timedelta(seconds=self.monotonic())

    def today(self) -> date:
        """Return the day, in UTC."""
        return self.now().date()

    def local(self) -> datetime:
        """Return the instant in the machine's zone."""
        return self.now().astimezone()

    def monotonic(self) -> float:
        """Return seconds since the start of the run."""
        return (monotonic() - self._start) * self._speed

    async def sleep(self, seconds: float) -> None:
        """Let so much of this clock's time pass."""
        if seconds / self._speed > self._patience:
            self.longest = max(self.longest, seconds)
            raise TooLong(f"sleeps {seconds:g} seconds")
        await asyncio.sleep(seconds / self._speed)


class RealProcesses:
    """What a writer asks for as `processes`. All writers of a run outside the engine live in one
    process of the machine, so the list is kept here: each home is a process until the last of
    its writers has ended.

    writers: home → how many writers live there.
    """

    def __init__(self, clock: RealClock, writers: Counter[str]) -> None:
        self._clock = clock
        self._writers = writers
        self._shown: list[tuple[str, str, float]] = []

    def of(self, home: str) -> "RealProcess":
        """Return the list as a writer of that process is given it."""
        return RealProcess(self, home)

    def enter(self, home: str, name: str, after: float) -> None:
        """Put a process under a name, so many seconds from now."""
        self._shown.append((home, name, self._clock.monotonic() + after))

    def shows(self, name: str) -> bool:
        """Say whether a process stands under that name."""
        now = self._clock.monotonic()
        return any(
            self.lives(home) and (name, at <= now) == (each, True) for home, each, at in self._shown
        )

    def lives(self, number: str) -> bool:
        """Say whether that process has not ended."""
        return self._writers[number] > 0

    def end(self, home: str) -> None:
        """Note that one of its writers has ended."""
        self._writers[home] -= 1


class RealProcess:
    """The list as the writers of one process see it."""

    def __init__(self, of: RealProcesses, home: str) -> None:
        self.me = home
        self.shows = of.shows
        self._list = of

    def show(self, name: str, after: float = 0.0) -> None:
        """Put this process under a name, so many seconds from now."""
        self._list.enter(self.me, name, after)


class NoSeam(SqlSeam):
    """Time and chance in an invariant's SQL are the machine's, too."""

    def install(self, connection: sqlite3.Connection) -> None:
        """Replace nothing; a query without end is still ended."""
        connection.set_progress_handler(self._step, STEPS)


class Stuck(BaseException):
    """A writer neither ends nor awaits; no `except Exception` of its own is to catch this."""


class RealRun:
    """The writers of a stage on one file; afterwards, what they were told and how they ended."""

    GRANT: Final = MOST_GRANTS
    """An invariant may name any grant that a run can have; there are none here."""

    def __init__(
        self, driver: ModuleType, stage: Stage, path: Path, patience: float, speed: float = 1.0
    ) -> None:
        self.driver = driver
        self.stage = stage
        self.path = path
        self.patience = patience
        self.told: dict[str, Any] = {}
        self.errors: dict[str, str] = {}
        """Writer that failed → its error."""
        self.hung = False
        self.reader = Reader(path, NoSeam(Clock(), 0, READER))
        """For whoever judges it, who also closes it."""
        self.clock = RealClock(patience, speed)
        self.processes = RealProcesses(
            self.clock, Counter(p.process or p.letter for p in stage.parts)
        )
        self._memories: dict[str, dict[str, Any]] = {}
        self._links: dict[str, Any] = {}
        """Whose connection, by process where that shares one, else by letter → it."""
        self._closing: dict[str, asyncio.Task[None]] = {}
        self._users = Counter(map(_home, stage.parts))

    # Running.

    async def play(self, *, one_by_one: bool = False) -> None:
        """Give everybody a connection, start all writers at once, and wait a bounded time."""
        playing: asyncio.Future[Any] | None = None
        try:
            await self._open()
            if one_by_one:
                playing = asyncio.ensure_future(self._in_turn())
            else:
                playing = asyncio.gather(*map(self._play, self.stage.parts))
            await asyncio.wait([playing], timeout=self.patience)
            self.hung = self.hung or not playing.done()
        finally:
            if playing and not playing.done():
                await self._interrupt()
                playing.cancel()
                await asyncio.wait([playing], timeout=CLOSING)
                await self._interrupt()  # what was only queued the first time
            if self._links:
                await asyncio.wait(list(map(self._close, self._links)), timeout=CLOSING)

    async def _open(self) -> None:
        mode = self.stage.isolation
        how = {"autocommit" if isinstance(mode, bool) else "isolation_level": mode}
        for part in self.stage.parts:
            if _home(part) not in self._links:
                self._links[_home(part)] = await self.driver.connect(
                    str(self.path), timeout=self.stage.timeout / 1000, **how
                )

    async def _in_turn(self) -> None:
        for part in self.stage.parts:
            await self._play(part)

    async def _play(self, part: Part) -> None:
        """Play one writer to its end; then its connection closes, as it does in the engine."""
        link = self._links[_home(part)]
        clock: Any = self.clock
        home = part.process or part.letter
        memory = self._memories.setdefault(home, {})
        try:
            processes: Any = self.processes.of(home)
            playing: Any = part.start(link, clock, memory, processes)
            self.told[part.name] = plain(await playing)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.errors[part.name] = said(error)
        self.processes.end(home)
        self._users[_home(part)] -= 1
        if not self._users[_home(part)]:
            with suppress(Exception):
                await asyncio.shield(self._close(_home(part)))

    def _close(self, home: str) -> "asyncio.Task[None]":
        """Close a connection, once, whoever wants it and whoever is cancelled meanwhile."""
        if home not in self._closing:
            self._closing[home] = asyncio.ensure_future(self._links[home].close())
        return self._closing[home]

    async def _interrupt(self) -> None:
        """End the statements that are being worked on."""
        for link in self._links.values():
            with suppress(Exception):
                await link.interrupt()

    # Judging.

    def evidence(self) -> dict[str, Any]:
        """Return what an invariant may be given: what the file holds, and what was said."""
        names = [part.name for part in self.stage.parts]
        told = {name: self.told[name] for name in names if name in self.told}
        ended = {name: "finished" if name in told else "failed" for name in names}
        return {
            "db": self.reader,
            "told": MappingProxyType(told),
            "ended": MappingProxyType(ended),
            "processes": self.processes,
        }

    def end(self) -> End:
        """Return what it came to, for a comparison with serial runs."""
        told = tuple((name, encode(answer)) for name, answer in self.evidence()["told"].items())
        failed = tuple((name, f"failed {why}") for name, why in self.errors.items())
        return End(content(self.reader), told, failed)


def _home(part: Part) -> str:
    """Return whose connection it uses: its process's, or its own."""
    return part.process if part.shares else part.letter


@contextmanager
def new_file(stage: Stage, path: Path) -> Iterator[Path]:
    """Have a new file with the schema in it, and nothing of it afterwards."""
    try:
        _set_up(stage, path)
        yield path
    finally:
        remove(path)


def _set_up(stage: Stage, path: Path) -> None:
    try:
        with closing(sqlite3.connect(path)) as raw:
            raw.execute("PRAGMA synchronous=OFF")
            raw.execute(f"PRAGMA journal_mode={stage.journal}").fetchall()
            raw.executescript(stage.schema)
    except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
        raise ScenarioError(
            f"SQLite refuses the SCHEMA: {short(error, 200)}.", part="SCHEMA"
        ) from error


def driven(run: RealRun, *, one_by_one: bool = False) -> None:
    """Play it in an event loop of its own, so that nothing is left over from the run before."""
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda *_: None)  # of tasks that a writer left behind
    playing = loop.create_task(run.play(one_by_one=one_by_one))
    try:
        with _woken(run):
            loop.run_until_complete(playing)
    except Stuck:
        run.hung = True
    finally:
        _ended(loop, {playing})  # first, for it closes what is open
        _ended(loop, asyncio.all_tasks(loop))
        loop.close()


def _ended(loop: asyncio.AbstractEventLoop, tasks: "set[asyncio.Task[Any]]") -> None:
    """End what a writer started, or what Ctrl-C broke off."""
    left = {task for task in tasks if not task.done()}
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left, timeout=2 * CLOSING))


@contextmanager
def _woken(run: RealRun) -> Iterator[None]:
    """Wake, by a timer of the machine, a writer that never awaits; where there is such a timer."""

    def wake(number: int, frame: FrameType | None) -> None:
        run.hung = True
        raise Stuck(f"it does not await anything for {run.patience:g} seconds")

    if not hasattr(signal, "setitimer") or threading.current_thread() != threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, wake)
    signal.setitimer(signal.ITIMER_REAL, run.patience + 3 * CLOSING, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
