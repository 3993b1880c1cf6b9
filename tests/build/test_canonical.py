"""The runs that have a path: each is a run, and bears out what is said of it."""

import re

import pytest
from markupsafe import escape

from explorer import pages, placed
from explorer.canonical import (
    LONGEST_DESCRIPTION,
    LONGEST_TITLE,
    MENDED,
    NAMED,
    Canonical,
    beginning,
    canonical,
)
from explorer.press.address import site_address
from sim_core.judge.scenario import recipe_of, slugs
from sim_core.judge.verdict import perform
from sim_core.search.corpus import BUILT_IN, entries, files

ALL = canonical()
BY_PATH = {"argvalues": ALL, "ids": [one.path for one in ALL]}


@pytest.mark.parametrize("one", **BY_PATH)
def test_it_runs_and_breaks_what_it_says_or_nothing(one: Canonical) -> None:
    outcome = perform(one.recipe)
    assert outcome.broken == one.breaks
    assert outcome.recipe.run_text == one.recipe, "an address is written in one way"


@pytest.mark.parametrize("one", **BY_PATH)
def test_its_words_fit_where_others_show_them(one: Canonical) -> None:
    assert 10 <= len(one.title) <= LONGEST_TITLE
    assert 40 <= len(one.description) <= LONGEST_DESCRIPTION
    assert one.title[0].isupper() and one.title[-1] not in ".,;:"
    assert one.description[-1] in ".?"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", one.name)


def test_no_two_have_the_same_path_title_or_run() -> None:
    for seen in (
        [one.path for one in ALL],
        [one.title for one in ALL],
        [one.recipe for one in ALL],
    ):
        assert sorted(set(seen)) == sorted(seen)
    assert {one.path for one in ALL}.isdisjoint({f"/{slug}/" for slug in slugs()})


def test_every_entry_of_the_corpus_has_one_and_every_story_is_mended_in_one() -> None:
    kept = {entry.recipe for file in files(BUILT_IN) for _, entry in entries(file)}
    assert {one.recipe for one in ALL if one.breaks} == kept
    assert {one.scenario for one in ALL if not one.breaks} == set(slugs())


def test_no_words_are_left_of_an_entry_that_is_gone() -> None:
    kept = {entry.recipe for file in files(BUILT_IN) for _, entry in entries(file)}
    assert set(NAMED) <= kept
    assert set(MENDED).isdisjoint(kept)


@pytest.mark.parametrize("text", MENDED)
def test_what_is_mended_is_the_same_writers_with_the_fix(text: str) -> None:
    """Of each mended run there is a kept one of the same story and as many of each role."""
    scenario, recipe = recipe_of(text)
    opening = recipe_of(scenario.opening)[1]
    kept = [recipe_of(one.recipe)[1] for one in ALL if one.breaks] + [opening]
    same = [one for one in kept if one.terms.scenario == recipe.terms.scenario]
    assert any(one.writers == recipe.writers and one.options != recipe.options for one in same)


def test_a_notes_beginning_is_whole_clauses_without_its_figures() -> None:
    assert beginning("One thing. Red: it, 3 of 30.") == "One thing."
    assert beginning("a " * 70 + "b; " + "c " * 30 + "d. Red: x.") == "a " * 70 + "b."
    assert beginning("Does it help? It does " + "not " * 60) == "Does it help?"
    assert beginning("e" * 200) == "e" * 159 + "."


def rendered(address: str = "") -> str:
    assets = {"page.js": "assets/p.js", "worker.js": "assets/w.js", "style.css": "assets/s.css"}
    figures = dict.fromkeys(placed.FIGURES, "<p>figure</p>")
    previews = {one.path: "assets/preview-1.png" for one in ALL}
    return pages.render(
        ALL[-1].path, pages.Built(assets, figures, previews=previews, address=address)
    )


def test_without_the_sites_address_there_is_no_picture_rather_than_a_wrong_one() -> None:
    text = rendered()
    assert "og:image" not in text and "og:url" not in text and "canonical" not in text
    assert f'<meta property="og:title" content="{escape(ALL[-1].title)}' in text
    assert f'<meta property="og:description" content="{escape(ALL[-1].description)}">' in text


def test_with_it_picture_and_page_are_named_in_full() -> None:
    text = rendered("https://example.org/explorer/")
    assert 'content="https://example.org/explorer/assets/preview-1.png"' in text
    assert f'href="https://example.org/explorer{ALL[-1].path}"' in text
    assert '<meta name="twitter:card" content="summary_large_image">' in text


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("", ""),
        ("https://example.org", "https://example.org/"),
        (" http://127.0.0.1:8000/a/b ", "http://127.0.0.1:8000/a/b/"),
    ],
)
def test_the_address_is_what_the_build_was_told(
    monkeypatch: pytest.MonkeyPatch, told: str, address: str
) -> None:
    monkeypatch.setenv("SITE_ADDRESS", told)
    assert site_address() == address


@pytest.mark.parametrize("told", ["example.org", "javascript:x", 'https://a"b', "https://a/?b"])
def test_what_is_no_address_ends_the_build(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    monkeypatch.setenv("SITE_ADDRESS", told)
    with pytest.raises(SystemExit, match="SITE_ADDRESS"):
        site_address()
