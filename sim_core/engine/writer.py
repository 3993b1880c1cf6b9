"""A writer during a run: where it is parked, what it waits for, how it ended."""

from collections.abc import Callable, Coroutine
from typing import Any, Final, NamedTuple

from sim_core.engine.db import Connection
from sim_core.engine.locks import Hold, Need
from sim_core.engine.outlook import Wait
from sim_core.engine.park import NOTHING, Operation
from sim_core.engine.writerclock import WriterClock
from sim_core.engine.writerprocesses import WriterProcesses

LAST: Final = Operation("", "", (), lambda: NOTHING)
"""Stands after a writer's last operation, where a crash can still take its answer."""

NEW: Final = Operation("start", "", (), lambda: NOTHING)
"""Stands before a writer's first line, for scenarios whose writers start when granted."""

Start = Callable[
    [Connection, WriterClock, dict[str, Any], WriterProcesses], Coroutine[Operation, Any, Any]
]


class Link(NamedTuple):
    """A connection in a run: the facade, and what it holds."""

    connection: Connection
    hold: Hold
    dice: int
    """The stream that answers its random()."""


class Writer:
    """One coroutine; its connection is its own, or shared with others of its process."""

    __slots__ = (
        "answer",
        "barred",
        "clock",
        "coroutine",
        "deadline",
        "ended",
        "error",
        "letter",
        "link",
        "name",
        "need",
        "number",
        "number_of_process",
        "operation",
        "process",
        "role",
        "waits",
    )

    def __init__(
        self, letter: str, name: str, role: str, process: str, link: Link, clock: WriterClock
    ) -> None:
        self.letter = letter
        self.name = name
        self.role = role
        self.process = process
        """What dies together."""
        self.number_of_process = ""
        """Its process in the process list; whoever comes in its stead has another."""
        self.link = link
        self.clock = clock
        self.coroutine: Coroutine[Operation, Any, Any] | None = None
        self.operation = NEW
        self.number = 0
        """Its parking place: the number of the operation it is about to do."""
        self.deadline: int | None = None
        """When its busy timeout, or its sleep, is over."""
        self.waits: Wait | None = None
        self.barred: tuple[str, str] | None = None
        """The lock that SQLite said BUSY for, and who had it."""
        self.need: Need | None = None
        """What its operation asks of the file, once that was worked out."""
        self.ended = ""
        """finished, failed or crashed; empty while it lives."""
        self.answer: Any = None
        self.error = ""

    def expired(self, now: int) -> bool:
        """Say whether its busy timeout is over (one of 0 always is)."""
        no_patience = self.link.hold.timeout == 0
        return no_patience or (self.deadline is not None and now >= self.deadline)
