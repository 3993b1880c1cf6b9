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
from typing import Any, NamedTuple

from sim_core.engine.statement import Parameters


class Operation(NamedTuple):
    """What a parked writer is about to do."""

    call: str
    """The facade's method: execute, commit, rollback, sleep."""
    sql: str
    parameters: Parameters
    act: Callable[[], Any]
    """Does it, on the real connection; called by the engine, once granted."""
    sleeps: int = 0
    """Virtual milliseconds to sleep before it can be granted."""


@coroutine
def park(operation: Operation) -> Generator[Operation, Any, Any]:
    """Suspend the calling writer at `operation`; return what the engine sends back."""
    return (yield operation)
