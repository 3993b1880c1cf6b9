"""The other scenarios' pages: wide pictures, several rows, placed faults, and the way from one
variant to the next."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from explorer import pages
from sim_core.judge.scenario import load
from tests.browser.panels import with_panels
from tests.browser.reading import at_step, query, rows, with_python
from tests.browser.test_everybody import LOOKS, findings, look
from tests.browser.test_reading import NO_HURRY, figure_of, plain

Open = Callable[..., Page]
OTHERS = [slug for slug in pages.SLUGS if slug != "sections"]
WIDTHS = [320, 900, 1280]

PASSES = """() => {
  const figure = document.querySelector("#figure").getBoundingClientRect();
  const drawn = document.querySelectorAll(".run :is(.whole, .act, .out, th, td)");
  return [...drawn].filter((each) => each.getClientRects().length && !each.closest(".unseen"))
    .filter((each) => each.getBoundingClientRect().right > figure.right + 1)
    .map((each) => each.innerText);
}"""

CROWDED = """() => {
  const heads = [...document.querySelectorAll(".run thead th")].map((head) => {
    const text = document.createRange();
    text.selectNodeContents(head);
    return [head.innerText, text.getBoundingClientRect(), head.getBoundingClientRect()];
  });
  const row = parseFloat(getComputedStyle(document.querySelector(".run")).lineHeight);
  return heads.filter(([name, text, head]) => text.width > head.width + 1
    || (name && text.height > 1.6 * row)).map(([name]) => name);
}"""

TORN = """() => {
  const walker = document.createTreeWalker(document.querySelector("#explorer"), 4);
  const torn = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const found of node.data.matchAll(/\\d{4}-\\d\\d-\\d\\d(T[\\d:]+Z)?/g)) {
      if (node.parentElement.closest(".unseen, [role=status], .address")) continue;
      const range = document.createRange();
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      if (range.getClientRects().length > 1) torn.push(found[0]);
    }
  }
  return torn;
}"""


@pytest.mark.parametrize("slug", OTHERS)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_picture_stays_in_the_figure(story: Open, slug: str, width: int) -> None:
    page = story(f"{slug}/", viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(TORN) == []
    if (slug, width) != ("five", 900):  # five lanes and four columns: scrolled, as a last resort
        assert page.evaluate(PASSES) == []
    if width > 320:
        assert page.evaluate(CROWDED) == []


@pytest.mark.parametrize("slug", OTHERS)
def test_a_script_draws_what_stood_there_before(
    new_page: Open, dist: Path, site: str, slug: str
) -> None:
    page = new_page("")
    page.add_init_script(NO_HURRY)
    page.goto(f"{site}{slug}/")
    page.wait_for_selector("html[data-ready]")
    written = figure_of((dist / slug / "index.html").read_text(encoding="utf-8"))
    drawn = page.locator("#explorer").inner_html().replace(site, "…/")
    assert plain(drawn) == plain(written).replace('<fieldset disabled="">', "<fieldset>")


@pytest.mark.parametrize("slug", OTHERS)
def test_the_headline_is_the_scenarios_and_no_other_page_has_it(story: Open, slug: str) -> None:
    page = story(f"{slug}/")
    expect(page.locator("h1")).to_have_text(load(slug).title)


def test_values_stand_in_the_line_of_their_row(story: Open) -> None:
    page = story("clear/")
    levels = """() => [...document.querySelectorAll(".run tbody tr")].map((row) =>
      [...row.querySelectorAll("td.db .line")].map((value) =>
        [value.innerText.split("\\n")[0], Math.round(value.getBoundingClientRect().top)]))"""
    drawn = [row for row in page.evaluate(levels) if row]
    assert all(
        len(row) == 4 and max(y for _, y in row) - min(y for _, y in row) <= 3 for row in drawn
    )
    assert [value for value, _ in drawn[0]] == ["1", "open", "–", "1"]
    expect(page.locator("tr.now.more del")).to_have_count(4)


def test_at_320_pixels_every_value_is_named_beside_its_row(story: Open) -> None:
    page = story("clear/", viewport={"width": 320, "height": 800})
    removed = " ".join(page.locator("tr.now.more").inner_text().split())
    assert removed.startswith("id 2") and "status done" in removed and "revision 3" in removed


def test_time_that_passes_is_a_time_of_day(story: Open) -> None:
    page = story("seams/")
    expect(page.locator("td.time").first).to_contain_text("6 h 30 min pass: 15:30 UTC")


def test_another_zone_is_chosen_in_the_same_order(story: Open) -> None:
    page = story("seams/")
    grants = query(page)["grants"]
    page.get_by_label("time zone").select_option("UTC")
    expect(page.locator("tr.loss")).to_have_count(0, timeout=60_000)
    assert query(page) == {"seam": "local", "grants": grants}


def test_where_a_kill_is_placed_the_button_says_so_and_one_may_go_on_without(story: Open) -> None:
    opening = load("receipts").opening.removeprefix("receipts")
    page = story(f"receipts/{opening}&step=6")
    expect(page.locator(".choose")).to_contain_text("agent2: † killed here, as placed")
    page.get_by_role("button", name="goes on, not killed").click()
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)
    at_step(page, 7)
    assert "faults" not in query(page) and query(page)["grants"]
    assert "INSERT INTO receipts" in rows(page)[7]
    expect(page.locator("tr.loss")).to_have_count(0)


def test_from_one_round_to_the_next_by_one_click_each(story: Open) -> None:
    page = story("receipts/")
    expect(page.locator("h1")).to_have_text(load("receipts").title)
    for label, what, red in [
        ("Same order, round 1", "round 1", False),
        ("Next: agent, worker and watcher", "writers agent, worker, watcher", True),
        ("round 2", "round 2", False),
    ]:
        page.locator(".scrub .on").filter(has_text=label).click()
        expect(page.locator(".what")).to_contain_text(what)
        expect(page.locator("tr.loss")).to_have_count(1 if red else 0)
    page.locator("[data-action=cast]").click()
    expect(page.locator(".what")).to_contain_text("round 2")
    expect(page.locator(".what")).not_to_contain_text("watcher")


def test_relabel_is_dropped_by_one_click(story: Open) -> None:
    page = story("trust/")
    page.locator("[data-action=cast]").click()
    expect(page.locator("thead th.lane").nth(1)).to_contain_text("agent2")
    expect(page.locator(".what")).to_contain_text("read-then-write")
    expect(page.locator("tr.loss")).to_have_count(0)


def test_the_same_order_under_the_fix_is_that_order(story: Open) -> None:
    page = story("seams/")
    grants = query(page)["grants"]
    page.locator(".scrub .on").filter(has_text="Same order, seam closed").click()
    expect(page.locator(".what")).to_contain_text("seam closed")
    assert query(page)["grants"] == grants


def test_what_reads_the_machine_is_not_called_reproduced(story: Open) -> None:
    page = with_machine(story("seams/?seam=leaky&tz=%2B09:00"))
    expect(page.locator(".leaks")).to_contain_text("no two days give the same run")
    expect(page.locator(".python")).not_to_contain_text("reproduced")


def with_machine(page: Page) -> Page:
    expect(page.locator(".python")).to_contain_text("just now", timeout=60_000)
    return page


@pytest.mark.parametrize("address", ["", "five/", "bench/"])
def test_every_scenario_is_one_click_away(new_page: Open, address: str) -> None:
    page = new_page(address)
    page.wait_for_selector("html[data-ready]")
    links = page.locator("footer nav a")
    assert links.count() == len(pages.SLUGS)
    current = page.locator("footer nav [aria-current=page]").all_inner_texts()
    assert current == (["Five"] if address == "five/" else [])
    links.last.click()
    page.wait_for_url("**/trust/**")


def test_the_front_page_lists_scenarios_by_their_sentence(new_page: Open) -> None:
    page = new_page("")
    for slug in pages.SLUGS:
        expect(
            page.locator("[aria-labelledby=scenarios]").get_by_role("link", name=load(slug).title)
        ).to_be_visible()


@pytest.mark.parametrize("slug", OTHERS)
@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_axe_finds_nothing_on_any_page(story: Open, slug: str, scheme: str, width: int) -> None:
    page = story(f"{slug}/", **look(scheme, width))
    assert findings(page) == []


def test_the_matrix_is_made_again_beside_the_runs_that_it_is_made_of(story: Open) -> None:
    page = story("owners/")
    matrix = page.locator("#matrix")
    expect(matrix.get_by_role("heading", name="Which check sees which failure")).to_be_visible()
    matrix.get_by_role("button", name="Run it again in this browser").click()
    expect(matrix.get_by_role("status")).to_contain_text("20 of 20", timeout=60_000)


def test_incidence_is_of_the_scenario_on_whose_page_it_stands(story: Open) -> None:
    page = story("trust/")
    variants = page.locator("#incidence tbody th").all_inner_texts()
    assert variants
    assert all(each.startswith("trust") for each in variants)


def test_a_bar_of_the_log_leads_to_its_checkpoint(story: Open) -> None:
    page = with_panels(story("checkpoint/"))
    page.locator(".wal .column").nth(1).click()
    at_step(page, 7)
    expect(page.locator("tr[aria-current=step]")).to_contain_text("wal_checkpoint(PASSIVE)")
    expect(page.locator(".wal .column.later")).to_have_count(2)


def test_shipped_casts_are_reproduced_too(story: Open) -> None:
    with_python(story("receipts/"))
