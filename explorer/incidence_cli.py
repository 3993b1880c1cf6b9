"""The command `explorer incidence`: how often it breaks by itself, beside how often it can.

Three figures stand in one table and are never mixed: of real runs, of a sweep's seeds, of all
orders. Each has a sentence that says what it counts, for they answer different questions.

Wrong in this module: making a real run (explorer/incidence.py).
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from textwrap import wrap
from typing import Any, Final

import click

from explorer import terminal
from explorer.answers import BROKEN, Early, as_json, say_json
from explorer.beside import BUDGET, Beside
from explorer.driver import machine, made_on
from explorer.incidence import Incidence
from explorer.numbers import Number
from explorer.progress import progress
from sim_core.errors import ExplorerError
from sim_core.findings import odds
from sim_core.judge.declared import SERIAL
from sim_core.quoting import line, short
from sim_core.report import following, quoted
from sim_core.search.sweep import wilson

MOST_RUNS: Final = 100_000
MOST_SPEED: Final = 1_000_000
MOST_ERRORS: Final = 3
"""Errors of writers that are told; --json has them all."""


@click.command()
@click.argument("recipe")
@click.option(
    "--runs",
    type=click.IntRange(1, MOST_RUNS),
    default=1_000,
    show_default=True,
    help="Real runs to make.",
)
@click.option(
    "--speed",
    type=Number(1, MOST_SPEED),
    default=1.0,
    show_default=True,
    help="How much faster than the machine's the writers' clock goes: a writer that sleeps a "
    "minute sleeps a second at 60. Busy timeouts stay as they are.",
)
@as_json
def incidence(recipe: str, runs: int, speed: float, as_json: bool) -> int:
    """Run RECIPE's writers for real, with aiosqlite's threads and nobody in control, and count.

    The sweep's and the exact figures of the same recipe stand beside it. Needs aiosqlite.
    """
    found = Incidence(recipe, speed=speed)
    beside = Beside(found.recipe.text)
    ended_by = _made(found, beside, runs)
    if isinstance(ended_by, ExplorerError) and not found.runs:
        raise ended_by
    if as_json:
        say_json(incidence_json(found, beside))
    else:
        terminal.say(incidence_text(found, beside, terminal.width()))
    if ended_by:
        raise ended_by
    return BROKEN if found.broken or not found.ended else 0


def _made(found: Incidence, beside: Beside, runs: int) -> BaseException | None:
    """Make the runs, and return what ended them early."""
    early = Early(found, runs)
    with early, progress("running", runs) as bar:
        for run in found.over(runs):
            early.step(run, bar)
    if isinstance(early.error, KeyboardInterrupt):
        beside.stop("interrupted")
    elif not found.ended:
        beside.stop("no real run came to its end")
    else:
        with progress("searching", beside.MOST) as bar:
            return early.error or beside.work(bar)
    return early.error


# For a person.


def incidence_text(found: Incidence, beside: Beside, width: int = 100) -> str:
    """Return the table, what each of its figures is, and what was left out."""
    blocks = [
        "\n".join(_head(found)),
        "\n".join(_table(found, beside)),
        "\n".join(_wrapped(_verdict(found), width)),
        "\n".join(_sentences(found, beside, width)),
        following(f"explorer exhaust {quoted(found.recipe.text)}"),
    ]
    if notes := _wrapped(_notes(found, beside), width):
        blocks.insert(-1, "\n".join(notes))
    return "\n\n".join(blocks)


def _wrapped(texts: Iterable[str], width: int) -> list[str]:
    """Return the lines of some sentences; one that is indented stays so."""
    indented = ((text, "    " if text.startswith(" ") else "") for text in texts)
    return [each for text, by in indented for each in wrap(text, width, subsequent_indent=by)]


def _head(found: Incidence) -> Iterator[str]:
    recipe, of = found.recipe, len(found.runs)
    options = [f"{name}={value}" for name, value in recipe.options]
    writers = f"writers={','.join(recipe.writers)}"
    yield "  ".join([recipe.terms.scenario, *options, writers, f"journal={recipe.journal}"])
    yield f"{of:,} real run{'s' * (of != 1)}   {made_on()}"
    if found.stopped:
        yield f"ended early, after {of:,} of {found.asked:,} runs: {line(found.stopped)}"


def _table(found: Incidence, beside: Beside) -> Iterator[str]:
    """Yield a line a promise: its share of real runs, of seeds and of orders, its probability."""
    orders = f"of {beside.search.groups.orders:,} orders" if beside.counted else "orders"
    head = (
        "broken",
        f"of {len(found.ended):,} real runs",
        f"of {len(beside.sweep.runs)} seeds",
        orders,
        "probability",
    )
    rows = [head, *(_row(found, beside, name) for name in _promises(found))]
    columns = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:<{wide}}" for cell, wide in zip(row, columns, strict=True))
        yield "  ".join(cells).rstrip()


def _promises(found: Incidence) -> list[str]:
    return [one.name for one in found.scenario.invariants] or [SERIAL]


def _row(found: Incidence, beside: Beside, name: str) -> tuple[str, ...]:
    count, likely = beside.orders(name)
    hits = _hits(found).get(name)
    return (
        short(name),
        "not judged" if hits is None else _share(hits, len(found.ended)),
        _share(beside.seeds(name), len(beside.sweep.runs)),
        f"{count:,}" if beside.counted else "not counted",
        odds(likely) if beside.counted else "not counted",
    )


def _hits(found: Incidence) -> dict[str, int]:
    """Return promise → in how many real runs it broke."""
    return {SERIAL: found.odd} if found.default else found.by_invariant


def _share(hits: int, of: int) -> str:
    """Return a count, its share and its 95 % interval."""
    if not of:
        return "none made"
    low, high = wilson(hits, of)
    return f"{hits:,}: {_percent(hits / of)} % ({_percent(low)}–{_percent(high)})"


def _percent(share: float) -> str:
    """Return a share in per cent; a small one with the digits that it has."""
    percent = share * 100
    return f"{percent:.0f}" if percent >= 10 or percent < 0.0005 else f"{percent:.2g}"


def _verdict(found: Incidence) -> Iterator[str]:
    of = len(found.ended)
    failed = f"A writer failed in {found.failing:,} of {of:,} runs."
    if found.failing * 2 > of:
        failed += " Less was tested there than it seems."
    if not of:
        yield "nothing was tested: no run came to its end"
    elif found.broken:
        yield f"BROKEN in {found.broken:,} of {of:,} real runs. {failed}"
    elif found.odd:
        yield f"NOT SERIAL in {found.odd:,} of {of:,} real runs. {failed}"
    else:
        yield (
            f"held in {of:,} of {of:,} real runs; that says how seldom it breaks by itself here, "
            f"and not whether it can. {failed}"
        )
    for name, detail in found.examples.items():
        yield f"  {line(name)}, for one: {line(detail)}"
    for said, count in found.errors.most_common(MOST_ERRORS):
        yield f"  {line(said)}: in {count:,} run{'s' * (count != 1)}"


def _sentences(found: Incidence, beside: Beside, width: int) -> Iterator[str]:
    """Yield what each figure is, one sentence each."""
    counted = beside.search.stopped or f"the budget of {BUDGET:,} runs is used up"
    exact = "" if beside.counted else f" (not counted: {short(counted, 200)})"
    for name, said in (
        (
            "real runs",
            "incidence: how often it happened here, all writers started at once and nobody in "
            "control. This is what an empty table of conflicts records; another load has another.",
        ),
        (
            "seeds",
            "exposure: how often chance meets it when a fair throw decides at every statement "
            "(95 % intervals in brackets).",
        ),
        ("orders", f"possibility: in how many of all interleavings it breaks{exact}."),
        ("probability", "the exact value of what the seeds estimate."),
    ):
        yield from wrap(f"{name:<13}{said}", width, subsequent_indent=" " * 13)


def _notes(found: Incidence, beside: Beside) -> Iterator[str]:
    """Yield what is not as in the engine, one sentence each."""
    for name, why in found.left_out.items():
        yield f"left out: “{line(name)}” {line(why)}."
    if found.only_at_the_end:
        names = ", ".join(map(line, found.only_at_the_end))
        yield f"judged only at the end here, and after every grant in the engine: {names}."
    if found.hung:
        yield f"{found.hung:,} runs hung for more than {found.patience:g} s, and were not judged."
    if found.speed != 1:
        yield f"the writers' clock ran {found.speed:,g} times as fast as the machine's."
    if beside.sweep.stopped:
        yield f"the sweep ended early: {line(beside.sweep.stopped)}"
    yield from found.ignored


# For a program.


def incidence_json(found: Incidence, beside: Beside) -> dict[str, Any]:
    """Return it all as `incidence/1`; what was not judged or not counted is null, or not there."""
    of = len(found.ended)
    return {
        "schema": {"name": "incidence", "version": 1},
        "recipe": found.recipe.text,
        "runs": len(found.runs),
        "judged": of,
        "asked": found.asked,
        "speed": found.speed,
        "hung": found.hung,
        "stopped": found.stopped or None,
        "broken": found.broken,
        "by_invariant": {
            name: {"broken": hits, "interval": wilson(hits, of)}
            for name, hits in _hits(found).items()
        },
        "not_serial": found.odd if found.default else None,
        "failing": found.failing,
        "errors": dict(found.errors.most_common()),
        "examples": found.examples,
        "left_out": found.left_out,
        "only_at_the_end": found.only_at_the_end,
        "ignored": list(found.ignored),
        **machine(),
        "sweep": _sweep_json(found, beside),
        "orders": _orders_json(found, beside),
    }


def _sweep_json(found: Incidence, beside: Beside) -> dict[str, Any]:
    of = len(beside.sweep.runs)
    hits = {name: beside.seeds(name) for name in _promises(found)}
    return {
        "seeds": of,
        "broken": len(beside.sweep.broken),
        "by_invariant": {
            name: {"broken": count, "interval": wilson(count, of)} for name, count in hits.items()
        },
        "stopped": beside.sweep.stopped or None,
    }


def _orders_json(found: Incidence, beside: Beside) -> dict[str, Any]:
    groups, counted = beside.search.groups, beside.counted
    each = {name: beside.orders(name) for name in _promises(found)} if counted else {}
    return {
        "interleavings": groups.orders if counted else None,
        "broken": groups.broken if counted else None,
        "probability": _fraction(groups.probability) if counted else None,
        "by_invariant": {
            name: {"broken": count, "probability": _fraction(likely)}
            for name, (count, likely) in each.items()
        },
        "budget": BUDGET,
        "stopped": beside.search.stopped or None,
    }


def _fraction(value: Fraction) -> dict[str, Any]:
    return {"exact": f"{value.numerator}/{value.denominator}", "value": float(value)}
