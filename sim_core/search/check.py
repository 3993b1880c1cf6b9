"""Is a recipe the same run every time? Run it twice, compare, and watch who asks the machine.

The first run is watched (seams/leaks.py), the second is not; a finding of either kind counts by
itself, because a leaked clock shows in the rows only now and then, and a shared counter in the
writers' module shows in no call at all. Whoever has other processes can hand in what they came
to (`elsewhere`): the order of a set, an address or a zone differ only there.

Clean means: in these runs, nothing was found. It proves nothing about other seeds.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Final, NamedTuple

from sim_core.engine import trace
from sim_core.engine.recipe import JOURNALS, Recipe
from sim_core.engine.run import Run
from sim_core.errors import ExplorerError
from sim_core.judge.scenario import Scenario, load, load_afresh, recipe_of, slugs
from sim_core.judge.verdict import run
from sim_core.seams.leaks import Leak, Watch

AGAIN: Final = "run again"
ELSEWHERE: Final = "in another process, with another hash seed and time zone"


class Divergence(NamedTuple):
    """Two runs of one recipe that are not the same run."""

    recipe: str
    grant: int
    """The first grant at which they differ."""
    first: str
    second: str
    """What happened there in each; empty where one had ended."""
    where: str
    """How the second run was made."""


class Misfit(NamedTuple):
    """A recipe that does not come to a run at all."""

    recipe: str
    error: str
    message: str


@dataclass
class Check:
    """What checking one recipe after another has found so far."""

    runs: int = 0
    """Recipes that were run, each twice."""
    leaks: dict[Leak, list[str]] = field(default_factory=dict)
    """Call site → the recipes in whose runs it was met."""
    divergences: list[Divergence] = field(default_factory=list)
    misfits: list[Misfit] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)

    def over(self, recipes: Iterable[str]) -> Iterator[str]:
        """Check each recipe, one a step: whoever iterates can show progress, and stop."""
        loaded: set[str] = set()
        for text in recipes:
            name = text.partition("?")[0]
            if name not in loaded:
                loaded.add(name)
                self._loading(name)
            self._one(text)
            yield text

    def _loading(self, name: str) -> None:
        """A file's own top level and its default arguments run once, when it is loaded."""
        with Watch() as watch:
            try:
                load_afresh(name)
            except ExplorerError:
                return  # each of its recipes will say so
        self._note(watch, name)

    def _one(self, text: str) -> None:
        try:
            scenario, recipe = recipe_of(text)
            with Watch() as watch:
                first = run(scenario, recipe).run
            second = run(scenario, recipe).run
        except ExplorerError as error:
            self.misfits.append(Misfit(text, type(error).__name__, str(error)))
            self.hashes.append(type(error).__name__)
            return
        self.runs += 1
        self.hashes.append(first.hash)
        self._note(watch, text)
        if first.hash != second.hash:
            self.divergences.append(compare(text, lines(first), lines(second), AGAIN))

    def _note(self, watch: Watch, text: str) -> None:
        for leak in watch.found:
            self.leaks.setdefault(leak, []).append(text)

    @property
    def found(self) -> bool:
        """Say whether anything is wrong."""
        return bool(self.leaks or self.divergences or self.misfits)

    @property
    def digest(self) -> str:
        """Return one hash of every run's hash, in their order."""
        return digest(self.hashes)


def digest(hashes: Iterable[str]) -> str:
    """Return one hash of many: equal in every process, Python and SQLite, or something leaks."""
    return trace.digest_of("hashes", hashes)


def hash_of(text: str) -> str:
    """Return the hash of a recipe's run, or the name of the error it ends in."""
    try:
        return run(*recipe_of(text)).hash
    except ExplorerError as error:
        return type(error).__name__


def lines_of(text: str) -> list[tuple[int, str]]:
    """Return what happened in a run: grant and line of every event."""
    return lines(run(*recipe_of(text)).run)


def lines(run: Run) -> list[tuple[int, str]]:
    """Return grant and canonical line of every event."""
    return [(event.grant, event.line()) for event in run.events]


def compare(
    text: str, first: list[tuple[int, str]], second: list[tuple[int, str]], where: str
) -> Divergence:
    """Return where two runs of `text` part."""
    pairs = itertools.zip_longest(first, second, fillvalue=(0, ""))
    for (grant, one), (other_grant, other) in pairs:
        if one != other:
            return Divergence(text, grant or other_grant, one, other, where)
    return Divergence(text, 0, "", "", where)


# What there is to check.


def seeded(text: str, seeds: range) -> Iterator[str]:
    """Yield a recipe under one seed after another."""
    _, recipe = recipe_of(text)
    for seed in seeds:
        yield recipe.but(seed=seed, step=None, check="").text


def everything(seeds: range) -> Iterator[str]:
    """Yield every scenario in every variant and both journals, under each seed; but for what
    reads the machine on purpose (LEAKY)."""
    for slug in slugs():
        scenario = load(slug)
        if scenario.opening:
            yield scenario.opening
        for variant in variants(scenario):
            if scenario.leaks(variant):
                continue
            for seed in seeds:
                if (text := variant.but(seed=seed).text) != scenario.opening:
                    yield text


def variants(scenario: Scenario) -> Iterator[Recipe]:
    """Yield every combination of a scenario's choices, in both journals, with its own writers; of
    many options, what it opens with, and every choice with the others as by default."""
    _, plain = recipe_of(scenario.terms.scenario)
    names = tuple(scenario.terms.options)
    opening = tuple(choice for _, choice in recipe_of(scenario.opening)[1].options)
    choices = _choices(list(scenario.terms.options.values()))
    for chosen in dict.fromkeys((*choices, opening)):
        for journal in JOURNALS:
            yield plain.but(options=tuple(zip(names, chosen, strict=True)), journal=journal)


MOST_COMBINED: Final = 8
"""Combinations of choices that are all looked at."""


def _choices(options: list[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    if prod(map(len, options)) <= MOST_COMBINED:
        yield from itertools.product(*options)
        return
    usual = tuple(choices[0] for choices in options)
    yield usual
    for at, choices in enumerate(options):
        yield from ((*usual[:at], choice, *usual[at + 1 :]) for choice in choices[1:])
