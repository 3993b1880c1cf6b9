"""The axis of virtual time: drawn where there is room, a list where there is none, and either way
to be read, pressed and walked by keyboard."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reading import at_step
from tests.browser.test_everybody import LOOKS, findings, look

Open = Callable[..., Page]
THEFT = "claims/"
ADDRESSES = [
    THEFT,
    "claims/?startup=3&step=0",
    "claims/?startup=119&seed=5&faults=A2before:crash",
    "claims/?startup=600&writers=session,pm,operator,racer,reaper",
]

TOUCHING = """() => {
  const seen = [...document.querySelectorAll(".timeline text")]
    .filter((each) => each.textContent.trim()
    && getComputedStyle(each).visibility === "visible");
  const boxes = seen.map((each) => [each.textContent.trim(), each.getBoundingClientRect()]);
  const page = document.querySelector("#figure").getBoundingClientRect();
  const outside = boxes.filter(([, box]) => box.left < page.left - 1 || box.right > page.right + 1);
  const touching = boxes.flatMap(([text, a], place) => boxes.slice(0, place)
    .filter(([, b]) => a.left < b.right && b.left < a.right
      && a.top < b.bottom - 2 && b.top < a.bottom - 2)
    .map(([other]) => `${text} / ${other}`));
  return [boxes.length, outside.map(([text]) => text), touching];
}"""


@pytest.fixture
def story(story: Open) -> Open:
    """Waits for the moments, too."""

    def open_one(address: str, **profile: object) -> Page:
        page = story(address, **profile)
        expect(page.locator(".moments")).to_be_attached(timeout=60_000)
        return page

    return open_one


def grant_of(page: Page, label: str) -> int:
    """The grant of the moment with that label, as the list has it."""
    one = page.locator(".moments ol button").filter(has_text=label)
    return int(one.get_attribute("data-value") or "")


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("width", [880, 1280])
def test_no_text_is_on_another(story: Open, address: str, width: int) -> None:
    page = story(address, viewport={"width": width, "height": 900})
    expect(page.locator(".timeline")).to_be_visible()
    count, outside, touching = page.evaluate(TOUCHING)
    assert count > 5
    assert outside == []
    assert touching == []


def test_the_theft_is_seen_at_once(story: Open) -> None:
    page = story(THEFT)
    shown, evicted = (
        page.locator(".timeline .moment").filter(has_text=text)
        for text in ("its sentinel shows", "evicted")
    )
    expect(evicted.locator(".broke")).to_contain_text("only the dead are reaped")
    expect(evicted.locator(".broke")).to_be_visible()
    left = "e => e.querySelector('.mark').getBoundingClientRect().left"
    assert evicted.evaluate(left) < shown.evaluate(left)
    page.get_by_role("slider").fill(str(grant_of(page, "not there")))
    expect(page.locator(".timeline .now")).to_contain_text("not there")
    expect(evicted.locator(".broke")).to_be_hidden()


def test_a_press_on_a_moment_goes_to_its_grant(story: Open) -> None:
    page = story(THEFT)
    page.locator(".timeline .moment").filter(has_text="claim registered").click()
    at_step(page, grant_of(page, "claim registered"))
    page.locator(".timeline .moment").filter(has_text="evicted").locator(".mark").click()
    at_step(page, grant_of(page, "evicted"))


def test_by_keyboard_the_list_shows_itself_and_moves_nothing(story: Open) -> None:
    page = story(THEFT)
    place = "document.querySelector('table.run').getBoundingClientRect().top + scrollY"
    before = page.evaluate(place)
    one = page.locator(".moments ol button")
    assert one.first.evaluate("e => e.closest('ol').getBoundingClientRect().width") <= 1
    page.get_by_role("button", name="What broke").focus()
    page.keyboard.press("Tab")
    expect(one.first).to_be_focused()
    assert one.first.evaluate("e => e.closest('ol').getBoundingClientRect().width") > 300
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    at_step(page, grant_of(page, "not there"))
    expect(one.nth(1)).to_be_focused()
    expect(page.locator(".moments li[aria-current=step]")).to_contain_text("not there")
    assert page.evaluate(place) == before


def test_at_320_pixels_it_is_a_list_downwards(story: Open) -> None:
    page = story(THEFT, viewport={"width": 320, "height": 900})
    expect(page.locator(".timeline")).to_be_hidden()
    said = [" ".join(each.split()) for each in page.locator(".moments li").all_inner_texts()]
    assert [each.split(" A ")[0].split(" B ")[0] for each in said] == [
        "0 s", "2 min later 2 min", "2 min", "8 min later 10 min", "10 min",
    ]  # fmt: skip
    assert "✗ broken: only the dead are reaped" in said[2]
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.locator(".moments button").first.click()
    at_step(page, grant_of(page, "claim registered"))


def test_without_a_script_it_stands(new_page: Open) -> None:
    page = new_page(THEFT, java_script_enabled=False)
    expect(page.locator(".timeline")).to_be_visible()
    expect(page.locator(".timeline .broke")).to_contain_text("only the dead are reaped")


def test_forced_colours_leave_shapes_and_lines(story: Open) -> None:
    page = story(THEFT, forced_colors="active")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    fill, stroke = ("e => getComputedStyle(e).fill", "e => getComputedStyle(e).stroke")
    assert page.locator(".timeline .moment .mark").first.evaluate(fill) != ground
    assert page.locator(".timeline .lane").first.evaluate(fill) != ground
    assert page.locator(".timeline .span").first.evaluate(stroke) != ground


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_axe_finds_nothing_while_the_list_has_the_focus(
    story: Open, scheme: str, width: int
) -> None:
    page = story(THEFT, **look(scheme, width))
    page.locator(".moments button").nth(2).focus()
    assert findings(page) == []
    page.keyboard.press("Enter")
    at_step(page, grant_of(page, "evicted"))
    assert findings(page) == []


@pytest.mark.parametrize("slug", ["sections", "seams"])
def test_where_no_moments_are_named_there_is_no_axis(dist: Path, slug: str) -> None:
    assert 'class="moments' not in (dist / slug / "index.html").read_text(encoding="utf-8")
