"""Every order of a run, once: a walk over the tree of schedules.

The walk is stateless: a run is repeated from its start along the path chosen so far, and goes
on with the first choice that is left. With footprints it keeps *sleep sets* (P. Godefroid,
"Partial-Order Methods for the Verification of Concurrent Systems", 1996): a writer that was
tried at a node sleeps in the branches beside it until a grant comes that depends on its own,
because running it earlier would only repeat an order that is equal. Every state is still
reached; orders that only swap neighbours that do not meet are not.

Wrong in this module: judging, counting, or knowing what a footprint is made of.
"""

from collections.abc import Iterator

from sim_core.engine.policy import Enough
from sim_core.engine.recipe import Recipe
from sim_core.engine.run import Run
from sim_core.errors import ScenarioError
from sim_core.judge.judging import Known
from sim_core.judge.trial import Outcome, Trial
from sim_core.search.footprint import Footprint, Footprints, dependent
from sim_core.search.tables import Tables


def offers_again(before: tuple[str, ...], now: tuple[str, ...], recipe: Recipe) -> None:
    """Raise where a path that is walked again offers something else: a search relies on it."""
    if before != now:
        raise ScenarioError(
            f"A run of {recipe.text} is not the same run twice: something in the scenario's "
            "module, or on the machine, outlives a run. explorer check says what.",
            part=recipe.text,
        )


class Node:
    """One choice on the path."""

    __slots__ = ("chosen", "done", "offered", "sleep")

    def __init__(self, offered: tuple[str, ...], sleep: dict[str, Footprint]) -> None:
        self.offered = offered
        self.sleep = sleep
        """Letter → footprint of its next grant, taken in a branch beside this one."""
        self.done: dict[str, Footprint] = {}
        self.chosen = ""

    def left(self) -> str:
        """Return the next letter to try, or nothing."""
        for letter in self.offered:
            if letter not in self.done and letter not in self.sleep:
                return letter
        return ""


class Walk:
    """A depth-first walk; iterate `outcomes` to make it."""

    def __init__(self, trial: Trial, *, reduce: bool, rows: bool = False) -> None:
        self.trial = trial
        self.reduce = reduce
        self.rows = rows
        """Whether each outcome is to tell what the file held at its end."""
        self.path: list[Node] = []
        self.offered: tuple[tuple[str, ...], ...] = ()
        """Who could go at each grant of the last order."""
        self.complete = self.cut = 0
        self.finished = False
        self._tables = Tables()
        self._footprints = Footprints(self._tables)
        self._depth = 0
        self._run: Run | None = None
        self._known = Known()

    def outcomes(self) -> Iterator[Outcome]:
        """Yield the judged run of each order; one that was cut short is judged too, as far as it
        came (its outcome's `run.grants` is then no complete order, and `cut` counts it)."""
        while not self.finished:
            outcome = self._once()
            self.offered = tuple(node.offered for node in self.path)
            self.finished = not self._step_back()
            yield outcome

    def _begin(self) -> "Walk":
        """Be the policy of a run, from its first grant: a run may start over (NotAsNew)."""
        self._depth, self._run = 0, None
        self._footprints = Footprints(self._tables)
        return self

    def _once(self) -> Outcome:
        hooks = (self._watch,)
        outcome = self.trial.run(self._begin, hooks=hooks, rows=self.rows, known=self._known)
        if outcome.cut:
            self.cut += 1
        else:
            self.complete += 1
        self._remember()
        return outcome

    def _watch(self, run: Run) -> None:
        self._run = run
        if self.reduce:
            self._footprints.after(run)

    def choose(self, offered: tuple[str, ...]) -> str:
        """Be the policy: follow the path, then open a new node."""
        if self._depth == len(self.path):
            self._open(offered)
        node = self.path[self._depth]
        offers_again(node.offered, offered, self.trial.recipe)
        self._depth += 1
        if self.reduce and self._run is not None:
            self._footprints.before(self._run, node.chosen)
        return node.chosen

    def _open(self, offered: tuple[str, ...]) -> None:
        node = Node(offered, self._sleepers() if self.reduce else {})
        node.chosen = node.left()
        if not node.chosen:
            raise Enough  # every way on from here was walked before
        self.path.append(node)

    def _sleepers(self) -> dict[str, Footprint]:
        """Return who sleeps after the last grant: whoever slept or was done, and does not
        depend on it."""
        if not self.path:
            return {}
        before, taken = self.path[-1], self._footprints.taken[-1]
        return {
            letter: footprint
            for letter, footprint in (before.sleep | before.done).items()
            if letter != before.chosen and not dependent(footprint, taken)
        }

    def _remember(self) -> None:
        """Enter the footprints of this run's grants at the nodes where they were chosen."""
        for node, taken in zip(self.path, self._footprints.taken, strict=False):
            node.done.setdefault(node.chosen, taken)
        if not self.reduce:
            for node in self.path:
                node.done.setdefault(node.chosen, {})

    def _step_back(self) -> bool:
        """Turn to the next order; nothing is left when the path is empty."""
        while self.path:
            node = self.path[-1]
            node.chosen = node.left()
            if node.chosen:
                return True
            self.path.pop()
        return False
