"""The machine's real process list, and a process that shows in it under a name, later.

A file of its own that imports nothing of ours: a worker of a drill loads it, and the drill itself
asks it too. A session shows under its sentinel when the process that it starts has come up: here
one that waits on purpose, as a slow start does, and only then becomes what has the name among its
words (exec). It ends with whoever started it, for that holds the other end of its stdin.

Wrong in this module: a claim.
"""

import os
import subprocess
import sys
import threading
from contextlib import suppress
from time import monotonic

PROC = "/proc"

AGENT = "import os\nos.write(1, b'up')\nwhile os.read(0, 4096): pass"
LATE = f"""
import os, select, sys
if not select.select([0], [], [], float(sys.argv[1]))[0]:
    words = [sys.executable, "-I", "-S", "-c", {AGENT!r}, os.environ.pop("SENTINEL")]
    os.execv(sys.executable, words)
"""


def shown(name: str) -> bool:
    """Say whether some process has the name among its words."""
    word = os.fsencode(name)
    if not os.path.isdir(f"{PROC}/self"):  # noqa: PTH112 - pathlib costs every worker its import
        done = subprocess.run(["ps", "-axww", "-o", "args="], capture_output=True, check=True)
        return any(word in line.split() for line in done.stdout.splitlines())
    for number in os.listdir(PROC):  # noqa: PTH208
        if number.isdecimal():
            with suppress(OSError), open(f"{PROC}/{number}/cmdline", "rb") as file:  # noqa: PTH123
                if word in file.read().split(b"\0"):
                    return True
    return False


class Processes:
    """What a writer asks for as `processes`."""

    def __init__(self) -> None:
        self.me = str(os.getpid())
        self.took: list[float] = []
        """Seconds from each session's claim until its process showed."""
        self._agents: dict[str, subprocess.Popen[bytes]] = {}

    def shows(self, name: str) -> bool:
        """Look at the process list."""
        return shown(name)

    def show(self, name: str, after: float = 0.0) -> None:
        """Start a process that will show under the name, after so many seconds."""
        self.hide(name)
        words = [sys.executable, "-I", "-S", "-c", LATE, repr(float(after))]
        agent = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "SENTINEL": name},
        )
        self._agents[name] = agent
        threading.Thread(target=self._note, args=[agent, monotonic()], daemon=True).start()

    def hide(self, name: str) -> None:
        """End the process that shows under the name."""
        if agent := self._agents.pop(name, None):
            assert agent.stdin is not None, "its input is a pipe"
            agent.stdin.close()
            agent.wait()

    def _note(self, agent: "subprocess.Popen[bytes]", began: float) -> None:
        assert agent.stdout is not None, "its output is a pipe"
        if os.read(agent.stdout.fileno(), 2):
            self.took.append(monotonic() - began)
