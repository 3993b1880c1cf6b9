"""How a drill is started here, and who of it is still there.

Every process of a drill inherits a mark in its environment, by which it is found in the machine's
process list, whatever became of its parent.
"""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from tests.cli.hostile import COMMAND, ROOT

MARK = "DRILL_OF_A_TEST"
PROC = Path("/proc")


class Drill:
    """A running command, and its children."""

    def __init__(self, command: list[str], temporary: Path) -> None:
        self.mark = uuid4().hex
        environment = {**os.environ, MARK: self.mark, "TMPDIR": str(temporary)}
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def children(self) -> list[int]:
        """Return the processes that belong to it and are not it."""
        found = []
        for one in PROC.iterdir():
            with suppress(OSError):
                if one.name.isdecimal() and self.mark in (one / "environ").read_text("latin-1"):
                    found.append(int(one.name))
        return [number for number in found if number != self.process.pid]

    def wait_for_children(self, count: int = 1, seconds: float = 60) -> None:
        until = time.monotonic() + seconds
        while len(self.children()) < count:
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < until, "it started no process"

    def orphans(self, seconds: float = 10) -> list[int]:
        """Return who is still there when they had time to end."""
        until = time.monotonic() + seconds
        while (left := self.children()) and time.monotonic() < until:
            pass
        return left


@contextmanager
def drilling(*words: str, temporary: Path) -> Iterator[Drill]:
    with started([*COMMAND, "drill", *words], temporary) as drill:
        yield drill


@contextmanager
def started(command: list[str], temporary: Path) -> Iterator[Drill]:
    drill = Drill(command, temporary)
    try:
        yield drill
    finally:
        drill.process.kill()
        drill.process.communicate()
