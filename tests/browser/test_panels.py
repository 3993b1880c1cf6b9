"""Searching, sweeping, killing, comparing, shrinking and drawing paths, in the page's own workers:
each comes to what the native core comes to, and the page can be used meanwhile."""

import time
from collections.abc import Callable
from statistics import median

import pytest
from playwright.sync_api import Page, expect

from tests.browser.panels import (
    LONG,
    count,
    ends,
    ends_of,
    native,
    prove,
    proved,
    searched,
    with_panels,
)
from tests.browser.reading import at_step, query, step

Open = Callable[..., Page]

MANY = "five?safety=off&writers=shipper,keeper,keeper&journal=wal&granularity=call"
"""Three writers of four steps, nobody waits: 12! / (4!)³ = 34,650 orders."""


@pytest.mark.parametrize(
    ("mode", "sentence"),
    [
        ("warn", "2 of 6 interleavings lose a line."),
        ("enforce", "Proved: none of 3 interleavings loses a line."),
    ],
)
def test_every_order_is_judged_as_natively(figure: Open, mode: str, sentence: str) -> None:
    page = with_panels(figure(f"?mode={mode}"))
    found = searched(f"sections?mode={mode}")
    expect(prove(page)).to_contain_text(sentence)
    assert ends(page) == ends_of(found, "lost")
    if mode == "warn":
        expect(page.locator(".every .verdict")).to_contain_text(found["probability"]["exact"])
    expect(page.locator("#figure").get_by_role("status")).to_have_text(sentence)


def test_a_kill_anywhere_is_tried_in_every_order(figure: Open) -> None:
    page = with_panels(figure("?mode=warn"))
    found = searched("sections?mode=warn", crashes=1)
    sentence = prove(page, "with one kill anywhere")
    expect(sentence).to_contain_text(f"{found['broken']} of {found['interleavings']}")
    page.get_by_role("button", name="more ends").click()
    assert ends(page) == ends_of(found, "lost")
    expect(page.locator(".every .scope")).to_contain_text("at most one kill")


def test_a_witness_opens_the_run_it_names_and_the_search_stays(figure: Open) -> None:
    page = with_panels(figure("?mode=warn"))
    prove(page, "with one kill anywhere")
    killed = page.locator(".witness", has_text="†").first
    address = str(killed.get_attribute("href"))
    killed.click()
    expect(page).to_have_url(address)
    expect(page.locator("td.mine .crash")).to_have_count(1)
    expect(page.locator(".outcomes .witness[aria-current]")).to_have_attribute("href", address)
    page.go_back()
    expect(page.locator(".outcomes")).to_be_visible()


def test_another_variant_has_its_own_search(figure: Open) -> None:
    page = with_panels(figure("?mode=warn"))
    prove(page)
    page.get_by_role("radio", name="enforce").check()
    expect(page.locator(".every")).to_contain_text("Seeds are a sample")
    page.get_by_role("radio", name="warn").check()
    expect(page.locator(".every .verdict")).to_contain_text("2 of 6")


@pytest.mark.alone
def test_a_search_of_34650_orders_stops_within_a_second_and_ends_with_the_native_count(
    new_page: Open,
) -> None:
    page = new_page("five/" + MANY.removeprefix("five"))
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)
    with_panels(page).get_by_role("checkbox", name="unreduced").check()
    page.get_by_role("button", name="Prove over every order").click()
    line = page.locator(".every p").first
    expect(line).to_contain_text("orders run, by", timeout=60_000)
    expect(page.locator(".every progress")).to_be_visible()
    first = count(line.inner_text())
    expect(line).not_to_contain_text(f"{first:,} of", timeout=60_000)
    at = step(page)
    page.get_by_label("Back one grant").click()
    at_step(page, at - 1)
    asked = time.perf_counter()
    page.locator(".every").get_by_role("button", name="Stop").click()
    expect(page.locator(".every .verdict")).to_contain_text("stopped")
    assert time.perf_counter() - asked < 1
    page.get_by_role("button", name="Prove over every order").click()
    found = searched(MANY)
    expect(proved(page)).to_contain_text(f"{found['broken']:,} of 34,650 interleavings")
    page.get_by_role("button", name="more end").click()
    assert ends(page) == ends_of(found, "broken")
    scope = page.locator(".every .scope")
    expect(scope).to_contain_text("brute force; 34,650 runs, ")
    expect(scope).to_contain_text("workers")


@pytest.mark.alone
def test_the_page_is_never_held_up_by_a_search(new_page: Open) -> None:
    page = new_page("five/" + MANY.removeprefix("five"))
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)
    with_panels(page).get_by_role("checkbox", name="unreduced").check()
    page.get_by_role("button", name="Prove over every order").click()
    expect(page.locator(".every p").first).to_contain_text("orders run, by", timeout=60_000)
    gaps = [page.evaluate(LONGEST_TASK, 4_000) for _ in range(3)]
    assert median(gaps) < 100, gaps
    page.locator(".every").get_by_role("button", name="Stop").click()


LONGEST_TASK = """async span => {
  const tasks = [0];
  const watch = new PerformanceObserver(list => {
    tasks.push(...list.getEntries().map(entry => entry.duration));
  });
  watch.observe({ entryTypes: ["longtask"] });
  await new Promise(resolve => setTimeout(resolve, span));
  watch.disconnect();
  return Math.max(...tasks);
}"""


def test_a_thousand_seeds_are_those_of_the_native_sweep(figure: Open) -> None:
    page = with_panels(figure("?mode=warn", permissions=["clipboard-read", "clipboard-write"]))
    page.get_by_role("button", name="Run these seeds").click()
    swept = native(ask="sweep", recipe="sections?mode=warn", seeds=[0, 999])
    bad = len(swept["broken"])
    expect(page.locator(".range .verdict")).to_contain_text(
        f"{bad} of 1,000 seeds lose a line.", timeout=LONG
    )
    expect(page.locator(".range .verdict")).to_contain_text(
        f"{len({run['grants'] for run in swept['runs']})} different orders"
    )
    columns = page.locator(".columns button")
    expect(columns).to_have_count(59)
    for place, column in enumerate(columns.all()):
        seeds = range(place * 17, min(place * 17 + 17, 1000))
        red = [seed for seed in swept["broken"] if seed in seeds]
        label = f"{len(red)} of {len(seeds)} lost; go to seed {[*red, seeds[0]][0]}"
        assert str(column.get_attribute("aria-label")).endswith(label)
    for place in (3, 20, 58):
        columns.nth(place).click()
        seed = int(str(columns.nth(place).get_attribute("data-value")))
        expect(page).to_have_url(page.url.split("?")[0] + f"?mode=warn&seed={seed}")
        expect(page.locator(".pickers input[aria-label=seed]")).to_have_value(str(seed))
        page.get_by_role("button", name="Copy link").click()
        link = page.evaluate("navigator.clipboard.readText()")
        assert link.endswith(swept["runs"][seed]["hash"][:8])


def test_a_few_seeds_are_buttons_and_stop_keeps_what_was_run(figure: Open) -> None:
    page = with_panels(figure("?mode=warn"))
    last = page.locator("[data-action=range-last]")
    last.fill("-1")
    page.keyboard.press("Enter")
    expect(page.locator(".range .refused")).to_contain_text("“-1” is not a last seed")
    last.fill("59")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Run these seeds").click()
    expect(page.locator(".range .verdict")).to_contain_text("of 60 seeds lose", timeout=60_000)
    red = native(ask="sweep", recipe="sections?mode=warn", seeds=[0, 59])["broken"]
    shown = page.locator(".range .seeds .red").all()
    assert [int(str(each.get_attribute("data-value"))) for each in shown] == red
    last.fill("99999")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Run these seeds").click()
    expect(page.locator(".range .verdict")).to_contain_text("so far of 100,000", timeout=60_000)
    page.locator(".range").get_by_role("button", name="Stop").click()
    expect(page.locator(".range .verdict")).to_contain_text("stopped of 100,000")


def test_each_kill_of_the_strip_is_what_the_core_says_of_it(figure: Open) -> None:
    page = with_panels(figure("?mode=warn&grants=BAAB"))
    page.get_by_role("button", name="Kill at each point").click()
    expect(page.locator(".kills .verdict")).to_contain_text("1 of 6 kills loses", timeout=60_000)
    daggers = page.locator(".daggers button")
    for dagger in daggers.all():
        run = native(ask="run", recipe=dagger.get_attribute("data-value"))
        word = "lost" if run["violations"] else "held"
        assert str(dagger.get_attribute("aria-label")).endswith(word)
    lost = page.locator(".daggers .red")
    lost.click()
    expect(page.locator("td.mine .crash")).to_have_count(1)
    expect(page.locator("tr.loss").first).to_be_visible()
    expect(lost).to_have_attribute("aria-current", "true")
    expect(daggers).to_have_count(6)


def test_a_writer_is_killed_where_it_waits_too(new_page: Open) -> None:
    page = with_panels(new_page("checkpoint/?leak=on"))
    page.get_by_role("button", name="Kill at each point").click()
    expect(page.locator(".kills .verdict")).to_contain_text("kills break", timeout=60_000)
    expect(page.locator("#figure").get_by_role("status")).to_contain_text(
        "kills break", timeout=60_000
    )
    for dagger in page.locator(".daggers button").all():
        run = native(ask="run", recipe=dagger.get_attribute("data-value"))
        word = "broken" if run["violations"] else "held"
        assert word in str(dagger.get_attribute("aria-label"))


def test_the_fix_stands_beside_the_loss_under_the_same_order(figure: Open) -> None:
    page = with_panels(figure("?mode=warn&grants=BAAB"))
    page.locator(".beside").get_by_role("button", name="mode enforce").click()
    ends_ = page.locator(".pair tfoot td")
    expect(ends_.nth(0)).to_contain_text("lost", timeout=60_000)
    expect(ends_.nth(1)).to_contain_text("held")
    expect(page.locator(".pair tbody tr")).to_have_count(4)
    expect(page.locator(".pair tbody tr.here")).to_contain_text("blind has nothing to do here")
    page.get_by_role("slider").fill("2")
    expect(page.locator(".pair .here th")).to_have_text("2")
    page.locator(".pair .go").nth(2).click()
    at_step(page, 3)
    page.get_by_label("seed 2,").first.click()
    expect(page.locator(".pair tbody th").last).to_have_text(str(step(page)))


def test_the_smallest_story_is_found_and_opened(figure: Open) -> None:
    start = "?mode=warn&writers=careful,blind,blind&grants=ABCACB"
    page = with_panels(figure(start))
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Smallest story").click()
    told = page.locator(".smallest p").first
    expect(told).to_contain_text("there is nothing smaller", timeout=60_000)
    found = native(ask="shrink", recipe=f"sections{start}", steps=100_000)
    assert found["smallest"] and query(page)["grants"] == found["grants"]
    expect(told).to_contain_text(f"after {found['runs']} runs")
    told.get_by_role("link").click()
    expect(page.locator(".what")).to_contain_text("careful, blind, blind")


def test_a_path_is_drawn_through_a_corner_and_dragged(figure: Open) -> None:
    page = with_panels(figure("?mode=warn&grants=AABB"))
    page.get_by_role("button", name="Weigh every order").click()
    expect(page.locator(".paths .scope")).to_contain_text("All 6 orders", timeout=60_000)
    page.locator(".ways [data-node='1,1']").click()
    expect(page.locator(".what")).to_contain_text("ABAB")
    assert query(page)["step"] == "2"
    near, far = (page.locator(f".ways [data-node='{node}'] .hit") for node in ("1,1", "0,2"))
    near.scroll_into_view_if_needed()
    for place, press in ((near, page.mouse.down), (far, page.mouse.up)):
        box = place.bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        press()
    expect(page.locator(".what")).to_contain_text("BBAA")
    at_step(page, 2)


def test_where_no_order_passes_it_is_said(new_page: Open) -> None:
    page = with_panels(new_page("receipts/?round=0&grants=AAABBBB"))
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Weigh every order").click()
    expect(page.locator(".paths .scope")).to_contain_text("All 2 orders", timeout=60_000)
    assert page.locator(".ways rect").count() > 0
    page.locator(".ways [data-node='1,1']").click()
    expect(page.get_by_role("alert")).to_contain_text("No order passes there")


def test_with_three_writers_two_are_picked_for_the_picture(figure: Open) -> None:
    page = with_panels(figure("?mode=warn&writers=careful,blind,overwriter&grants=ABCAB"))
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)
    expect(page.locator(".ways .axis").nth(1)).to_contain_text("B blind")
    page.locator(".paths select").nth(1).select_option("C")
    expect(page.locator(".ways .axis").nth(1)).to_contain_text("C overwriter")
    page.locator(".ways [data-node='0,1']").click()
    expect(page.locator(".what")).to_contain_text("CBAAB")


def test_on_a_narrow_page_the_picture_is_folded_and_nothing_overflows(figure: Open) -> None:
    page = with_panels(figure("?mode=warn", viewport={"width": 320, "height": 700}))
    expect(page.locator(".ways")).to_be_hidden()
    page.get_by_role("button", name="Run these seeds").click()
    page.locator(".beside").get_by_role("button", name="mode enforce").click()
    page.get_by_role("button", name="Kill at each point").click()
    prove(page, "with one kill anywhere")
    expect(page.locator(".range .verdict")).to_contain_text("of 1,000 seeds", timeout=LONG)
    expect(page.locator(".pair")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.locator(".paths summary").click()
    expect(page.locator(".ways")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_the_panels_are_reached_and_pressed_by_key(figure: Open) -> None:
    page = with_panels(figure("?mode=warn"))
    page.locator("[data-action=range-last]").focus()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Run these seeds")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".every [data-action^=prove]").first).to_be_focused()
    proved(page)
    expect(page.get_by_role("button", name="Prove over every order")).to_be_focused()


def test_who_leaves_while_the_smallest_story_is_looked_for_is_left_there(new_page: Open) -> None:
    off = "fix1=off&fix2=off&fix3=off&writers=hook,hook,hook,reconciler"
    page = with_panels(new_page(f"owners/?{off}&seed=1"))
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Smallest story").click()
    expect(page.locator(".smallest")).to_contain_text("runs tried", timeout=60_000)
    page.get_by_label("the seed after").click()
    expect(page).to_have_url(page.url.split("?")[0] + f"?{off}&seed=2", timeout=60_000)
    page.wait_for_timeout(1_000)
    assert query(page)["seed"] == "2"
    assert "grants" not in query(page)


def test_a_drag_that_ends_outside_leaves_no_draft(figure: Open) -> None:
    page = with_panels(figure("?mode=warn&grants=AABB"))
    near, far = (page.locator(f".ways [data-node='{node}'] .hit") for node in ("1,0", "1,1"))
    near.hover(force=True)
    page.mouse.down()
    far.hover(force=True)
    expect(page.locator(".draft")).to_have_count(1)
    page.mouse.move(1270, 5)
    page.mouse.up()
    far.hover(force=True)
    expect(page.locator(".draft")).to_have_count(0)
    assert query(page)["grants"] == "AABB"


def test_a_search_besides_a_kill_says_whom_it_leaves_alive(new_page: Open) -> None:
    page = with_panels(new_page("receipts/"))
    found = searched("receipts?round=0&faults=B3after:crash", crashes=1)
    counts = f"{found['broken']} of {found['interleavings']} interleavings"
    sentence = prove(page, "with one kill anywhere")
    expect(sentence).to_contain_text(f"{counts}, with at most one more kill anywhere in them,")
    expect(page.locator(".every .scope")).to_contain_text("at most one more killed")
