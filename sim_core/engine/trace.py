"""What happened, one canonical line an event; their hash is the run's identity.

Reports, the bridge and the page read events and nothing else. A line holds no object address,
no float formatting of ours, no error text, no version: the same recipe gives the same bytes on
every platform, Python and SQLite. The seed is not in it either: two seeds that chose the same
schedule are the same run.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from sim_core.engine.statement import shape

ENGINE: Final = 1
"""Raised whenever the same recipe may give another hash."""


def _plain(value: object) -> object:
    """Return a JSON shape for what SQLite can hold and JSON cannot."""
    if isinstance(value, bytes | bytearray | memoryview):
        return {"blob": bytes(value).hex()}
    return {"type": type(value).__name__}


encode: Final = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, default=_plain).encode


def storable(value: object) -> object:
    """Return `value` as its JSON shape, for a writer's answer of any type."""
    return json.loads(encode(value))


class Event(NamedTuple):
    """One thing that happened in a grant. Fields that do not apply keep their defaults."""

    grant: int
    """Number of the grant, from 1; 0 for what happens before the first."""
    time: int
    """Virtual milliseconds since the start of the run."""
    writer: str
    """Its letter; `t` where time itself passed."""
    kind: str
    """operation, told, failed, wait, crash, advance."""
    number: int = 0
    """The writer's how-many-eth operation this is or was about to be."""
    call: str = ""
    sql: str = ""
    parameters: Any = ()
    rows: tuple[Any, ...] | None = None
    rowcount: int = -1
    error: str | None = None
    """SQLite's extended error name, or the exception's class."""
    message: str = ""
    """For people; not part of the line."""
    answer: Any = None
    """What a writer that finished returned."""
    side: str = ""
    """A crash's: before its operation, or after the writer's last."""
    lock: str = ""
    holders: str = ""
    deadline: int | None = None

    def line(self) -> str:
        """Return the canonical line."""
        form = shape(self.sql) if self.sql else None
        return encode(
            (
                self.grant,
                self.time,
                self.writer,
                self.kind,
                self.number,
                self.call,
                form.fingerprint if form else "",
                form.literals if form else (),
                self.parameters,
                self.rows,
                self.rowcount,
                self.error,
                self.answer,
                self.side,
                self.lock,
                self.holders,
                self.deadline,
            )
        )


def digest(head: str, events: Iterable[Event]) -> str:
    """Return the sha256, in hex, of the head line (what was run) and every event's line."""
    lines = [f"{ENGINE} {head}", *(event.line() for event in events)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
