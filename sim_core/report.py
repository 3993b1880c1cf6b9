"""A trace as text for a terminal: one column a writer, time downwards, then the verdict.

Reads events and nothing else. The last line is always what to type next.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby, zip_longest
from textwrap import wrap
from typing import Final

from sim_core.engine.trace import Event
from sim_core.judge.scenario import Scenario
from sim_core.judge.verdict import Outcome
from sim_core.search.sweep import Sweep, wilson

NARROWEST: Final = 22
"""Columns thinner than this are not read; writers then share one."""
GAP: Final = 2


def run_text(outcome: Outcome, width: int = 100) -> str:
    """Return the run as a story of at most `width` columns, its verdict, and the next line."""
    blocks = [
        outcome.recipe.run_text,
        "\n".join(_story(outcome, width)),
        "\n".join(_verdict(outcome, width)),
        f"hash  {outcome.hash}",
        _next(_after_run(outcome)),
    ]
    return "\n\n".join(blocks)


# The story.


def _story(outcome: Outcome, width: int) -> Iterator[str]:
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
    for grant, events in groupby(outcome.run.events, key=lambda event: event.grant):
        cells: dict[str, list[str]] = {writer.letter: [] for writer in writers}
        for event in events:
            letter = event.writer if event.writer in cells else writers[0].letter
            cells[letter] += _wrapped(event, column)
        row = [*cells.values(), _changed(outcome, grant, column)]
        yield from _row(str(grant or ""), row, column)


def _one_column(outcome: Outcome, width: int) -> Iterator[str]:
    names = {writer.letter: writer.name for writer in outcome.run.writers.values()}
    by_turn = groupby(outcome.run.events, key=lambda event: (event.grant, event.writer))
    for (grant, letter), events in by_turn:
        lines = [piece for event in events for piece in _wrapped(event, width - 8)]
        who = f"{letter} {names.get(letter, 'time')}"
        yield from _row(str(grant or ""), [[who, *lines]], width - 8)


def _row(number: str, cells: Iterable[list[str]], column: int) -> Iterator[str]:
    for index, line in enumerate(zip_longest(*cells, fillvalue="")):
        head = number if index == 0 else ""
        yield f"{head:>5} " + "".join(f" {text:<{column}} " for text in line).rstrip()


def _watched(outcome: Outcome) -> bool:
    return outcome.film is not None and bool(outcome.scenario.watch)


def _changed(outcome: Outcome, grant: int, column: int) -> list[str]:
    """Return the watched rows after a grant, or a dot where it left them as they were."""
    if outcome.film is None or not outcome.scenario.watch:
        return []
    frames = outcome.film.frames
    if grant and frames[grant].rows == frames[grant - 1].rows:
        return ["·"]
    rows = ["; ".join(map(_value, row)) for row in frames[grant].rows]
    return [piece for row in rows for piece in _fold(row, column)]


def _fold(text: str, column: int) -> list[str]:
    return wrap(text, column, subsequent_indent="  ", break_on_hyphens=False)


def _wrapped(event: Event, column: int) -> list[str]:
    return [piece for line in _lines(event) for piece in _fold(line, column)]


def _lines(event: Event) -> list[str]:
    match event.kind:
        case "operation":
            text = " ".join(event.sql.split()) or event.call
            return [text, *_parameters(event), f"→ {_outcome(event)}"]
        case "told":
            return [f"✓ told {event.answer}"]
        case "failed":
            return [f"✗ failed: {event.error}" + (f", {event.message}" if event.message else "")]
        case "wait":
            return [f"… waits for {event.lock}, held by {event.holders}"]
        case "crash":
            where = "before its next operation" if event.side == "before" else "before it is told"
            return [f"† killed {where}"]
        case _:
            return [f"time passes to {event.time} ms"]


def _parameters(event: Event) -> list[str]:
    given = event.parameters
    if not given:
        return []
    pairs = (
        [f":{name} = {_value(value)}" for name, value in given.items()]
        if isinstance(given, dict)
        else map(_value, given)
    )
    return ["← " + "; ".join(pairs)]


def _outcome(event: Event) -> str:
    if event.error:
        return event.error
    if event.rows is not None:
        rows = ", ".join("; ".join(map(_value, row)) for row in event.rows)
        return rows or "no row"
    if event.rowcount >= 0:
        return f"{event.rowcount} row{'s' * (event.rowcount != 1)}"
    return "ok"


def _value(value: object) -> str:
    """Return a value on one line; control characters must not reach a terminal."""
    if value is None:
        return "NULL"
    text = str(value).replace("\n", " ⏎ ")
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


# The verdict.


def _verdict(outcome: Outcome, width: int) -> Iterator[str]:
    if outcome.failing:
        names = [w.name for w in outcome.run.writers.values() if w.ended == "failed"]
        yield f"A writer failed: {', '.join(names)}."
    if not outcome.violations:
        yield _kept(outcome)
    for one in outcome.violations:
        yield f"BROKEN at grant {one.grant}: {one.invariant}"
        yield from wrap(one.detail, width, initial_indent="  ", subsequent_indent="  ")
        promise = f"Promised: {one.promise}"
        yield from wrap(promise, width, initial_indent="  ", subsequent_indent="  ")


def _kept(outcome: Outcome) -> str:
    names = [one.name for one in outcome.scenario.invariants]
    return f"ok in this one order: {', '.join(names)}" if names else "ok: nothing was promised"


# A sweep.


def sweep_text(grown: Sweep) -> str:
    """Return how many seeds broke which promise, beside what the source report measured."""
    of = len(grown.runs)
    first, last = grown.runs[0].seed, grown.runs[-1].seed
    lines = [f"{_full(grown)}   seeds {first}..{last}, {of} runs", ""]
    named = {name: len(seeds) for name, seeds in grown.by_invariant.items()}
    width = max(map(len, [*named, "published"]))
    lines += [f"{name:<{width}}  broken in {_share(hits, of)}" for name, hits in named.items()]
    lines += _published(grown, width)
    lines += ["", _sweep_verdict(grown), "", _next(_after_sweep(grown))]
    return "\n".join(lines)


def _full(grown: Sweep) -> str:
    """Return scenario, options and writers with nothing left out."""
    options = [f"{name}={value}" for name, value in grown.recipe.options]
    writers = ",".join(grown.recipe.writers)
    return "  ".join([grown.recipe.terms.scenario, *options, f"writers={writers}"])


def _share(hits: int, of: int) -> str:
    low, high = wilson(hits, of)
    return f"{hits} of {of}: {hits / of:.0%}, 95 % interval {low * 100:.0f}–{high * 100:.0f} %"


def _published(grown: Sweep, width: int) -> list[str]:
    said = grown.scenario.published
    if not said:
        return []
    return [
        f"{'published':<{width}}  {_share(said['broken'], said['seeds'])}",
        f"{'':<{width}}  in “{grown.scenario.report}”; another program, other seeds",
    ]


def _sweep_verdict(grown: Sweep) -> str:
    of = len(grown.runs)
    failing = f"A writer failed in {grown.failing} of {of} runs."
    if not grown.broken:
        return f"held in {of} of {of} sampled runs; a sample proves nothing. {failing}"
    seeds = " ".join(map(str, grown.broken[:20])) + (" …" if len(grown.broken) > 20 else "")
    return f"BROKEN under {len(grown.broken)} of {of} seeds: {seeds}. {failing}"


# What to type next.


def _next(command: str) -> str:
    return f"next: {command}"


def _after_run(outcome: Outcome) -> str:
    recipe = outcome.recipe.but(seed=0, grants="", step=None, check="")
    return f"explorer sweep {quoted(recipe.text)} --seeds 0..29"


def _after_sweep(grown: Sweep) -> str:
    seed = grown.broken[0] if grown.broken else grown.runs[-1].seed
    return f"explorer run {quoted(grown.recipe.but(seed=seed).text)}"


def quoted(recipe: str) -> str:
    """Return a recipe as a shell word: its ? and & mean something to a shell."""
    return "'" + recipe.replace("'", "'\\''") + "'"


# The gallery.


def scenario_text(scenario: Scenario) -> str:
    """Return a scenario's card: its title, its options, its writers, its opening run."""
    terms = scenario.terms
    lines = [f"{terms.scenario}: {scenario.title}"]
    for option, choices in scenario.meanings.items():
        lines += [f"  {option}={choice:<10} {meaning}" for choice, meaning in choices.items()]
    lines.append(f"  writers  {', '.join(terms.roles)}; by default {', '.join(terms.writers)}")
    lines.append(f"  try      explorer run {quoted(scenario.opening)}")
    return "\n".join(lines)
