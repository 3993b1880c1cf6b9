"""What a person reads of a search: the verdict first, then what the orders come to, then the scope.

Wrong in this module: a verdict. It words what the search found.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import Final

from sim_core.engine.faults import Fault
from sim_core.engine.plain import decode, readable
from sim_core.judge.rows import Content
from sim_core.judge.verdict import perform
from sim_core.quoting import cut, line
from sim_core.report import following, quoted, run_text
from sim_core.search.estimate import WALKS
from sim_core.search.exhaust import Exhaust
from sim_core.search.outcomes import Group, switches
from sim_core.search.shrink import Shrink

MOST_GROUPS: Final = 12
"""Outcomes that are told; --json has them all."""
MOST_OF_ROWS: Final = 300

_WITH_CRASHES: Final = "; an order with a crash in another place counts as another order"

_GLYPHS: Final = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}


def exhaust_text(search: Exhaust, width: int = 100) -> str:
    """Return the verdict, the groups of outcomes and the scope."""
    blocks = [_full(search), "\n".join(_verdict(search, width))]
    if search.counted:
        blocks.append("\n".join(_outcomes(search, width)))
    blocks += ["\n".join(_scope(search, width)), following(_next(search))]
    return "\n\n".join(blocks)


def _full(search: Exhaust) -> str:
    scope = search.scope
    options = [f"{name}={value}" for name, value in scope.options]
    return "  ".join([scope.scenario, *options, f"writers={','.join(scope.writers)}"])


# The verdict.


def _verdict(search: Exhaust, width: int) -> Iterator[str]:
    words = {"broken": _broken, "not serial": _not_serial, "proved": _proved, "held": _held}
    yield from wrap(words[search.verdict](search), width)
    if search.counted and search.verdict == "broken":
        for name, count in search.by_invariant.items():
            yield f"  {line(name)}: broken in {_share(count, search.groups.orders)}"
    yield from wrap(_failing(search), width)


def _share(count: int, of: int) -> str:
    return f"{count:,} of {of:,} orders ({count / of:.0%})" if of else "no order"


def _broken(search: Exhaust) -> str:
    if not search.counted:
        return f"BROKEN. How many orders break was not counted: {_why_not_counted(search)}."
    groups = search.groups
    said = f"BROKEN in {_share(groups.broken, groups.orders)}"
    if search.crashes:
        return f"{said}{_WITH_CRASHES}."
    return f"{said}; probability under a fair throw at every grant: {odds(groups.probability)}."


def _not_serial(search: Exhaust) -> str:
    said = "NOT SERIAL"
    if search.counted:
        said += f" in {_share(search.groups.apart, search.groups.orders)}"
    return f"{said}: no one-after-the-other order comes to the same. Nothing was promised."


def _proved(search: Exhaust) -> str:
    orders = f"of {search.groups.orders:,} orders " if search.counted else ""
    promises = ", ".join(line(one.name) for one in search.scenario.invariants)
    if not promises:
        return f"PROVED serial: every one {orders}comes to what a one-after-the-other order does."
    counted = "" if search.counted else f" How many there are: {_why_not_counted(search)}."
    crashes = _WITH_CRASHES if search.crashes and search.counted else ""
    return f"PROVED: none {orders}breaks a promise ({promises}){crashes}.{counted}"


def _held(search: Exhaust) -> str:
    about = ""
    if search.estimate:
        about = f" of about {search.estimate:,} (an estimate from {WALKS} random walks)"
    return (
        f"HELD in the {search.explored:,} orders judged{about}; ended early: {search.stopped}. "
        "That proves nothing about the others."
    )


def _why_not_counted(search: Exhaust) -> str:
    return search.stopped or f"not counted within the budget of {search.budget:,} runs"


def _failing(search: Exhaust) -> str:
    groups = search.groups
    if not search.counted or not groups.orders:
        return ""
    failed = f"{groups.failing:,} of {groups.orders:,} orders failed a writer"
    if groups.failing and not groups.broken:
        return f"0 red, but {failed}: less was tested there than it seems."
    return f"{failed[0].upper()}{failed[1:]}."


def odds(value: Fraction) -> str:
    """Return an exact probability as a person reads it."""
    if value in _GLYPHS:
        return _GLYPHS[value]
    if value.denominator <= 10_000:
        return f"{value.numerator}/{value.denominator} ({float(value):.1%})"
    return f"{float(value):.4f}"


# What the orders come to.


def _outcomes(search: Exhaust, width: int) -> Iterator[str]:
    groups = list(search.groups)
    yield "what the orders come to"
    for group in groups[:MOST_GROUPS]:
        share = _share(group.count, search.groups.orders)
        yield f"  {share}  {_worth(search, group)}  e.g. {_example(group)}"
        for text in _detail(group):
            yield from wrap(text, width, initial_indent="      ", subsequent_indent="        ")
    if (more := len(groups) - MOST_GROUPS) > 0:
        yield f"  … and {more:,} more, which --json tells"


def _example(group: Group) -> str:
    struck = ", ".join(map(str, group.faults))
    return cut(group.witness, 80) + (f" with {struck}" if struck else "")


def _worth(search: Exhaust, group: Group) -> str:
    if group.end.broken:
        return f"BROKEN: {', '.join(map(line, group.end.broken))}"
    if group.apart and not search.scenario.invariants:
        return "not serial"
    return "a writer failed" if group.end.failing else "ok"


def _detail(group: Group) -> Iterator[str]:
    yield cut(rows_line(group.end.rows), MOST_OF_ROWS)
    told = [f"{name} was told {readable(decode(answer))}" for name, answer in group.end.told]
    told += [f"{name} {how}" for name, how in group.end.ended]
    yield cut(line("; ".join(told)), MOST_OF_ROWS)
    if group.apart:
        yield cut(line(f"not serial: {group.apart}"), MOST_OF_ROWS)


def rows_line(rows: Content) -> str:
    """Return what a file holds, on one line."""
    tables = (f"{table}: {' '.join(map(readable, each)) or 'empty'}" for table, _, each in rows)
    return line("; ".join(tables)) or "no table"


# The scope, and what to type next.


def _scope(search: Exhaust, width: int) -> Iterator[str]:
    scope = search.scope
    crashes = f"up to {scope.crashes} killed, anywhere" if scope.crashes else "nobody killed"
    parts = [f"journal {scope.journal}", f"a grant is a {scope.granularity}"]
    parts += [f"timers {scope.timers}", crashes, *map(str, scope.faults)]
    runs = f"{search.runs:,} runs, {search.explored:,} orders judged"
    if search.cut:
        runs += f" and {search.cut:,} cut short where an equal order was judged"
    for name, text in (("scope", ", ".join(parts)), ("method", scope.method), ("", runs)):
        yield from wrap(text, width, initial_indent=f"{name:<8}", subsequent_indent=" " * 8)
    if scope.why:
        yield from wrap(f"slower, because {scope.why}", width, initial_indent=" " * 8)


def _next(search: Exhaust) -> str:
    if search.witness:
        return f"explorer shrink {quoted(search.witness.text)}"
    if search.verdict == "held":
        more = f"--budget {search.budget * 10}"
        return f"explorer exhaust {quoted(search.recipe.text)} {more}"
    if search.crashes < 2:
        return f"explorer exhaust {quoted(search.recipe.text)} --crashes {search.crashes + 1}"
    return f"explorer sweep {quoted(search.recipe.text)} --seeds 0..29"


# The smallest story.


def shrink_text(shrunk: Shrink, width: int = 100) -> str:
    """Return the smallest run as a story, and how it compares with the one it came from."""
    recipe = shrunk.recipe
    before = (shrunk.first.recipe.writers, shrunk.first.run.strikes.exact, shrunk.first.run.grants)
    after = (recipe.writers, recipe.faults, shrunk.best.run.grants)
    claim = (
        "nothing smaller breaks the same promise in the same way"
        if shrunk.complete
        else f"the budget of {shrunk.budget:,} runs is used up: there may be a smaller one"
    )
    head = [
        f"from  {_measures(*before)}",
        f"to    {_measures(*after)}",
        f"in {shrunk.runs:,} runs; {claim}",
    ]
    return "\n".join(head) + "\n\n" + run_text(perform(recipe.text, film=True), width)


def _measures(writers: tuple[str, ...], faults: Sequence[Fault], grants: str) -> str:
    turns = switches(grants)
    said = [f"{len(writers)} writer{'s' * (len(writers) != 1)}"]
    said += [f"{len(faults)} fault{'s' * (len(faults) != 1)}"] * bool(faults)
    said += [f"{turns} switch{'es' * (turns != 1)}", f"{len(grants)} grants: {cut(grants, 80)}"]
    return ", ".join(said)
