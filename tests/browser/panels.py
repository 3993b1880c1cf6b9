"""What a test reads off the panels, and the same asked of the native core. A helper, not a test."""

import json
from typing import Any

from playwright.sync_api import Locator, Page, expect

from sim_core import bridge

LONG = 300_000
"""A search of tens of thousands of orders on a machine that has other things to do, too."""


def native(**request: object) -> dict[str, Any]:
    answer = json.loads(bridge.handle(json.dumps({"version": 1, **request})))
    assert isinstance(answer, dict)
    return answer


def searched(recipe: str, **more: object) -> dict[str, Any]:
    """Every order of a recipe, natively."""
    return native(ask="exhaust", recipe=recipe, steps=100_000, **more)


def with_panels(page: Page) -> Page:
    """Show intent, and wait for the script that comes then."""
    page.locator("#figure").hover(position={"x": 5, "y": 5})
    expect(page.locator(".panel.every")).to_be_visible(timeout=60_000)
    return page


def prove(page: Page, button: str = "Prove over every order") -> Locator:
    """Press, and return the sentence once the search is over."""
    page.get_by_role("button", name=button).click()
    return proved(page)


def proved(page: Page) -> Locator:
    expect(page.locator(".every .scope")).to_be_visible(timeout=LONG)
    return page.locator(".every .verdict")


def ends(page: Page) -> list[tuple[int, str, str]]:
    """Orders, word and witness of every end."""
    rows = page.locator(".outcomes tbody tr").all()
    return [
        (
            int(row.locator("th b").inner_text().replace(",", "")),
            row.locator(".word").inner_text().split(" ", 1)[1],
            str(row.locator("a").get_attribute("href")).split("grants=")[1].split("&")[0],
        )
        for row in rows
    ]


def ends_of(found: dict[str, Any], red: str) -> list[tuple[int, str, str]]:
    """The same from an answer of the core."""
    return [
        (
            end["count"],
            red if end["broken"] else "held",
            end["witness"].split("grants=")[1].split("&")[0],
        )
        for end in found["outcomes"]
    ]


def count(text: str) -> int:
    """The first figure in a text."""
    digits = next(word for word in text.replace(",", "").split() if word.isdigit())
    return int(digits)
