"""The clock as a writer sees it: it can read it, and sleep.

Sleeping is an operation like any other: the writer parks, and cannot be granted before its time
has come. Written against this, a writer needs no event loop.
"""

from datetime import date, datetime

from sim_core.engine.park import NOTHING, Operation, park
from sim_core.seams.clock import Clock


class WriterClock:
    """`now`, `today`, `local` and `monotonic` of the run's clock, and `sleep` through the door.

    `now` and `today` are in UTC; `local` is in the run's zone (tz=), and its date() the local day.
    """

    __slots__ = ("_clock", "read")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.read: list[int] = []
        """When it was asked, in virtual milliseconds: what its writer knows of the time."""

    def _asked(self) -> Clock:
        self.read.append(self._clock.milliseconds)
        return self._clock

    def now(self) -> datetime:
        """Return the instant, in UTC."""
        return self._asked().now()

    def today(self) -> date:
        """Return the day, in UTC."""
        return self._asked().today()

    def local(self) -> datetime:
        """Return the instant in the run's zone."""
        return self._asked().local()

    def monotonic(self) -> float:
        """Return seconds since the start of the run."""
        return self._asked().monotonic()

    async def sleep(self, seconds: float) -> None:
        """Let at least so much virtual time pass."""
        milliseconds = max(1, round(seconds * 1000))
        await park(Operation("sleep", "", (seconds,), lambda: NOTHING, sleeps=milliseconds))
