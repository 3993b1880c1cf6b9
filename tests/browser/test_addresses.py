"""An address names exactly what is shown, and a bad one is answered in one sentence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reading import at_step, query, rows, step

Open = Callable[..., Page]


def copied(page: Page) -> str:
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_the_bare_page_spells_out_its_opening_run(figure: Open) -> None:
    assert query(figure())["mode"] == "warn"


def test_a_shared_address_shows_the_same_step_rows_and_hash_to_somebody_new(
    figure: Open, site: str
) -> None:
    sender = figure("?mode=warn&grants=ABAB", permissions=["clipboard-read", "clipboard-write"])
    sender.get_by_label("Back one grant").click()
    link = copied(sender)
    assert link.startswith(site + "sections/?")
    receiver = figure("?" + urlsplit(link).query)
    assert step(receiver) == step(sender) == 3
    assert rows(receiver) == rows(sender)
    expect(receiver.locator(".problem")).to_have_count(0)
    spelled = dict(part.split("=") for part in urlsplit(link).query.split("&"))
    assert spelled["grants"] == "ABAB"
    engine, digest = spelled["check"].split(".")
    assert int(engine) >= 1 and len(digest) == 8


def test_a_link_with_another_outcome_says_so(figure: Open) -> None:
    page = figure("?mode=warn&grants=ABAB&check=1.00000000")
    expect(page.get_by_role("alert")).to_contain_text("copied from an outcome 1.00000000")
    expect(page.locator("table.run")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text(f"comes to {digest(page)}")
    page.get_by_role("button", name="Go on with this run").click()
    expect(page.get_by_role("alert")).to_have_count(0)


def digest(page: Page) -> str:
    runs = json.loads(page.locator("#figure-data").text_content() or "")["families"][1]["runs"]
    run = next(run for run in runs if run["grants"] == "ABAB")
    return f"{run['engine']}.{run['hash'][:8]}"


BAD = {
    "?mode=blue": ("mode=blue", "enforce or warn"),
    "?colour=red": ("colour", "mode, writers"),
    "?writers=careful,nobody": ("nobody", "careful, blind, overwriter, reader"),
    "?seed=minus": ("seed=minus", "whole number"),
    "?seed=9007199254740992": ("seed=9007199254740992", "9007199254740991"),
    "?mode=warn&faults=A1during:crash": ("A1during:crash", "A2after:crash"),
    "?mode=warn&grants=ABAB&step=99": ("step=99", "0 to 4"),
    "?mode": ("mode", "key=value"),
    "?mode=%zz": ("%zz", "percent"),
    "?mode=warn&mode=warn": ("mode", "twice"),
    "?grants=" + "A" * 9000: ("characters", "8000"),
    "?mode=<img src=x onerror=alert(1)>": ("mode=<img", "enforce or warn"),
}


@pytest.mark.parametrize("address", BAD, ids=lambda address: address[:30])
def test_a_bad_address_is_answered_in_one_sentence(figure: Open, site: str, address: str) -> None:
    page = figure(address)
    culprit, allowed = BAD[address]
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(culprit)
    expect(alert).to_contain_text(allowed)
    assert "\n" not in alert.inner_text()
    expect(alert).to_contain_text("The opening run is shown instead.")
    expect(page.locator("tr.now del")).to_have_text("careful’s line")
    assert len(alert.inner_text()) < 350
    asked = urlsplit(site + "sections/" + quote(address, safe="?&=%<>: "))
    assert unquote(urlsplit(page.url).query) == unquote(asked.query), "the culprit stays to be read"
    page.get_by_label("Back one grant").click()
    assert query(page) == {"mode": "warn", "seed": "16", "step": "3"}
    expect(alert).to_be_visible()


def test_a_bad_address_after_a_good_one_keeps_the_good_run(figure: Open) -> None:
    page = figure("?mode=warn&grants=AABB")
    good = rows(page)
    page.evaluate(
        "history.pushState(null, '', '?mode=blue'); dispatchEvent(new PopStateEvent('popstate'))"
    )
    expect(page.get_by_role("alert")).to_contain_text("mode=blue")
    expect(page.get_by_role("alert")).to_contain_text("The last good run is shown instead.")
    assert rows(page) == good
    assert query(page) == {"mode": "blue"}


def test_a_run_to_come_keeps_its_step_and_lands_on_it(figure: Open) -> None:
    address = "?mode=warn&writers=careful,blind,careful,overwriter&seed=3&step=4"
    page = figure(address, viewport={"width": 320, "height": 640})
    assert query(page)["step"] == "4"
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)
    at_step(page, 4)
    assert query(page)["step"] == "4"
    expect_in_view(page)


@pytest.mark.parametrize("step", [1, 3, 4])
def test_a_shipped_step_is_in_view_at_320_by_640(figure: Open, step: int) -> None:
    page = figure(f"?mode=warn&grants=ABAB&step={step}", **NARROW)
    expect_in_view(page)


def test_back_and_forward_land_on_the_step(figure: Open) -> None:
    page = figure("?mode=warn&grants=ABAB&step=4", **NARROW)
    page.get_by_label("seed 2,").click()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.go_back()
    at_step(page, 4)
    expect_in_view(page)
    page.evaluate("scrollTo(0, 0)")
    page.go_forward()
    expect(page.locator(".what")).to_contain_text("seed 2")
    expect_in_view(page)


def test_the_end_key_brings_the_whole_row_clear_of_the_bar(figure: Open) -> None:
    page = figure("?mode=warn&grants=ABAB&step=1", **NARROW)
    page.get_by_label("go to the start").focus()
    page.keyboard.press("End")
    at_step(page, 4)
    expect_in_view(page)


NARROW: dict[str, Any] = {"viewport": {"width": 320, "height": 640}}


def expect_in_view(page: Page) -> None:
    """The current row stands in the window, and not under the sticky bar."""
    page.wait_for_function(
        """() => {
          const row = document.querySelector("tr.now").getBoundingClientRect();
          const bar = document.querySelector(".scrub").getBoundingClientRect();
          return row.top >= 0 && row.bottom <= Math.min(bar.top, innerHeight) + 1;
        }"""
    )


def test_a_link_from_below_a_path_names_that_path(figure: Open, site: str) -> None:
    page = figure("?mode=warn&grants=ABAB")
    expect(page.locator(".address code")).to_have_text(site + "sections/?mode=warn&grants=ABAB")


def test_without_a_clipboard_the_link_is_printed_to_be_taken(figure: Open) -> None:
    page = figure("?mode=warn&grants=ABAB")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_role("alert")).to_contain_text("sections/?mode=warn&grants=ABAB&check=1.")
    expect(page.get_by_role("alert")).to_be_in_viewport()


@pytest.mark.parametrize("wrong", ["-5", "1e3", "1.5", ""])
def test_a_bad_seed_is_answered_beside_its_field_and_the_run_stays(
    figure: Open, wrong: str
) -> None:
    page = figure("?mode=warn&grants=ABAB")
    good, address = rows(page), page.url
    seed = page.get_by_role("textbox", name="seed", exact=True)
    seed.fill(wrong)
    seed.press("Enter")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("a whole number from 0 to 9007199254740991")
    expect(seed).to_have_value(wrong)
    expect(seed).to_have_attribute("aria-invalid", "true")
    assert rows(page) == good
    expect(page).to_have_url(address)
    seed.fill("2")
    seed.press("Enter")
    expect(alert).to_have_count(0)
    expect(page.locator(".what")).to_contain_text("seed 2")


def test_keys_with_no_picker_of_their_own_are_shown_and_put_back(figure: Open) -> None:
    page = figure("?mode=warn&timeout=0.25&timers=any")
    expect(page.locator(".what")).to_contain_text("timeout 0.25 s")
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="timeout 0.25, put back").click()
    expect(page.locator(".what")).not_to_contain_text("timeout")
    assert query(page) == {"mode": "warn", "timers": "any"}


def test_a_missing_page_reads_without_any_file_and_links_nowhere_wrong(
    new_page: Open, dist: Path
) -> None:
    html = (dist / "404.html").read_text(encoding="utf-8")
    page = new_page("no/such/page", may_fail=True)
    page.set_content(html)
    expect(page.locator("h1")).to_have_text("There is no page at this address.")
    assert page.locator("a, script, link[rel=stylesheet]").count() == 0
