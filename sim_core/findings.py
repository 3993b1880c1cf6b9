"""What a person reads of a search: the verdict first, then what the orders come to, then the scope.

Wrong in this module: a verdict. It words what the search found.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import Final

from sim_core.engine.faults import Fault
from sim_core.engine.plain import decode, readable
from sim_core.judge.rows import row_words
from sim_core.judge.verdict import perform
from sim_core.quoting import cut, line
from sim_core.report import following, full, quoted, run_text
from sim_core.search.estimate import WALKS
from sim_core.search.exhaust import Exhaust
from sim_core.search.outcomes import Group, switches
from sim_core.search.scope import BRUTE
from sim_core.search.shrink import Shrink

MOST_GROUPS: Final = 12
"""Outcomes that are told; --json has them all."""
MOST_OF_ROWS: Final = 300

_WITH_CRASHES: Final = "; an order with a crash in another place counts as another order"

_UNPROMISED: Final = (
    "Nothing else was promised: what one writer after the other does wrong itself, an invariant "
    "has to say."
)

_GLYPHS: Final = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}


def exhaust_text(search: Exhaust, width: int = 100) -> str:
    """Return the verdict, the groups of outcomes and the scope."""
    blocks = [full(search.recipe), "\n".join(_verdict(search, width))]
    if search.counted:
        blocks.append("\n".join(_outcomes(search, width)))
    blocks += ["\n".join(_scope(search, width)), following(_next(search))]
    return "\n\n".join(blocks)


# The verdict.


def _verdict(search: Exhaust, width: int) -> Iterator[str]:
    words = {"broken": _broken, "not serial": _not_serial, "proved": _proved, "held": _held}
    yield from wrap(f"{words[search.verdict](search)} {_failing(search)}".rstrip(), width)
    if search.verdict == "broken":
        counts, of = _counts(search)
        for name, count in counts.items():
            yield f"  {line(name)}: broken in {_share(count, of)}"


def _counts(search: Exhaust) -> tuple[dict[str, int], int]:
    """Return promise → in how many orders it breaks, of all or, failing that, of those judged."""
    if search.counted:
        return search.by_invariant, search.groups.orders
    return dict(search.seen_red), search.explored


def _share(count: int, of: int) -> str:
    return f"{count:,} of {of:,} orders ({per_cent(count, of)})" if of else "no order"


def per_cent(count: int, of: int) -> str:
    """Return a share in whole per cent, of which some is not none, and nearly all not all."""
    shown = f"{count / of:.0%}"
    if shown == "0%" and count:
        return "<1%"
    return ">99%" if shown == "100%" and count < of else shown


def _judged(search: Exhaust) -> str:
    """Return of how many orders a verdict is that did not come to its end."""
    return f"the {search.explored:,} orders judged; ended early: {_why_not_counted(search)}"


def _broken(search: Exhaust) -> str:
    if not search.counted:
        return f"BROKEN in some of {_judged(search)}."
    groups = search.groups
    said = f"BROKEN in {_share(groups.broken, groups.orders)}"
    if search.crashes:
        return f"{said}{_WITH_CRASHES}."
    if search.chance:
        return f"{said}, under the dice of seed 0."
    return f"{said}; probability under a fair throw at every grant: {odds(groups.probability)}."


def _not_serial(search: Exhaust) -> str:
    if not search.counted:
        return f"NOT SERIAL in some of {_judged(search)}. Nothing was promised."
    share = _share(search.groups.apart, search.groups.orders)
    return f"NOT SERIAL in {share}: no one-after-the-other order comes to that. {_UNPROMISED}"


def _proved(search: Exhaust) -> str:
    promises = ", ".join(line(one.name) for one in search.scenario.invariants)
    if not promises:
        every = f"all {search.groups.orders:,} orders" if search.counted else "every order"
        return f"PROVED: {every} are serial, as one writer after the other. {_UNPROMISED}"
    orders = f"of {search.groups.orders:,} orders " if search.counted else ""
    counted = "" if search.counted else f" How many there are: {_why_not_counted(search)}."
    crashes = _WITH_CRASHES if search.crashes and search.counted else ""
    return f"PROVED: none {orders}breaks a promise ({promises}){crashes}.{counted}"


def _held(search: Exhaust) -> str:
    about = ""
    if search.estimate:
        about = (
            f" There are about {rounded(search.estimate)} orders (an estimate from {WALKS} random "
            "walks); each one judged stands for those that cannot be told from it."
        )
    if search.counted:
        return (
            f"HELD in all {search.groups.orders:,} orders, under the dice of seed 0: writers or "
            "faults throw dice, and under other seeds they may end otherwise."
        )
    return f"HELD in {_judged(search)}. That proves nothing about the others.{about}"


def rounded(number: int) -> str:
    """Return an estimate without digits that it does not have."""
    if number < 1_000:
        return str(number)
    digits = len(str(number)) - 2
    number = round(number, -digits)
    return f"{number:,}" if number < 10**7 else f"{number / 10 ** (digits + 1):.1f}·10^{digits + 1}"


def _why_not_counted(search: Exhaust) -> str:
    return search.stopped or f"the budget of {search.budget:,} runs is used up"


def _failing(search: Exhaust) -> str:
    groups = search.groups
    if not search.counted or not groups.orders:
        return ""
    failed = f"{groups.failing:,} of {groups.orders:,} orders failed a writer"
    if groups.failing and not groups.broken:
        return f"0 red, but {failed}: less was tested there than it seems."
    aside = ", kills aside" if search.crashes else ""
    return f"{failed[0].upper()}{failed[1:]}{aside}."


def odds(value: Fraction) -> str:
    """Return an exact probability as a person reads it."""
    if value.denominator == 1:
        return str(value)
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
        for text in _detail(search, group):
            yield from wrap(text, width, initial_indent="      ", subsequent_indent="        ")
    if (more := len(groups) - MOST_GROUPS) > 0:
        yield f"  … and {more:,} more, which --json tells"


def _example(group: Group) -> str:
    struck = ", ".join(map(str, group.faults))
    return cut(group.witness, 80) + (f" with {struck}" if struck else "")


def _worth(search: Exhaust, group: Group) -> str:
    if group.end.broken:
        return f"BROKEN: {', '.join(map(line, group.end.broken))}"
    if group.end.failing:
        return "a writer failed"
    return "NOT SERIAL" if _judged_serial(search, group) else "ok"


def _judged_serial(search: Exhaust, group: Group) -> bool:
    """Say whether it comes to what no serial order does, and nothing else was promised."""
    return group.apart is not None and not search.scenario.invariants


def _detail(search: Exhaust, group: Group) -> Iterator[str]:
    for table, columns, rows in group.end.rows:
        shown = " | ".join(row_words(columns, row) for row in rows) or "empty"
        yield cut(line(f"{table}: {shown}"), MOST_OF_ROWS)
    told = [f"{name} was told {readable(decode(answer))}" for name, answer in group.end.told]
    told += [f"{name} {how}" for name, how in group.end.ended]
    yield cut(line("; ".join(told)), MOST_OF_ROWS)
    if group.apart and _judged_serial(search, group):
        yield f"nearest serial: {group.apart.order_words}, where"
        for difference in group.apart.differences:
            yield cut(line(f"  {difference}"), MOST_OF_ROWS)


# The scope, and what to type next.


def _scope(search: Exhaust, width: int) -> Iterator[str]:
    scope = search.scope
    parts = [f"journal {scope.journal}", f"a grant is a {scope.granularity}"]
    parts += [f"timers {scope.timers}", f"time zone {scope.tz}", *scope.faults]
    more = "more " * bool(scope.faults)
    parts.append(
        f"up to {scope.crashes} {more}killed, anywhere" if scope.crashes else f"nobody {more}killed"
    )
    runs = f"{search.explored:,} orders judged"
    if search.scope.method != BRUTE:
        runs += ", one of each kind that nobody could tell apart"
    runs += f"; {search.runs:,} runs in all, to judge and to count"
    for name, text in (("scope", ", ".join(parts)), ("method", scope.method), ("", runs)):
        yield from wrap(text, width, initial_indent=f"{name:<8}", subsequent_indent=" " * 8)
    if scope.why:
        why = f"no order was left out, because {scope.why}"
        yield from wrap(why, width, initial_indent=" " * 8, subsequent_indent=" " * 8)


def _next(search: Exhaust) -> str:
    recipe = quoted(search.recipe.text)
    if search.witness:
        return f"explorer shrink {quoted(search.witness.text)}"
    if search.verdict == "held" and search.counted:
        return f"explorer sweep {recipe} --seeds 0..1999"
    if search.verdict == "held":
        if search.estimate and search.estimate > 100 * search.budget:
            return f"explorer sweep {quoted(search.recipe.but(policy='pct2').text)} --seeds 0..1999"
        return f"explorer exhaust {recipe} --budget {search.budget * 10}"
    if search.crashes < 2:
        return f"explorer exhaust {recipe} --crashes {search.crashes + 1}"
    return f"explorer sweep {recipe} --seeds 0..29"


# The smallest story.


def shrink_text(shrunk: Shrink, width: int = 100) -> str:
    """Return the smallest run as a story, and how it compares with the one it came from."""
    recipe = shrunk.recipe
    before = (shrunk.first.recipe.writers, shrunk.first.run.strikes.exact, shrunk.first.run.grants)
    after = (recipe.writers, recipe.faults, shrunk.best.run.grants)
    places = " with faults at these places" if recipe.faults else ""
    claim = (
        f"nothing smaller{places} breaks the same promise in the same way"
        if shrunk.complete
        else f"the budget of {shrunk.budget:,} runs is used up: there may be a smaller one"
    )
    head = [
        f"from  {_measures(*before)}",
        f"to    {_measures(*after)}",
        f"kept  {line(shrunk.violation.invariant)}",
        *_given_up(shrunk),
        f"in {shrunk.runs:,} runs; {claim}",
    ]
    keep = f"explorer pin {quoted(recipe.text)} --note 'what happened'"
    return "\n".join(head) + "\n\n" + run_text(perform(recipe.text, film=True), width, keep)


def _given_up(shrunk: Shrink) -> Iterator[str]:
    """Yield what the first run broke as well, and how to keep that instead."""
    kept = {one.invariant for one in shrunk.best.flaws}
    others = dict.fromkeys(one.invariant for one in shrunk.first.flaws)
    if lost := [name for name in others if name not in kept]:
        yield f"lost  {', '.join(map(line, lost))} (to keep one: --promise {quoted(line(lost[0]))})"


def _measures(writers: tuple[str, ...], faults: Sequence[Fault], grants: str) -> str:
    turns = switches(grants)
    said = [f"{len(writers)} writer{'s' * (len(writers) != 1)}"]
    said += [f"{len(faults)} fault{'s' * (len(faults) != 1)}"] * bool(faults)
    said += [f"{turns} switch{'es' * (turns != 1)}", f"{len(grants)} grants: {cut(grants, 80)}"]
    return ", ".join(said)
