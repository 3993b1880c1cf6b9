"""What every command that answers has in common: its --json, its exit status, and how it stops.

Wrong in this module: what one command says.
"""

from types import TracebackType
from typing import Any, Final, Protocol, Self

import click

from explorer import interrupt, terminal
from explorer.progress import Bar
from sim_core import bridge
from sim_core.errors import ExplorerError

BROKEN: Final = 1
"""Exit status where something is broken, stale or leaks."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead.")


def say_json(answer: dict[str, Any]) -> None:
    """Print the one object of a command's --json."""
    terminal.answer(bridge.written(answer))


class Many(Protocol):
    """Runs that are made one after another, as far as they have come."""

    runs: list[Any]
    asked: int
    stopped: str


class Early:
    """Around the making of many runs: what ends it early is kept, and not raised, since what was
    found until then counts all the same."""

    def __init__(self, found: Many, asked: int) -> None:
        self.error: BaseException | None = None
        """What ended it."""
        self._found = found
        self._asked = asked
        self._broken = 0

    def step(self, run: Any, bar: Bar) -> None:
        """Count one run."""
        self._broken += bool(run.broken)
        bar.step(f"{self._broken} broken")
        if interrupt.heard:
            self._found.runs.pop()  # a run that swallowed Ctrl-C is not the run it names
        interrupt.check()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> bool:
        self._found.asked = self._asked  # also where it was stopped before it began
        if not isinstance(error, KeyboardInterrupt | ExplorerError):
            return False
        by_hand = isinstance(error, KeyboardInterrupt)
        self._found.stopped = "interrupted" if by_hand else str(error)
        self.error = error
        return True
