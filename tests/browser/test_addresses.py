"""An address names exactly what is shown, and a bad one is answered in one sentence."""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reading import query, rows, step

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
def test_a_bad_address_is_answered_in_one_sentence(figure: Open, address: str) -> None:
    page = figure(address)
    culprit, allowed = BAD[address]
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(culprit)
    expect(alert).to_contain_text(allowed)
    assert "\n" not in alert.inner_text()
    expect(page.locator("tr.now del")).to_have_text("careful’s line")
    assert query(page)["mode"] == "warn"


def test_a_bad_address_after_a_good_one_keeps_the_good_run(figure: Open) -> None:
    page = figure("?mode=warn&grants=AABB")
    good, address = rows(page), page.url
    page.evaluate(
        "history.pushState(null, '', '?mode=blue'); dispatchEvent(new PopStateEvent('popstate'))"
    )
    expect(page.get_by_role("alert")).to_contain_text("mode=blue")
    assert rows(page) == good
    expect(page).to_have_url(address)
