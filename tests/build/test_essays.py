"""The essay says nothing of a run that the run does not do, and every figure opens as it says."""

import html
import json
import re
from html.parser import HTMLParser

import pytest

from explorer import pages, placed
from explorer.essays import CHAPTERS, FURTHER, RUN, Chapter, Figure, counted
from explorer.exhibits import KINDS
from explorer.incidents import kept
from explorer.literate import CORE, listing
from sim_core import bridge
from sim_core.judge.scenario import recipe_of

ESSAYS = (*CHAPTERS, *FURTHER)
FIGURES = [(chapter, figure) for chapter in ESSAYS for figure in chapter.figures]
RUNS = [(chapter, figure) for chapter, figure in FIGURES if figure.kind == RUN]
named = pytest.mark.parametrize(
    ("chapter", "figure"), RUNS, ids=[f"{chapter.slug}-{figure.id}" for chapter, figure in RUNS]
)


def run_of(recipe: str) -> dict[str, object]:
    answer = json.loads(bridge.handle(json.dumps({"version": 1, "ask": "run", "recipe": recipe})))
    assert answer["schema"]["name"] == "run", answer.get("message")
    return answer


class Words(HTMLParser):
    """What a page says of its figures: words with a lane or a grant, and links that open a run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lights: list[dict[str, str | None]] = []
        self.opens: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if "data-lights" in found:
            self.lights.append(found)
        if tag == "a" and "data-run" in found:
            self.opens.append((found["data-run"] or "", found["href"] or ""))


@pytest.fixture(scope="module")
def built() -> pages.Built:
    assets = {"page.js": "assets/p.js", "worker.js": "assets/w.js", "style.css": "assets/s.css"}
    return pages.Built(assets, dict.fromkeys(placed.FIGURES, "<p>figure</p>"))


@pytest.fixture(scope="module")
def prose(built: pages.Built) -> dict[str, Words]:
    return {each.slug: Words(pages.render(f"/{each.slug}/", built)) for each in ESSAYS}


@named
def test_every_figure_opens_with_a_run_at_a_step_that_it_has(
    chapter: Chapter, figure: Figure
) -> None:
    _, recipe = recipe_of(figure.recipe)
    assert recipe.text == figure.recipe, "not as an address writes it"
    assert recipe.step is None or recipe.step <= len(str(run_of(figure.recipe)["grants"]))


@named
def test_words_and_grants_are_those_of_the_figures_runs(
    chapter: Chapter, figure: Figure, prose: dict[str, Words]
) -> None:
    run = run_of(figure.recipe)
    names = {each["letter"]: each["name"] for each in run["writers"]}  # type: ignore[attr-defined]
    mine = [each for each in prose[chapter.slug].lights if each["data-lights"] == figure.id]
    for each in mine:
        if lane := each.get("data-lane"):
            assert lane in names
        else:
            assert 0 < int(each["data-grant"] or 0) <= len(str(run["grants"]))


@named
def test_every_link_into_a_figure_names_a_run_that_came_with_it(
    chapter: Chapter, figure: Figure, prose: dict[str, Words]
) -> None:
    links = {
        href.removeprefix("../").replace("/?", "?").removesuffix("/")
        for name, href in prose[chapter.slug].opens
        if name == figure.id
    }
    assert {recipe_of(link)[1].text for link in links} == links, "not as an address writes it"
    assert links <= set(figure.then)
    assert set(figure.then) <= links, "shipped, and no word leads there"
    shipped = placed.placed(figure, 1)["families"]
    assert sum(len(family["runs"]) for family in shipped) == 1 + len(figure.then)


def test_no_word_lights_a_figure_that_is_elsewhere(prose: dict[str, Words]) -> None:
    for chapter in ESSAYS:
        mine = {figure.id for figure in chapter.figures}
        lit = {each["data-lights"] for each in prose[chapter.slug].lights}
        assert lit | {name for name, _ in prose[chapter.slug].opens} <= mine


def test_every_figure_stands_in_its_page_once(built: pages.Built) -> None:
    for chapter in ESSAYS:
        page = pages.render(f"/{chapter.slug}/", built)
        for figure in chapter.figures:
            assert page.count(f'id="{figure.id}-data"') == 1
        assert "&amp;amp;" not in page


def test_every_exhibit_is_shown(built: pages.Built) -> None:
    shown = {figure.kind for _, figure in FIGURES} - {RUN}
    assert shown == set(KINDS)


def test_a_number_that_nobody_measured_cannot_be_quoted() -> None:
    assert counted("sections?mode=warn", "red") == "2"
    assert counted("claims", "killed") == "129,361"
    with pytest.raises(KeyError, match="nobody measured"):
        counted("sections?mode=lenient", "red")


def test_the_claim_about_thirty_seeds_of_the_ghost_is_so() -> None:
    assert counted("claims?fix=published&writers=session,pm", "seeds") == "0"


def test_every_report_is_named_by_its_title(built: pages.Built) -> None:
    for chapter in CHAPTERS:
        assert f"“{chapter.report}”" in html.unescape(pages.render(f"/{chapter.slug}/", built))


def test_source_beside_the_prose_is_the_source_that_runs() -> None:
    found = listing("seams/clock.py", "Clock.advance")
    lines = (CORE / "seams/clock.py").read_text().splitlines()[found.first - 1 : found.last]
    text = html.unescape(re.sub("<[^>]+>", "", found.html))
    assert text.split() == "\n".join(lines).split()
    with pytest.raises(KeyError, match=r"engine/park\.py defines no back_door"):
        listing("engine/park.py", "back_door")


def test_every_entry_of_the_corpus_is_an_incident_and_opens_its_run(built: pages.Built) -> None:
    page = html.unescape(pages.render("/corpus/", built))
    incidents = [one for each in kept() for one in each.incidents]
    assert len({one.id for one in incidents}) == len(incidents) > 30
    for one in incidents:
        assert f'href="../{one.slug}/?{one.query}"' in page
        assert one.note in page
