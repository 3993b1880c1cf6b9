"""Nothing for axe to find and nothing for html-validate, in every state of the figure."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import ROOT
from tests.browser.panels import with_panels
from tests.browser.reading import with_python

Open = Callable[..., Page]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS = [(scheme, width) for scheme in ("light", "dark") for width in (320, 1280)]


def findings(page: Page) -> list[str]:
    """What axe has against the page as it is now."""
    page.evaluate(AXE.read_text(encoding="utf-8") + "\n;0")
    found: dict[str, Any] = page.evaluate("tags => axe.run(document, {runOnly: tags})", TAGS)
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


def look(scheme: str, width: int) -> dict[str, Any]:
    # As tall as the page: a sticky bar over what one can scroll to would count as crowding it.
    return {"color_scheme": scheme, "viewport": {"width": width, "height": 6000}}


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_axe_finds_nothing_in_any_state(figure: Open, scheme: str, width: int) -> None:
    page = figure(**look(scheme, width))
    assert findings(page) == [], "the opening"
    page.get_by_role("slider").fill("2")
    page.get_by_role("button", name="choose a point").click()
    page.get_by_role("button", name="Keys").click()
    assert findings(page) == [], "half way, with crash points and keys"
    page.get_by_role("radio", name="enforce").check()
    assert findings(page) == [], "enforced"
    with_python(page)
    page.get_by_role("slider").fill("1")
    page.locator(".choose .dagger").first.click()
    expect(page.locator(".crash")).to_have_count(1)
    assert findings(page) == [], "crashed"


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_axe_finds_nothing_where_something_is_wrong(
    new_page: Open, site: str, scheme: str, width: int
) -> None:
    page = new_page("", may_fail=True, **look(scheme, width))
    assert findings(page) == [], "the front page"
    page.route("**/*.wasm", lambda route: route.abort())
    page.goto(site + "bench/")
    assert findings(page) == [], "the bench"
    page.goto(site + "sections/?mode=blue")
    expect(page.get_by_role("alert")).to_be_visible()
    assert findings(page) == [], "a bad address"
    page.goto(site + "sections/?mode=warn&grants=ABAB&check=1.00000000")
    page.get_by_role("textbox", name="seed", exact=True).fill("-5")
    page.keyboard.press("Enter")
    expect(page.locator(".refused")).to_be_visible()
    assert findings(page) == [], "another outcome than was sent, and a seed that is none"
    page.goto(site + "sections/?mode=warn&writers=careful,overwriter")
    expect(page.locator(".awaited")).to_contain_text("did not load", timeout=60_000)
    assert findings(page) == [], "waiting for a Python that does not come"


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_axe_finds_nothing_while_a_run_is_awaited_and_with_five_writers(
    new_page: Open, site: str, scheme: str, width: int
) -> None:
    page = new_page("404.html", **look(scheme, width))
    held: list[Route] = []
    page.route("**/*.wasm", lambda route: held.append(route))
    with page.expect_request("**/*.wasm"):
        page.goto(site + "sections/?mode=warn&writers=careful,blind,careful,blind,reader&seed=4")
    expect(page.locator(".awaited")).to_contain_text("Python is loading", timeout=60_000)
    assert findings(page) == [], "awaited"
    held[0].continue_()
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)
    assert findings(page) == [], "five writers"


@pytest.mark.parametrize(("scheme", "width"), LOOKS)
def test_axe_finds_nothing_in_the_panels(figure: Open, scheme: str, width: int) -> None:
    page = with_panels(figure("?mode=warn", **look(scheme, width)))
    assert findings(page) == [], "before anything was asked"
    page.locator("[data-action=range-last]").fill("x")
    page.keyboard.press("Enter")
    assert findings(page) == [], "a range that is none"
    page.locator("[data-action=range-last]").fill("299")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Run these seeds").click()
    page.locator(".beside").get_by_role("button", name="mode enforce").click()
    page.get_by_role("button", name="Kill at each point").click()
    page.get_by_role("button", name="Prove over every order").click()
    assert findings(page) == [], "under way"
    expect(page.locator(".paths .scope")).to_contain_text("All 6 orders", timeout=60_000)
    expect(page.locator(".range .verdict")).to_contain_text("of 300 seeds lose", timeout=60_000)
    expect(page.locator(".pair")).to_be_visible(timeout=60_000)
    assert findings(page) == [], "over"


def test_axe_would_find_something(figure: Open) -> None:
    page = figure()
    page.evaluate("document.querySelector('input[type=range]').removeAttribute('aria-label')")
    assert any(found.startswith("label") for found in findings(page))


def validated(html: str) -> str:
    program = ROOT / "node_modules" / "html-validate" / "bin" / "html-validate.mjs"
    rules = Path(__file__).with_name("htmlvalidate.json")
    done = subprocess.run(
        ["node", str(program), "--config", str(rules), "--stdin"],
        input=html,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout + done.stderr if done.returncode else ""


def test_html_validate_finds_nothing_in_what_is_built(dist: Path) -> None:
    pages = sorted(dist.rglob("*.html"))
    assert pages
    for path in pages:
        assert validated(path.read_text(encoding="utf-8")) == "", path


def test_html_validate_would_find_something(dist: Path) -> None:
    html = (dist / "sections" / "index.html").read_text(encoding="utf-8")
    assert "button" in validated(html.replace('<button type="button"', "<button", 1))


def test_less_motion_means_none(figure: Open) -> None:
    page = figure(reduced_motion="reduce")
    moving = "document.getAnimations().length"
    page.get_by_label("Back one grant").click()
    assert page.evaluate(moving) == 0


def test_shapes_survive_forced_colours(figure: Open) -> None:
    page = figure(forced_colors="active")
    fill = "e => getComputedStyle(e).fill"
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert page.locator("tr.now td.mine .mark").evaluate(fill) != ground
    assert page.locator("tr.now td.mine .mark path").count() == 1
