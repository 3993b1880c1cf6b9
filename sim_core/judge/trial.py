"""A recipe made ready, to be run many times under any policy.

What a sweep and a search repeat thousands of times starts here; whatever can be worked out
once, is.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial

from sim_core.engine.blame import blamed
from sim_core.engine.film import Film
from sim_core.engine.policy import Enough, Policy, Scripted, Uniform, seeded
from sim_core.engine.pool import NotAsNew, only_fresh
from sim_core.engine.recipe import Recipe
from sim_core.engine.run import Run
from sim_core.engine.trace import ENGINE
from sim_core.judge.cast import stage
from sim_core.judge.checks import checks_on
from sim_core.judge.declared import SERIAL
from sim_core.judge.end import End
from sim_core.judge.invariants import Violation
from sim_core.judge.judging import Judging, Known
from sim_core.judge.rows import Content, content
from sim_core.judge.scenario import Scenario
from sim_core.judge.serial import PROMISE, Apart, OneByOne, Serial


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run and its verdict."""

    scenario: Scenario
    recipe: Recipe
    run: Run
    violations: tuple[Violation, ...]
    film: Film | None
    hash: str
    rows: Content = ()
    """What the file held at the end, where that was asked for."""
    cut: bool = False
    """The policy ended it early: judged as far as it came."""
    apart: Apart | None = None
    """How far it is from every serial run, where its scenario promises nothing else."""
    checked: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Check → what it found, where that was asked for; nothing where it stayed green."""

    @property
    def verdict(self) -> str:
        """Return `broken` or `ok`."""
        return "broken" if self.violations else "ok"

    @property
    def broken(self) -> tuple[str, ...]:
        """Return the names of the broken invariants, each once."""
        return tuple(dict.fromkeys(violation.invariant for violation in self.violations))

    @property
    def flaws(self) -> tuple[Violation, ...]:
        """Return the violations; where nothing was promised, that it is not serial."""
        if not self.apart:
            return self.violations
        return (Violation(SERIAL, PROMISE, str(self.apart), len(self.run.grants)),)

    @property
    def failing(self) -> bool:
        """Say whether a writer ended in an error."""
        return any(writer.ended == "failed" for writer in self.run.writers.values())

    @property
    def check(self) -> str:
        """Return the short form that a copied link carries."""
        return f"{ENGINE}.{self.hash[:8]}"


class Trial:
    """One recipe, ready to run."""

    def __init__(self, scenario: Scenario, recipe: Recipe, *, judged: bool = True) -> None:
        self.scenario = scenario
        self.recipe = recipe
        self.stage = stage(scenario, recipe)
        self._options = dict(recipe.options)
        promises = scenario.invariants if judged else ()
        self._always = tuple(one for one in promises if one.always)
        self._finally = tuple(one for one in promises if not one.always)
        self._default = judged and not promises and len(self.stage.parts) > 1
        """It promises nothing: then it is held to what one after the other comes to."""
        self.serial = Serial(self._one_by_one, self.stage.letters, scenario.generated)
        """Knows what these writers come to one after the other."""

    def policy(self, seed: int) -> Scripted:
        """Return who goes next: whom the recipe's grants name, then whom its policy and a seed."""
        recipe = self.recipe
        return Scripted(recipe.grants, seeded(recipe.policy, seed, lambda: self._length))

    @cached_property
    def _length(self) -> int:
        """How many grants are left to the seed: as many as to seed 0 and fair throws. (Always the
        first that can go would do too, but a writer that polls for another would never end.)"""
        grants = self.recipe.grants
        fair = self.run(lambda: Scripted(grants, Uniform(0)), seed=0)
        return max(1, len(fair.run.grants) - len(grants))

    def run(
        self,
        policy: Callable[[], Policy],
        *,
        seed: int | None = None,
        film: bool = False,
        fresh: bool = False,
        hooks: tuple[Callable[[Run], None], ...] = (),
        rows: bool = False,
        known: Known | None = None,
        checks: bool = False,
    ) -> Outcome:
        """Run and judge under what `policy` makes; `seed` throws the dice of faults and SQL.

        `fresh`: on a new file, with new connections; the outcome is the same. `known`: what the
        last run of the same walk was found to break, grant by grant.
        """
        with blamed(self.stage.head):
            once = partial(self._run, seed=seed, film=film, hooks=hooks, rows=rows)
            try:
                return once(policy(), known=known, checks=checks, fresh=fresh)
            except NotAsNew:
                only_fresh(self.stage.layout)
                return once(policy(), known=known, checks=checks, fresh=True)

    def _run(
        self,
        policy: Policy,
        seed: int | None,
        film: bool,
        hooks: tuple[Callable[[Run], None], ...],
        *,
        fresh: bool,
        rows: bool,
        known: Known | None,
        checks: bool,
    ) -> Outcome:
        recorder = Film(self.scenario.watch) if film else None
        judging = Judging(self._always, self._finally, self._options, self._apart, known)
        looks = (*((recorder,) if recorder else ()), *judging.hooks(), *hooks)
        this = Run(self.stage, policy, looks, seed=seed, fresh=fresh)
        cut = False
        try:
            try:
                this.go()
            except Enough:
                cut = True
            judging.known.learn(this.grants, judging.steps)
            violations = judging.so_far() if cut else judging.at_the_end(this)
            held = content(this.file.reader) if rows else ()
            checked = checks_on(this, self.scenario.checks if checks else (), self._options)
            apart = self._apart(this) if self._default and not cut else None
        except BaseException:
            this.file.spoilt = True  # whatever ended it, nobody knows what it left behind
            raise
        finally:
            this.remove()
        return Outcome(
            *(self.scenario, self.recipe, this, violations, recorder),
            *(this.hash, held, cut, apart, checked),
        )

    def _apart(self, run: Run) -> Apart | None:
        """Return how far a run that has ended is from every serial one."""
        # only where dice were thrown can the seed change what one after the other comes to
        seed = run.seed if run.threw_dice else self.stage.seed
        return self.serial.apart(End.of(run, content(run.file.reader)), seed)

    def _one_by_one(self, order: str, seed: int) -> End:
        """Run one writer after the other, and judge nothing."""
        # any: nobody else may use the time in which a writer sleeps
        bare = Trial(self.scenario, self.recipe.but(timers="any"), judged=False)
        policy = OneByOne(order)
        outcome = bare.run(lambda: policy, seed=seed, hooks=(policy.look,), rows=True)
        return End.of(outcome.run, outcome.rows)
