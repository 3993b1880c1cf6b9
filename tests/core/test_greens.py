"""How many greens: the figures of a published table, and the arithmetic against brute force."""

import json
import re
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest

from sim_core import enough, reported
from sim_core.bridge import handle
from sim_core.errors import RequestError
from sim_core.greens import apart, excluded, interval, needed, passes, percent, share
from tests.cli.hostile import explorer

BASELINE = reported.BASELINE.failed
NOISY = reported.NOISY.failed


def test_at_the_reported_baseline_greens_say_little() -> None:
    shown = [f"{float(passes(BASELINE, n)):.0%}" for n in (2, 10, 20)]
    assert shown == ["87%", "50%", "25%"]
    assert needed(BASELINE) == 44


def test_on_the_noisy_machine_twenty_greens_would_have_been_rare() -> None:
    assert f"{float(passes(NOISY, 20)):.1%}" == "0.4%"


def test_one_failure_of_ten_cannot_be_told_from_the_baseline() -> None:
    assert not apart(1, 10, BASELINE)
    low, high = interval(1, 10)
    assert low < BASELINE < high
    assert apart(1, 10, Fraction(1, 2)) and apart(5, 10, BASELINE)


SMALL = [Fraction(1, 2), Fraction(1, 3), Fraction(67, 1000), Fraction(9, 10), Fraction(1, 100)]


@pytest.mark.parametrize("rate", SMALL)
@pytest.mark.parametrize("confidence", [Fraction(1, 2), Fraction(3, 4), Fraction(95, 100)])
def test_one_green_fewer_would_not_have_been_enough(rate: Fraction, confidence: Fraction) -> None:
    greens = needed(rate, confidence)
    assert (1 - rate) ** greens <= 1 - confidence
    assert greens == 1 or (1 - rate) ** (greens - 1) > 1 - confidence


def test_where_the_bar_is_met_exactly_that_is_enough() -> None:
    assert needed(Fraction(1, 2), Fraction(1023, 1024)) == 10
    assert needed(Fraction(9, 10), Fraction(999, 1000)) == 3


@pytest.mark.parametrize("greens", [1, 2, 20, 44, 1000])
def test_what_greens_exclude_they_exclude_and_nothing_below(greens: int) -> None:
    bar = Fraction(excluded(greens))
    hair = Fraction(1, 10**30)
    assert (1 - bar - hair) ** greens < Fraction(5, 100) < (1 - bar + hair) ** greens
    shown = Fraction(percent(excluded(greens), up=True).removesuffix(" %")) / 100
    assert (1 - shown) ** greens <= Fraction(5, 100), "the figure shown claims too much"


def tails(failed: int, runs: int, rate: Fraction) -> tuple[Fraction, Fraction]:
    """Every outcome of every run, one by one."""
    few = many = Fraction(0)
    for outcomes in product((0, 1), repeat=runs):
        likely = prod((rate if each else 1 - rate for each in outcomes), start=Fraction(1))
        few += likely * (sum(outcomes) <= failed)
        many += likely * (sum(outcomes) >= failed)
    return few, many


@pytest.mark.parametrize("failed", range(7))
@pytest.mark.parametrize("rate", SMALL)
def test_apart_is_what_listing_every_outcome_says(failed: int, rate: Fraction) -> None:
    few, many = tails(failed, 6, rate)
    for confidence in (Fraction(1, 2), Fraction(9, 10), Fraction(95, 100)):
        expected = min(few, many) < (1 - confidence) / 2
        assert apart(failed, 6, rate, confidence) == expected


@pytest.mark.parametrize(("failed", "runs"), [(0, 5), (1, 10), (3, 6), (7, 300), (6, 6)])
def test_the_interval_ends_where_its_tails_hold_half_of_the_doubt(failed: int, runs: int) -> None:
    low, high = map(Fraction, interval(failed, runs))
    few = sum(comb(runs, k) * high**k * (1 - high) ** (runs - k) for k in range(failed + 1))
    many = sum(comb(runs, k) * low**k * (1 - low) ** (runs - k) for k in range(failed, runs + 1))
    assert abs(few - Fraction(1, 40)) < Fraction(1, 10**12) or (high, failed) == (1, runs)
    assert abs(many - Fraction(1, 40)) < Fraction(1, 10**12) or low < Fraction(1, 10**15)


def test_the_interval_and_apart_agree() -> None:
    low, high = interval(7, 300)
    for rate in (low, high):
        inside, outside = Fraction(rate) * 999 / 1000, Fraction(rate) * 1001 / 1000
        assert apart(7, 300, inside) != apart(7, 300, outside)


@pytest.mark.parametrize(
    ("text", "value"),
    [("6.7%", "67/1000"), ("6.7 %", "67/1000"), (".5", "1/2"), ("1/15", "1/15"), ("5.%", "1/20")],
)
def test_a_share_is_read_as_it_is_written(text: str, value: str) -> None:
    assert share(text, "failure rate") == Fraction(value)


@pytest.mark.parametrize(
    "text",
    ["", "6.7", "x", "0", "1", "0%", "100%", "-1", "nan", "1e-3", "1/0", "3/2", "1_0%", "٣%"],
)
def test_what_is_no_share_is_named(text: str) -> None:
    with pytest.raises(RequestError, match="failure rate") as caught:
        share(text, "failure rate")
    assert f"'{text}'" in str(caught.value)


def test_percent_shows_three_digits_and_no_idle_noughts() -> None:
    shown = [percent(Decimal(value)) for value in ("0.067", "0.00413", "1", "0.13911", "0.5")]
    assert shown == ["6.7 %", "0.413 %", "100 %", "13.9 %", "50 %"]
    assert percent(Decimal("0.13911"), up=True) == "14 %"


@pytest.mark.parametrize("nines", range(2, 21))
def test_nearly_all_is_never_all_and_nearly_nothing_never_nothing(nines: int) -> None:
    nearly = 1 - Decimal(1).scaleb(-nines)
    for up, down in ((False, False), (True, False), (False, True)):
        shown = Decimal(percent(nearly, up=up, down=down).removesuffix(" %"))
        least = Decimal(percent(1 - nearly, up=up, down=down).removesuffix(" %"))
        assert shown < 100 and least > 0
    for sure in (f"0.{'9' * nines}", f"0.{'0' * (nines - 1)}1"):
        for asked in (enough.answered(sure, sure), enough.answered(sure, sure, greens=9)):
            said = " ".join(enough.sentences(asked))
            assert " 100 %" not in said and " 0 %" not in said


@pytest.mark.parametrize(("failed", "runs"), [(1, 10), (7, 300), (1, 10_000), (299, 300)])
def test_the_interval_shown_holds_the_whole_interval(failed: int, runs: int) -> None:
    (said,) = enough.sentences(enough.answered(failed=failed, runs=runs))
    shown = [Decimal(one) for one in re.findall(r"([0-9.]+) % (?:and|\()", said)][:2]
    low, high = interval(failed, runs)
    assert shown[0] <= low * 100 and high * 100 <= shown[1]


# The command.


def test_without_options_the_published_table_is_worked_out() -> None:
    done = explorer("greens", COLUMNS="100")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert reported.OWNERS in lines[0]
    assert "6.7 % no fix, alone on the machine 87 % 50 % 25 % 44" in lines
    assert "24 % no fix, on a noisy machine 57.8 % 6.43 % 0.413 % 11" in lines
    after = lines.index("fix 1 1 of 10 failed") + 1
    assert "two-sided" in " ".join(lines[after : after + 2])
    assert lines[after + 2] == "That cannot be told from 6.7 %."


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--failure-rate 6.7% --confidence 95%", "takes 44 greens."),
        ("--greens 20", "20 greens exclude, with 95 % confidence, a failure rate of 14 % or more"),
        ("--greens 20", "(one-sided: all of the doubt lies there)"),
        ("--failure-rate 1% --confidence 99.99%", "To be 99.99 % sure"),
        ("--failure-rate 99.9999%", "does not fail in 99.9999 % of its runs"),
        ("--failure-rate 50% --greens 5000", "with a probability of less than 0.000001 %."),
        ("--failure-rate 0.0000001% --greens 1", "a probability of more than 99.999999 %."),
        ("--failures 0 --runs 10", "lies between 0 % and 30.9 %"),
        ("--failures 0 --runs 20", "as for 20 greens, 14 % or more is excluded."),
        ("--failures 10 --runs 10", "lies between 69.1 % and 100 %"),
        ("--failure-rate 24% --greens 20", "shows 20 greens with a probability of 0.413 %."),
        ("--failures 7 --runs 300", "lies between 0.943 % and 4.75 % (95 % confidence, two-sided"),
        ("--failures 1 --runs 10 --failure-rate 6.7%", "That cannot be told from 6.7 %."),
        ("--failures 9 --runs 10 --failure-rate 6.7%", "That is not the 6.7 %"),
    ],
)
def test_each_question_has_its_sentence(words: str, said: str) -> None:
    done = explorer("greens", *words.split())
    assert done.returncode == 0 and said in " ".join(done.stdout.split())


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_published_table_fits(width: int) -> None:
    done = explorer("greens", COLUMNS=str(width))
    assert max(map(len, done.stdout.splitlines())) <= width


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--failure-rate 6.7", "did you mean 6.7%?"),
        ("--confidence 2", "did you mean 2%?"),
        ("--failure-rate 150%", "must lie between 0 and 1, both left out."),
        ("--greens 0", "must be a whole number from 1 to"),
        ("--failures 3 --runs 2", "must be a whole number from 0 to 2, and not '3'"),
        ("--failures 3", "give both"),
        ("--runs 3", "give both"),
        ("--failures 1 --runs 3 --greens 3", "and not both"),
        ("--runs 10001 --failures 1", "from 1 to 10,000"),
        ("--greens x", "'x' is not a valid integer"),
    ],
)
def test_what_is_no_question_is_one_sentence(words: str, said: str) -> None:
    done = explorer("greens", *words.split())
    assert (done.returncode, done.stdout) == (2, "")
    (sentence,) = [line for line in done.stderr.splitlines() if line.startswith("explorer: ")]
    assert said in sentence


def test_json_holds_the_same_and_the_bridge_gives_it() -> None:
    done = explorer("greens", "--failure-rate", "6.7%", "--greens", "20", "--json")
    answer = json.loads(done.stdout)
    assert answer["schema"] == {"name": "greens", "version": 1}
    assert (answer["question"], answer["needed"]) == ("passes", 44)
    asked = {"version": 1, "ask": "greens", "failure_rate": "6.7%", "greens": 20}
    assert json.loads(handle(json.dumps(asked))) == answer
    assert json.loads(handle('{"version": 1, "ask": "greens"}')) == enough.table()
    wrong = json.loads(handle('{"version": 1, "ask": "greens", "greens": "many"}'))
    assert wrong["error"] == "RequestError" and wrong["part"] == "many"
