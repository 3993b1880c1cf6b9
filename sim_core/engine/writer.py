"""A writer during a run: where it is parked, what it waits for, how it ended."""

from collections.abc import Coroutine
from typing import Any, Final

from sim_core.engine.db import Connection
from sim_core.engine.locks import Hold, Wait
from sim_core.engine.park import Operation

LAST: Final = Operation("", "", (), lambda: None)
"""Stands after a writer's last operation, where a crash can still take its answer."""


class Writer:
    """One coroutine with its own connection."""

    __slots__ = (
        "answer",
        "connection",
        "coroutine",
        "deadline",
        "ended",
        "error",
        "hold",
        "letter",
        "name",
        "number",
        "operation",
        "role",
        "waits",
    )

    def __init__(
        self,
        letter: str,
        name: str,
        role: str,
        connection: Connection,
        hold: Hold,
        coroutine: Coroutine[Operation, Any, Any],
    ) -> None:
        self.letter = letter
        self.name = name
        self.role = role
        self.connection = connection
        self.hold = hold
        self.coroutine = coroutine
        self.operation = LAST
        self.number = 0
        """Its parking place: the number of the operation it is about to do."""
        self.deadline: int | None = None
        """When its busy timeout, or its sleep, is over."""
        self.waits: Wait | None = None
        self.ended = ""
        """finished, failed or crashed; empty while it lives."""
        self.answer: Any = None
        self.error = ""

    def expired(self, now: int) -> bool:
        """Say whether its busy timeout is over (one of 0 always is)."""
        return self.hold.timeout == 0 or (self.deadline is not None and now >= self.deadline)
