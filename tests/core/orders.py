"""Every order of a small run, by brute force: the tests' own oracle."""

from collections.abc import Iterator

from sim_core.judge.scenario import recipe_of
from sim_core.judge.trial import Outcome, Trial


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
    trial = Trial(*recipe_of(recipe))
    path: list[int] | None = []
    while path is not None:
        policy = Branching(path)
        yield trial.run(lambda policy=policy: policy)  # type: ignore[misc]
        path = _next(path, policy.widths)


def _next(path: list[int], widths: list[int]) -> list[int] | None:
    taken = [path[i] if i < len(path) else 0 for i in range(len(widths))]
    while taken:
        last = taken.pop()
        if last + 1 < widths[len(taken)]:
            return [*taken, last + 1]
    return None
