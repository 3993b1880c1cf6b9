"""What a test reads off the figure, in a few words. A helper, not a test."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

PYTHON_IS_THERE = "reproduced in your browser"


def step(page: Page) -> int:
    return int(page.locator(".count b").inner_text())


def at_step(page: Page, number: int) -> None:
    expect(page.locator(".count b")).to_have_text(str(number))


def rows(page: Page) -> list[str]:
    """Every row of the table, as text."""
    return [" ".join(row.split()) for row in page.locator("table.run tbody tr").all_inner_texts()]


def query(page: Page) -> dict[str, str]:
    return {key: values[0] for key, values in parse_qs(urlsplit(page.url).query).items()}


def with_python(page: Page) -> Page:
    """Show intent, and wait until Python has run the shipped runs again."""
    page.locator("#figure").hover(position={"x": 5, "y": 5})
    expect(page.locator(".python")).to_contain_text(PYTHON_IS_THERE, timeout=60_000)
    return page
