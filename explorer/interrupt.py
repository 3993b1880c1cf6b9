"""Ctrl-C, and the other signals that ask a process to end: heard once, always obeyed.

The first becomes a KeyboardInterrupt, so that a sweep can still print what it has found. But a
scenario may swallow that (`except:`), or not come back to Python at all (a query without end).
So a thread is told of every signal as well: it ends the process when a second one comes, or when
PATIENCE seconds did not help. The directory of the run files goes either way.

Wrong in this module: what is printed before the end.
"""

import os
import select
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

PATIENCE: Final = 3.0
SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)

heard = 0
"""The number of the first signal that asked for the end."""
_held = False
_ears: tuple[int, int] | None = None


def status() -> int:
    """Return the exit status of a process that was asked to end."""
    return 128 + (heard or signal.SIGINT)


def check() -> None:
    """Raise KeyboardInterrupt where somebody asked for the end, and a scenario swallowed it."""
    listen()
    if heard:
        raise KeyboardInterrupt


def listen() -> None:
    """Hear signals from now on, also where a scenario has turned us deaf."""
    global _ears
    for number in SIGNALS:
        signal.signal(number, _hear)
    if os.name != "posix":
        return
    if _ears is None:
        _ears = os.pipe()
        os.set_blocking(_ears[1], False)
        threading.Thread(target=_watch, args=[_ears[0]], daemon=True).start()
    signal.set_wakeup_fd(_ears[1], warn_on_full_buffer=False)


@contextmanager
def held() -> Iterator[None]:
    """Obey only at the end of the block: what it does must not be left half done. A process that
    it starts is deaf."""
    global _held
    _held, mask = True, signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        _held = False
    if heard:
        raise KeyboardInterrupt


def leave_to_server() -> None:
    """A server ends by itself, and may take its time."""
    if os.name == "posix":
        signal.set_wakeup_fd(-1)


def _hear(number: int, frame: FrameType | None) -> None:
    global heard
    if heard == 0:
        heard = number
        if not _held:
            raise KeyboardInterrupt


def _watch(ear: int) -> None:
    while (number := os.read(ear, 1)[0]) not in SIGNALS:
        pass
    select.select([ear], [], [], PATIENCE)
    end(128 + number)


def end(status: int) -> None:
    """End the process here, whatever threads or exit handlers a scenario has left behind."""
    place = sys.modules.get("sim_core.engine.place")  # not imported: an import may be going on
    with suppress(Exception):
        if place:
            place.leave()
    os._exit(status)
