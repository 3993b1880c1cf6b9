"""Every interleaving, counted: the ground truth of TRUTHS, and what it takes to call it proved."""

from fractions import Fraction
from pathlib import Path

import pytest

from sim_core.bench import w1
from sim_core.findings import per_cent
from tests.searches import searched


def adders(name: str, count: int, query: str = "") -> str:
    return f"tests/tiny/{name}.py?writers={','.join(['adder'] * count)}{query}"


GROUND_TRUTH = [
    (adders("w1", 2), 6, 4, 0),
    (adders("w1", 3), 90, 84, 0),
    (adders("w1", 4), 2_520, 2_496, 0),
    (adders("w2", 2), 2, 0, 0),
    (adders("w3", 2), 2, 0, 0),
    (adders("w3", 3), 6, 0, 0),
    (adders("w4", 2), 6, 4, 0),
    (adders("w1_deferred", 2, "&timeout=0"), 50, 0, 40),
]


@pytest.mark.parametrize(("recipe", "orders", "broken", "failing"), GROUND_TRUTH)
def test_the_ground_truth_comes_out(recipe: str, orders: int, broken: int, failing: int) -> None:
    search = searched(recipe)
    assert (search.groups.orders, search.groups.broken) == (orders, broken)
    assert search.groups.failing == failing
    assert search.verdict == ("broken" if broken else "proved")


@pytest.mark.parametrize(
    ("recipe", "orders"), [(recipe, orders) for recipe, orders, *_ in GROUND_TRUTH if orders < 100]
)
def test_path_counting_and_brute_force_agree(recipe: str, orders: int) -> None:
    counted, brute = searched(recipe), searched(recipe, brute=True)
    ends = [
        {end: (g.count, g.probability) for end, g in s.groups.by_end.items()}
        for s in (counted, brute)
    ]
    assert ends[0] == ends[1]
    assert brute.explored == orders >= counted.explored


def test_some_orders_are_never_told_as_none_and_nearly_all_never_as_all() -> None:
    shares = [(0, 937), (4, 937), (5, 937), (933, 937), (937, 937)]
    assert [per_cent(*one) for one in shares] == ["0%", "<1%", "1%", ">99%", "100%"]


def test_a_coin_at_every_grant_is_not_a_share_of_orders() -> None:
    search = searched(adders("w1", 2))
    assert (search.groups.broken, search.groups.orders) == (4, 6)
    assert search.groups.probability == Fraction(1, 2)


def test_sections_is_lost_in_two_of_six_orders_and_in_a_quarter_of_walks() -> None:
    search = searched("sections?mode=warn")
    assert (search.groups.broken, search.groups.orders) == (2, 6)
    assert search.groups.probability == Fraction(1, 4)


@pytest.mark.parametrize("writers", ["careful,blind", "careful,careful,careful"])
def test_enforce_is_proved(writers: str) -> None:
    assert searched(f"sections?mode=enforce&writers={writers}").verdict == "proved"


def test_every_crash_point_of_every_order_is_visited_once() -> None:
    search = searched("sections?mode=enforce", crashes=1)
    assert search.verdict == "proved"
    assert search.groups.orders == 21


def test_a_search_without_budget_is_held_and_never_proved() -> None:
    search = searched(adders("w3", 3), budget=3)
    assert search.verdict == "held"


def test_the_bench_and_the_tests_measure_one_w1() -> None:
    shipped = Path(w1.__file__).read_text()
    assert shipped == Path("tests/tiny/w1.py").read_text()


def test_faults_of_the_recipe_strike_in_every_order_beside_the_crashes() -> None:
    for crashes in (0, 1):
        search = searched("sections?mode=warn&faults=B1before:SQLITE_FULL", crashes=crashes)
        assert search.groups.failing > 0 and search.groups.broken == 0
        assert all(
            "B1before:SQLITE_FULL" in search.with_crashes(g.faults).text for g in search.groups
        )
    assert searched("sections?mode=warn&faults=B1before:SQLITE_FULL").groups.orders == 3
