"""Time that moves only when told.

Everything in a run that asks what time it is ends here: Python code through `now()` and
`today()`, SQL through seams/sqltime.py. The unit is the virtual millisecond since the start of
the run; the start is one fixed instant, so that dates in a trace are dates, and stay.

Wrong in this module: any import that can read the machine's clock.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Final

EPOCH: Final = datetime(2026, 7, 10, 9, 0, 0, tzinfo=UTC)
"""Virtual millisecond 0: the day on which report A flipped its default to enforce."""


class Clock:
    """One run's clock, in virtual milliseconds."""

    __slots__ = ("milliseconds",)

    def __init__(self, milliseconds: int = 0) -> None:
        self.milliseconds = milliseconds

    def advance(self, to: int) -> None:
        """Move to the millisecond `to`, which must not lie behind."""
        assert to >= self.milliseconds, f"time cannot go back from {self.milliseconds} to {to} ms"
        self.milliseconds = to

    def now(self) -> datetime:
        """Return the instant, in UTC."""
        return EPOCH + timedelta(milliseconds=self.milliseconds)

    def today(self) -> date:
        """Return the day, in UTC."""
        return self.now().date()

    def monotonic(self) -> float:
        """Return seconds since the start of the run."""
        return self.milliseconds / 1000
