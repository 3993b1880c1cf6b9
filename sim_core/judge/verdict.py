"""A recipe in, a judged run out: the call that everything else is a loop around."""

from dataclasses import dataclass
from typing import Any

from sim_core.engine.film import Film
from sim_core.engine.policy import Scripted, Uniform
from sim_core.engine.recipe import Recipe
from sim_core.engine.run import Run
from sim_core.engine.trace import ENGINE
from sim_core.errors import Divergence, ExplorerError, RecipeError, ScenarioError
from sim_core.judge.invariants import Invariant, Violation, judge
from sim_core.judge.scenario import Scenario, recipe_of


@dataclass(frozen=True)
class Outcome:
    """A run and its verdict."""

    scenario: Scenario
    recipe: Recipe
    run: Run
    violations: tuple[Violation, ...]
    film: Film | None
    hash: str

    @property
    def verdict(self) -> str:
        """Return `broken` or `ok`."""
        return "broken" if self.violations else "ok"

    @property
    def broken(self) -> tuple[str, ...]:
        """Return the names of the broken invariants, each once."""
        return tuple(dict.fromkeys(violation.invariant for violation in self.violations))

    @property
    def failing(self) -> bool:
        """Say whether a writer ended in an error."""
        return any(writer.ended == "failed" for writer in self.run.writers.values())

    @property
    def check(self) -> str:
        """Return the short form that a copied link carries."""
        return f"{ENGINE}.{self.hash[:8]}"


def perform(text: str, *, film: bool = False) -> Outcome:
    """Run the recipe `text` strictly: what it names must happen.

    Raises RecipeError where a grant, a fault or the step names a place that the run does not
    have; the sentence says which there are.
    """
    scenario, recipe = recipe_of(text)
    outcome = run(scenario, recipe, film=film)
    _everything_happened(outcome)
    return outcome


def run(scenario: Scenario, recipe: Recipe, *, film: bool = False) -> Outcome:
    """Run and judge; a fault whose place never comes simply does not strike."""
    policy = Scripted(recipe.grants, Uniform(recipe.seed))
    recorder = Film(scenario.watch) if film else None
    judging = Judging(scenario.invariants, dict(recipe.options))
    watching = (recorder,) if recorder else ()
    this = Run(scenario.stage(recipe), policy, (*watching, *judging.hooks))
    try:
        try:
            this.go()
        except Divergence as error:
            raise RecipeError(str(error), part=error.part) from error
        if policy.left():
            raise RecipeError(
                f"grants={recipe.grants} has {len(policy.left())} grants too many: the run ends "
                f"after {this.grants}.",
                part=f"grants={recipe.grants}",
            )
        violations = judging.at_the_end(this)
    finally:
        this.remove()
    return Outcome(scenario, recipe, this, violations, recorder, this.hash)


class Judging:
    """Judges one run: some invariants after every grant, the others at the end."""

    def __init__(self, invariants: tuple[Invariant, ...], options: dict[str, Any]) -> None:
        self.always = tuple(one for one in invariants if one.always)
        self.finally_ = tuple(one for one in invariants if not one.always)
        self.options = options
        self.found: list[Violation] = []
        self.hooks = (self._after_grant,) if self.always else ()

    def _after_grant(self, run: Run) -> None:
        seen = {(one.invariant, one.detail) for one in self.found}
        fresh = self._judge(run, self.always)
        self.found += [one for one in fresh if (one.invariant, one.detail) not in seen]

    def at_the_end(self, run: Run) -> tuple[Violation, ...]:
        """Return everything found, by grant."""
        found = self.found + self._judge(run, self.finally_)
        return tuple(sorted(found, key=lambda one: one.grant))

    def _judge(self, run: Run, invariants: tuple[Invariant, ...]) -> list[Violation]:
        if not invariants:
            return []
        reader = run.file.reader()
        try:
            return judge(invariants, reader, run.told, run.events, self.options)
        except ExplorerError:
            raise
        except Exception as error:
            raise ScenarioError(
                f"An invariant of {run.stage.head} raised {type(error).__name__}: {error}",
                part=run.stage.head,
            ) from error
        finally:
            reader.close()


def _everything_happened(outcome: Outcome) -> None:
    run, recipe = outcome.run, outcome.recipe
    struck = {(e.writer, e.number) for e in run.events if e.kind == "crash"}
    for fault in recipe.faults:
        if (fault.writer, fault.place) not in struck:
            writer = run.writers[fault.writer]
            last = writer.number - 1
            raise RecipeError(
                f"faults={fault} never strikes: in this run {writer.name} has {last} "
                f"operation{'s' * (last != 1)}, so its crash points are "
                f"{fault.writer}1before to {fault.writer}{last}after.",
                part=f"faults={fault}",
            )
    if recipe.step is not None and recipe.step > len(run.grants):
        raise RecipeError(
            f"step={recipe.step} lies behind the end; this run has {len(run.grants)} grants.",
            part=f"step={recipe.step}",
        )
