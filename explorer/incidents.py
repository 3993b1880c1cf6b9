"""The corpus as incident reports: what went red, in whose order, and the run itself.

The corpus is a text file that CI replays; each of its notes was written to be read. Here its
entries become what a page shows, scenario by scenario. Nothing is added to a note.

Wrong in this module: reading a corpus file, or a sentence of its own about a run.
"""

from functools import lru_cache
from typing import NamedTuple

from sim_core.engine.recipe import Recipe
from sim_core.judge.scenario import load, recipe_of, slugs
from sim_core.search.corpus import BUILT_IN, Entry, entries


class Incident(NamedTuple):
    """One entry of the corpus, as it is read."""

    slug: str
    id: str
    """Unique within the page."""
    note: str
    breaks: tuple[str, ...]
    writers: tuple[str, ...]
    recipe: str
    query: str
    """The recipe as an address of the scenario's page has it."""
    statements: tuple[tuple[str, str], ...]


class Kept(NamedTuple):
    """A scenario and what is kept of it."""

    slug: str
    title: str
    report: str
    incidents: tuple[Incident, ...]


@lru_cache(maxsize=1)
def kept() -> tuple[Kept, ...]:
    """Return every built-in scenario that has incidents, in the order of its report."""
    found = []
    for slug in slugs():
        scenario = load(slug)
        file = BUILT_IN / f"{slug}.txt"
        numbered = enumerate(entries(file), 1) if file.is_file() else ()
        reports = tuple(_incident(slug, number, entry) for number, (_, entry) in numbered)
        found += [Kept(slug, scenario.title, scenario.report, reports)] * bool(reports)
    return tuple(found)


def _incident(slug: str, number: int, entry: Entry) -> Incident:
    recipe: Recipe = recipe_of(entry.recipe)[1]
    return Incident(
        slug=slug,
        id=f"{slug}-{number}",
        note=" ".join(entry.note.split()),
        breaks=entry.breaks,
        writers=recipe.writers,
        recipe=entry.recipe,
        query=entry.recipe.partition("?")[2],
        statements=entry.statements,
    )
