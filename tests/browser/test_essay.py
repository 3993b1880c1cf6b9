"""The essay as a reader goes through it: read, step, light a word, open a link's run, choose
otherwise, go back, take over, share; and the same for an exhibit."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.essays import CHAPTERS, FURTHER, RUN, Chapter
from tests.browser.panels import LONG, native, prove, searched, with_panels
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
    ("slug", "name", "recipe"),
    [
        ("one-file-five-agents", "lost-update", "sections?mode=warn"),
        ("the-wrong-owner", "misfiled", "owners?fix1=off&fix2=off&fix3=off"),
        ("the-startup-window-theft", "ghost", "claims?fix=published&writers=session,pm"),
    ],
)
def test_a_chapter_is_walked_from_its_figure_to_a_proof_and_a_shared_link(
    essay: Open, new_page: Open, slug: str, name: str, recipe: str
) -> None:
    """Open, step, choose otherwise, take over, sweep, prove, kill somebody, copy the link, open it
    as somebody new: the core's counts, and the same run to the last byte of its hash."""
    page = essay(slug, permissions=["clipboard-read", "clipboard-write"])
    figure = page.locator(f"#{name}")
    figure.get_by_label("Back one grant").click()
    figure.locator("[data-action=go][data-value='0']").first.click()
    figure.locator(".choose [data-action=grant][aria-disabled=false]").last.click()
    expect(figure.locator(".python")).to_contain_text(REPRODUCED, timeout=60_000)
    assert grant_of(figure) == "1"
    figure.get_by_role("link", name="Take over in the explorer").click()
    page.wait_for_selector("html[data-ready]")
    taken = page.locator("#figure")
    expect(taken.locator(".count")).to_contain_text("1 /", timeout=60_000)
    with_panels(page)
    page.locator("[data-action=range-last]").fill("99")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Run these seeds").click()
    bad = len(native(ask="sweep", recipe=recipe, seeds=[0, 99])["broken"])
    expect(page.locator(".range .verdict")).to_contain_text(
        f"{bad or 'None'} of 100 seeds", timeout=LONG
    )
    found = searched(recipe)
    counts = f"{found['broken']:,} of {found['interleavings']:,} interleavings"
    expect(prove(page)).to_contain_text(counts)
    taken.locator(".choose .dagger").first.click()
    expect(taken.locator(".act.crash")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Copy link").click()
    link = str(page.evaluate("navigator.clipboard.readText()"))
    other = with_panels(new_page(link.split("/some/where/")[1]))
    expect(other.locator("#figure .act.crash")).to_be_visible(timeout=60_000)
    expect(other.get_by_role("alert")).to_have_count(0)
    assert hash_of(other) == hash_of(page)


def hash_of(page: Page) -> str:
    """The whole hash of the run that a page shows, from the trace that it saves."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Trace", exact=True).click()
    found: str = json.loads(download.value.path().read_text("utf-8"))["hash"]
    assert len(found) == 64
    return found


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
