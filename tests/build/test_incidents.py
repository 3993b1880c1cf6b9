"""Every entry of the corpus is a report, and no word of its note is lost."""

import re
from collections import Counter

import pytest

from explorer.incidents import OFTEN, Incident, incidents, taken_apart
from sim_core.judge.scenario import recipe_of
from sim_core.judge.verdict import perform
from sim_core.search.corpus import BUILT_IN, Entry, entries, files

KEPT = [entry for file in files(BUILT_IN) for _, entry in entries(file)]
ALL = [one for file in incidents() for one in file.incidents]
PAIRS = list(zip(ALL, KEPT, strict=True))
OPEN = {"seams-4", "claims-6"}
"""One that is not fixed, and one whose note leaves the fix to the entry before it."""


def words(*texts: str) -> Counter[str]:
    return Counter(re.findall(r"[\w=.,:’'-]+", " ".join(texts).casefold()))


def test_every_entry_is_a_report_under_its_scenario() -> None:
    assert [one.recipe for one in ALL] == [entry.recipe for entry in KEPT]
    assert len({one.id for one in ALL}) == len(ALL)
    for file in incidents():
        assert {recipe_of(one.recipe)[1].terms.scenario for one in file.incidents} == {file.slug}


@pytest.mark.parametrize(("one", "entry"), PAIRS, ids=[one.id for one in ALL])
def test_a_report_says_all_that_its_note_says(one: Incident, entry: Entry) -> None:
    listed = f"{OFTEN} {', '.join(entry.breaks)}."
    note = re.sub(r"(?<=\w)-\n(?=\w)", "-", entry.note).replace("\n", " ")
    said = words(one.heading, one.happened, one.often, one.closed)
    plain = Counter({word.strip(".,:;"): 0 for word in said})
    for word, count in said.items():
        plain[word.strip(".,:;")] += count
    due: Counter[str] = Counter()
    for word, count in words(note.replace(listed, "")).items():
        due[word.strip(".,:;")] += count
    assert +plain == +due


@pytest.mark.parametrize("one", ALL, ids=[one.id for one in ALL])
def test_a_report_has_a_heading_what_broke_and_how_it_was_closed(one: Incident) -> None:
    assert 5 < len(one.heading) < 140
    assert one.heading[0].isupper() or one.heading[0].isdigit()
    assert one.broke
    assert bool(one.closed) == (one.id not in OPEN)


@pytest.mark.parametrize("one", ALL, ids=[one.id for one in ALL])
def test_its_address_opens_its_run_where_it_broke(one: Incident) -> None:
    slug, query = one.address.split("/?")
    outcome, kept = perform(f"{slug}?{query}"), perform(one.recipe)
    assert outcome.recipe.text == f"{slug}?{query}"
    assert outcome.run.grants == kept.run.grants == one.grants
    assert outcome.run.events == kept.run.events
    assert outcome.recipe.step == min(flaw.grant for flaw in kept.violations)
    assert {flaw.name for flaw in one.broke} == set(kept.broken)
    assert sum(1 + flaw.more for flaw in one.broke) == len(kept.violations)
    assert not re.search(r"tz=[A-Z]", query), "a page has no list of zones"


def test_a_note_is_taken_apart_by_its_sentences() -> None:
    note = (
        "The theft: a session was robbed, by a look-\nup too early. It was young. Red: a, b."
        " 3 of seeds reach it. Closed by patience."
    )
    assert taken_apart(Entry("x", ("a", "b"), (), note)) == (
        "The theft",
        "A session was robbed, by a look-up too early. It was young.",
        "3 of seeds reach it.",
        "Closed by patience.",
    )
