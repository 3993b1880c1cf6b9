"""A built site on a port of its own, and a real Chromium to read it with.

The site is served below a path, as a static host may do, so that an address which only works at
the root is found. Everything a page asks of any other host, and every error it logs, is kept: a
test that expects neither (all but a few) fails on both when its page closes.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browsers import CHROMIUM

ROOT = Path(__file__).parents[2]
BELOW = "/some/where/"


class Handler(SimpleHTTPRequestHandler):
    """The site's files below BELOW, and nothing above it."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
    }

    def translate_path(self, path: str) -> str:
        if not path.startswith(BELOW):
            return str(ROOT / "dist" / "nothing-is-here")
        return super().translate_path(path.removeprefix(BELOW.rstrip("/")))

    def log_message(self, *_: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A page that is closed while it loads breaks its connections; that is no error."""


@contextmanager
def served(handler: Callable[..., SimpleHTTPRequestHandler], place: Path) -> Iterator[int]:
    """Serve a folder on a port of its own, which is told."""
    server = Server(("127.0.0.1", 0), partial(handler, directory=str(place)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def dist() -> Path:
    if not (ROOT / "dist" / "built.json").is_file():
        pytest.fail("There is no built site: run python3 build.py site first")
    return ROOT / "dist"


@pytest.fixture(scope="session")
def site(dist: Path) -> Iterator[str]:
    """The site's address, with a slash at its end."""
    with served(Handler, dist) as port:
        yield f"http://127.0.0.1:{port}{BELOW}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One a module: while it runs, no other test of this process can start an event loop."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=CHROMIUM.needed(), args=["--no-sandbox"]
        )
        yield running
        running.close()


@pytest.fixture
def new_page(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """Opens a page in a profile of its own; keywords are the profile's."""
    opened: list[tuple[Page, list[str], bool]] = []

    def open_one(address: str = "", *, may_fail: bool = False, **profile: Any) -> Page:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | profile))
        context.set_default_timeout(60_000)
        page = context.new_page()
        wrong: list[str] = []
        page.on("request", lambda request: _only_here(request.url, site, wrong))
        page.on("console", lambda message: message.type == "error" and wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        opened.append((page, wrong, may_fail))
        page.goto(site + address)
        return page

    yield open_one
    for page, wrong, may_fail in opened:
        page.context.close()
        assert may_fail or not wrong, wrong


def _only_here(url: str, site: str, wrong: list[str]) -> None:
    if not url.startswith((site, "data:", "blob:")):
        wrong.append(f"a request to {url}")


@pytest.fixture
def figure(new_page: Callable[..., Page]) -> Callable[..., Page]:
    """Opens the figure with a query, and waits until its script has drawn."""

    def open_one(query: str = "", **profile: Any) -> Page:
        page = new_page(f"sections/{query}", **profile)
        page.wait_for_selector("html[data-ready]")
        return page

    return open_one


@pytest.fixture
def story(new_page: Callable[..., Page]) -> Callable[..., Page]:
    """Opens a scenario's page, and waits until its script has drawn a run."""

    def open_one(address: str, **profile: Any) -> Page:
        page = new_page(address, **profile)
        page.wait_for_selector("html[data-ready]")
        expect(page.locator("table.run")).to_be_visible(timeout=60_000)
        return page

    return open_one
