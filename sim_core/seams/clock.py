"""Time that moves only when told.

Everything in a run that asks what time it is ends here: Python code through `now()`, `today()`
and `local()`, SQL through seams/sqltime.py. The unit is the virtual millisecond since the start
of the run; the start is one fixed instant, so that dates in a trace are dates, and stay.

There are two times, as on a real machine. `milliseconds` only ever grows: deadlines, sleeps and
`monotonic()` live by it. `wall` is what a clock on the wall would say; it keeps the same pace,
unless a scenario asks by name (CLOCK) that it stand still, or be set at certain grants, as a
machine's clock is by its owner or by NTP. Only then can `now()` go back.

Wrong in this module: any import that can read the machine's clock.
"""

from datetime import UTC, date, datetime, timedelta
from typing import Final, Literal

from sim_core.seams.zones import zone

EPOCH: Final = datetime(2026, 7, 10, 9, 0, 0, tzinfo=UTC)
"""Virtual millisecond 0: the day on which report A flipped its default to enforce."""

Habit = Literal["frozen"] | tuple[tuple[int, float], ...]
"""How a wall clock misbehaves: it stands still, or is set by so many seconds as each of these
grants begins: ((3, -3600),)."""


class Clock:
    """One run's clock, in virtual milliseconds."""

    __slots__ = ("_frozen", "_steps", "milliseconds", "wall", "zone")

    def __init__(self, milliseconds: int = 0, zone: str = "UTC", habit: Habit = ()) -> None:
        self.milliseconds = milliseconds
        """Since the start of the run; never goes back."""
        self.wall = milliseconds
        """What the wall clock says, in the same unit."""
        self.zone = zone
        """The name of the run's time zone."""
        self._frozen = habit == "frozen"
        self._steps = () if habit == "frozen" else habit

    def advance(self, to: int) -> None:
        """Move to the millisecond `to`, which must not lie behind."""
        assert to >= self.milliseconds, f"time cannot go back from {self.milliseconds} to {to} ms"
        if not self._frozen:
            self.wall += to - self.milliseconds
        self.milliseconds = to

    def reach(self, grant: int) -> float:
        """Set the wall clock as asked for `grant`; return by how many seconds it was set."""
        seconds = sum(by for at, by in self._steps if at == grant)
        self.wall += round(seconds * 1000)
        return seconds

    def now(self) -> datetime:
        """Return the instant, in UTC."""
        return EPOCH + timedelta(milliseconds=self.wall)

    def local(self) -> datetime:
        """Return the instant in the run's time zone (tz=): its date() is the local day."""
        return self.now().astimezone(zone(self.zone))

    def today(self) -> date:
        """Return the day, in UTC."""
        return self.now().date()

    def monotonic(self) -> float:
        """Return seconds since the start of the run, whatever the wall clock says."""
        return self.milliseconds / 1000
