"""Python in the page: the same hashes as natively, runs that did not ship, and its absence."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from sim_core import bridge
from tests.browser.reading import at_step, query, rows, with_python

Open = Callable[..., Page]
NOT_SHIPPED = "?mode=warn&writers=careful,overwriter&grants=AAB"


def native(**request: object) -> dict[str, object]:
    answer: dict[str, object] = json.loads(bridge.handle(json.dumps({"version": 1, **request})))
    return answer


def test_the_pages_python_comes_to_the_native_hashes_for_all_seeds_and_modes(figure: Open) -> None:
    page = with_python(figure())
    shipped = json.loads(page.locator("#figure-data").text_content() or "")
    for family in shipped["families"]:
        swept = native(ask="sweep", recipe=family["recipe"], seeds=[0, 29])["runs"]
        assert [family["runs"][place]["hash"] for place in family["seeds"]] == [
            run["hash"]  # type: ignore[index]
            for run in swept  # type: ignore[attr-defined]
        ]
    expect(page.locator(".python")).to_contain_text("60 of 60 reproduced in your browser")


def test_a_hash_that_differs_is_said_aloud(new_page: Open, dist: Path, site: str) -> None:
    html = (dist / "sections" / "index.html").read_text(encoding="utf-8")
    truth = str(native(ask="run", recipe="sections?mode=warn&grants=ABAB")["hash"])
    page = new_page("")
    page.route("**/sections/", lambda route: route.fulfill(body=html.replace(truth, "0" * 64)))
    page.goto(site + "sections/")
    page.locator("#figure").hover(position={"x": 5, "y": 5})
    alert = page.locator(".python [role=alert]")
    expect(alert).to_contain_text("of 60 came out the same", timeout=60_000)
    expect(alert).to_contain_text("was shipped as 00000000")


def test_a_run_that_did_not_ship_shows_its_recipe_and_no_other_run(figure: Open) -> None:
    page = figure(NOT_SHIPPED)
    expect(page.locator(".what")).to_contain_text("careful, overwriter")
    if page.locator(".awaited").count():
        expect(page.locator("del")).to_have_count(0)
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)
    expect(page.locator("h1")).to_have_text("Saved, confirmed, and then written over.")
    expect(page.locator("tr.loss")).to_contain_text("acknowledged work survives")
    expect(page.locator("tr.loss")).not_to_contain_text("lost update")
    expect(page.locator(".seeds button")).to_have_count(30)


def test_a_writer_is_crashed_picked_and_added(figure: Open) -> None:
    page = with_python(figure("?mode=warn&grants=ABAB&step=2"))
    page.get_by_label("crash careful here").click()
    expect(page.locator(".crash")).to_contain_text("killed before its UPDATE")
    at_step(page, 3)
    assert query(page)["faults"] == "A2before:crash"
    page.get_by_role("button", name="remove").click()
    expect(page.locator(".crash")).to_have_count(0)
    page.get_by_role("button", name="add").click()
    expect(page.locator("thead th.lane")).to_have_count(3)
    page.get_by_label("writer B").select_option("reader")
    expect(page.locator("thead th.lane").nth(1)).to_contain_text("reader")
    page.get_by_label("writer C").select_option(label="nobody")
    expect(page.locator("thead th.lane")).to_have_count(2)
    page.get_by_label("wal").click()
    expect(page.get_by_label("wal")).to_be_checked()  # at the latest when its run has come
    expect(page.locator(".what")).to_contain_text("journal wal")
    expect(page.locator(".seeds button")).to_have_count(30)


def test_a_schedule_that_the_core_refuses_is_named(figure: Open) -> None:
    page = figure("?mode=warn&grants=AAAA")
    expect(page.get_by_role("alert")).to_contain_text("grants=AAAA", timeout=60_000)
    expect(page.locator("tr.now del")).to_have_text("careful’s line")
    expect(page.get_by_role("alert")).to_contain_text("The opening run is shown instead.")
    assert query(page)["grants"] == "AAAA", "the culprit stays to be read"


@pytest.mark.parametrize("missing", ["**/*.wasm", "**/worker-*.js", "**/sim_core-*.zip"])
def test_without_python_the_shipped_runs_step_and_the_page_says_so(
    new_page: Open, site: str, missing: str
) -> None:
    page = new_page("", may_fail=True)
    page.route(missing, lambda route: route.abort())
    page.goto(site + "sections/?mode=warn&grants=ABAB")
    page.wait_for_selector("html[data-ready]")
    page.locator("#figure").hover(position={"x": 5, "y": 5})
    expect(page.locator(".python")).to_contain_text("Python did not load", timeout=60_000)
    page.get_by_label("Back one grant").click()
    at_step(page, 3)
    page.get_by_label("seed 2,").click()
    expect(page.locator(".what")).to_contain_text("seed 2")
    page.goto(site + "sections/" + NOT_SHIPPED)
    expect(page.locator(".awaited")).to_contain_text("Python did not load", timeout=60_000)
    assert rows(page) == []


def test_machine_code_that_arrived_broken_is_told(new_page: Open, site: str) -> None:
    """Pyodide itself would wait for ever."""
    page = new_page("", may_fail=True)

    def other_bytes(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=bytes(len(answer.body())))

    page.route("**/*.wasm", other_bytes)
    page.goto(site + "sections/" + NOT_SHIPPED)
    expect(page.locator(".awaited")).to_contain_text("Python did not load", timeout=60_000)


def test_python_that_failed_once_can_be_tried_again(new_page: Open, site: str) -> None:
    page = new_page("", may_fail=True)

    def refuse(route: Route) -> None:
        route.abort()

    page.route("**/*.wasm", refuse)
    page.goto(site + "sections/" + NOT_SHIPPED)
    expect(page.locator(".awaited")).to_contain_text("did not load", timeout=60_000)
    page.unroute("**/*.wasm", refuse)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("table.run")).to_be_visible(timeout=60_000)


def test_what_python_cannot_do_in_the_page_is_said_and_the_page_goes_on(figure: Open) -> None:
    """A browser has no table of time zones."""
    page = with_python(figure("?mode=warn&grants=ABAB"))
    page.evaluate(
        "history.pushState(null, '', '?mode=warn&tz=Asia/Tokyo');"
        "dispatchEvent(new PopStateEvent('popstate'))"
    )
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("writer B").select_option("reader")
    expect(page.locator("thead th.lane").nth(1)).to_contain_text("reader")
    expect(page.get_by_role("alert")).to_have_count(0)
