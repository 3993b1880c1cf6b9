"""The process list: who shows in it when, and that a search that leaves orders out sees it all."""

import pytest

from sim_core.judge.end import End
from sim_core.judge.scenario import recipe_of
from sim_core.judge.trial import Trial
from sim_core.judge.verdict import perform
from sim_core.search.exhaust import Exhaust
from sim_core.search.orders import Walk

FILE = "tests/tiny/ps.py"


def searched(recipe: str, crashes: int = 0, *, brute: bool = False) -> Exhaust:
    search = Exhaust(recipe, crashes=crashes, brute=brute)
    for _ in search.steps():
        pass
    assert search.finished and search.counted
    return search


def ends(search: Exhaust) -> dict[str, int]:
    found = {str(group.end): group.count for group in search.groups}
    assert len(found) == len(list(search.groups))
    return found


@pytest.mark.once
@pytest.mark.parametrize("after", ["0", "2"])
@pytest.mark.parametrize("writers", ["server,watch", "server,once", "server,once,once"])
@pytest.mark.parametrize("crashes", [0, 1])
def test_what_is_left_out_comes_to_nothing_else(after: str, writers: str, crashes: int) -> None:
    recipe = f"{FILE}?after={after}&writers={writers}"
    reduced, brute = searched(recipe, crashes), searched(recipe, crashes, brute=True)
    assert not reduced.scope.why
    assert ends(reduced) == ends(brute)
    assert reduced.verdict == brute.verdict


def walked(recipe: str, *, reduce: bool) -> tuple[set[End], set[str], int]:
    walk = Walk(Trial(*recipe_of(recipe)), reduce=reduce, rows=True)
    ends, red = set(), set()
    for outcome in walk.outcomes():
        red.update(outcome.broken)
        if not outcome.cut:
            ends.add(End.of(outcome.run, outcome.rows))
    return ends, red, walk.complete


@pytest.mark.once
@pytest.mark.parametrize("writers", ["server,watch", "server,once,once", "once,server"])
def test_the_walk_that_leaves_orders_out_reaches_every_end(writers: str) -> None:
    for after in ("0", "2"):
        recipe = f"{FILE}?after={after}&writers={writers}"
        ends, red, few = walked(recipe, reduce=True)
        all_ends, all_red, many = walked(recipe, reduce=False)
        assert (ends, red) == (all_ends, all_red)
        assert few < many


@pytest.mark.once
def test_a_walk_that_forgot_the_list_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = f"{FILE}?after=2&writers=server,watch"
    monkeypatch.setattr("sim_core.search.footprint._processes", lambda *_: None)
    assert walked(recipe, reduce=True)[:2] != walked(recipe, reduce=False)[:2]


def looks(recipe: str) -> list[tuple[int, bool]]:
    events = perform(f"{FILE}?{recipe}").run.events
    return [(event.time, event.answer) for event in events if event.kind == "looks"]


def test_a_process_shows_from_the_moment_it_has_come_up_until_it_ends() -> None:
    recipe = "after=2&grants=AtBBtBBtAA"
    shown = [e.time for e in perform(f"{FILE}?{recipe}").run.events if e.kind == "shows"]
    assert (looks(recipe), shown) == ([(1000, False), (2000, True)], [2000])
    assert looks("writers=server,once&grants=AB") == [(0, True)]
    assert looks("writers=server,once&grants=AtAAB") == [(3000, False)]


def test_a_killed_process_is_gone_at_once_and_its_recovery_is_another() -> None:
    killed = "writers=server,once&faults=A2before:crash&grants=AAB"
    outcome = perform(f"{FILE}?{killed}")
    assert [e.answer for e in outcome.run.events if e.kind == "looks"] == [False]
    assert outcome.run.writers["a"].number_of_process == "A2"
    assert outcome.run.writers["A"].number_of_process == "A"


def test_who_dies_before_it_has_come_up_never_shows() -> None:
    outcome = perform(f"{FILE}?after=2&faults=A2before:crash&grants=AA")
    assert "A" not in [e.writer for e in outcome.run.events if e.kind == "shows"]


def test_two_runs_of_one_recipe_are_one_run() -> None:
    for seed in range(30):
        recipe = f"{FILE}?after=2&seed={seed}"
        assert perform(recipe).hash == perform(recipe).hash
