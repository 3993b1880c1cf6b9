"""What stands there before any script runs, and that a script draws the same."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reading import rows

Open = Callable[..., Page]


def test_figure_1_reads_with_javascript_switched_off(new_page: Open) -> None:
    page = new_page("sections/", java_script_enabled=False)
    expect(page.locator("h1")).to_contain_text("lost its line")
    expect(page.locator("tr.now del")).to_have_text("careful’s line")
    expect(page.locator("tr.now del")).to_be_visible()
    assert page.locator("tbody .told").all_inner_texts() == ["told “success”"] * 2
    expect(page.locator("tr.loss")).to_contain_text("lost")
    expect(page.locator("[data-action=watch]")).to_be_hidden()
    assert page.locator("#explorer :is(button, input, select):enabled").count() == 0


NO_HURRY = "Object.defineProperty(navigator, 'connection', {value: undefined})"
"""Then Python waits for a pointer or the focus, and does not use an idle moment."""


def test_a_script_draws_what_stood_there_before(new_page: Open, dist: Path, site: str) -> None:
    written = figure_of((dist / "sections" / "index.html").read_text(encoding="utf-8"))
    page = new_page("")
    page.add_init_script(NO_HURRY)
    page.goto(site + "sections/")
    page.wait_for_selector("html[data-ready]")
    alive = plain(written).replace('<fieldset disabled="">', "<fieldset>")
    drawn = page.locator("#explorer").inner_html().replace(site, "…/")
    assert plain(drawn) == alive


def figure_of(html: str) -> str:
    return html.split('<div id="explorer" data-figure="figure">')[1].split("</div>\n<script")[0]


def plain(html: str) -> str:
    """HTML without the live pen's comments, attributes and references written one way."""
    html = re.sub(r"<!--.*?-->", "", html)
    for reference, sign in {"&#39;": "'", "&quot;": '"', "&gt;": ">"}.items():
        html = html.replace(reference, sign)
    return re.sub(r"<(\w+)((?: [\w-]+=\"[^\"]*\")+)>", _in_order, html)


def _in_order(tag: re.Match[str]) -> str:
    """The live pen sets what it binds last; the order of attributes means nothing."""
    attributes = sorted(re.findall(r' [\w-]+="[^"]*"', tag[2]))
    return f"<{tag[1]}{''.join(attributes)}>"


def test_the_front_page_steps_and_its_address_is_the_scenarios(new_page: Open, site: str) -> None:
    page = new_page("")
    page.wait_for_selector("html[data-ready]")
    expect(page).to_have_url(site)
    expect(page.locator("tr.now del")).to_have_text("careful’s line")
    page.get_by_label("Back one grant").click()
    expect(page).to_have_url(site + "sections/?mode=warn&seed=16&step=3")
    expect(page.locator(".address code")).to_have_text(page.url)
    page.get_by_label("seed 2,").click()
    expect(page).to_have_url(site + "sections/?mode=warn&seed=2")
    shown = rows(page)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert rows(page) == shown
    page.go_back()
    page.go_back()
    expect(page).to_have_url(site)


def test_the_front_page_leads_to_the_scenario_after_a_step_too(new_page: Open, site: str) -> None:
    page = new_page("")
    page.wait_for_selector("html[data-ready]")
    page.get_by_label("Back one grant").click()
    page.locator("main a[href$='sections/']").click()
    expect(page).to_have_url(site + "sections/?mode=warn&seed=16")
    expect(page.locator("table.run")).to_be_visible()


def test_five_writers_fit_side_by_side(figure: Open) -> None:
    page = figure("?mode=warn&writers=careful,blind,careful,blind,reader&seed=4")
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)
    expect(page.locator("h1")).to_have_text(
        "Three of five agents heard “success”. One of them lost its line."
    )
    assert page.locator("thead th.lane").all_inner_texts()[2].split() == ["C", "careful2"]
    expect(page.get_by_label("writer C, careful2")).to_have_count(1)
    spills = """() => [...document.querySelectorAll(".run td, .run th")].filter((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return !cell.querySelector(".unseen")
        && range.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1;
    }).map((cell) => cell.innerText)"""
    assert page.evaluate(spills) == []


def test_on_paper_a_loss_is_ink_and_the_address_is_whole(figure: Open, site: str) -> None:
    page = figure("?mode=warn&seed=16")
    page.emulate_media(media="print")
    red = page.locator(".seeds .red").first
    assert red.evaluate("e => getComputedStyle(e).color") == "rgb(0, 0, 0)"
    assert red.evaluate("e => getComputedStyle(e).backgroundColor") == "rgba(0, 0, 0, 0)"
    expect(page.get_by_text("Each button is one run.")).to_be_hidden()
    expect(page.locator(".lattice")).to_be_hidden()
    expect(page.locator(".address code")).to_have_text(site + "sections/?mode=warn&seed=16")


def test_the_count_under_the_strip_is_the_datas(figure: Open) -> None:
    page = figure()
    data = json.loads(page.locator("#figure-data").text_content() or "")
    warn = next(each for each in data["families"] if "mode=warn" in each["recipe"])
    red = sum(bool(warn["runs"][place]["violations"]) for place in warn["seeds"])
    expect(page.locator(".strip p")).to_contain_text(f"{red} of 30")
    expect(page.locator(".strip p")).to_contain_text("17 of 30")
    assert page.locator(".seeds .red").count() == red
    page.locator("[data-value=enforce]").click()
    expect(page.locator(".strip p")).to_contain_text("0 of 30")
    expect(page.locator("h1")).not_to_contain_text("lost its line")


def test_at_320_pixels_a_long_run_keeps_its_bar_inside_the_figure(figure: Open) -> None:
    many = "?mode=warn&writers=careful,blind,careful,blind,careful&seed=4"
    page = figure(many, viewport={"width": 320, "height": 640})
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)
    bar = page.locator(".scrub").bounding_box()
    last = page.locator(".scrub button").last.bounding_box()
    assert bar and last
    assert last["x"] + last["width"] <= bar["x"] + bar["width"] + 1


@pytest.mark.parametrize("width", [320, 400, 768, 1280])
def test_nothing_is_wider_than_the_window(figure: Open, width: int) -> None:
    page = figure(viewport={"width": width, "height": 800})
    for _ in range(2):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.locator("[data-action=daggers]").click()


def test_at_320_pixels_a_row_names_its_writer_and_keeps_the_version(figure: Open) -> None:
    page = figure(viewport={"width": 320, "height": 800})
    last = next(row for row in reversed(rows(page)) if "UPDATE" in row)
    assert re.search(r"blind UPDATE .* version 3", last), last


def test_what_can_be_clicked_is_24_pixels_in_each_direction(figure: Open) -> None:
    page = figure(viewport={"width": 320, "height": 800})
    page.locator("[data-action=daggers]").click()
    for target in page.locator("#explorer :is(button, select, input, label)").all():
        if not target.is_visible() or target.get_attribute("type") in ("radio", "checkbox"):
            continue  # a label is as large as it has to be; what is folded away is no target
        box = target.bounding_box()
        if box:
            assert box["width"] >= 24 and box["height"] >= 24, target.evaluate("e => e.outerHTML")
