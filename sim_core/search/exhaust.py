"""Every interleaving: proved, held or broken, with its scope and its smallest story.

Two questions, two walks. *Is there an order that breaks a promise?* is answered by the reduced
walk (search/orders.py), which judges one order of each kind. *In how many, and how likely?* by
counting (search/counting.py). Where reduction or merging is not sound it is left off, and the
scope says why; where the budget runs out the verdict is `held`, never `proved`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from sim_core.engine.faults import CRASH, Fault
from sim_core.engine.recipe import CERTAIN, LETTERS, Recipe
from sim_core.judge.scenario import Scenario, recipe_of
from sim_core.judge.trial import Outcome, Trial
from sim_core.search.counting import Count
from sim_core.search.orders import Walk
from sim_core.search.outcomes import Groups, smaller

BUDGET: Final = 100_000
"""Runs that a search may take unless it is told otherwise."""


@dataclass
class Scope:
    """What a verdict is about."""

    writers: tuple[str, ...]
    granularity: str
    journal: str
    timers: str
    crashes: int
    method: str
    why: str = ""
    """Why reduction is off, where it is."""

    def json(self) -> dict[str, Any]:
        return {
            "writers": list(self.writers),
            "granularity": self.granularity,
            "journal": self.journal,
            "timers": self.timers,
            "crashes": self.crashes,
            "method": self.method,
            "why": self.why,
        }


class Exhaust:
    """The search of one recipe; iterate `steps` to make it, then read the verdict.

    `crashes`: how many processes may be killed, at every place of every order. `brute`: no
    reduction, no merging. `budget`: runs that it may take.
    """

    def __init__(
        self, text: str, *, crashes: int = 0, brute: bool = False, budget: int = BUDGET
    ) -> None:
        self.scenario, recipe = recipe_of(text)
        self.recipe: Recipe = recipe.every_order
        self.crashes = crashes
        self.brute = brute
        self.budget = budget
        self.explored = self.cut = self.runs = 0
        self.complete = False
        """Every order was judged."""
        self.counted = True
        """Every order was counted."""
        self.groups = Groups()
        self.red: tuple[int, tuple[int, int, str], tuple[Fault, ...]] | None = None
        self.why_not_reduced = _why_not_reduced(self.scenario, self.recipe)
        self.why_not_merged = self.why_not_reduced or _why_not_merged(self.scenario)
        self.scope = Scope(
            writers=self.recipe.writers,
            granularity=self.recipe.granularity,
            journal=self.recipe.journal,
            timers=self.recipe.timers,
            crashes=crashes,
            method="",
            why="" if brute else self.why_not_reduced,
        )

    def steps(self) -> Iterator[None]:
        """Search, one run a step."""
        self.complete = True
        most = dict.fromkeys(LETTERS[: len(self.recipe.writers)], 0)
        yield from self._search((), most)
        known: list[tuple[Fault, ...]] = [()]
        for _ in range(self.crashes):
            known = [more for faults in known for more in _one_more(faults, most)]
            for faults in known:
                yield from self._search(faults, most)

    def _search(self, faults: tuple[Fault, ...], most: dict[str, int]) -> Iterator[None]:
        """Search every order in which all of `faults` strike; `most` learns how many operations
        each writer comes to."""
        trial = Trial(self.scenario, self.recipe.but(faults=faults))
        reduces = not self.brute and not self.why_not_reduced
        if reduces:
            yield from self._judge(Walk(trial, reduce=True), faults, most)
        yield from self._count(trial, faults, most, judges=not reduces)

    def _judge(self, walk: Walk, faults: tuple[Fault, ...], most: dict[str, int]) -> Iterator[None]:
        for outcome in walk.outcomes():
            _learn(most, outcome)
            if struck(outcome, faults):
                self._note(outcome, faults)
                self.explored += not outcome.cut
                self.cut += outcome.cut
            yield
            if self._over() and not walk.finished:
                self.complete = False
                return

    def _count(
        self, trial: Trial, faults: tuple[Fault, ...], most: dict[str, int], *, judges: bool
    ) -> Iterator[None]:
        merges = not self.brute and not self.why_not_merged
        count = Count(trial, merge=merges, wanted=lambda one: struck(one, faults))
        for outcome in count.steps():
            if judges:
                _learn(most, outcome)
                if struck(outcome, faults):
                    self._note(outcome, faults)
                    self.explored += not outcome.cut
            yield
            if self._over() and not count.finished:
                self.counted = False
                self.complete = self.complete and not judges
                return
        for group in count.groups:
            mine = self.groups.group(group.end)
            mine.add(group.witness, group.count, group.probability if not faults else Fraction(0))

    def _over(self) -> bool:
        self.runs += 1
        return self.runs >= self.budget

    def _note(self, outcome: Outcome, faults: tuple[Fault, ...]) -> None:
        """Keep the smallest order that breaks a promise."""
        if outcome.violations:
            found = (len(faults), smaller(outcome.run.grants), faults)
            self.red = found if self.red is None else min(self.red, found)

    @property
    def witness(self) -> Recipe | None:
        """Return the smallest order that breaks a promise, as a recipe."""
        if self.red is None:
            return None
        _, (_, _, grants), faults = self.red
        return self.recipe.but(grants=grants, faults=faults)

    @property
    def verdict(self) -> str:
        """Return `broken`, `proved` (every order was judged) or `held`."""
        if self.red is not None:
            return "broken"
        return "proved" if self.complete else "held"


def struck(outcome: Outcome, faults: tuple[Fault, ...]) -> bool:
    """Say whether every fault has struck (in a run cut short: whether each still may have)."""
    return outcome.cut or all(fault in outcome.run.strikes.struck for fault in faults)


def _learn(most: dict[str, int], outcome: Outcome) -> None:
    for letter, writer in outcome.run.writers.items():
        most[letter] = max(most.get(letter, 0), writer.number - 1)


def _one_more(faults: tuple[Fault, ...], most: dict[str, int]) -> Iterator[tuple[Fault, ...]]:
    """Yield every fault set with one crash more, each once: after no operation, after the
    first, and so on to the last."""
    for letter, operations in sorted(most.items()):
        for number in range(operations + 1):
            side = "after" if number else "before"
            crash = Fault(letter, max(number, 1), "", side, CRASH)
            if not faults or _later(crash, faults[-1]):
                yield (*faults, crash)


def _later(crash: Fault, than: Fault) -> bool:
    return (crash.writer, crash.side == "after", crash.number) > (
        than.writer,
        than.side == "after",
        than.number,
    )


def _why_not_reduced(scenario: Scenario, recipe: Recipe) -> str:
    """Return why orders cannot be told equal by what they touch in the file, if so."""
    if scenario.tick:
        return "the clock ticks at every grant"
    if recipe.probability != CERTAIN:
        return "faults throw common dice"
    asks = [role for role in recipe.writers if "memory" in scenario.asks(role)]
    homes = [scenario.processes.get(role) for role in asks]
    if any(home and homes.count(home) > 1 for home in homes):
        return "writers share Python objects"
    shared = [role for role in recipe.writers if scenario.processes.get(role) in scenario.shares]
    if len(shared) > 1:
        return "writers share a connection, and its dice"
    return ""


def _why_not_merged(scenario: Scenario) -> str:
    if any("events" in invariant.wants for invariant in scenario.invariants):
        return "an invariant looks at the order of events"
    return ""
