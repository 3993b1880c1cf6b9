"""The questions one may ask of greens, and their answers: `greens/1`, and the same in words.

Which question it is, what was given says: a failure rate alone asks how many greens are needed;
greens alone, which rates they exclude; both, how often such a system passes all the same; failures
of runs, between which rates the true one lies. Nothing at all asks for a published table, with
the arithmetic that its report did without.

Wrong in this module: the arithmetic itself (sim_core/greens.py).
"""

from collections.abc import Collection, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import zip_longest
from textwrap import wrap
from typing import Any, Final

from sim_core import reported
from sim_core.errors import RequestError
from sim_core.greens import (
    CONFIDENCE,
    MOST_GREENS,
    MOST_RUNS,
    apart,
    chance,
    counted,
    excluded,
    interval,
    needed,
    passes,
    percent,
    share,
)

Json = dict[str, Any]

GREENS: Final = (reported.RERUNS, 10, 20)
"""Greens in a row that the report relied on, one after the other."""


def answered(
    rate: object = None,
    confidence: object = None,
    greens: object = None,
    failed: object = None,
    runs: object = None,
) -> Json:
    """Return the answer as `greens/1`; what was not asked is null.

    Raises RequestError where a value is off, or where what was given is no question.
    """
    p = None if rate is None else share(rate, "failure rate")
    c = CONFIDENCE if confidence is None else share(confidence, "confidence")
    answer = _empty(p, c)
    if failed is not None or runs is not None:
        if greens is not None:
            raise RequestError("Give greens, or failures of runs, and not both.", "greens")
        return answer | _of_runs(failed, runs, p, c)
    if greens is not None:
        n = counted(greens, "greens", 1, MOST_GREENS)
        answer |= {"question": "excludes", "greens": n, "excludes": float(excluded(n, c))}
        if p is not None:
            answer |= {"question": "passes", "passes": float(passes(p, n))}
    elif p is not None:
        answer["question"] = "needed"
    if p is not None:
        answer["needed"] = needed(p, c)
    return answer


def _empty(rate: Fraction | None, confidence: Fraction) -> Json:
    return {
        "schema": {"name": "greens", "version": 1},
        "question": "table",
        "failure_rate": None if rate is None else float(rate),
        "confidence": float(confidence),
        "needed": None,
        "greens": None,
        "excludes": None,
        "passes": None,
        "failed": None,
        "runs": None,
        "interval": None,
        "apart": None,
    }


def _of_runs(failed: object, runs: object, rate: Fraction | None, confidence: Fraction) -> Json:
    if failed is None or runs is None:
        raise RequestError("Failures are failures of so many runs: give both.", "failures")
    of = counted(runs, "runs", 1, MOST_RUNS)
    k = counted(failed, "failures", 0, of)
    low, high = interval(k, of, confidence)
    told_apart = None if rate is None else apart(k, of, rate, confidence)
    return {
        "question": "interval",
        "failed": k,
        "runs": of,
        "interval": [float(low), float(high)],
        "apart": told_apart,
    }


def asked(request: Json) -> Json:
    """Return the answer to a request that may name each of these, and `said`, its sentences."""
    names = ("failure_rate", "confidence", "greens", "failures", "runs")
    rate, confidence, *counts = (request.get(name) for name in names)
    if rate is None and counts == [None] * len(counts):
        return table(confidence)
    answer = answered(rate, confidence, *counts)
    return answer | {"said": [*sentences(answer)]}


def table(confidence: object = None) -> Json:
    """Return what a published table amounts to, as `greens/1`."""
    c = CONFIDENCE if confidence is None else share(confidence, "confidence")
    return _empty(None, c) | {
        "report": reported.OWNERS,
        "rates": [_rate(rate, c) for rate in reported.RATES],
        "rows": [_row(row, c) for row in reported.ROWS],
    }


def _rate(rate: reported.Rate, confidence: Fraction) -> Json:
    answer = {
        "what": rate.what,
        "failure_rate": float(rate.failed),
        "needed": needed(rate.failed, confidence),
        "passes": {str(n): float(passes(rate.failed, n)) for n in GREENS},
    }
    return answer | {"said": [*_rate_row(answer)]}


def _row(row: reported.Row, confidence: Fraction) -> Json:
    baseline = reported.BASELINE.failed
    answer = _empty(baseline, confidence) | _of_runs(row.failed, row.runs, baseline, confidence)
    if not row.failed:
        answer |= {
            "greens": row.runs,
            "excludes": float(excluded(row.runs, confidence)),
            "passes": float(passes(baseline, row.runs)),
        }
    del answer["schema"]
    return {"what": row.what, **answer, "said": [*_verdict(answer)]}


# In words.


def greens_text(answer: Json, width: int = 100) -> str:
    """Return the answer for a person."""
    if answer["question"] == "table":
        return "\n\n".join(_table(answer, width))
    return "\n".join(
        line
        for sentence in sentences(answer)
        for line in wrap(sentence, width, break_on_hyphens=False)
    )


def sentences(answer: Json) -> Iterator[str]:
    """Yield what the answer says, a sentence each."""
    sure = percent(_of(answer["confidence"]))
    if answer["question"] == "interval":
        yield _between(answer)
        if answer["apart"] is not None:
            yield _told_apart(answer)
        return
    greens, rate = answer["greens"], answer["failure_rate"]
    if answer["passes"] is not None:
        yield _passing(answer)
    if rate is not None:
        yield (
            f"To be {sure} sure that a system does not fail in {percent(_of(rate))} of its runs "
            f"takes {_greens(answer['needed'])}."
        )
    if greens is not None:
        yield excluding(answer)


def _passing(answer: Json) -> str:
    return (
        f"A system that fails in {percent(_of(answer['failure_rate']))} of its runs shows "
        f"{_greens(answer['greens'])} with a probability of {chance(_of(answer['passes']))}."
    )


def excluding(answer: Json) -> str:
    """Return the sentence for what so many greens exclude."""
    return (
        f"{_greens(answer['greens']).capitalize()} exclude{'s' * (answer['greens'] == 1)}, with "
        f"{percent(_of(answer['confidence']))} confidence, a failure rate of "
        f"{percent(_of(answer['excludes']), up=True)} or more (one-sided: all of the doubt lies "
        "there); a lower one may well be there."
    )


def _between(answer: Json) -> str:
    low, high = answer["interval"]
    least = percent(_of(low), down=True) if answer["failed"] else "0 %"
    most = percent(_of(high), up=True) if answer["failed"] < answer["runs"] else "100 %"
    sure = percent(_of(answer["confidence"]))
    return (
        f"{answer['failed']:,} of {answer['runs']:,} runs failed: the failure rate lies between "
        f"{least} and {most} ({sure} confidence, two-sided: half of the doubt on either side)."
        + _one_sided(answer)
        * (not answer["failed"])
    )


def _one_sided(answer: Json) -> str:
    """Return why the same runs, taken as greens, exclude more."""
    confidence = Fraction(_of(answer["confidence"]))
    bar = percent(_of(float(excluded(answer["runs"], confidence))), up=True)
    return (
        " No rate is too low for no failure, so one half is idle: with all of the doubt on the "
        f"other side, as for {_greens(answer['runs'])}, {bar} or more is excluded."
    )


def _told_apart(answer: Json) -> str:
    rate = percent(_of(answer["failure_rate"]))
    if answer["apart"]:
        return f"That is not the {rate} that it is compared with."
    return f"That cannot be told from {rate}."


def _table(answer: Json, width: int) -> Iterator[str]:
    sure = percent(_of(answer["confidence"]))
    title = f"What was reported in “{answer['report']}”, and what it says"
    yield "\n".join(wrap(title, width))
    head = ("still failing in", *(_greens(n) for n in GREENS), f"greens for {sure}")
    yield columns([head, *(_rate_row(rate) for rate in answer["rates"])], width=width)
    rows = [(row["what"], f"{row['failed']} of {row['runs']} failed") for row in answer["rows"]]
    pad = max(len(what) for what, _ in rows)
    for (what, failed), row in zip(rows, answer["rows"], strict=True):
        said = [f"{what:<{pad}}  {failed}"]
        for sentence in _verdict(row):
            said += wrap(sentence, width, initial_indent="  ", subsequent_indent="  ")
        yield "\n".join(said)
    yield "next: explorer greens --failure-rate 1% --confidence 99%"


def _rate_row(rate: Json) -> tuple[str, ...]:
    """Return a rate's cells: what fails how often, how often it passes, what it takes."""
    often = percent(_of(rate["failure_rate"]))
    likely = (chance(_of(each)) for each in rate["passes"].values())
    return (f"{often}  {rate['what']}", *likely, str(rate["needed"]))


def _verdict(row: Json) -> Iterator[str]:
    if row["greens"] is None:
        yield _between(row)
        yield _told_apart(row)
        return
    yield _passing(row)
    yield excluding(row)


def columns(
    rows: list[tuple[str, ...]], right: Collection[int] | None = None, width: int = 100
) -> str:
    """Return rows as a table of at most `width` columns, if its words allow that; the columns that
    are named end at the right, else all but one."""
    wide = _widths(rows, width)
    right = range(1, len(wide)) if right is None else right
    return "\n".join(
        GAP.join(
            f"{cell:>{size}}" if index in right else f"{cell:<{size}}"
            for index, (cell, size) in enumerate(zip(cells, wide, strict=True))
        ).rstrip()
        for row in rows
        for cells in _lines(row, wide)
    )


def _widths(rows: list[tuple[str, ...]], width: int) -> list[int]:
    """Return how wide each column is: as its cells, the widest narrowed until all of it fits."""
    every = list(zip(*rows, strict=True))
    wide = [max(map(len, cells)) for cells in every]
    least = [max(len(word) for cell in cells for word in cell.split() or [""]) for cells in every]
    while sum(wide) + len(GAP) * (len(wide) - 1) > width and wide != least:
        widest = max(size for size, word in zip(wide, least, strict=True) if size > word)
        wide[wide.index(widest)] -= 1
    return wide


def _lines(row: tuple[str, ...], wide: list[int]) -> Iterator[tuple[str, ...]]:
    """Yield a row as lines, its cells broken where they are wider than their column."""
    broken = [
        wrap(cell, size, break_on_hyphens=False) if len(cell) > size else [cell]
        for cell, size in zip(row, wide, strict=True)
    ]
    yield from zip_longest(*broken, fillvalue="")


def _greens(count: int) -> str:
    return f"{count:,} green{'s' * (count != 1)}"


def _of(value: float) -> Decimal:
    """Return a share that is neither 0 nor 1, even where as a float it has become so."""
    return min(max(Decimal(repr(value)), _LEAST), 1 - _LEAST)


_LEAST: Final = Decimal("1e-20")
GAP: Final = "   "
