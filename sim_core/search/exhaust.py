"""Every interleaving: proved, held or broken, with its scope and its smallest story.

Two questions, two walks. *Is there an order that breaks a promise?* is answered by the reduced
walk (search/orders.py), which judges one order of each kind. *In how many, and how likely?* by
counting (search/counting.py). Where reduction or merging is not sound it is left off, and the
scope says why; where the budget runs out the verdict is `held`, never `proved`.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Final

from sim_core.engine.faults import CRASH, Fault
from sim_core.engine.recipe import LETTERS, Recipe
from sim_core.errors import RequestError
from sim_core.judge.scenario import recipe_of
from sim_core.judge.trial import Outcome, Trial
from sim_core.search.counting import Count
from sim_core.search.estimate import orders
from sim_core.search.orders import Walk
from sim_core.search.outcomes import Groups, smaller
from sim_core.search.scope import BRUTE, THE_LOG, asks_for_log, scope_of, why_not_reduced

BUDGET: Final = 100_000
"""Runs that a search may take unless it is told otherwise."""


Found = tuple[int, tuple[int, int, str], tuple[Fault, ...]]
"""An order, with what makes one smaller than another: crashes, then the schedule."""


class Exhaust:
    """The search of one recipe; iterate `steps` to make it, then read the verdict.

    `crashes`: how many processes may be killed, at every place of every order. `brute`: no
    reduction, no merging. `budget`: runs that it may take. `prefix`: how the orders begin that
    are meant, so that several searches can share the work (search/openings.py); where that is
    sound, all that they count adds up to what one of the whole counts.

    Raises RequestError for a prefix where the search cannot be shared.
    """

    def __init__(
        self,
        text: str,
        *,
        crashes: int = 0,
        brute: bool = False,
        budget: int = BUDGET,
        prefix: str = "",
    ) -> None:
        self.scenario, recipe = recipe_of(text)
        self.recipe: Recipe = recipe.every_order
        self.crashes = crashes
        self.budget = budget
        self.explored = self.cut = self.runs = 0
        self.finished = False
        self._judged_all = self._counted_all = True
        self.groups = Groups()
        self.red: Found | None = None
        """The smallest order that breaks a promise."""
        self.odd: Found | None = None
        """The smallest order that is not serial, where nothing is promised."""
        self.seen_red: Counter[str] = Counter()
        """Promise → in how many of the orders judged it broke."""
        self.chance = False
        """Dice were thrown apart from the schedule: other seeds may end otherwise."""
        self.stopped = ""
        """What ended it early, in words."""
        self.estimate: int | None = None
        """About how many orders there are, where not all were judged."""
        self.scope = scope_of(self.scenario, self.recipe, crashes=crashes, brute=brute)
        self._reduces = not brute and not why_not_reduced(self.scenario, self.recipe)
        self.prefix = prefix
        if prefix and not self.shares:
            why = "kills somebody" if crashes else "leaves equal orders out"
            raise RequestError(
                f"A search that {why} cannot be made in parts: they would not add up to the whole.",
                part="prefix",
            )

    @property
    def shares(self) -> bool:
        """Say whether it can be made in parts. A kill may open with another letter, and parts
        that leave equal orders out would not leave the same ones out."""
        return not self._reduces and not self.crashes

    def steps(self) -> Iterator[None]:
        """Search, one run a step."""
        most = dict.fromkeys(LETTERS[: len(self.recipe.writers)], 0)
        yield from self._search((), most)
        known: list[tuple[Fault, ...]] = [()]
        for _ in range(self.crashes):
            more = (one for faults in known for one in self._one_more(faults, most))
            known = list(dict.fromkeys(more))
            for faults in known:
                yield from self._search(faults, most)
        self.finished = True
        if not self._judged_all:
            self.stop(f"the budget of {self.budget:,} runs is used up")

    def stop(self, why: str) -> None:
        """End it here: what was found until now stands, and nothing is proved."""
        self._judged_all = self._counted_all = False
        self.stopped = why
        if not self.crashes:
            self.estimate = orders(Trial(self.scenario, self.recipe))

    def _search(self, faults: tuple[Fault, ...], most: dict[str, int]) -> Iterator[None]:
        """Search every order in which all of `faults` strike; `most` learns how many operations
        each writer comes to."""
        trial = Trial(self.scenario, self.with_crashes(faults))
        if self._over():
            self._judged_all = self._counted_all = False
            return
        before = self.explored, self.cut
        if self._reduces:
            yield from self._judge(Walk(trial, reduce=True), faults, most)
            if not self._reduces:
                self.explored, self.cut = before
        if self._reduces and self._over():
            self._counted_all = False
            return
        yield from self._count(trial, faults, most, judges=not self._reduces)

    def with_crashes(self, crashes: tuple[Fault, ...], grants: str = "") -> Recipe:
        """Return the recipe with some crashes beside the faults it has anyway."""
        faults = tuple(sorted((*self.recipe.faults, *crashes)))
        return self.recipe.but(faults=faults, grants=grants)

    def _one_more(
        self, faults: tuple[Fault, ...], most: dict[str, int]
    ) -> Iterator[tuple[Fault, ...]]:
        """Yield the fault sets with one crash more: after no operation, after the first, and so
        on to the last."""
        for letter, operations in sorted(most.items()):
            for number in range(operations + 1):
                side = "after" if number else "before"
                crash = Fault(letter, max(number, 1), "", side, CRASH)
                if crash not in (*faults, *self.recipe.faults):
                    yield tuple(sorted((*faults, crash)))

    def _judge(self, walk: Walk, faults: tuple[Fault, ...], most: dict[str, int]) -> Iterator[None]:
        for outcome in walk.outcomes():
            _learn(most, outcome)
            if asks_for_log(outcome.run):
                self._reduces = False
                self.scope = replace(self.scope, method=BRUTE, why=THE_LOG)
                return
            if struck(outcome, faults):
                self._note(outcome, faults)
                self.explored += not outcome.cut
                self.cut += outcome.cut
            self.runs += 1
            yield
            if self._over() and not walk.finished:
                self._judged_all = False
                return

    def _count(
        self, trial: Trial, faults: tuple[Fault, ...], most: dict[str, int], *, judges: bool
    ) -> Iterator[None]:
        wanted = partial(struck, faults=faults)
        count = Count(trial, merge=self._reduces, wanted=wanted, prefix=self.prefix)
        for outcome in count.steps():
            if judges:
                _learn(most, outcome)
                if struck(outcome, faults):
                    self._note(outcome, faults)
                    self.explored += not outcome.cut
            self.runs += 1
            yield
            if self._over() and not count.finished:
                self._counted_all = False
                self._judged_all = self._judged_all and not judges
                return
        for group in count.groups:
            apart = trial.serial.apart(group.end, self.recipe.seed)
            mine = self.groups.group(group.end, apart)
            likely = Fraction(0) if faults else group.probability
            mine.add(group.witness, group.count, likely, faults)

    def _over(self) -> bool:
        return self.runs >= self.budget

    def _note(self, outcome: Outcome, faults: tuple[Fault, ...]) -> None:
        """Keep the smallest order of each sort."""
        found = (len(faults), smaller(outcome.run.grants), faults)
        self.seen_red.update(outcome.broken)
        self.chance = self.chance or outcome.run.threw_dice
        if outcome.violations:
            self.red = min(self.red or found, found)
        if outcome.apart:
            self.odd = min(self.odd or found, found)

    @property
    def complete(self) -> bool:
        """Say whether every order was judged, and nothing but the order can change the end."""
        return self.finished and self._judged_all and not self.chance

    @property
    def counted(self) -> bool:
        """Say whether every order was counted."""
        return self.finished and self._counted_all

    @property
    def witness(self) -> Recipe | None:
        """Return the smallest order that breaks a promise, or is not serial, as a recipe."""
        found = (self.counted and self._smallest()) or self.red or self.odd
        if found is None:
            return None
        _, (_, _, grants), faults = found
        return self.with_crashes(faults, grants)

    def _smallest(self) -> Found | None:
        """Return the smallest of all: the walk that leaves orders out need not meet it."""
        promised = bool(self.scenario.invariants)
        found = [
            (len(group.faults), smaller(group.witness), group.faults)
            for group in self.groups
            if (group.end.broken if promised else group.apart)
        ]
        return min(found, default=None)

    @property
    def by_invariant(self) -> dict[str, int]:
        """Return invariant → in how many orders it breaks."""
        return {
            one.name: sum(each.count for each in self.groups if one.name in each.end.broken)
            for one in self.scenario.invariants
        }

    @property
    def verdict(self) -> str:
        """Return `broken`, `proved` (every order was judged) or `held`; where nothing is promised,
        `not serial` if some order is not."""
        if self.red or (self.counted and self.groups.broken):
            return "broken"
        if self.odd:
            return "not serial"
        return "proved" if self.complete else "held"


def struck(outcome: Outcome, faults: tuple[Fault, ...]) -> bool:
    """Say whether every fault has struck (in a run cut short: whether each still may have)."""
    return outcome.cut or all(fault in outcome.run.strikes.struck for fault in faults)


def _learn(most: dict[str, int], outcome: Outcome) -> None:
    for letter, writer in outcome.run.writers.items():
        most[letter] = max(most.get(letter, 0), writer.number - 1)
