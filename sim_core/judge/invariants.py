"""Promises, and what breaks them.

An invariant is a function that yields what is wrong, or SQL that must return no row. It is
judged at the end (INVARIANTS) or after every grant (ALWAYS), on a reader that cannot write. Its
docstring is the promise that is printed when it breaks.
"""

import inspect
import sqlite3
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, Final, NamedTuple

from sim_core.engine.trace import Event
from sim_core.errors import ScenarioError
from sim_core.judge.declared import declared

GIVEN: Final = ("db", "told", "events")
"""What an invariant may ask for, besides the options."""


class Violation(NamedTuple):
    """One broken promise, and the grant that broke it."""

    invariant: str
    promise: str
    detail: str
    grant: int


class Invariant(NamedTuple):
    """A named promise and the check that keeps it."""

    name: str
    promise: str
    check: Callable[..., Any]
    wants: tuple[str, ...]
    always: bool
    """Judged after every grant, and not only at the end."""

    def violations(self, grant: int, given: dict[str, Any]) -> list[Violation]:
        """Return what is broken; `grant` is named where the check names none itself."""
        found: Iterable[Any] = self.check(**{name: given[name] for name in self.wants}) or ()
        pairs = (one if isinstance(one, tuple) else (grant, one) for one in found)
        return [Violation(self.name, self.promise, str(said), at) for at, said in pairs]


def invariants_of(name: str, module: ModuleType, options: tuple[str, ...]) -> tuple[Invariant, ...]:
    """Return a scenario's invariants; ScenarioError for one that cannot be called."""
    allowed = (*GIVEN, *options)
    return tuple(
        _invariant(name, entry, allowed, always=kind == "ALWAYS")
        for kind in ("INVARIANTS", "ALWAYS")
        for entry in declared(name, module, kind)
    )


def _invariant(name: str, entry: Any, allowed: tuple[str, ...], *, always: bool) -> Invariant:
    if isinstance(entry, tuple) and len(entry) == 3:
        title, promise, sql = entry
        return Invariant(title, promise, _rows_of(sql), ("db",), always)
    if not callable(entry):
        raise ScenarioError(
            f"{name} lists an invariant {entry!r}; give a function, or (name, promise, SQL).",
            part=str(entry),
        )
    wants = tuple(inspect.signature(entry).parameters)
    title = entry.__name__.replace("_", " ")
    if not set(wants) <= set(allowed):
        raise ScenarioError(
            f"The invariant {title!r} of {name} asks for {', '.join(wants)}; it can be given "
            f"{', '.join(allowed)}.",
            part=entry.__name__,
        )
    promise = " ".join((entry.__doc__ or title).split())
    return Invariant(title, promise, entry, wants, always)


def _rows_of(sql: str) -> Callable[..., list[str]]:
    def check(db: sqlite3.Connection) -> list[str]:
        return [", ".join(map(str, row)) for row in db.execute(sql)]

    return check


def judge(
    invariants: Iterable[Invariant],
    reader: sqlite3.Connection,
    told: dict[str, Any],
    events: list[Event],
    options: dict[str, str],
) -> list[Violation]:
    """Return every violation that `invariants` find in the state as it is."""
    grant = events[-1].grant if events else 0
    given = {"db": reader, "told": told, "events": events, **options}
    return [broken for one in invariants for broken in one.violations(grant, given)]
