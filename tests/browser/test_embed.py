"""A figure inside somebody else's page, on another origin: alone, as high as it says, and whole."""

from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Frame, FrameLocator, Page, expect

from tests.browser.conftest import served

Open = Callable[..., Page]
AROUND = """<!doctype html><html lang="en"><title>Somebody's page</title>
<p>Before</p>
<iframe id="them" title="A figure" width="700" height="400" src="{}"></iframe>
<p>After</p>
<script>
  const told = [];
  addEventListener("message", (event) => {{
    told.push({{ origin: event.origin, ...event.data }});
    if (event.data.explorer === "height") them.height = event.data.height;
  }});
</script>"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def around(new_page: Open, site: str, tmp_path: Path) -> Iterator[Callable[[str], Page]]:
    """A page of another origin with the figure of an address in it, as high as it was told."""
    with served(Quiet, tmp_path) as port:

        def open_one(query: str) -> Page:
            figure = f"{site}sections/?{query}&amp;embed=1"
            (tmp_path / "index.html").write_text(AROUND.format(figure))
            # its own requests are not the site's
            page = new_page("sections/", may_fail=True)
            page.goto(f"http://127.0.0.1:{port}/")
            page.wait_for_function("told.length > 0")
            return page

        yield open_one


def figure_in(page: Page) -> FrameLocator:
    return page.frame_locator("#them")


def frame_of(page: Page) -> Frame:
    return page.frames[1]


def settled(page: Page) -> int:
    """The height of the frame, once it is the height of what it holds."""
    page.wait_for_timeout(200)
    inside = frame_of(page).evaluate("Math.ceil(document.body.getBoundingClientRect().height)")
    page.wait_for_function("high => Math.abs(them.height - high) <= 1", arg=inside)
    return int(page.evaluate("Number(them.height)"))


def test_it_is_the_figure_alone(around: Callable[[str], Page]) -> None:
    inside = figure_in(around("mode=warn&grants=ABAB"))
    expect(inside.locator("table.run")).to_be_visible()
    for other in ("header.top", "footer", "nav", ".prose", ".strip", ".seeds"):
        for one in inside.locator(other).all():
            expect(one).to_be_hidden()
    expect(inside.locator("[data-figure]")).to_have_count(1)


def test_it_tells_its_height_and_nothing_of_it_needs_scrolling(
    around: Callable[[str], Page], site: str
) -> None:
    page = around("mode=warn&grants=ABAB&step=1")
    high = settled(page)
    assert high > 200
    told = page.evaluate("told")
    assert {one["origin"] for one in told} == {site[: site.index("/", 8)]}
    assert all(set(one) == {"origin", "explorer", "height"} for one in told)
    assert frame_of(page).evaluate(
        "document.documentElement.scrollHeight <= innerHeight + 1"
        " && document.documentElement.scrollWidth <= innerWidth"
    )


def test_what_grows_and_shrinks_is_told_again(around: Callable[[str], Page]) -> None:
    page = around("mode=warn&grants=ABAB&step=4")
    before = settled(page)
    figure_in(page).get_by_role("button", name="Keys").click()
    opened = settled(page)
    assert opened > before
    page.keyboard.press("Escape")
    assert settled(page) < opened
    page.evaluate("them.width = 320")
    assert settled(page) > before, "narrow is higher"


def test_its_addresses_stay_those_of_a_figure_in_a_page(around: Callable[[str], Page]) -> None:
    page = around("mode=warn&grants=ABAB&step=4")
    inside = figure_in(page)
    inside.get_by_label("Back one grant").click()
    expect(inside.locator(".count b")).to_have_text("3")
    assert urlsplit(frame_of(page).url).query == "mode=warn&grants=ABAB&step=3&embed=1"
    frame_of(page).evaluate("location.reload()")
    expect(inside.locator(".count b")).to_have_text("3")
    expect(inside.locator("header.top")).to_be_hidden()


def test_the_keyboard_does_there_what_it_does_on_the_page(around: Callable[[str], Page]) -> None:
    page = around("mode=warn&grants=ABAB&step=4")
    inside = figure_in(page)
    inside.get_by_role("slider").focus()
    page.keyboard.press("Home")
    expect(inside.locator(".count b")).to_have_text("0")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(inside.locator(".count b")).to_have_text("2")
    page.keyboard.press("x")
    expect(inside.locator("tr.now del")).to_have_text("careful’s line")


def test_the_way_out_opens_the_explorer_in_a_window_of_its_own(
    around: Callable[[str], Page], site: str
) -> None:
    page = around("mode=warn&grants=ABAB&step=2")
    link = figure_in(page).get_by_role("link", name="Open in the explorer")
    expect(link).to_have_attribute("rel", "noopener")
    with page.context.expect_page() as opening:
        link.click()
    opened = opening.value
    opened.wait_for_selector("html[data-ready]")
    assert opened.url == f"{site}sections/?mode=warn&grants=ABAB&step=2"
    assert opened.evaluate("opener") is None
    expect(opened.locator("header.top")).to_be_visible()
    expect(opened.locator(".count b")).to_have_text("2")


def test_python_runs_there_too(around: Callable[[str], Page]) -> None:
    page = around("mode=warn&writers=careful,overwriter&grants=AAB")
    expect(figure_in(page).locator("tr.loss")).to_contain_text(
        "acknowledged work survives", timeout=60_000
    )
