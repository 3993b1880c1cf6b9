"""What happened, one canonical line an event; their hash is the run's identity.

Reports, the bridge and the page read events and nothing else. A line holds no object address,
no float formatting of ours, no error text, no version: the same recipe gives the same bytes on
every platform, Python and SQLite. The seed is not in it either: two seeds that chose the same
schedule are the same run.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sim_core.engine.parameters import kept
from sim_core.engine.plain import encode as encode
from sim_core.engine.plain import sha256
from sim_core.engine.statement import Shape, shape
from sim_core.quoting import kind, message
from sim_core.seams.clock import Clock

if TYPE_CHECKING:
    from sim_core.engine.park import Result
    from sim_core.engine.writer import Writer

ENGINE: Final = 1
"""Raised whenever the same recipe may give another hash."""


TIME: Final = "t"
"""The grant that lets time pass to the next deadline."""

NO_SHAPE: Final = Shape("", (), "")


class Event(NamedTuple):
    """One thing that happened in a grant. Fields that do not apply keep their defaults."""

    grant: int
    """Number of the grant, from 1; 0 for what happens before the first."""
    time: int
    """Virtual milliseconds since the start of the run."""
    writer: str
    """Its letter; `t` where time itself passed."""
    kind: str
    """start, operation, implicit, told, failed, wait, crash, advance, clock, deadlock; shows (its
    process stands in the process list from now on) and looks (it asked the list), both with the
    name as `call`."""
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
    """Of a crash: before its operation, or after the writer's last. Of an injected error:
    before or after the operation's effect."""
    lock: str = ""
    """The lock that is waited for, or that an operation was refused."""
    holders: str = ""
    """The letters of those who have it."""
    deadline: int | None = None

    def plain(self) -> tuple[Any, ...]:
        """Return what identifies the event, for its canonical line: everything but the SQL, told
        by its shape, and the message."""
        form = shape(self.sql) if self.sql else NO_SHAPE
        return (*self[:6], form.fingerprint, form.literals, *self[7:11], *self[12:])

    def line(self) -> str:
        """Return the canonical line."""
        return encode(self.plain())


class Trace:
    """What has happened in one run so far: every grant, and every event.

    It knows nobody who writes into it, so that a finished run is freed at once."""

    __slots__ = ("clock", "events", "grants")

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.grants = ""
        """One letter a grant."""
        self.events: list[Event] = []

    def tell(self, writer: "Writer", kind: str, **fields: Any) -> None:
        """Enter an event of a writer."""
        grant, now = len(self.grants), self.clock.milliseconds
        self.events.append(Event(grant, now, writer.letter, kind, writer.number, **fields))

    def time(self, kind: str, answer: float | None = None) -> None:
        """Enter that time passed (`advance`), or that the wall clock was set (`clock`)."""
        grant, now = len(self.grants), self.clock.milliseconds
        self.events.append(Event(grant, now, TIME, kind, answer=answer))

    def did(
        self, writer: "Writer", result: "Result | None", error: BaseException | None, side: str = ""
    ) -> None:
        """Enter an operation. By position: this is the hottest line of a run."""
        did = writer.operation
        rows = None if result is None or result.rows is None else tuple(result.rows)
        self.events.append(
            Event(
                len(self.grants),
                self.clock.milliseconds,
                writer.letter,
                "operation",
                writer.number,
                did.call,
                did.sql,
                kept(did.parameters) if did.parameters else (),
                rows,
                -1 if result is None else result.rowcount,
                None if error is None else error_name(error),
                "" if error is None else message(error),
                None,
                side,
                *(() if error is None else writer.barred or ()),
            )
        )


def digest(head: str, events: Iterable[Event]) -> str:
    """Return the sha256, in hex, of the head line (what was run) and every event's line.

    The lines are joined as a JSON array is, so that one call encodes them all.
    """
    return _sha256(head, encode([event.plain() for event in events]))


def digest_of(head: str, lines: Iterable[str]) -> str:
    """Return the same of lines that stand already."""
    return _sha256(head, f"[{','.join(lines)}]")


def _sha256(head: str, lines: str) -> str:
    return sha256(f"{ENGINE} {head}\n{lines}")


def error_name(error: BaseException) -> str:
    """Return SQLite's extended name of an error, or the exception's class."""
    try:
        name = getattr(error, "sqlite_errorname", None)
    except Exception:  # somebody's own class, which need not have it
        name = None
    return name if name and type(name) is str else kind(error)
