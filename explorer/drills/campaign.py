"""The same drill again and again: as far as it has come, and what ended it.

What was made until then counts, whoever ended it: Ctrl-C, the time that it may take, an error.

Wrong in this module: one run.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic
from typing import Any, Final, Generic, Protocol, TypeVar

from explorer import interrupt
from explorer.answers import Early
from explorer.progress import Bar
from sim_core.engine.place import remove


class Broken(Protocol):
    @property
    def broken(self) -> bool:
        """Say whether the run failed."""


Run = TypeVar("Run", bound=Broken)


class Timed(Bar):
    """A bar that ends what it counts when the time is used up."""

    def __init__(self, bar: Bar, limit: float) -> None:
        super().__init__(bar.what, bar.total)
        self._bar = bar
        self._until = monotonic() + limit

    def step(self, note: str = "") -> None:
        self._bar.step(note)
        self.check()

    def check(self) -> None:
        """End what it counts where the time is used up, or somebody asked for the end."""
        interrupt.check()
        if monotonic() > self._until:
            raise Over


class Over(Exception):
    """The time is used up."""


USED_UP: Final = "the time that it may take is used up"


class Campaign(Generic[Run]):
    """Runs of one plan."""

    def __init__(self, asked: int) -> None:
        self.runs: list[Run] = []
        self.asked = asked
        self.stopped = ""

    @property
    def broken(self) -> int:
        """Return how many runs failed."""
        return sum(run.broken for run in self.runs)

    @property
    def out_of_time(self) -> bool:
        """Say whether more time is what it lacked."""
        return self.stopped == USED_UP

    def made(
        self, run: Callable[[Path, Timed], Run], folder: Path, name: str, bar: Timed, *, keep: bool
    ) -> BaseException | None:
        """Make the runs, each in a file of its own, and return what ended them early."""
        early = Early(self, self.asked)
        with early:
            for number in range(1, self.asked + 1):
                database = folder / f"{name}-{number:03}.db"
                remove(database)
                try:
                    bar.check()  # another plan's runs may have used up the time
                    self.runs.append(run(database, bar))
                except Over:
                    self.stopped = USED_UP
                    break
                finally:
                    if not keep:
                        remove(database)
        return early.error


def verdict(campaigns: Iterable[Campaign[Any]]) -> str:
    """Return what the runs come to in a word; `untested` where one of the plans had no run."""
    campaigns = list(campaigns)
    if any(one.broken for one in campaigns):
        return "broken"
    return "ok" if all(one.runs for one in campaigns) else "untested"


UNTESTED: Final = "Nothing was tested: no run came to its end."
