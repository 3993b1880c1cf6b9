"""The essay keeps its word: every run it names is run, every grant it points at is there, every
number it prints is measured."""

import re
from collections.abc import Iterator
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from explorer import tally
from explorer.essays import CHAPTERS, FURTHER, WORDS, Chapter, Figure
from sim_core.judge.scenario import recipe_of, slugs
from sim_core.judge.trial import Outcome
from sim_core.judge.verdict import perform

ROOT = Path(__file__).parent.parent.parent
TEMPLATES = ROOT / "templates"
PAGES = {each.slug: each for each in (*CHAPTERS, *FURTHER)}
FIGURES = [(page, figure) for page in PAGES.values() for figure in page.figures]
RUNS = [(page, figure) for page, figure in FIGURES if figure.kind == "run"]
KINDS = {"run", "matrix", "greens", "day", "incidence", "wal"}
TAKEN = {"main", "explorer", "figure", "keys"}
"""Ids that a page has beside its figures'."""

FRAME = "{% block essay %}{% endblock %}"


def names(pairs: list[tuple[Chapter, Figure]]) -> list[str]:
    return [f"{page.slug}/{figure.id}" for page, figure in pairs]


class Read(HTMLParser):
    """What a test wants to know of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.placed: list[str] = []
        self.words: list[dict[str, str]] = []
        self.links: list[dict[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if "id" in found:
            self.ids.append(found["id"])
        if "data-lights" in found:
            self.words.append(found)
        if tag == "a":
            self.links.append(found)

    def handle_comment(self, data: str) -> None:
        self.placed.append(data.strip())


@lru_cache(maxsize=len(PAGES))
def read(slug: str) -> Read:
    loader = ChoiceLoader([DictLoader({"essay.html": FRAME}), FileSystemLoader(TEMPLATES)])
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(WORDS)
    page = environment.get_template(f"chapters/{slug}.html")
    return Read(page.render(essay=PAGES[slug], root="../", figure=placed))


def placed(name: str) -> Markup:
    return Markup("<!-- {} -->").format(name)


@lru_cache(maxsize=100)
def ran(recipe: str) -> Outcome:
    return perform(recipe)


def figure_of(slug: str, name: str) -> Figure:
    return next(figure for figure in PAGES[slug].figures if figure.id == name)


# The table.


@pytest.mark.parametrize(("page", "figure"), FIGURES, ids=names(FIGURES))
def test_every_run_is_told_in_its_canonical_form_and_can_be_made(
    page: Chapter, figure: Figure
) -> None:
    assert figure.kind in KINDS
    for recipe in (figure.recipe, *figure.then):
        if figure.kind == "greens":
            assert recipe == ""
            continue
        assert recipe_of(recipe)[1].text == recipe
        perform(recipe)  # strictly: every grant, every fault and the step have their place
    assert len({figure.recipe, *figure.then}) == 1 + len(figure.then)


@pytest.mark.parametrize(("page", "figure"), RUNS, ids=names(RUNS))
def test_a_run_opens_at_its_telling_moment(page: Chapter, figure: Figure) -> None:
    outcome = ran(figure.recipe)
    step = outcome.recipe.step
    assert step is not None
    if outcome.violations:
        assert step == min(one.grant for one in outcome.violations)


@pytest.mark.parametrize(("page", "figure"), RUNS, ids=names(RUNS))
def test_the_runs_that_links_open_are_the_other_side_of_the_first(
    page: Chapter, figure: Figure
) -> None:
    """The prose shows what breaks, and then what holds; but for the line that two readings of
    success disagree about."""
    broken = {recipe for recipe in figure.then if ran(recipe).violations}
    assert broken <= {"sections?mode=warn&writers=careful,overwriter&grants=AAB"}


def test_a_page_is_short_enough_to_be_shipped_with_all_its_runs() -> None:
    for page in PAGES.values():
        runs = [recipe for figure in page.figures for recipe in (figure.recipe, *figure.then)]
        grants = sum(len(ran(recipe).run.grants) for recipe in runs if recipe)
        assert grants < 200, page.slug


@pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))
def test_a_summary_is_a_sentence_that_fits_a_search_result(page: Chapter) -> None:
    assert page.summary.endswith(".")
    assert len(page.summary) <= 160


def test_each_chapter_credits_the_report_of_the_scenarios_it_shows() -> None:
    for page in CHAPTERS:
        stories = [recipe_of(figure.recipe)[0] for figure in page.figures if figure.recipe]
        assert {story.report for story in stories} == {page.report}


# The pages.


@pytest.mark.parametrize("slug", PAGES)
def test_every_figure_of_a_page_is_placed_once_in_order(slug: str) -> None:
    assert read(slug).placed == [figure.id for figure in PAGES[slug].figures]


@pytest.mark.parametrize("slug", PAGES)
def test_no_two_things_on_a_page_have_one_name(slug: str) -> None:
    ids = [*read(slug).ids, *(figure.id for figure in PAGES[slug].figures)]
    assert len(set(ids)) == len(ids)
    assert not TAKEN & set(ids)
    assert not [name for name in ids if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", name)]


@pytest.mark.parametrize("slug", PAGES)
def test_every_word_lights_a_lane_or_a_grant_that_its_figure_has(slug: str) -> None:
    for word in read(slug).words:
        figure = figure_of(slug, word["data-lights"])
        assert figure.kind == "run", f"{figure.id} has no lanes"
        run = ran(figure.recipe).run
        if "data-lane" in word:
            assert word["data-lane"] in run.writers, word
            assert word["class"] == f"word w{word['data-lane']}"
        else:
            assert 1 <= int(word["data-grant"]) <= len(run.grants), word


def queries(slug: str) -> Iterator[tuple[dict[str, str], str]]:
    """Links to runs, and the recipes that they are the addresses of."""
    for link in read(slug).links:
        found = re.fullmatch(r"\.\./([a-z]+)/(\?[^#]*)?", link.get("href", ""))
        if found and found[1] in slugs():
            yield link, f"{found[1]}{found[2] or ''}"


@pytest.mark.parametrize("slug", PAGES)
def test_every_link_into_a_figure_opens_a_run_that_the_figure_has(slug: str) -> None:
    into = [(link["data-run"], recipe) for link, recipe in queries(slug) if "data-run" in link]
    assert len(into) == sum("data-run" in link for link in read(slug).links)
    for name, recipe in into:
        assert recipe in figure_of(slug, name).then
    assert set(into) == {(one.id, recipe) for one in PAGES[slug].figures for recipe in one.then}


@pytest.mark.parametrize("slug", PAGES)
def test_every_link_to_a_run_elsewhere_is_one(slug: str) -> None:
    for link, recipe in queries(slug):
        if "data-run" not in link:
            assert recipe_of(recipe)[1].text == recipe
            perform(recipe)


@pytest.mark.parametrize("slug", PAGES)
def test_every_other_link_leads_to_a_page_and_to_a_place_on_it(slug: str) -> None:
    runs = [id(link) for link, _ in queries(slug)]
    for link in read(slug).links:
        if id(link) in runs:
            continue
        path, _, place = link["href"].partition("#")
        there = path.removeprefix("../").strip("/") or slug
        assert there in PAGES, link
        assert not place or place in read(there).ids, link


def test_the_marks_in_the_prose_are_those_in_the_figures() -> None:
    drawn = (ROOT / "static/js/draw/marks.js").read_text(encoding="utf-8")
    here = (TEMPLATES / "essay_words.html").read_text(encoding="utf-8")
    shapes = dict(re.findall(r"(\w): \(\{ svg \}\) => svg`(.*?)`", drawn))
    assert dict(re.findall(r'"(\w)": \'(.*?)\'', here)) == shapes


def test_the_front_page_leads_everywhere() -> None:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    page = environment.get_template("chapters/home.html")
    stories = [{"slug": slug, "title": slug, "name": slug} for slug in slugs()]
    html = page.render(root="", stories=stories, essays=PAGES)
    assert [link["href"] for link in Read(html).links] == [
        f"{each}/" for each in (*PAGES, *slugs())
    ]


# The numbers.


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("chapters/*.html")), ids=lambda p: p.stem)
def test_no_count_stands_in_the_prose_by_hand(path: Path) -> None:
    prose = re.sub(r"\{\{.*?\}\}", "", path.read_text(encoding="utf-8"))
    assert (
        re.findall(r"\d,\d{3}|\d+ of (?:the )?\d+|\d+(?:\.\d+)? %(?! sure| interval)", prose) == []
    )


def test_a_sentence_that_the_figures_do_not_bear_out_is_an_error() -> None:
    for claim in (
        lambda: tally.proved("sections?mode=warn"),
        lambda: tally.broken("sections"),
        lambda: tally.broken("receipts?round=0"),
        lambda: tally.orders("sections?mode=none"),
        lambda: tally.orders("five?safety=off", 1),
        lambda: tally.alike(20, 20, tally.Fraction(67, 1000)),
    ):
        with pytest.raises(tally.Unsaid):
            claim()


def test_numbers_are_those_that_were_measured() -> None:
    assert tally.orders("sections?mode=warn") == "6"
    assert tally.broken("sections?mode=warn") == "2"
    assert tally.likely("sections?mode=warn") == "25 %"
    assert tally.proved("owners") == "25,560"
    assert tally.broken("receipts?round=0", 1) == "2"
    assert tally.red_seeds("sections?mode=warn") == "5"
    assert tally.passes(tally.Fraction(67, 1000), 2) == "87 %"
    assert tally.needed(tally.Fraction(67, 1000)) == "44"
    assert tally.alike(1, 10, tally.Fraction(67, 1000)) == "6.7 %"
