"""The smallest story of a violation: fewest writers, then faults, then switches, then grants.

Two ways, one after the other. *Descend*: take away what may not be needed, one thing at a time,
for as long as the same promise breaks in the same way; that is quick, and ends in a story that
may have smaller neighbours. *Ascend*: try every story that would be smaller, the smallest first;
where that comes to its end within the budget, there is none.

The judge is one invariant and the kind of its violation (its words without names and numbers),
so that a loss does not slide into something else. No pass knows how a run works: it only asks
`consider`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, groupby

from sim_core.engine.faults import Fault
from sim_core.engine.policy import Wish
from sim_core.engine.recipe import CERTAIN, LETTERS, Recipe
from sim_core.errors import RecipeError
from sim_core.judge.declared import SERIAL
from sim_core.judge.invariants import Violation
from sim_core.judge.trial import Outcome, Trial
from sim_core.judge.verdict import perform
from sim_core.quoting import line, short
from sim_core.search.fewest import Fewest
from sim_core.search.outcomes import smaller

BUDGET = 5_000
"""Runs that shrinking may take unless it is told otherwise."""

Size = tuple[int, int, tuple[int, int, str]]


@dataclass(frozen=True)
class Cast:
    """Who takes part: writers, by their letters in the recipe that is shrunk, and faults."""

    letters: str
    faults: tuple[Fault, ...]

    def without(self, letter: str) -> "Cast":
        """Return the cast without a writer, and without what strikes it."""
        faults = tuple(one for one in self.faults if one.writer.upper() != letter)
        return Cast(self.letters.replace(letter, ""), faults)

    def spared(self, fault: Fault) -> "Cast":
        """Return the cast without a fault."""
        return Cast(self.letters, tuple(one for one in self.faults if one != fault))


def kind(violation: Violation, names: tuple[str, ...]) -> str:
    """Return how a promise was broken: the words of its detail, without names and numbers.
    There is one way of not being serial; its words tell only what is nearest."""
    if violation.invariant == SERIAL:
        return ""
    named = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    text = re.sub(rf"\b(?:{named})\d*\b", "·", violation.detail)
    return re.sub(r"\d+(?:\.\d+)?", "#", text)


class Shrink:
    """Shrinks the run of one recipe; iterate `steps` to make it, then read `recipe`.

    promise: the one that the smallest run is to break; by default the first that broke.

    Raises RecipeError where the run breaks nothing, or not that promise.
    """

    def __init__(self, text: str, *, budget: int = BUDGET, promise: str = "") -> None:
        self.first = perform(text)
        if not self.first.flaws:
            raise RecipeError(
                f"There is nothing to shrink: {self.first.recipe.run_text} breaks no promise; "
                "give a run that does.",
                part=self.first.recipe.run_text,
            )
        self.scenario = self.first.scenario
        self.budget = budget
        self.runs = 1
        self.complete = False
        """Every smaller story was tried."""
        self.violation = self._broken(promise)
        self._names = tuple(self.scenario.terms.roles)
        self._kind = kind(self.violation, self._names)
        self._start = _exact(self.first)
        self._trials: dict[Cast, Trial] = {}
        self.best = self.first
        self.cast = Cast(LETTERS[: len(self._start.writers)], self._start.faults)

    def _broken(self, promise: str) -> Violation:
        flaws = self.first.flaws
        for one in flaws:
            if promise in ("", one.invariant):
                return one
        names = ", ".join(f"'{line(name)}'" for name in dict.fromkeys(f.invariant for f in flaws))
        raise RecipeError(
            f"This run does not break '{short(promise)}'; it breaks {names}.", part=promise
        )

    @property
    def recipe(self) -> Recipe:
        """Return the smallest run found so far, spelled out."""
        return self._recipe(self.cast).but(grants=self.best.run.grants)

    def steps(self) -> Iterator[None]:
        """Shrink, one run a step."""
        yield from self._descend()
        yield from self._ascend()

    # What one run is worth.

    def _size(self, cast: Cast, outcome: Outcome) -> Size:
        return len(cast.letters), len(cast.faults), smaller(outcome.run.grants)

    def consider(self, cast: Cast, outcome: Outcome) -> bool:
        """Keep a run if it is smaller and breaks the same promise in the same way."""
        same = any(
            one.invariant == self.violation.invariant and kind(one, self._names) == self._kind
            for one in outcome.flaws
        )
        struck = all(fault in outcome.run.strikes.struck for fault in outcome.recipe.faults)
        if not (same and struck and self._size(cast, outcome) < self._size(self.cast, self.best)):
            return False
        self.cast, self.best = cast, outcome
        return True

    def _trial(self, cast: Cast) -> Trial:
        if cast not in self._trials:
            self._trials[cast] = Trial(self.scenario, self._recipe(cast))
        return self._trials[cast]

    def _recipe(self, cast: Cast) -> Recipe:
        writers = tuple(self._start.writers[LETTERS.index(letter)] for letter in cast.letters)
        faults = (one._replace(writer=_moved(one.writer, cast)) for one in cast.faults)
        return self._start.but(writers=writers, faults=tuple(sorted(faults)))

    # Descend: take away.

    def _descend(self) -> Iterator[None]:
        before = None
        while before != (self.cast, self.best.run.grants) and self.runs < self.budget:
            before = (self.cast, self.best.run.grants)
            for letter in self.cast.letters:
                if len(self.cast.letters) > 1 and letter in self.cast.letters:
                    yield from self._try(self.cast.without(letter))
            for fault in self.cast.faults:
                yield from self._try(self.cast.spared(fault))
            yield from self._fewer_switches()

    def _try(self, cast: Cast, wish: str | None = None) -> Iterator[None]:
        if self.runs >= self.budget:
            return
        if wish is None:
            wish = _translated(self.best.run.grants, self.cast, cast)
        policy = Wish(wish)
        self.consider(cast, self._trial(cast).run(lambda: policy))
        self.runs += 1
        yield

    def _fewer_switches(self) -> Iterator[None]:
        """Bring one block of grants to the next of the same writer, before or behind it."""
        at = 0
        while at < len(blocks := _blocks(self.best.run.grants)):
            for wish in _joined(blocks, at):
                known = self.best
                yield from self._try(self.cast, wish)
                if self.best is not known:
                    break
            else:
                at += 1

    # Ascend: everything that would be smaller.

    def _ascend(self) -> Iterator[None]:
        for cast in self._casts():
            if self.runs >= self.budget:
                return
            size = (len(cast.letters), len(cast.faults))
            if size > (len(self.cast.letters), len(self.cast.faults)):
                break
            orders = Fewest(self._trial(cast))
            for outcome in orders.outcomes():
                self.consider(cast, outcome)
                self.runs += 1
                yield
                if self._enough(size, orders):
                    break
                if self.runs >= self.budget:
                    return
        self.complete = True

    def _enough(self, size: tuple[int, int], orders: Fewest) -> bool:
        """Say whether nothing smaller than the best can come any more."""
        same = size == (len(self.cast.letters), len(self.cast.faults))
        least = orders.least
        return least is None or (same and least > smaller(self.best.run.grants)[0])

    def _casts(self) -> Iterator[Cast]:
        """Yield every cast, the smallest first; of equal ones (same roles, same faults) one."""
        everybody = LETTERS[: len(self._start.writers)]
        seen: set[Recipe] = set()
        for writers in range(1, len(everybody) + 1):
            for count in range(len(self._start.faults) + 1):
                for letters in combinations(everybody, writers):
                    for faults in combinations(self._start.faults, count):
                        cast = Cast("".join(letters), faults)
                        there = all(one.writer.upper() in (*letters, "*") for one in faults)
                        if there and (recipe := self._recipe(cast)) not in seen:
                            seen.add(recipe)
                            yield cast


def _exact(outcome: Outcome) -> Recipe:
    """Return the recipe with the faults that did strike and no chance left. One that struck once,
    as it was written, stays as written: a statement is found in a smaller run, too, where its
    number is another."""
    seed = outcome.recipe.seed if outcome.run.file.threw_dice else 0
    strikes = outcome.run.strikes
    certain = outcome.recipe.probability == CERTAIN
    pairs = zip(strikes.struck, strikes.exact, strict=True)
    faults = {
        written if certain and written.number and strikes.struck.count(written) == 1 else exact
        for written, exact in pairs
    }
    return outcome.recipe.every_order.but(
        seed=seed, faults=tuple(sorted(faults)), probability=CERTAIN
    )


def _moved(letter: str, cast: Cast) -> str:
    """Return the letter that a writer has in a cast; * is everybody in any."""
    if letter == "*":
        return letter
    new = LETTERS[cast.letters.index(letter.upper())]
    return new.lower() if letter.islower() else new


def _translated(grants: str, before: Cast, after: Cast) -> str:
    """Return a schedule of one cast in the letters of another, without those who left."""
    letters = {}
    for new, old in zip(LETTERS, before.letters, strict=False):
        if old in after.letters:
            letters[new] = _moved(old, after)
            letters[new.lower()] = letters[new].lower()
    return "".join(letters.get(one, one if one == "t" else "") for one in grants)


def _blocks(grants: str) -> list[str]:
    return ["".join(block) for _, block in groupby(grants)]


def _joined(blocks: list[str], at: int) -> Iterator[str]:
    """Yield the schedule with block `at` brought to the next block of its writer, and the other
    way round."""
    later = next((i for i in range(at + 1, len(blocks)) if blocks[i][0] == blocks[at][0]), None)
    if later is None:
        return
    between = blocks[at + 1 : later]
    before, behind = blocks[:at], blocks[later + 1 :]
    yield "".join([*before, blocks[at], blocks[later], *between, *behind])
    yield "".join([*before, *between, blocks[at], blocks[later], *behind])
