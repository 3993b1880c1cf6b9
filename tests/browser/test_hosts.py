"""Any folder of any static host: every address in the site is relative and leads somewhere, pages
open by their file's name, and what there is not gets the page that says so.
"""

from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from playwright.sync_api import Page, expect

from explorer import pages
from tests.browser.conftest import Handler, served
from tests.browser.reading import at_step

Open = Callable[..., Page]
DEEP: Final = "/a/b c/~d/"
NAMES_AN_ADDRESS: Final = ("href", "src", "action", "poster", "data", "srcset")


class Plain(Handler):
    """A host that gives files, index.html where a folder is named with its slash, and 404.html for
    all else. It sends nobody anywhere else, and lists no folder."""

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        file = Path(self.directory, path.removeprefix(DEEP)) if path.startswith(DEEP) else None
        if file and path.endswith("/"):
            file /= "index.html"
        found = file is not None and file.is_file()
        content = file if file and found else Path(self.directory, "404.html")
        self.send_response(HTTPStatus.OK if found else HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", self.guess_type(str(content)))
        self.end_headers()
        self.wfile.write(content.read_bytes())


@pytest.fixture(scope="module")
def plain(dist: Path) -> Iterator[str]:
    with served(Plain, dist) as port:
        yield f"http://127.0.0.1:{port}{DEEP.replace(' ', '%20')}"


class Addresses(HTMLParser):
    """Every address that a page names, but for its own ones in words of its data."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.names: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        said = dict(attributes)
        if tag == "link" and said.get("rel") == "canonical":
            return
        self.names |= {said.get("id") or "", said.get("name") or ""}
        self.found += [value for name, value in attributes if name in NAMES_AN_ADDRESS and value]


def test_every_address_in_every_page_is_relative_and_leads_somewhere(dist: Path) -> None:
    read = {path: Addresses(path.read_text(encoding="utf-8")) for path in dist.rglob("*.html")}
    assert sum(len(page.found) for page in read.values()) > 100
    lost = [
        f"{path.relative_to(dist)}: {address}"
        for path, page in read.items()
        for address in page.found
        if not leads_somewhere(address, path, dist, read)
    ]
    assert lost == []


def leads_somewhere(address: str, page: Path, dist: Path, read: dict[Path, Addresses]) -> bool:
    if address.startswith("data:"):
        return True
    parts = urlsplit(address)
    if parts.scheme or parts.netloc or parts.path.startswith("/"):
        return False
    here = f"http://x/root/{page.relative_to(dist).as_posix()}"
    there = urljoin(here, parts.path or page.name)
    below = there.removeprefix("http://x/root/")
    target = dist / unquote(below) / ("index.html" if below.endswith("/") or not below else "")
    if "://" in below or not target.is_file():
        return False
    return not parts.fragment or target not in read or parts.fragment in read[target].names


@pytest.mark.parametrize("path", ["sections/index.html", "sections/"])
def test_a_page_opens_and_steps_where_nothing_is_rewritten(
    new_page: Open, plain: str, path: str
) -> None:
    page = new_page(may_fail=True)
    wrong: list[str] = []
    page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
    page.goto(f"{plain}{path}?mode=warn&grants=ABAB")
    page.wait_for_selector("html[data-ready]")
    page.get_by_label("Back one grant").click()
    at_step(page, 3)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    at_step(page, 3)
    page.locator("#figure").hover(position={"x": 5, "y": 5})
    expect(page.locator(".python")).to_contain_text("reproduced in your browser", timeout=60_000)
    assert wrong == []


def test_from_page_to_page_by_its_links(new_page: Open, plain: str) -> None:
    page = new_page(may_fail=True)
    page.goto(plain)
    for name in ("sections", "trust"):
        page.locator(f"a[href$='/{name}/']").first.click()
        page.wait_for_selector("html[data-ready]")
        assert urlsplit(page.url).path.endswith(f"/{name}/")
    page.locator("a.home").click()
    page.wait_for_selector("html[data-ready]")
    assert page.url.partition("?")[0] in (plain, f"{plain}{pages.SLUGS[0]}/")


@pytest.mark.parametrize("path", ["nothing", "no/such/page/", "sections/nothing.html"])
def test_what_there_is_not_gets_the_page_that_says_so(
    new_page: Open, plain: str, path: str
) -> None:
    page = new_page(may_fail=True)
    wrong: list[str] = []
    answer = page.goto(plain + path)
    page.on("requestfailed", lambda asked: wrong.append(asked.url))
    assert answer
    assert answer.status == HTTPStatus.NOT_FOUND
    expect(page.locator("h1")).to_have_text("There is no page at this address.")
    assert wrong == []
