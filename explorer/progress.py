"""Progress on a terminal: a bar with rate and remaining time; plain lines elsewhere.

A search can take minutes. Whoever watches is told how far it is; whoever reads a log gets a
line now and then, and no control characters.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from explorer.terminal import complain

LINES: Final = 10
"""Lines that a whole search prints where there is no terminal."""

EVERY: Final = 0.05
"""Seconds from which on a step is worth drawing: workers bring thousands a second."""


class Rate(ProgressColumn):
    """Steps a second."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed:,.0f}/s" if task.speed else "")


class Bar:
    """Something that counts steps."""

    def __init__(self, what: str, total: int) -> None:
        self.what = what
        self.total = total
        self.done = 0

    def step(self, note: str = "") -> None:
        """Count one step; `note` says what was found so far."""
        self.done += 1
        if self.done % max(1, self.total // LINES) == 0 and self.total >= LINES * 10:
            complain(f"{self.what}: {self.done:,} of {self.total:,} {note}".rstrip())


class DrawnBar(Bar):
    """The same, drawn."""

    def __init__(self, what: str, total: int, drawn: Progress) -> None:
        super().__init__(what, total)
        self._drawn = drawn
        self._task = drawn.add_task(what, total=total, note="")
        self._due = 0.0

    def step(self, note: str = "") -> None:
        self.done += 1
        now = time.monotonic()
        if now >= self._due:
            self._due = now + EVERY
            self._drawn.update(self._task, completed=self.done, note=note)


@contextmanager
def progress(what: str, total: int) -> Iterator[Bar]:
    """Show progress on stderr while the block runs."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Bar(what, total)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TextColumn("{task.fields[note]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as drawn:
        yield DrawnBar(what, total, drawn)
