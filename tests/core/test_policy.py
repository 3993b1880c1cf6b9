"""A seed's dice, read in two ways: by fair throws, or as priorities that fall a few times."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from sim_core.bridge import handle
from sim_core.engine.policy import POLICIES, Pct, Policy, Uniform
from sim_core.judge.scenario import recipe_of
from sim_core.judge.verdict import perform
from sim_core.search.check import Check
from sim_core.search.sweep import Sweep

ROOT = Path(__file__).parent.parent.parent
BURIED = "tests/tiny/buried.py"
DEEP = POLICIES[1:]


def order(policy: Policy, **steps: int) -> str:
    """Return who went when, of writers that have so many steps and never wait."""
    grants = ""
    while offered := tuple(one for one in steps if grants.count(one) < steps[one]):
        grants += policy.choose(offered)
    return grants


def test_with_no_fall_the_highest_goes_to_its_end() -> None:
    orders = {order(Pct(seed, 1, 6), A=2, B=2, C=2) for seed in range(100)}
    assert orders == {"AABBCC", "AACCBB", "BBAACC", "BBCCAA", "CCAABB", "CCBBAA"}


def test_at_a_fall_whoever_went_last_is_below_everybody() -> None:
    orders = {order(Pct(seed, 2, 4), A=2, B=2) for seed in range(200)}
    assert orders == {"AABB", "ABBA", "BBAA", "BAAB"}


def test_every_rank_and_every_fall_is_as_likely_as_another() -> None:
    orders = [order(Pct(seed, 2, 4), A=2, B=2) for seed in range(4_000)]
    assert 900 < orders.count("ABBA") + orders.count("BAAB") < 1_100  # a fall at 1 of 4
    firsts = [order(Pct(seed, 1, 3), A=1, B=1, C=1)[0] for seed in range(3_000)]
    assert all(900 < firsts.count(letter) < 1_100 for letter in "ABC")


def test_who_comes_later_draws_a_rank_among_those_that_are_there() -> None:
    met = []
    for seed in range(1_000):
        policy = Pct(seed, 2, 1_000_000)
        policy.choose(("A", "B"))
        met.append(policy.choose(("A", "B", "a")))
    assert 270 < met.count("a") < 400


@pytest.mark.parametrize("depth", [2, 3])
def test_a_bug_of_a_depth_is_met_as_often_as_guaranteed(depth: int) -> None:
    """Of depth 2: all of B comes between A's fifth and sixth step. Of depth 3: all but its last."""
    bug = {2: "AAAAABBBBBBAAA", 3: "AAAAABBBBBAAAB"}[depth]
    length, seeds = len(bug), 40_000
    met = sum(order(Pct(s, depth, length), A=8, B=6) == bug for s in range(seeds))
    fair = sum(order(Uniform(s), A=8, B=6) == bug for s in range(seeds))
    guaranteed = seeds / (2 * length ** (depth - 1))
    assert met > 0.9 * guaranteed  # nothing is to spare in this bug, and a sample scatters
    assert met > 10 * fair


def test_a_writer_that_polls_does_not_starve_whom_it_polls_for() -> None:
    for seed in range(50):
        policy, grants = Pct(seed, 3, 10), ""
        while grants.count("B") < 5:  # A goes round until B is done
            grants += policy.choose(("A", "B"))
        assert len(grants) < 60


def test_a_bug_buried_in_long_writers_is_met_by_priorities_and_not_by_fair_throws() -> None:
    """Two writers of 20 grants. Money is missing where the auditor goes whole into a gap of two
    grants: PCT meets it with a probability of 1/2 · 2/40, and guarantees half of that."""
    seeds = range(400)
    priorities, fair = Sweep(f"{BURIED}?policy=pct2"), Sweep(BURIED)
    for sweep in (priorities, fair):
        list(sweep.over(seeds))
    assert {len(run.grants) for run in priorities.runs} == {40}
    assert len(priorities.broken) >= len(seeds) / (2 * 40)
    assert fair.broken == []


@pytest.mark.parametrize("policy", DEEP)
def test_a_recipe_with_a_policy_is_one_run(policy: str) -> None:
    text = f"{BURIED}?seed=7&policy={policy}"
    check = Check()
    assert list(check.over([text])) == [text] and not check.found
    sweep = Sweep(f"{BURIED}?policy={policy}")
    (swept,) = sweep.over([7])
    answer = json.loads(handle(json.dumps({"version": 1, "ask": "run", "recipe": text})))
    assert swept.hash == perform(text).hash == answer["hash"] == check.hashes[0]
    assert answer["recipe"] == text


def test_it_is_the_same_run_in_another_process() -> None:
    text = f"{BURIED}?seed=7&policy=pct3"
    words = [sys.executable, "-c", "from explorer.cli import main; main()", "run", text, "--json"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert json.loads(done.stdout)["hash"] == perform(text).hash


def test_the_same_grants_are_the_same_run_whatever_chose_them() -> None:
    chosen = perform("sections?mode=warn&seed=3&policy=pct3")
    grants = chosen.run.grants
    assert perform(f"sections?mode=warn&grants={grants}").hash == chosen.hash
    assert perform(f"sections?mode=warn&policy=pct2&grants={grants}").hash == chosen.hash


def test_where_the_grants_end_the_policy_goes_on() -> None:
    sweep = Sweep(f"{BURIED}?policy=pct2&grants=AB")
    list(sweep.over(range(60)))
    assert all(run.grants.startswith("AB") for run in sweep.runs)
    switches = [
        sum(a != b for a, b in zip(r.grants, r.grants[1:], strict=False)) for r in sweep.runs
    ]
    assert max(switches) <= 4


def test_time_has_a_rank_where_it_may_pass_at_every_grant() -> None:
    sweep = Sweep("tests/tiny/w4.py?timers=any&policy=pct2")
    list(sweep.over(range(60)))
    timely = {"t" in run.grants for run in sweep.runs if run.grants.startswith("A")}
    assert timely == {True, False}  # above a writer, and below both


def test_a_policy_is_no_part_of_what_every_order_is_searched_for() -> None:
    _, recipe = recipe_of("sections?seed=4&policy=pct2&grants=AB&step=1")
    assert recipe.every_order.text == "sections"
    assert recipe.head == "sections"


def test_a_policy_that_does_not_exist_is_named_with_those_that_do() -> None:
    with pytest.raises(Exception, match=r"policy=pct9 is not allowed; policy is uniform or pct2"):
        recipe_of("sections?policy=pct9")
