"""How many greens? What a row of passing runs says of a system that fails now and then.

A test that fails one time in fifteen passes twice in a row nine times in ten, so "green again" is
no evidence. The binomial says what is: how many greens are needed, which failure rates they
exclude, and how often a failing system shows them all the same. Runs are taken to be independent,
each failing with the same probability; a machine that is busy today breaks both.

Comparisons that decide something are made in whole numbers and fractions; values for people are
worked out in sixty decimal digits, so that every digit shown is one.

Wrong in this module: a run, and where the figures come from.
"""

import re
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import Final

from sim_core.errors import RequestError
from sim_core.quoting import short

CONFIDENCE: Final = Fraction(95, 100)
MOST_RUNS: Final = 10_000
"""Runs some of which failed: their tails are summed term by term."""
MOST_GREENS: Final = 10**12
EXACT: Final = 5_000
"""Greens up to which a power is compared as a fraction."""
DIGITS: Final = 60
NEXT_TO_NOTHING: Final = Decimal("1e-8")
"""Below it, a probability is not told by its digits."""
_HALVINGS: Final = 60
_WRITTEN: Final = re.compile(r"([0-9]{1,12}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})\s*(%?)")
_PARTS: Final = re.compile(r"([0-9]{1,12})/([0-9]{1,12})")

_precise = Context(prec=DIGITS)


def share(text: object, what: str) -> Fraction:
    """Return a probability that somebody wrote: 6.7%, 0.067 or 1/15.

    Raises RequestError where it is none, or is no more than 0 or no less than 1.
    """
    written = str(text).strip() if isinstance(text, str | int | float) else ""
    parts = _PARTS.fullmatch(written)
    if parts and int(parts[2]):
        value = Fraction(int(parts[1]), int(parts[2]))
    elif number := _WRITTEN.fullmatch(written):
        value = Fraction(number[1]) / (100 if number[2] else 1)
    else:
        raise RequestError(
            f"The {what} '{short(text)}' is not a share; write 6.7%, 0.067 or 1/15.", short(text)
        )
    if not 0 < value < 1:
        bare = 1 < value < 100 and not {"/", "%"} & set(written)
        meant = f"; did you mean {written}%?" if bare else "."
        raise RequestError(
            f"The {what} '{short(text)}' must lie between 0 and 1, both left out{meant}",
            short(text),
        )
    return value


def counted(value: object, what: str, least: int, most: int) -> int:
    """Return a count that somebody gave. Raises RequestError where it is none, or too large."""
    if type(value) is not int or not least <= value <= most:
        raise RequestError(
            f"The number of {what} must be a whole number from {least:,} to {most:,}, and not "
            f"'{short(value)}'.",
            short(value),
        )
    return value


# Only greens.


def passes(rate: Fraction, greens: int) -> Decimal:
    """Return how probable it is that a system that fails so often shows so many greens."""
    return _precise.power(_decimal(1 - rate), greens)


def needed(rate: Fraction, confidence: Fraction = CONFIDENCE) -> int:
    """Return after how many greens a system that fails so often would have been caught with that
    confidence: the smallest n with (1 - rate)ⁿ ≤ 1 - confidence."""
    ratio = _precise.divide(_ln(1 - confidence), _ln(1 - rate))
    greens = max(1, int(ratio.to_integral_value(ROUND_CEILING)))
    if greens <= EXACT:
        while greens > 1 and (1 - rate) ** (greens - 1) <= 1 - confidence:
            greens -= 1
        while (1 - rate) ** greens > 1 - confidence:
            greens += 1
    return greens


def excluded(greens: int, confidence: Fraction = CONFIDENCE) -> Decimal:
    """Return the failure rate from which on a system would not have shown so many greens, with
    that confidence; lower ones are not excluded."""
    root = _precise.exp(_precise.divide(_ln(1 - confidence), greens))
    return _precise.subtract(1, root)


# Failures among them.


def interval(failed: int, runs: int, confidence: Fraction = CONFIDENCE) -> tuple[Decimal, Decimal]:
    """Return the exact interval of a failure rate (Clopper and Pearson, 1934): the rates that so
    many failures do not exclude, half of the doubt on either side."""
    doubt = _decimal((1 - confidence) / 2)
    low, high = Decimal(0), Decimal(1)
    if failed > 0:
        low = _where(lambda rate: _precise.subtract(1, _at_most(failed - 1, runs, rate)) < doubt)
    if failed < runs:
        high = _where(lambda rate: _at_most(failed, runs, rate) > doubt)
    return low, high


def apart(failed: int, runs: int, rate: Fraction, confidence: Fraction = CONFIDENCE) -> bool:
    """Say whether so many failures can be told from a system that fails at that rate: whether
    it would show so few, or so many, less often than half of the doubt."""
    doubt = (1 - confidence) / 2
    fewer, as_many, whole = _weighed(failed, runs, rate)
    return min(fewer + as_many, whole - fewer) * doubt.denominator < whole * doubt.numerator


def _weighed(failed: int, runs: int, rate: Fraction) -> tuple[int, int, int]:
    """Return how probable fewer failures and exactly so many are, as parts of a whole."""
    hit, miss = rate.numerator, rate.denominator - rate.numerator
    term, fewer = miss**runs, 0
    for k in range(failed):
        fewer += term
        term = term * (runs - k) * hit // ((k + 1) * miss)  # leaves no remainder
    return fewer, term, rate.denominator**runs


def _at_most(failed: int, runs: int, rate: Decimal) -> Decimal:
    """Return how probable at most so many failures are."""
    miss = _precise.subtract(1, rate)
    odds = _precise.divide(rate, miss)
    term = total = _precise.power(miss, runs)
    for k in range(failed):
        times = _precise.divide(_precise.multiply(odds, Decimal(runs - k)), k + 1)
        term = _precise.multiply(term, times)
        total = _precise.add(total, term)
    return total


def _where(still: Callable[[Decimal], bool]) -> Decimal:
    """Return the rate at which something that holds for smaller ones ceases to."""
    low, high = Decimal(0), Decimal(1)
    for _ in range(_HALVINGS):
        middle = _precise.divide(_precise.add(low, high), 2)
        low, high = (middle, high) if still(middle) else (low, middle)
    return high


def _decimal(value: Fraction) -> Decimal:
    return _precise.divide(value.numerator, value.denominator)


def _ln(value: Fraction) -> Decimal:
    return _precise.ln(_decimal(value))


# In words.


def percent(value: Fraction | Decimal, *, up: bool = False, down: bool = False) -> str:
    """Return a share in per cent with three digits that count, trailing noughts left out; `up` or
    `down` where the figure would claim too much if it were rounded the other way. More digits are
    shown where three would make it 100 %, which it is not."""
    share = _decimal(value) if isinstance(value, Fraction) else value
    in_percent = _precise.multiply(share, 100)
    rounding = ROUND_CEILING if up else ROUND_FLOOR if down else ROUND_HALF_EVEN
    for digits in range(3, DIGITS):
        shown = Context(prec=digits, rounding=rounding).plus(in_percent)
        if shown != 100 or in_percent == 100:
            return f"{shown.normalize():f} %"
    return "almost 100 %"


def chance(value: Decimal) -> str:
    """Return how probable something is that may happen and may not: it may be next to nothing."""
    if value < NEXT_TO_NOTHING:
        return f"less than {percent(NEXT_TO_NOTHING)}"
    if value > 1 - NEXT_TO_NOTHING:
        return f"more than {percent(1 - NEXT_TO_NOTHING)}"
    return percent(value)
