"""Real processes that go in the same instant, and of which none stays behind.

Everybody starts, loads, says that it is ready, and waits; then all are told the same moment to go
at. Each holds the end of a pipe whose other end this process has alone: it ends when that closes,
however this process ended. What takes too long is killed, and counted as such.

Wrong in this module: what they do (child.py, and the file that a job names).
"""

import contextlib
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from explorer import interrupt
from sim_core.errors import MachineError
from sim_core.quoting import short

CHILD: Final = Path(__file__).with_name("child.py")
LEAD: Final = 0.01
"""Seconds from the word to the moment that it names."""
STARTING: Final = 60.0
"""Seconds that a process may take to start."""

Job = dict[str, Any]


class Ended(NamedTuple):
    """What came of one process."""

    number: int
    status: int
    """Its exit status; negative where a signal ended it."""
    said: Any
    """What it answered; None where it did not."""
    late: bool
    """It was killed, because it took too long."""


class Child:
    """One process, from its start to its end."""

    def __init__(self, job: Job, complaints: Any) -> None:
        words = [sys.executable, "-I", "-S", str(CHILD)]
        with interrupt.held():  # started whole or not at all; and it is deaf to Ctrl-C
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=complaints
            )
        self.late = False
        self._tell(json.dumps(job))

    def ready(self) -> bool:
        """Wait until it has loaded what it needs, and say whether it has."""
        return self.line() == "ready"

    def go(self, at: float) -> None:
        """Let it go at that moment."""
        self._tell(repr(at))

    def line(self) -> str:
        """Wait for its next line; empty where it ended."""
        assert self.process.stdout is not None, "its output is a pipe"
        return self.process.stdout.readline().decode("utf-8", "replace").rstrip("\n")

    def answer(self) -> Any:
        """Wait for its answer; None where it ended without one."""
        try:
            return json.loads(self.line())
        except ValueError:
            return None

    def kill(self, *, late: bool = False) -> None:
        """End it where it has not ended by itself."""
        if self.process.poll() is None:
            self.late = late
            with contextlib.suppress(OSError):
                self.process.kill()

    def finish(self) -> int:
        """Wait until it has ended by itself, or was killed, and return its exit status."""
        self.process.wait()
        return self.leave()

    def leave(self) -> int:
        """Close what leads to it, which ends it where it has not ended, and wait."""
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                if pipe:
                    pipe.close()
        return self.process.wait()

    def _tell(self, line: str) -> None:
        assert self.process.stdin is not None, "its input is a pipe"
        with contextlib.suppress(OSError):  # it has ended already, and will be asked
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()


class Crowd:
    """Processes that are started together; at the end of the block none of them is left.

    patience: seconds that they may take in all, once they have started.
    """

    def __init__(self, jobs: Sequence[Job], patience: float) -> None:
        self.children: list[Child] = []
        self._jobs = jobs
        self._patience = patience
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `end`
        self._watch: threading.Timer | None = None

    def __enter__(self) -> Self:
        try:
            self._within(STARTING)
            for job in self._jobs:
                self.children.append(Child(job, self._complaints))
            started = [child.ready() for child in self.children]
            if not all(started):
                interrupt.check()
                raise MachineError(f"A process of the drill did not start: {self._why()}.")
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self.end()

    def go(self) -> None:
        """Let all of them go, at the same moment."""
        self._within(self._patience)
        at = time.time() + LEAD
        for child in self.children:
            child.go(at)

    def ended(self) -> Iterator[Ended]:
        """Yield what came of each, in order."""
        for number, child in enumerate(self.children):
            said = child.answer()
            yield Ended(number, child.finish(), said, child.late)

    def _why(self) -> str:
        """Return the last thing that a process complained of."""
        self._complaints.seek(0)
        lines = self._complaints.read().decode("utf-8", "replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        return short(last, 200) or f"it took longer than {STARTING:g} s; ask for fewer at a time"

    def _within(self, seconds: float) -> None:
        """From now on, kill whoever is still there after so many seconds."""
        if self._watch:
            self._watch.cancel()
        self._watch = threading.Timer(seconds, self._too_late)
        self._watch.daemon = True
        self._watch.start()

    def _too_late(self) -> None:
        for child in list(self.children):
            child.kill(late=True)

    def end(self) -> None:
        """End whoever is left, and wait for it."""
        if self._watch:
            self._watch.cancel()
        for child in self.children:
            child.kill()
        for child in self.children:
            child.leave()
        self._complaints.close()


def waves(jobs: Sequence[Job], concurrent: int, patience: float) -> Iterator[Ended]:
    """Let all jobs be done, so many at a time, each such wave in the same instant."""
    for first in range(0, len(jobs), concurrent):
        with Crowd(jobs[first : first + concurrent], patience) as crowd:
            crowd.go()
            for one in crowd.ended():
                interrupt.check()
                yield one._replace(number=first + one.number)
