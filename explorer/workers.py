"""Every core at work on one sweep, and nobody left behind.

A terminal sends Ctrl-C to the command and its workers alike, and only the command may answer: a
worker hears no signal. It ends when the pipe that it holds one end of closes, which the command
does when it wants no more, and the machine when the command is gone, however it went.

Wrong in this module: what a worker works on (sim_core/search/sweep.py).
"""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from multiprocessing.connection import Connection
from typing import Final, ParamSpec, TypeVar

from explorer import asides, interrupt
from sim_core.errors import MachineError

ENOUGH: Final = 2_000
"""Seeds from which on a process more is worth its start."""
MOST: Final = 256
PATIENCE: Final = 1.0
"""Seconds that the pool has to end, once its workers have."""

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def how_many(seeds: int, asked: int | None) -> int:
    """Return how many processes are to run so many seeds."""
    if asked is None and seeds < ENOUGH:
        return 1
    return min(asked or _cores(), seeds, MOST)


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Pool(ProcessPoolExecutor):
    """Starts a process whole, or not at all: one that is half started when Ctrl-C comes would
    end in a traceback of its own."""

    def submit(
        self, task: Callable[Given, Answer], /, *args: Given.args, **named: Given.kwargs
    ) -> Future[Answer]:
        with interrupt.held():
            return super().submit(task, *args, **named)


@contextmanager
def workers(count: int) -> Iterator[Pool | None]:
    """Have so many processes at work inside the block; with one there is nothing to start."""
    if count < 2:
        yield None
        return
    context = multiprocessing.get_context("spawn")
    theirs, ours = context.Pipe(duplex=False)
    others = threading.enumerate()
    pool = None
    try:
        with interrupt.held():
            pool = Pool(count, context, _begin, (theirs,))
        yield pool
    except BrokenProcessPool as error:
        raise MachineError(
            "A process that made runs was ended in the middle of one, by the scenario or for want "
            "of memory; sweep with --jobs 1 to see where."
        ) from error
    finally:
        if pool:  # first: what was never begun is forgotten, and not taken for broken
            pool.shutdown(wait=False, cancel_futures=True)
        ours.close()
        _wait_for(thread for thread in threading.enumerate() if thread not in others)
        theirs.close()


def _wait_for(threads: Iterable[threading.Thread]) -> None:
    """Wait for the pool's own thread, which gives the machine's semaphores back. With patience: it
    can wait for ever itself, for the rest of an answer whose worker has just ended."""
    for thread in threads:
        thread.join(PATIENCE)


# In a worker.


def _begin(life: Connection) -> None:
    """Be deaf, be quiet on stdout, and end with the command."""
    for number in interrupt.SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, interrupt.SIGNALS)
    with suppress(OSError):
        os.dup2(2, 1)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # nobody flushes it at the end
    asides.listen()
    threading.Thread(target=_end_with, args=[life], daemon=True).start()


def _end_with(life: Connection) -> None:
    with suppress(OSError):
        life.poll(None)
    interrupt.end(0)
