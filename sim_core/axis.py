"""The moments of a run on the axis of virtual time, where its scenario names some (AXIS).

Grants say in which order things happened; some stories are about how long they took, and there
most of the time nothing happens at all. A scenario reads the events and names those that matter.

Wrong in this module: which moments matter.
"""

from collections.abc import Iterator
from itertools import islice
from textwrap import wrap
from typing import Any, Final, NamedTuple

from sim_core.engine.trace import Event
from sim_core.errors import ScenarioError
from sim_core.judge.theirs import theirs
from sim_core.judge.trial import Outcome
from sim_core.quoting import LONG, cut, line, short, text_of

MOST: Final = 100
"""Moments that are told."""
NARROWEST: Final = 20


class Moment(NamedTuple):
    """One thing that a scenario puts on its axis."""

    at: int
    """Virtual milliseconds since the start of the run."""
    label: str
    writer: str
    """Its letter."""
    grant: int


def title(outcome: Outcome) -> str:
    """Return what the axis shows, in words."""
    function = outcome.scenario.axis
    return function.__name__.replace("_", " ") if function else ""


def moments(outcome: Outcome) -> list[Moment]:
    """Return the moments of a run, by time; none where the scenario names none, or where the
    clock did not move."""
    function, head = outcome.scenario.axis, outcome.recipe.head
    if function is None or not outcome.run.clock.milliseconds:
        return []
    with theirs(lambda: f"AXIS of {head} raised", "AXIS"):
        found = [_moment(one, head) for one in islice(function(tuple(outcome.run.events)), MOST)]
    return sorted(found, key=lambda one: (one.at, one.grant))


def _moment(found: Any, head: str) -> Moment:
    match found:
        case (Event() as event, str(label)):
            return Moment(event.time, cut(text_of(label), LONG), event.writer, event.grant)
    raise ScenarioError(
        f"AXIS of {head} yields {short(found)}; yield (event, text) with one of the events.",
        part="AXIS",
    )


def axis_text(outcome: Outcome, width: int) -> Iterator[str]:
    """Yield the axis as lines: a scale, and under it what happened when."""
    found = moments(outcome)
    if not found:
        return
    names = {writer.letter: writer.name for writer in outcome.run.writers.values()}
    names = {letter: f"{letter} {name}" for letter, name in names.items()}
    times = [seconds(one.at) for one in found]
    column = max(map(len, times))
    yield f"{title(outcome)}, in virtual time"
    yield from _scale(found, outcome.run.clock.milliseconds, width)
    who = max(len(names.get(one.writer, "")) for one in found)
    for number, (one, when) in enumerate(zip(found, times, strict=True), 1):
        mark = _mark(number)
        head = f"  {mark} {when:>{column}}  {names.get(one.writer, ''):<{who}}  "
        room = max(NARROWEST, width - len(head))
        for piece in wrap(line(one.label), room, break_on_hyphens=False):
            yield head + piece
            head = " " * len(head)


def seconds(milliseconds: int) -> str:
    """Return an instant as a person reads it."""
    return f"{milliseconds / 1000:,.3f}".rstrip("0").rstrip(".") + " s"


def _mark(number: int) -> str:
    return "123456789abcdefghijklmnopqrstuvwxyz"[number - 1] if number < 36 else "+"


def _scale(found: list[Moment], end: int, width: int) -> Iterator[str]:
    """Yield a line from the start to the end of the run, with a mark where something happened;
    what happened at one place stands on top of each other."""
    last = max(end, found[-1].at)
    room = max(NARROWEST, width - 8 - len(seconds(last)))
    places: dict[int, list[str]] = {}
    for number, one in enumerate(found, 1):
        places.setdefault(round(one.at * (room - 1) / last), []).append(_mark(number))
    for level in range(max(map(len, places.values())) - 1, -1, -1):
        row = [" "] * room
        for place, marks in places.items():
            if level < len(marks):
                row[place] = marks[len(marks) - 1 - level]
        yield f"       {''.join(row).rstrip()}"
    ruler = "".join("┴" if place in places else "─" for place in range(room))
    yield f"  0 s  {ruler} {seconds(last)}"
