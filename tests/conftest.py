"""Every run of every test is run again, and must be the same run.

The second time the schedule is dictated, grant by grant, so that whatever chose it the first time
(a seed, a search) need not be asked twice. A test of writers that leak on purpose is marked
`leaks`, one of a great many runs `once`.
"""

from collections.abc import Iterator
from functools import wraps
from typing import Any

import pytest

from sim_core.engine.policy import Enough, Policy
from sim_core.errors import Divergence
from sim_core.judge.trial import Outcome, Trial


class Again:
    """Dictates the grants of a run, and ends where it ended."""

    def __init__(self, first: Outcome) -> None:
        self._grants = iter(first.run.grants)

    def choose(self, offered: tuple[str, ...]) -> str:
        grant = next(self._grants, None)
        if grant is None:
            raise Enough
        if grant not in offered:
            raise Divergence(f"run again, {grant} cannot go: only {offered}", part=grant)
        return grant


def run_twice(first_run: Any) -> Any:
    @wraps(first_run)
    def run(trial: Trial, policy: Any, *, seed: int | None = None, **options: Any) -> Outcome:
        first: Outcome = first_run(trial, policy, seed=seed, **options)

        def again() -> Policy:
            return Again(first)

        second: Outcome = first_run(trial, again, seed=seed, fresh=options.get("fresh", False))
        assert second.hash == first.hash, f"{first.recipe.run_text} is not the same run twice"
        return first

    return run


@pytest.fixture(autouse=True)
def every_run_twice(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    if not {"leaks", "once"} & set(request.keywords):
        monkeypatch.setattr(Trial, "run", run_twice(Trial.run))
    yield
