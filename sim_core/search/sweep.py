"""Many seeds: how often does chance meet the bug?

A sweep measures exposure to chance. It can break a promise; it can never prove one, and says
*held* at best. Seed by seed here, or chunk by chunk in whatever processes an executor has: what
is found is the same, and comes in the same order.

Wrong in this module: starting or ending a process (explorer/workers.py).
"""

from collections import deque
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sim_core.engine.recipe import Recipe, parse
from sim_core.errors import MachineError, within
from sim_core.judge.scenario import recipe_of
from sim_core.judge.trial import Outcome, Trial

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

MOST_SEEDS: Final = 1_000_000
MOST_IN_A_CHUNK: Final = 64
"""Runs that an executor is handed at once: enough to be worth the way, few enough to watch."""
CHUNKS_AHEAD: Final = 128
"""Chunks that are handed over before the first of them is read: what an executor cannot do yet
stands in memory, and is lost when somebody stops the sweep."""

Row = tuple[int, str, str, tuple[str, ...], bool, bool, bool]
Chunk = tuple[list[Row], BaseException | None]


class Swept(NamedTuple):
    """What a sweep keeps of one run."""

    seed: int
    grants: str
    hash: str
    broken: tuple[str, ...]
    failing: bool
    struck: bool
    """A fault has struck."""
    odd: bool
    """It is not serial, where nothing else was promised."""


class Sweep:
    """The runs of `text` under one seed after another, as far as it has come.

    Raises RecipeError for a recipe that cannot be read.
    """

    def __init__(self, text: str) -> None:
        self.scenario, recipe = recipe_of(text)
        self.recipe: Recipe = recipe.but(seed=0, step=None, check="")
        self.runs: list[Swept] = []
        self.asked = 0
        """Runs that were asked for; fewer were made where something stopped the sweep."""
        self.stopped = ""
        """What stopped it, in words."""

    def over(self, seeds: Sequence[int], executor: "Executor | None" = None) -> Iterator[Swept]:
        """Run each seed, one a step: whoever iterates can show progress, and stop.

        `executor`: where the runs are made; its workers are processes, each with one thread.
        An error of ours ends the sweep and names the run it came in; `runs` keeps what was found.
        """
        self.asked += len(seeds)
        found = _elsewhere(self.recipe.text, seeds, executor) if executor else self._here(seeds)
        for swept in found:
            self.runs.append(swept)
            yield swept

    def _here(self, seeds: Sequence[int]) -> Iterator[Swept]:
        trial = Trial(self.scenario, self.recipe)
        return (Swept(*_row(trial, seed)) for seed in seeds)

    @property
    def broken(self) -> list[int]:
        """Return the seeds that broke any invariant."""
        return [run.seed for run in self.runs if run.broken]

    @property
    def by_invariant(self) -> dict[str, list[int]]:
        """Return invariant → the seeds that broke it."""
        return {
            one.name: [run.seed for run in self.runs if one.name in run.broken]
            for one in self.scenario.invariants
        }

    @property
    def failing(self) -> int:
        """Return in how many runs a writer ended in an error."""
        return sum(run.failing for run in self.runs)

    @property
    def struck(self) -> int:
        """Return in how many runs a fault has struck."""
        return sum(run.struck for run in self.runs)

    @property
    def odd(self) -> list[int]:
        """Return the seeds whose runs are not serial, where nothing else was promised."""
        return [run.seed for run in self.runs if run.odd]

    @property
    def one_order(self) -> bool:
        """Say whether the recipe's grants leave the seeds nothing to choose."""
        grants = self.recipe.grants
        return bool(grants) and all(run.grants == grants for run in self.runs)

    @property
    def published(self) -> dict[str, Any]:
        """Return what the scenario's report measured, where this sweep is of the same thing."""
        said = self.scenario.published
        same = said and self.recipe == parse(said.get("variant", ""), self.scenario.terms)
        return said if same else {}

    @property
    def verdict(self) -> str:
        """Return `broken`, `held` (sampled; never proved), or, where nothing is promised and some
        run is not serial, `not serial`."""
        if self.broken:
            return "broken"
        return "not serial" if self.odd else "held"


def _row(trial: Trial, seed: int) -> Row:
    """Run a recipe under one seed, and keep what a sweep keeps."""
    with within(trial.recipe.but(seed=seed).text):
        outcome: Outcome = trial.run(lambda: trial.policy(seed), seed=seed)
    run = outcome.run
    struck, odd = bool(run.strikes.struck), outcome.apart is not None
    return seed, run.grants, outcome.hash, outcome.broken, outcome.failing, struck, odd


# In other processes.


def _elsewhere(text: str, seeds: Sequence[int], executor: "Executor") -> Iterator[Swept]:
    """Yield the runs of `text` in order of their seeds, made by whatever `executor` has."""
    size = min(MOST_IN_A_CHUNK, max(1, len(seeds) // CHUNKS_AHEAD))
    chunks = (seeds[at : at + size] for at in range(0, len(seeds), size))
    ahead: deque[Future[Chunk]] = deque()
    try:
        for some in chunks:
            ahead.append(executor.submit(runs_of, text, some))
            if len(ahead) == CHUNKS_AHEAD:
                yield from _read(ahead.popleft().result())
        while ahead:
            yield from _read(ahead.popleft().result())
    finally:
        for future in ahead:
            future.cancel()


def _read(chunk: Chunk) -> Iterator[Swept]:
    rows, error = chunk
    yield from (Swept(*row) for row in rows)
    if error is not None:
        raise error


_at_work: Final[list[str]] = []


def runs_of(text: str, seeds: Sequence[int]) -> Chunk:
    """Return the runs of `text` under some seeds as plain tuples, and the error that ended them.

    Runs of one process share its files and connections, so a second thread is refused.
    """
    rows: list[Row] = []
    _at_work.append(text)
    try:
        if len(_at_work) > 1:
            raise MachineError(
                "Two threads of one process cannot run at the same time: they would use the same "
                "files. Sweep with processes, or with one thread."
            )
        trial = Trial(*recipe_of(text))
        for seed in seeds:
            rows.append(_row(trial, seed))
    except BaseException as error:
        return rows, error
    finally:
        _at_work.pop()
    return rows, None


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share (E. B. Wilson, 1927), as fractions."""
    if not of:
        return 0.0, 1.0
    z = 1.959964
    share = hits / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    spread = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - spread), min(1.0, middle + spread)
