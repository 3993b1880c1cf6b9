"""Without a network, after the first visit: the pages seen, their figures, the Python that came.

"Without" is meant: the server is shut down, so that whatever still asks gets no answer. The site
is visited under a name, as a reader does; on the machine's own names nothing is kept.
"""

import json
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from explorer import pages
from tests.browser.conftest import BELOW, Handler, Server
from tests.browser.reading import at_step, rows, with_python

NAME = "explorer.localhost"


class Host:
    """A copy of the site on a host with a name, which can be changed, and which can go."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.asked: list[str] = []
        host = self

        class Noting(Handler):
            def do_GET(self) -> None:
                host.asked.append(self.path.removeprefix(BELOW))
                super().do_GET()

        self._server = Server(("127.0.0.1", 0), partial(Noting, directory=str(place)))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"http://{NAME}:{self._server.server_port}{BELOW}"

    def go(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def host(dist: Path, tmp_path: Path) -> Iterator[Host]:
    running = Host(Path(shutil.copytree(dist, tmp_path / "site")))
    yield running
    running.go()


@pytest.fixture
def visit(browser: Browser, host: Host) -> Iterator[Callable[[str], Page]]:
    """Open a page of the host in one profile, and wait until its worker is awake."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    elsewhere: list[str] = []
    context.on("request", lambda asked: _note_elsewhere(asked.url, host, elsewhere))
    page = context.new_page()

    def open_one(path: str) -> Page:
        page.goto(host.address + path)
        page.wait_for_selector("html[data-ready]")
        page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
        wait_for_kept(page, host.address + path.partition("?")[0])
        return page

    yield open_one
    context.close()
    assert elsewhere == []


def _note_elsewhere(url: str, host: Host, elsewhere: list[str]) -> None:
    if not url.startswith((host.address, "data:", "blob:")):
        elsewhere.append(url)


KEPT = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    found[name] = (await cache.keys()).map(({ url }) => url);
  }
  return found;
}"""


def kept(page: Page) -> dict[str, list[str]]:
    found: dict[str, list[str]] = page.evaluate(KEPT)
    return found


def wait_for_kept(page: Page, url: str) -> None:
    page.wait_for_function("url => caches.match(url).then(Boolean)", arg=url)


def reloaded(page: Page) -> Page:
    page.reload()
    page.wait_for_selector("html[data-ready]")
    return page


def test_a_page_once_visited_opens_and_steps_without_a_network(
    visit: Callable[[str], Page], host: Host
) -> None:
    visit("sections/")
    page = visit("receipts/")
    seen = rows(page)
    host.go()
    reloaded(page)
    assert rows(page) == seen
    before = page.locator(".count b").inner_text()
    page.get_by_label("Back one grant").click()
    at_step(page, int(before) - 1)
    page.goto(host.address + "sections/?mode=warn&grants=ABAB&step=2")
    page.wait_for_selector("html[data-ready]")
    at_step(page, 2)


def test_the_first_pages_python_runs_without_a_network(
    visit: Callable[[str], Page], host: Host
) -> None:
    page = with_python(visit("sections/"))
    wasm = next(path for path in python_of(host) if path.endswith(".wasm"))
    for path in python_of(host):
        wait_for_kept(page, host.address + path)
    assert host.asked.count(wasm) <= 2, "what was kept is not asked for again"
    host.go()
    page.goto(host.address + "sections/?mode=warn&writers=careful,overwriter&grants=AAB")
    expect(page.locator("tr.loss")).to_contain_text("acknowledged work survives", timeout=60_000)


def python_of(host: Host) -> list[str]:
    return [part["path"] for part in pages.Built.load(host.place).python]


def test_nothing_of_python_is_kept_before_it_was_wanted(
    visit: Callable[[str], Page], host: Host
) -> None:
    visit("one-file-five-agents/")
    assert [path for path in host.asked if path.startswith("python/")] == []


def test_what_is_kept_is_named_by_its_content_or_a_page_that_was_visited(
    visit: Callable[[str], Page], host: Host
) -> None:
    visit("sections/?mode=warn&seed=3")
    page = visit("trust/index.html")
    [(name, urls)] = kept(page).items()
    assert name.startswith(f"explorer {host.address} ")
    paths = {url.removeprefix(host.address) for url in urls}
    named = {path for path in paths if path.startswith(("assets/", "python/"))}
    assert paths - named == {"sections/", "trust/"}
    built = {f"assets/{path.name}" for path in (host.place / "assets").glob("*.[jc]s*")}
    assert {path for path in named if path.startswith("assets/")} == built
    scope = page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)")
    assert scope == host.address, "another site beside this one on the host is not its business"


def test_a_page_not_visited_is_not_there_without_a_network(
    visit: Callable[[str], Page], host: Host
) -> None:
    page = visit("sections/")
    host.go()
    with pytest.raises(Error, match="ERR_"):
        page.goto(host.address + "trust/")


def test_with_a_network_a_page_is_as_it_is_now(visit: Callable[[str], Page], host: Host) -> None:
    page = visit("sections/")
    file = host.place / "sections" / "index.html"
    file.write_text(file.read_text(encoding="utf-8").replace("<title>", "<title>Today: ", 1))
    reloaded(page)
    expect(page).to_have_title(
        "Today: The lost update, one grant at a time · Interleaving Explorer"
    )


def test_a_new_build_takes_over_python_and_pages_and_drops_what_it_does_not_name(
    visit: Callable[[str], Page], host: Host
) -> None:
    page = with_python(visit("sections/"))
    for path in python_of(host):
        wait_for_kept(page, host.address + path)
    [old] = kept(page)
    style = pages.Built.load(host.place).assets["style.css"]
    build_anew(host, style)
    page.evaluate("navigator.serviceWorker.ready.then((own) => own.update())")
    page.wait_for_function(
        "() => navigator.serviceWorker.ready.then(({ waiting }) => Boolean(waiting))"
    )
    assert host.address + style in kept(page)[old], "a page that is open keeps its own files"
    asked = len(host.asked)
    context = page.context
    page.close()
    page = opened_when_activated(context, host)
    [(name, urls)] = kept(page).items()
    assert name != old
    assert host.address + style not in urls
    assert {host.address + path for path in python_of(host)} <= set(urls)
    assert [path for path in host.asked[asked:] if path.startswith("python/")] == []
    host.go()
    reloaded(page)
    assert page.locator("link[rel=stylesheet]").get_attribute("href") == f"../{anew(style)}"


def anew(path: str) -> str:
    return path.replace("style-", "style-ANEW-")


def build_anew(host: Host, style: str) -> None:
    """What a build makes whose style sheet has changed: its name, in every page and in sw.js."""
    (host.place / style).rename(host.place / anew(style))
    for file in (*host.place.rglob("*.html"), host.place / pages.MANIFEST):
        file.write_text(file.read_text(encoding="utf-8").replace(style, anew(style)))
    worker = host.place / pages.OFFLINE
    text = worker.read_text(encoding="utf-8").replace(style, anew(style))
    named = text.partition('name:"')[2].partition('"')[0]
    worker.write_text(text.replace(named, named[::-1]))


def opened_when_activated(context: BrowserContext, host: Host) -> Page:
    """A page opened once the last one is gone: then the worker that waited takes its place."""
    page = context.new_page()
    for _ in range(20):
        page.goto(host.address + "sections/")
        page.wait_for_selector("html[data-ready]")
        if len(kept(page)) == 1:
            break
        page.goto("about:blank")
    return page


def test_on_the_machines_own_names_nothing_stays(
    new_page: Callable[..., Page],
) -> None:
    """There a browser meets one site today and another tomorrow, on the same port."""
    page = new_page("sections/")
    page.wait_for_selector("html[data-ready]")
    page.wait_for_load_state("networkidle")
    assert (
        page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    )


def test_the_worker_is_small_and_names_every_page(dist: Path) -> None:
    text = (dist / pages.OFFLINE).read_text(encoding="utf-8")
    assert all(json.dumps(path.removeprefix("/")) in text for path in pages.PATHS)
    assert "://" not in text, "and no host"
    assert len(text) < 4_000
