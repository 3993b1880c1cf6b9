"""The same writers outside the engine: how often does it break by itself?

Real aiosqlite with its thread a connection, a real file, all writers started together in one
event loop, and nobody says who goes when. After each run the scenario's own promises judge what
the file holds and what every writer was told. That is *incidence*: what a log of conflicts would
have recorded on this machine, on this day. It is no measure of whether it can break.

Every wait in here is bounded: a run that does not end is counted as hung, and what it still
holds is interrupted and left behind.

Wrong in this module: steering. Whatever decides the order here belongs to the machine.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from math import ceil
from typing import Any, Final, NamedTuple

from explorer.driver import driver
from explorer.realrun import RealRun, driven, new_file
from sim_core.engine.place import place
from sim_core.engine.recipe import CERTAIN, Recipe
from sim_core.errors import ExplorerError, RecipeError, ScenarioError
from sim_core.judge.declared import SERIAL
from sim_core.judge.invariants import Invariant
from sim_core.judge.scenario import Scenario, recipe_of
from sim_core.judge.serial import Apart
from sim_core.judge.trial import Trial

PATIENCE: Final = 10.0
"""Seconds that a run may take beyond one busy timeout; then it hangs."""
LONGEST_TIMEOUT: Final = 30.0
"""Seconds of a recipe's busy timeout that are waited for."""
MOST_HUNG: Final = 3
"""Runs that may hang before it is given up: the next would too, and each costs its patience."""
EVENTS: Final = "asks for `events`, which only the engine records"


class Real(NamedTuple):
    """What is kept of one run."""

    broken: tuple[str, ...]
    errors: tuple[str, ...]
    """`writer: error` of each writer that failed."""
    odd: bool = False
    """It is not serial, where nothing else was promised."""
    hung: bool = False


class Incidence:
    """Runs of `text` outside the engine, as far as they have come.

    patience: real seconds that a run may take, beside one busy timeout.
    speed: how much faster than the machine's the writers' clock goes. Busy timeouts are SQLite's
        and stay as they are.

    Raises RecipeError where the recipe asks for what only the engine can do, ScenarioError where
    nothing could be judged, MachineError where aiosqlite is missing.
    """

    def __init__(self, text: str, patience: float = PATIENCE, speed: float = 1.0) -> None:
        self.scenario, given = recipe_of(text)
        _refuse(given)
        self.driver = driver()
        self.ignored = tuple(_ignored(self.scenario, given))
        """One sentence for each thing that the recipe or scenario says and that plays no part."""
        self.recipe: Recipe = given.every_order.but(granularity="statement", probability=CERTAIN)
        self.trial = Trial(self.scenario, self.recipe)
        self.speed = speed
        self.patience = patience + min(self.recipe.timeout / 1000, LONGEST_TIMEOUT)
        self.runs: list[Real] = []
        self.asked = 0
        self.stopped = ""
        self.examples: dict[str, str] = {}
        """Promise → what was wrong the first time it broke."""
        self.left_out: dict[str, str] = {}
        """Promise → why it is not judged."""
        self.default = not self.scenario.invariants and len(self.recipe.writers) > 1
        """It promises nothing: then it is held to what one writer after the other comes to."""
        self.judged = self._judged()

    def _judged(self) -> tuple[Invariant, ...]:
        promises = self.scenario.invariants
        self.left_out |= {one.name: EVENTS for one in promises if "events" in one.wants}
        if (self.default or any(SERIAL in one.wants for one in promises)) and (
            why := self._why_no_serial()
        ):
            self.left_out[SERIAL] = why
            self.default = False
        judged = tuple(one for one in promises if one.name not in self.left_out)
        if not judged and not self.default:
            why = "; ".join(f"'{name}' {why}" for name, why in self.left_out.items())
            raise ScenarioError(
                f"Nothing of {self.recipe.terms.scenario} can be judged outside the engine: "
                f"{why or 'one writer alone promises nothing'}.",
                part=self.recipe.terms.scenario,
            )
        return judged

    def _why_no_serial(self) -> str:
        """Return why the engine's serial ends are no measure here, if so: they are worked out in
        virtual time, so real writers, one after the other, must come to one of them."""
        try:
            with self._new() as ran:
                driven(ran, one_by_one=True)
                apart = None if ran.hung else self._apart(ran)
        except ExplorerError as error:
            return f"is out of reach: {error}"
        if ran.hung:
            return "is out of reach: one writer after the other does not come to an end here"
        return "depends on the engine's clock or dice" if apart else ""

    @contextmanager
    def _new(self) -> Iterator[RealRun]:
        """Have a run on a file of its own, which goes when the block ends."""
        with new_file(self.trial.stage, place() / f"real-{len(self.runs)}.db") as path:
            run = RealRun(self.driver, self.trial.stage, path, self.patience, self.speed)
            with closing(run.reader):
                yield run

    def over(self, runs: int) -> Iterator[Real]:
        """Make so many runs, one a step: whoever iterates can show progress, and stop."""
        self.asked += runs
        for _ in range(runs):
            self.runs.append(self._one())
            yield self.runs[-1]
            if self.hung >= MOST_HUNG:
                self.stopped = f"{MOST_HUNG} runs hung for more than {self.patience:g} seconds each"
                return

    def _one(self) -> Real:
        with self._new() as run:
            driven(run)
            if seconds := run.clock.longest:
                raise RecipeError(
                    f"A writer sleeps {seconds:,g} seconds, and a run may take {self.patience:g}; "
                    f"let its clock run faster: --speed {ceil(2 * seconds / self.patience)}",
                    part=self.recipe.text,
                )
            if run.hung:
                return Real((), (), hung=True)
            errors = tuple(f"{name}: {said}" for name, said in run.errors.items())
            apart = self._apart(run) if self.default else None
            if apart:
                self.examples.setdefault(SERIAL, str(apart))
            return Real(self._broken(run), errors, odd=apart is not None)

    def _apart(self, run: RealRun) -> Apart | None:
        """Return how far it is from every serial run of the engine."""
        return self.trial.serial.apart(run.end(), self.recipe.seed)

    def _broken(self, run: RealRun) -> tuple[str, ...]:
        """Return the promises that do not hold in what the run came to."""
        given = run.evidence() | dict(self.recipe.options) | {SERIAL: lambda: self._apart(run)}
        broken = []
        for one in self.judged:
            if found := one.violations(run.GRANT, given, self.recipe.head, dict):
                broken.append(one.name)
                self.examples.setdefault(one.name, found[0].detail)
        return tuple(broken)

    # What it came to.

    @property
    def ended(self) -> list[Real]:
        """Return the runs that were judged: all but those that hung."""
        return [run for run in self.runs if not run.hung]

    @property
    def hung(self) -> int:
        return sum(run.hung for run in self.runs)

    @property
    def broken(self) -> int:
        """Return in how many runs any promise broke."""
        return sum(bool(run.broken) for run in self.runs)

    @property
    def odd(self) -> int:
        """Return how many runs are not serial, where nothing else was promised."""
        return sum(run.odd for run in self.runs)

    @property
    def failing(self) -> int:
        """Return in how many runs a writer ended in an error."""
        return sum(bool(run.errors) for run in self.runs)

    @property
    def by_invariant(self) -> dict[str, int]:
        """Return promise → in how many runs it broke; without those that were left out."""
        found = Counter(name for run in self.runs for name in run.broken)
        return {one.name: found[one.name] for one in self.judged}

    @property
    def errors(self) -> Counter[str]:
        """Return `writer: error` → in how many runs."""
        return Counter(said for run in self.runs for said in run.errors)

    @property
    def only_at_the_end(self) -> list[str]:
        """Return the promises that the engine judges after every grant, and nobody can here."""
        return [one.name for one in self.judged if one.always]


def _refuse(recipe: Recipe) -> None:
    """Raise for what would make another story of the run: nothing here could play it."""
    refused: dict[str, Any] = {
        "faults": (",".join(map(str, recipe.faults)), "nobody here kills a process on demand"),
        "tz": (recipe.zone if recipe.zone != "UTC" else "", "the machine has its own time zone"),
    }
    for key, (value, why) in refused.items():
        if value:
            raise RecipeError(
                f"{key}={value} cannot be played outside the engine: {why}; leave it out.",
                part=f"{key}={value}",
            )


def _ignored(scenario: Scenario, recipe: Recipe) -> Iterator[str]:
    shown = {pair.partition("=")[0] for pair in recipe.text.partition("?")[2].split("&")}
    order = [key for key in ("seed", "policy", "grants", "step", "check") if key in shown]
    if order:
        yield f"{' and '.join(order)} played no part: here the machine says who goes when."
    others = [key for key in ("timers", "granularity", "p") if key in shown]
    if others:
        yield f"{' and '.join(others)} played no part: they say how the engine works."
    if scenario.clock or scenario.tick:
        yield "CLOCK and TICK of the scenario played no part: the clock is the machine's."
