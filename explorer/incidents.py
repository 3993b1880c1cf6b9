"""The corpus as incident reports: what happened, what it broke, and how it was closed.

A note in a corpus file is written for people, as one paragraph. Here it is taken apart into what
a report is made of: a heading, what happened, how often it is met, and what closed it. The run is
made anew, so its schedule, its writers and the grant at which it broke are its own.

Wrong in this module: a sentence that no note holds, and what a report looks like.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from sim_core.engine.recipe import Recipe
from sim_core.judge.invariants import Violation
from sim_core.judge.scenario import load
from sim_core.judge.verdict import perform
from sim_core.seams.clock import EPOCH
from sim_core.seams.zones import offset_of
from sim_core.search.corpus import BUILT_IN, Entry, entries, files

CLOSES: Final = re.compile(
    r"\b(closed by|closes it|same fix|still red|proves all)\b|is proved\.$", re.I
)
"""What a note's sentence says where it tells the fix."""
LONG: Final = 100
"""Characters of a first sentence above which a semicolon ends the heading, too."""
OFTEN: Final = "Red:"
"""How the first sentence begins that tells how often it is met."""


class Broken(NamedTuple):
    """A promise that the run broke, and how."""

    name: str
    promise: str
    detail: str
    """The first time; `more` counts the others."""
    grant: int
    more: int


class Incident(NamedTuple):
    """One run that is kept, as a report."""

    id: str
    heading: str
    happened: str
    often: str
    closed: str
    """How it was closed; empty where it was not."""
    recipe: str
    address: str
    """Of its run, at the grant where it broke; from the site's root."""
    broke: tuple[Broken, ...]
    writers: tuple[tuple[str, str], ...]
    """Letter and name of everybody who wrote."""
    grants: str
    statements: tuple[tuple[str, str], ...]


class File(NamedTuple):
    """A scenario's part of the corpus."""

    slug: str
    title: str
    incidents: tuple[Incident, ...]


@lru_cache(maxsize=1)
def incidents() -> tuple[File, ...]:
    """Return every entry of the corpus as a report, by scenario."""
    return tuple(
        File(file.stem, load(file.stem).title, tuple(_reports(file.stem)))
        for file in files(BUILT_IN)
    )


def _reports(slug: str) -> Iterator[Incident]:
    file = BUILT_IN / f"{slug}.txt"
    for number, (_, entry) in enumerate(entries(file), 1):
        yield _report(f"{slug}-{number}", entry)


def _report(name: str, entry: Entry) -> Incident:
    outcome = perform(entry.recipe)
    found, run = outcome.violations, outcome.run
    heading, happened, often, closed = taken_apart(entry)
    return Incident(
        id=name,
        heading=heading,
        happened=happened,
        often=often,
        closed=closed,
        recipe=entry.recipe,
        address=_address(outcome.recipe, min(one.grant for one in found)),
        broke=tuple(_broken(each, found) for each in outcome.broken),
        writers=tuple((one.letter, one.name) for one in run.writers.values()),
        grants=run.grants,
        statements=entry.statements,
    )


def _broken(name: str, found: tuple[Violation, ...]) -> Broken:
    first, *more = (one for one in found if one.invariant == name)
    return Broken(name, first.promise, first.detail, first.grant, len(more))


def _address(recipe: Recipe, step: int) -> str:
    """Return where a run is shown. A zone goes by its offset there, because the Python of a page
    has no list of zones."""
    seconds = int(offset_of(recipe.zone, EPOCH).total_seconds())
    hours, minutes = divmod(abs(seconds) // 60, 60)
    offset = f"{'-' if seconds < 0 else '+'}{hours:02d}:{minutes:02d}" if seconds else "UTC"
    slug, _, query = recipe.but(zone=offset, step=step).text.partition("?")
    return f"{slug}/?{query}"


# A note, taken apart.


def taken_apart(entry: Entry) -> tuple[str, str, str, str]:
    """Return an entry's heading, what happened, how often it is met, and what closed it."""
    heading, rest = _headed(_in_one_line(entry.note))
    listed = f"{OFTEN} {', '.join(entry.breaks)}."
    """Says no more than the report's own list of what broke."""
    told: list[str] = []
    often: list[str] = []
    closed: list[str] = []
    place = told
    for sentence in _sentences(rest):
        place = often if sentence.startswith(OFTEN) else place
        if sentence != listed:
            (closed if CLOSES.search(sentence) else place).append(sentence)
    return heading, " ".join(told), " ".join(often), " ".join(closed)


def _in_one_line(note: str) -> str:
    """Return a note unwrapped; a word that was broken at its hyphen is whole again."""
    return re.sub(r"(?<=\w)-\n(?=\w)", "-", note).replace("\n", " ").strip()


def _headed(note: str) -> tuple[str, str]:
    """Return a note's heading, which is its first sentence up to a colon, and what follows."""
    first, *others = _sentences(note)
    heading, colon, rest = first.partition(": ")
    if not colon and len(first) > LONG:
        heading, colon, rest = first.partition("; ")
    if not colon:
        return first.rstrip("."), " ".join(others)
    return heading, " ".join([_begun(rest), *others])


def _begun(sentence: str) -> str:
    """Return a sentence with a capital, unless its first word is a name of ours, such as seat-2."""
    word = sentence.partition(" ")[0]
    return sentence[0].upper() + sentence[1:] if word.isalpha() else sentence


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.?!])\s+", text) if text else []
