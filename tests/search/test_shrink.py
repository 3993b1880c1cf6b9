"""The smallest story: as small as the smallest there is, and still the same story."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from sim_core.errors import RecipeError
from sim_core.findings import shrink_text
from sim_core.judge.invariants import Violation
from sim_core.judge.scenario import recipe_of
from sim_core.judge.trial import Trial
from sim_core.judge.verdict import perform
from sim_core.search.exhaust import Exhaust
from sim_core.search.fewest import Fewest
from sim_core.search.orders import Walk
from sim_core.search.outcomes import smaller, switches
from sim_core.search.shrink import Shrink, kind
from tests.search.programs import program

W1 = "tests/tiny/w1.py"


def shrunk(recipe: str, **how: int) -> Shrink:
    search = Shrink(recipe, **how)
    for _ in search.steps():
        pass
    return search


@pytest.mark.parametrize("writers", [2, 3, 4])
def test_w1_comes_down_to_two_switches_from_any_red_seed(writers: int) -> None:
    cast = ",".join(["adder"] * writers)
    for seed in range(12):
        recipe = f"{W1}?writers={cast}&seed={seed}"
        if not perform(recipe).violations:
            continue
        found = shrunk(recipe)
        assert found.recipe.text == f"{W1}?grants=ABBA"
        assert found.complete and found.runs <= 40
        said = [event.sql.split()[0] for event in found.best.run.events if event.sql]
        assert said == ["SELECT", "SELECT", "UPDATE", "UPDATE"]


def test_a_loss_does_not_slide_into_another_kind_of_loss(tmp_path: Path) -> None:
    path = tmp_path / "two.py"
    path.write_text(
        'SCHEMA = "CREATE TABLE t (v)"\nCONNECT = {"isolation_level": None}\n'
        'async def a(db):\n    "A."\n    await db.execute("INSERT INTO t VALUES (1)")\n'
        'async def b(db):\n    "B."\n    await db.execute("INSERT INTO t VALUES (2)")\n'
        'def ordered(db):\n    "In order."\n'
        '    rows = [v for v, in db.execute("SELECT v FROM t ORDER BY rowid")]\n'
        '    if len(rows) < 2:\n        yield "a row is missing"\n'
        '    elif rows[0] > rows[1]:\n        yield f"{rows[0]} came first"\n'
        "INVARIANTS = (ordered,)\n"
    )
    assert perform(f"{path}?writers=a").violations, "one writer alone breaks it in another way"
    found = shrunk(f"{path}?grants=BA")
    assert (found.recipe.writers, found.best.run.grants) == (("a", "b"), "BA")


def test_the_kind_of_a_violation_leaves_out_names_and_numbers() -> None:
    told = [
        kind(Violation("lost", "", f"adder{n} added {n}.5 of {n}", n), ("adder",)) for n in (2, 31)
    ]
    assert told == ["· added # of #"] * 2


def test_faults_that_are_not_needed_go_and_those_that_are_get_their_place(tmp_path: Path) -> None:
    path = tmp_path / "receipts.py"
    path.write_text(
        'SCHEMA = "CREATE TABLE t (v)"\nCONNECT = {"isolation_level": None}\n'
        'WRITERS = ("a", "b")\n'
        'async def a(db):\n    "A."\n    await db.execute("INSERT INTO t VALUES (1)")\n'
        '    await db.execute("INSERT INTO t VALUES (2)")\n'
        'async def b(db):\n    "B."\n    await db.execute("SELECT * FROM t")\n'
        'def pairs(db):\n    "Rows come in pairs."\n'
        '    (n,) = db.execute("SELECT count(*) FROM t").fetchone()\n'
        '    if n % 2:\n        yield f"{n} rows"\n'
        "INVARIANTS = (pairs,)\n"
    )
    red = next(
        recipe
        for seed in range(400)
        if perform(recipe := f"{path}?seed={seed}&faults=*:crash&p=0.4").broken
        and len(perform(recipe).run.strikes.struck) == 2
    )
    found = shrunk(red)
    assert found.recipe.text == f"{path}?writers=a&grants=AA&faults=A1after:crash"


@pytest.mark.once
@pytest.mark.parametrize("programs", [25, pytest.param(100, marks=pytest.mark.long)])
def test_nothing_smaller_is_found_by_the_search_of_every_order(
    tmp_path: Path, programs: int
) -> None:
    seen = 0
    for seed in range(8 * programs):
        recipe = program(seed).recipe(tmp_path)
        search = Exhaust(recipe, budget=2_000)
        for _ in search.steps():
            pass
        if search.red is None or search.witness is None:
            continue
        found = shrunk(search.witness.text, budget=20_000)
        assert found.complete, recipe
        size = (len(found.recipe.writers), smaller(found.best.run.grants))
        assert size == min(smallest(found)), recipe
        assert perform(found.recipe.text).broken, recipe
        again = shrunk(found.recipe.text, budget=20_000)
        assert again.recipe == found.recipe, "shrinking is idempotent"
        seen += 1
        if seen == programs:
            return
    pytest.fail(f"only {seen} programs broke anything")


def smallest(found: Shrink) -> Iterator[tuple[int, tuple[int, int, str]]]:
    """Yield the size of every red run of every cast, by walking every order."""
    scenario, recipe = found.scenario, found.first.recipe.but(grants="", faults=(), seed=0)
    names = tuple(scenario.terms.roles)
    wanted = (found.violation.invariant, kind(found.violation, names))
    for count in range(1, len(recipe.writers) + 1):
        for writers in set(combinations(recipe.writers, count)):
            walk = Walk(Trial(scenario, recipe.but(writers=writers)), reduce=False)
            for outcome in walk.outcomes():
                if wanted in {(one.invariant, kind(one, names)) for one in outcome.violations}:
                    yield count, smaller(outcome.run.grants)


def test_the_fewest_switches_come_first_and_every_order_once() -> None:
    outcomes = list(Fewest(Trial(*recipe_of(f"{W1}?writers=adder,adder,adder"))).outcomes())
    grants = [outcome.run.grants for outcome in outcomes]
    assert len(grants) == len(set(grants)) == 90
    known = 0
    for each in Fewest(Trial(*recipe_of(f"{W1}?writers=adder,adder,adder"))).outcomes(most=3):
        known = max(known, switches(each.run.grants))
    assert sum(switches(each) <= 3 for each in grants) < 90 and known >= 3


def test_a_run_that_breaks_nothing_is_refused() -> None:
    with pytest.raises(RecipeError, match="nothing to shrink"):
        Shrink("tests/tiny/w3.py")


def test_a_budget_that_runs_out_is_said_and_what_was_found_stands() -> None:
    found = shrunk(f"{W1}?writers=adder,adder,adder&seed=0", budget=4)
    assert not found.complete
    assert found.runs <= 5 and perform(found.recipe.text).broken


def test_a_promise_can_be_chosen_and_what_is_given_up_is_said() -> None:
    run = "five?safety=off&seed=97"
    shrunk = Shrink(run, promise="nothing is put away unread")
    for _ in shrunk.steps():
        pass
    assert shrunk.violation.invariant == "nothing is put away unread"
    assert set(shrunk.recipe.writers) == {"shipper", "archivist"}
    assert "lost  acknowledged work survives, nobody claims what was revoked" in shrink_text(shrunk)
    with pytest.raises(RecipeError, match="does not break 'peace'; it breaks 'acknowledged"):
        Shrink(run, promise="peace")
