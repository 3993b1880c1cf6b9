"""Every order of a small recipe, one by one: what a picture of them is drawn from.

A search keeps counts and the smallest stories; a picture of all orders as paths wants each of
them, with what broke in it, and the places where somebody could not go: there a writer waits, or
SQLite answers BUSY.

Wrong in this module: a verdict. Where there are more orders than were asked for, nothing is told.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sim_core.engine.trace import Event
from sim_core.judge.trial import Outcome, Trial
from sim_core.search.orders import Walk

MOST: Final = 300
"""Orders that are listed unless it is said otherwise."""


class Met(NamedTuple):
    """One order."""

    grants: str
    broken: tuple[str, ...]
    waits: tuple[tuple[int, str], ...]
    """After so many grants, that writer, who is not done, cannot go."""
    busy: tuple[tuple[int, str], ...]
    """After so many grants, that writer goes and is told BUSY."""


def each(trial: Trial, most: int = MOST) -> list[Met] | None:
    """Return every order, or nothing where there are more than `most`."""
    walk = Walk(trial, reduce=False)
    found: list[Met] = []
    for outcome in walk.outcomes():
        found.append(_met(outcome, walk.offered))
        if len(found) == most and not walk.finished:
            return None
    return found


def _met(outcome: Outcome, offered: tuple[tuple[str, ...], ...]) -> Met:
    run = outcome.run
    busy = (
        (event.grant - 1, event.writer)
        for event in run.events
        if event.kind == "operation" and (event.error or "").startswith("SQLITE_BUSY")
    )
    waits = {place: None for event in run.events for place in _waiting(event, offered)}
    return Met(run.grants, outcome.broken, tuple(waits), tuple(busy))


def _waiting(event: Event, offered: tuple[tuple[str, ...], ...]) -> Iterator[tuple[int, str]]:
    """Yield where a wait that begins with an event keeps its writer from going."""
    if event.kind != "wait":
        return
    for at in range(event.grant, len(offered)):
        if event.writer in offered[at]:
            return
        yield at, event.writer
