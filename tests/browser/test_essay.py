"""The essay as a reader goes through it: read, step, light a word, open a link's run, choose
otherwise, go back, take over, share; and the same for an exhibit."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.essays import CHAPTERS, FURTHER, RUN, Chapter
from tests.browser.test_everybody import LOOKS, findings, look

Open = Callable[..., Page]
ESSAYS = (*CHAPTERS, *FURTHER)
slugs = pytest.mark.parametrize("chapter", ESSAYS, ids=[each.slug for each in ESSAYS])
chapters = pytest.mark.parametrize("chapter", CHAPTERS, ids=[each.slug for each in CHAPTERS])
REPRODUCED = re.compile(r"(\d+) of \1 reproduced in your browser")


@pytest.fixture
def essay(new_page: Open) -> Open:
    def open_one(slug: str, query: str = "", **profile: object) -> Page:
        page = new_page(f"{slug}/{query}", **profile)
        page.wait_for_selector("html[data-ready]")
        return page

    return open_one


def grant_of(figure: Locator) -> str:
    return figure.locator(".count b").inner_text()


@chapters
def test_every_figure_stands_at_its_moment_and_steps_without_python(
    essay: Open, chapter: Chapter
) -> None:
    page = essay(chapter.slug)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for figure in (each for each in chapter.figures if each.kind == RUN):
        here = page.locator(f"#{figure.id}")
        step = re.search(r"step=(\d+)", figure.recipe)
        assert step is None or grant_of(here) == step[1]
        here.locator("[data-action=go][data-value='0']").first.dispatch_event("click")
        assert grant_of(here) == "0"
        expect(here.locator("tr.now").first).to_contain_text("start")
    assert not [url for url in asked if "/python/" in url]


def test_a_word_lights_its_lane_and_a_grant_its_row_and_goes_there(essay: Open) -> None:
    page = essay("one-file-five-agents")
    figure = page.locator("#lost-update")
    page.locator("[data-lights=lost-update][data-lane=A]").hover()
    expect(figure).to_have_class(re.compile("lit-A"))
    word = page.locator("[data-lights=lost-update][data-grant='3']")
    word.focus()
    expect(figure).not_to_have_class(re.compile("lit-A"))
    expect(figure.locator("tr.lit")).to_contain_text("UPDATE")
    page.keyboard.press("Enter")
    assert grant_of(figure) == "3"
    assert "figure=lost-update" in page.url


def test_a_link_in_the_prose_opens_its_run_in_the_figure_and_back_closes_it(essay: Open) -> None:
    page = essay("one-file-five-agents")
    figure = page.locator("#lost-update")
    page.get_by_role("link", name="the same seed", exact=True).first.click()
    expect(figure).to_contain_text("must name the version")
    expect(figure.locator("tr.loss")).to_have_count(0)
    page.go_back()
    expect(figure.locator("tr.loss")).to_be_visible()


def test_back_undoes_in_the_figure_that_was_changed(essay: Open) -> None:
    page = essay("one-file-five-agents")
    first, second = page.locator("#lost-update"), page.locator("#label")
    page.get_by_role("link", name="the same seed", exact=True).first.click()
    page.get_by_role("link", name="asks for the label again").click()
    expect(second).to_contain_text("not taken")
    page.go_back()
    expect(second).not_to_contain_text("not taken")
    expect(first).to_contain_text("must name the version")
    page.go_forward()
    expect(second).to_contain_text("not taken")
    page.reload()
    expect(second).to_contain_text("not taken")
    expect(first).to_contain_text("must name the version")


def test_a_shared_address_shows_the_same_figure_in_a_new_profile(essay: Open) -> None:
    page = essay("one-file-five-agents")
    figure = page.locator("#lost-update")
    figure.locator("[data-action=go][data-value='2']").first.click()
    query = page.url.partition("?")[2]
    other = essay("one-file-five-agents", f"?{query}")
    assert grant_of(other.locator("#lost-update")) == "2"
    expect(other.locator("#lost-update")).to_be_in_viewport()
    assert grant_of(other.locator("#label")) == "3"


@pytest.mark.parametrize(
    ("slug", "name"),
    [
        ("one-file-five-agents", "lost-update"),
        ("the-wrong-owner", "misfiled"),
        ("the-startup-window-theft", "ghost"),
    ],
)
def test_a_figure_is_taken_over_branched_crashed_and_shared(
    essay: Open, new_page: Open, slug: str, name: str
) -> None:
    """Choose otherwise in the essay, take over in the explorer, kill somebody there, copy the
    link, open it elsewhere: the same order, the same outcome."""
    page = essay(slug)
    figure = page.locator(f"#{name}")
    figure.locator("[data-action=go][data-value='0']").first.click()
    figure.locator(".choose [data-action=grant][aria-disabled=false]").last.click()
    expect(figure.locator(".python")).to_contain_text(REPRODUCED, timeout=60_000)
    assert grant_of(figure) == "1"
    figure.get_by_role("link", name="Take over in the explorer").click()
    page.wait_for_selector("html[data-ready]")
    taken = page.locator("#figure")
    expect(taken.locator(".count")).to_contain_text("1 /", timeout=60_000)
    taken.locator(".choose .dagger").first.click()
    expect(taken.locator(".act.crash")).to_be_visible(timeout=60_000)
    address = taken.locator(".address code").inner_text()
    words = taken.locator("tbody").inner_text()
    other = new_page(address.split("/some/where/")[1])
    expect(other.locator("#figure tbody")).to_be_visible(timeout=60_000)
    assert other.locator("#figure tbody").inner_text() == words


@pytest.mark.parametrize(("slug", "name"), [("one-file-five-agents", "wrong-hours")])
def test_an_exhibit_is_made_again_in_the_browser_and_compared(
    essay: Open, slug: str, name: str
) -> None:
    page = essay(slug)
    exhibit = page.locator(f"#{name}")
    exhibit.get_by_role("button", name="Run it again in this browser").click()
    expect(exhibit.get_by_role("status")).to_contain_text(
        re.compile(r"(\d+) of \1 .* the same in your browser"), timeout=60_000
    )


def test_the_matrix_is_looked_up_again_in_the_browser(essay: Open) -> None:
    page = essay("the-wrong-owner")
    matrix = page.locator("#matrix")
    matrix.get_by_role("button", name="Run it again in this browser").click()
    expect(matrix.get_by_role("status")).to_contain_text("20 of 20", timeout=60_000)


def test_a_word_about_another_figure_leaves_this_one_alone(essay: Open) -> None:
    page = essay("one-file-five-agents")
    page.locator("[data-lights=receipt][data-grant='6']").click()
    assert grant_of(page.locator("#receipt")) == "6"
    assert grant_of(page.locator("#lost-update")) == "4"


def test_a_bad_address_is_one_sentence_in_its_figure(essay: Open) -> None:
    page = essay("one-file-five-agents", "?figure=label&verify=never")
    problem = page.locator("#label .problem")
    expect(problem).to_contain_text("verify=never is not allowed")
    expect(page.locator(".problem")).to_have_count(1)


@slugs
def test_prose_reads_without_javascript(new_page: Open, chapter: Chapter) -> None:
    page = new_page(f"{chapter.slug}/", java_script_enabled=False)
    expect(page.locator("h1")).to_have_text(chapter.title)
    for figure in (each for each in chapter.figures if each.kind == RUN):
        expect(page.locator(f"#{figure.id} table")).to_be_visible()
    for link in page.locator("a[data-run]").all():
        assert "?" in (link.get_attribute("href") or "")


@slugs
@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_axe_finds_nothing_in_an_essay(
    essay: Open, chapter: Chapter, scheme: str, width: int
) -> None:
    tall = {"viewport": {"width": width, "height": 25_000}}
    page = essay(chapter.slug, **look(scheme, width) | tall)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
