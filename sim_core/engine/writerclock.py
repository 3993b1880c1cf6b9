"""The clock as a writer sees it: it can read it, and sleep.

Sleeping is an operation like any other: the writer parks, and cannot be granted before its time
has come. Written against this, a writer needs no event loop.
"""

from collections.abc import Callable
from datetime import date, datetime

from sim_core.engine.park import NOTHING, Operation, park
from sim_core.seams.clock import Clock


class WriterClock:
    """`now`, `today`, `local` and `monotonic` of the run's clock, and `sleep` through the door.

    `now` and `today` are in UTC; `local` is in the run's zone (tz=), and its date() the local day.
    """

    def __init__(self, clock: Clock) -> None:
        self.now: Callable[[], datetime] = clock.now
        self.today: Callable[[], date] = clock.today
        self.local: Callable[[], datetime] = clock.local
        self.monotonic: Callable[[], float] = clock.monotonic

    async def sleep(self, seconds: float) -> None:
        """Let at least so much virtual time pass."""
        milliseconds = max(1, round(seconds * 1000))
        await park(Operation("sleep", "", (seconds,), lambda: NOTHING, sleeps=milliseconds))
