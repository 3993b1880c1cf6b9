"""A search made in parts, by several workers, adds up to the whole; and so do its openings."""

import json
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from sim_core.bridge import handle
from sim_core.judge.scenario import recipe_of
from sim_core.judge.trial import Trial
from sim_core.search.each import each
from sim_core.search.exhaust import Exhaust
from sim_core.search.openings import openings
from sim_core.searched import exhaust_json
from tests.searches import searched

W1 = "tests/tiny/w1.py?writers=adder,adder,adder"
RECIPES = [
    ("sections?mode=warn&writers=careful,blind,overwriter", False),
    ("receipts?round=0&writers=agent,watcher", False),
    ("checkpoint?leak=on", True),
    ("clear?clear=by-status&writers=clearer,reopener,filer", False),
    ("tests/tiny/w3.py?writers=adder,adder,adder", True),
    (W1, True),
]


def trial(text: str) -> Trial:
    scenario, recipe = recipe_of(text)
    return Trial(scenario, recipe.every_order)


def ask(kind: str, **request: Any) -> dict[str, Any]:
    answer = json.loads(handle(json.dumps({"version": 1, "ask": kind} | request)))
    assert isinstance(answer, dict)
    return answer


def parts_of(text: str, brute: bool, many: int) -> list[dict[str, Any]]:
    found = []
    for prefix in openings(trial(text), many):
        part = Exhaust(text, brute=brute, prefix=prefix)
        for _ in part.steps():
            pass
        found.append(exhaust_json(part))
    return found


@pytest.mark.parametrize(("text", "brute"), RECIPES)
@pytest.mark.parametrize("many", [2, 24])
def test_parts_add_up_to_the_whole(text: str, brute: bool, many: int) -> None:
    whole = exhaust_json(searched(text, brute=brute))
    parts = parts_of(text, brute, many)
    assert len(parts) >= min(many, whole["interleavings"])
    for key in ("interleavings", "broken", "failing", "not_serial", "explored", "runs"):
        assert sum(part[key] for part in parts) == whole[key], key
    odds = sum(Fraction(part["probability"]["exact"]) for part in parts)
    assert odds == Fraction(whole["probability"]["exact"])
    assert ends(*parts) == ends(whole)


def ends(*found: dict[str, Any]) -> Counter[str]:
    count: Counter[str] = Counter()
    for group in (group for one in found for group in one["outcomes"]):
        kept = ("rows", "told", "ended", "broken", "serial")
        count[json.dumps([group[key] for key in kept])] += group["count"]
    return count


def test_two_writers_of_two_steps_open_in_four_ways() -> None:
    two = trial("tests/tiny/w1.py?writers=adder,adder")
    assert openings(two, 2) == ["A", "B"]
    assert openings(two, 3) == ["AA", "AB", "BA", "BB"]
    assert sorted(openings(two, 100)) == ["AABB", "ABAB", "ABBA", "BAAB", "BABA", "BBAA"]


def test_what_leaves_equal_orders_out_or_kills_is_one_part() -> None:
    assert ask("openings", recipe=W1)["parts"] == [""]
    assert ask("openings", recipe=W1, brute=True, parts=3)["parts"] == ["A", "B", "C"]
    kills = ask("openings", recipe=W1, brute=True, crashes=1)
    assert (kills["parts"], kills["estimate"]) == ([""], None)
    for refused in ({}, {"brute": True, "crashes": 1}):
        assert ask("exhaust", recipe=W1, prefix="A", **refused)["part"] == "prefix"


@pytest.mark.parametrize("prefix", ["t", "AAA", "AABBA"])
def test_a_prefix_that_no_order_has_is_named(prefix: str) -> None:
    two = "tests/tiny/w1.py?writers=adder,adder"
    answer = ask("exhaust", recipe=two, brute=True, prefix=prefix, steps=9)
    assert answer["error"] == "Divergence" and prefix in answer["message"]


def test_six_orders_are_listed_with_what_broke() -> None:
    found = each(trial("sections?mode=warn"))
    assert found is not None
    listed = [(one.grants, len(one.broken)) for one in found]
    assert listed == [
        *(("AABB", 0), ("ABAB", 2), ("ABBA", 0)),
        *(("BAAB", 2), ("BABA", 0), ("BBAA", 0)),
    ]


def test_a_list_says_where_somebody_waits() -> None:
    found = each(trial("receipts"))
    assert found is not None
    assert [(one.grants, one.waits) for one in found] == [
        ("AAABBBB", ((1, "B"), (2, "B"))),
        ("BBBAAAA", ((1, "A"), (2, "A"))),
    ]


def test_a_list_says_where_sqlite_is_busy() -> None:
    found = each(trial("tests/tiny/w1_deferred.py?journal=wal&timeout=0"))
    assert found is not None and len(found) == 50
    assert sum(bool(one.busy) for one in found) == 40
    place = next(one for one in found if one.busy)
    at, letter = place.busy[0]
    assert place.grants[at] == letter


def test_too_many_orders_are_not_told() -> None:
    assert each(trial(W1), most=89) is None
    assert len(each(trial(W1), most=90) or []) == 90
    assert ask("orders", recipe=W1, most=5)["orders"] is None


def test_the_fix_follows_the_same_order_as_far_as_it_can() -> None:
    found = ask("follow", recipe="sections?grants=ABAB")
    assert (found["recipe"], found["violations"]) == ("sections?grants=ABA", [])
    again = ask("run", recipe=found["recipe"])
    assert again["hash"] == found["hash"]


def test_what_is_followed_loses_a_fault_that_has_no_place() -> None:
    found = ask("follow", recipe="receipts?round=0&grants=AAABBBB&faults=B9after:crash")
    assert "faults" not in found["recipe"] and found["grants"]
