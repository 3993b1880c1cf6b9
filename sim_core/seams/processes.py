"""The machine's process list, as a run sees it: who lives, and who shows under which name.

A program that looks for another one with `ps | grep NAME` reads something that is no row and no
lock: a process stands in the list under the name it was started with, from the moment it comes
up until it ends, however it ends. Coming up takes time, and nobody schedules that; so a name may
be shown `after` some seconds, and time stops there (engine/run.py).

Every process has a number that is never used again. Only whoever judges may ask whether it
lives: the programs in a scenario know each other by their names.

Wrong in this module: the machine's real processes.
"""

from typing import NamedTuple


class Coming(NamedTuple):
    """A name that will show."""

    at: int
    """In virtual milliseconds."""
    number: str
    name: str
    owner: str
    """The letter of the writer that asked for it."""


class ProcessList:
    """One run's processes."""

    def __init__(self) -> None:
        self.coming: list[Coming] = []
        self._living: dict[str, list[str]] = {}
        """Number → the names under which it shows."""
        self._started: dict[str, int] = {}

    def start(self, process: str) -> str:
        """Start a process, and return its number: A, and A2 where that is started again."""
        again = self._started[process] = self._started.get(process, 0) + 1
        number = process if again == 1 else f"{process}{again}"
        self._living[number] = []
        return number

    def end(self, number: str) -> None:
        """Take a process out of the list."""
        self._living.pop(number, None)
        self.coming = [one for one in self.coming if one.number != number]

    def show(self, number: str, name: str) -> None:
        """Put a living process under a name."""
        if name not in self._living[number]:
            self._living[number].append(name)

    def due(self, now: int) -> list[Coming]:
        """Show what has come up by now, and return it."""
        due = sorted(one for one in self.coming if one.at <= now)
        for one in due:
            self.coming.remove(one)
            self.show(one.number, one.name)
        return due

    def names(self, number: str) -> tuple[str, ...]:
        """Return the names under which a process shows."""
        return tuple(self._living.get(number, ()))

    def shows(self, name: str) -> bool:
        """Say whether some process stands under that name."""
        return any(name in names for names in self._living.values())

    def lives(self, number: str) -> bool:
        """Say whether that process has not ended."""
        return number in self._living

    def state(self) -> tuple[object, ...]:
        """Return all that what follows can depend on."""
        living = tuple((number, tuple(names)) for number, names in self._living.items())
        return tuple(sorted(living)), tuple(sorted(self.coming))


class Onlooker:
    """The list for whoever judges: it can ask, and change nothing."""

    __slots__ = ("lives", "shows")

    def __init__(self, of: ProcessList) -> None:
        self.shows = of.shows
        self.lives = of.lives
