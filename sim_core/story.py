"""What happened in a run, for a terminal: one column a writer, time downwards.

Where the columns would be too narrow to read, one column for all. Values that nobody would read
to their end are cut; --json has them.

Wrong in this module: what it was worth (report).
"""

from collections.abc import Iterable, Iterator
from itertools import groupby, zip_longest
from textwrap import wrap
from typing import Final

from sim_core.engine.outlook import Wait
from sim_core.engine.plain import plain
from sim_core.engine.trace import Event
from sim_core.judge.trial import Outcome
from sim_core.quoting import cut, line

NARROWEST: Final = 22
"""Columns thinner than this are not read; writers then share one."""
GAP: Final = 2
MOST_OF_A_VALUE: Final = 200
"""Characters of one value that are shown."""
MOST_OF_SQL: Final = 2_000
MOST_ROWS: Final = 50
"""Rows of one answer, or of what is watched."""
MOST_EVENTS: Final = 1_000
"""Events of a run that are told; --json has them all."""


def story(outcome: Outcome, width: int) -> Iterator[str]:
    """Yield the lines of what happened, in a column a writer where there is room for that."""
    writers = list(outcome.run.writers.values())
    columns = len(writers) + bool(_watched(outcome))
    column = (width - 6) // columns - GAP
    if column < NARROWEST:
        yield from _one_column(outcome, width)
        return
    heads = [f"{writer.letter} {writer.name}" for writer in writers]
    heads += [outcome.scenario.watch_title] if _watched(outcome) else []
    yield from _row("grant", [[head, "─" * column] for head in heads], column)
    if not any(event.grant == 0 for event in outcome.run.events):
        yield from _row("", [*[[] for _ in writers], _changed(outcome, 0, column)], column)
    for grant, events in groupby(_told(outcome), key=lambda event: event.grant):
        cells: dict[str, list[str]] = {writer.letter: [] for writer in writers}
        for event in events:
            letter = event.writer if event.writer in cells else writers[0].letter
            cells[letter] += _wrapped(event, column)
        row = [*cells.values(), _changed(outcome, grant, column)]
        yield from _row(str(grant or ""), row, column)
    yield from _untold(outcome)


def _told(outcome: Outcome) -> list[Event]:
    return outcome.run.events[:MOST_EVENTS]


def _untold(outcome: Outcome) -> Iterator[str]:
    if (more := len(outcome.run.events) - MOST_EVENTS) > 0:
        yield f"      … and {more:,} events more, which --json tells"


def _one_column(outcome: Outcome, width: int) -> Iterator[str]:
    names = {writer.letter: writer.name for writer in outcome.run.writers.values()}
    shown = _changed(outcome, 0, width - 8)
    if shown:
        yield from _row("", [[outcome.scenario.watch_title, *shown]], width - 8)
    for grant, turns in groupby(_told(outcome), key=lambda event: event.grant):
        lines = []
        for letter, events in groupby(turns, key=lambda event: event.writer):
            lines.append(f"{letter} {names.get(letter, 'time')}")
            lines += [piece for event in events for piece in _wrapped(event, width - 8)]
        watched = _changed(outcome, grant, width - 10) if grant else []
        lines += [f"▕ {piece}" for piece in watched if piece != SAME]
        yield from _row(str(grant or ""), [lines], width - 8)
    yield from _untold(outcome)


def _row(number: str, cells: Iterable[list[str]], column: int) -> Iterator[str]:
    for index, texts in enumerate(zip_longest(*cells, fillvalue="")):
        head = number if index == 0 else ""
        yield f"{head:>5} " + "".join(f" {text:<{column}} " for text in texts).rstrip()


SAME: Final = "·"
"""Stands where a grant left the watched rows as they were."""


def _watched(outcome: Outcome) -> bool:
    return outcome.film is not None and bool(outcome.scenario.watch)


def _changed(outcome: Outcome, grant: int, column: int) -> list[str]:
    """Return the watched rows after a grant, or a dot where it left them as they were."""
    if outcome.film is None or not outcome.scenario.watch:
        return []
    frames = outcome.film.frames
    if grant and frames[grant].rows == frames[grant - 1].rows:
        return [SAME]
    rows = [_watched_row(outcome, row) for row in frames[grant].rows[:MOST_ROWS]]
    rows += _more(len(frames[grant].rows))
    return [piece for row in rows for piece in _fold(row, column)]


def _watched_row(outcome: Outcome, row: tuple[object, ...]) -> str:
    """Return a row's values, each behind its column's name where there are several."""
    columns = outcome.film.columns if outcome.film and len(row) > 1 else ()
    names = [f"{line(cut(name))}\u00a0" for name in columns] or [""]
    return "; ".join(f"{name}{_value(value)}" for name, value in zip(names, row, strict=True))


def _more(rows: int) -> list[str]:
    return [f"… {rows:,} rows in all"] if rows > MOST_ROWS else []


def _fold(text: str, column: int) -> list[str]:
    return wrap(text, column, subsequent_indent="  ", break_on_hyphens=False)


def _wrapped(event: Event, column: int) -> list[str]:
    return [piece for line in _lines(event) for piece in _fold(line, column)]


def _lines(event: Event) -> list[str]:
    match event.kind:
        case "operation":
            text = line(" ".join(cut(event.sql, MOST_OF_SQL).split())) or event.call
            return [text, *_parameters(event), f"→ {_outcome(event)}"]
        case "start":
            return ["begins"]
        case "implicit":
            return [f"{event.sql}, unasked"]
        case "deadlock":
            return [f"✗ {Wait(event.lock, event.holders).words}, for ever"]
        case "told":
            return [f"✓ told {_value(event.answer) if event.answer is not None else 'None'}"]
        case "failed":
            return [
                f"✗ failed: {event.error}" + (f", {line(event.message)}" if event.message else "")
            ]
        case "wait":
            return [f"… {Wait(event.lock, event.holders).words}"]
        case "crash":
            where = "before its next operation" if event.side == "before" else "before it is told"
            return [f"† killed {where}"]
        case "shows":
            return [f"⚑ stands as {_value(event.call)} in the process list"]
        case "looks":
            there = "found" if event.answer else "not found"
            return [f"looks for {_value(event.call)} in the process list: {there}"]
        case "clock":
            way = "forward" if event.answer > 0 else "back"
            return [f"the clock is set {way} by {abs(event.answer):g} s"]
        case _:
            return [f"time passes to {event.time} ms"]


def _parameters(event: Event) -> list[str]:
    given = event.parameters
    if not given:
        return []
    if isinstance(given, dict):
        shown = [f":{line(name)} = {_value(value)}" for name, value in given.items()]
    else:
        shown = [*map(_value, given)] if isinstance(given, tuple | list) else [_value(given)]
    more = [f"… {len(shown):,} in all"] if len(shown) > MOST_ROWS else []
    return ["← " + "; ".join([*shown[:MOST_ROWS], *more])]


def _outcome(event: Event) -> str:
    if event.error:
        return event.error + _barred(event)
    if event.rows is not None:
        rows = ["; ".join(map(_value, row)) for row in event.rows[:MOST_ROWS]]
        return ", ".join([*rows, *_more(len(event.rows))]) or "no row"
    if event.rowcount >= 0:
        return f"{event.rowcount} row{'s' * (event.rowcount != 1)}"
    return "ok"


def _barred(event: Event) -> str:
    """Return who had the lock that SQLite said BUSY for."""
    if not event.lock:
        return ""
    if not event.holders:
        return ": somebody has committed since it read, and on an old snapshot it cannot write"
    names = " and ".join(event.holders)
    if event.lock == "EXCLUSIVE":
        return f": EXCLUSIVE is not to be had while {names} still reads"
    return f": {event.lock} is held by {names}"


def _value(value: object) -> str:
    """Return a value on one line, cut; control characters must not reach a terminal."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        more = "" if len(value) <= MOST_OF_A_VALUE // 2 else f"… ({len(value):,} bytes)"
        return f"x'{value[: MOST_OF_A_VALUE // 2].hex()}'{more}"
    match value:
        case {"text": str(start), "characters": count}:  # too long for a trace
            return f"{line(start)}… ({count:,} characters)"
        case {"blob": str(start), "bytes": count}:
            return f"x'{start}'… ({count:,} bytes)"
    text = value if isinstance(value, str) else str(plain(value))
    return line(cut(text, MOST_OF_A_VALUE))
