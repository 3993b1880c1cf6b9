"""The door: the one place where a writer stops.

Every call of a writer that touches the database, or sleeps, becomes an Operation and waits
here until the engine grants it. Whoever understands `park` understands the engine: what has
not come through the door has not happened, and between two visits a writer is alone.

Faults need no second door. A fault before an operation is thrown in here instead of the
result; a fault after it is thrown once the act is done. The facade cannot tell them from
SQLite's own errors, which is the point.
"""

from collections.abc import Callable, Generator
from types import coroutine
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sim_core.engine.statement import Parameters

if TYPE_CHECKING:
    from sim_core.engine.cursor import Cursor

Row = tuple[Any, ...]


class Result(NamedTuple):
    """What an operation came to, as the trace tells it."""

    rows: list[Row] | None = None
    """The rows it gave, in SQLite's own values; None where it gives none at all."""
    rowcount: int = -1
    value: Any = None
    """What its caller gets, where that is neither rows nor a count."""


NOTHING: Final = Result()


class Operation(NamedTuple):
    """What a parked writer is about to do."""

    call: str
    """The facade's method: execute, fetchone, commit, rollback, close, sleep …"""
    sql: str
    parameters: Parameters
    act: Callable[[], Result]
    """Does it, on the real connection; called by the engine, once granted."""
    cursor: "Cursor | None" = None
    sleeps: int = 0
    """Virtual milliseconds to sleep before it can be granted."""


@coroutine
def park(operation: Operation) -> Generator[Operation, Result, Result]:
    """Suspend the calling writer at `operation`; return what the engine sends back."""
    return (yield operation)


async def at_once(operation: Operation) -> Result:
    """Do it: outside a run there is nobody to wait for."""
    return operation.act()
