"""Every order of a small run, by brute force: the tests' own oracle."""

from collections.abc import Iterator

from sim_core.engine.run import Run
from sim_core.judge.cast import stage
from sim_core.judge.judging import Judging
from sim_core.judge.scenario import recipe_of
from sim_core.judge.trial import Outcome


class Branching:
    """Follow a path of choices, then always take the first; remember how wide each was."""

    def __init__(self, path: list[int]) -> None:
        self.path = path
        self.widths: list[int] = []

    def choose(self, offered: tuple[str, ...]) -> str:
        at = len(self.widths)
        self.widths.append(len(offered))
        return offered[self.path[at] if at < len(self.path) else 0]


def every_order(recipe: str) -> Iterator[Outcome]:
    """Yield the judged run of each order, once."""
    scenario, parsed = recipe_of(recipe)
    path: list[int] | None = []
    while path is not None:
        policy = Branching(path)
        run = Run(stage(scenario, parsed), policy)
        run.go()
        violations = Judging(scenario.invariants, dict(parsed.options)).at_the_end(run)
        run.remove()
        yield Outcome(scenario, parsed, run, violations, None, run.hash)
        path = _next(path, policy.widths)


def _next(path: list[int], widths: list[int]) -> list[int] | None:
    taken = [path[i] if i < len(path) else 0 for i in range(len(widths))]
    while taken:
        last = taken.pop()
        if last + 1 < widths[len(taken)]:
            return [*taken, last + 1]
    return None
