"""The page that measures: nothing until asked, then ratios that are numbers."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

Open = Callable[..., Page]


def test_a_press_measures_and_prints_runs_and_ratios(new_page: Open) -> None:
    page = new_page("bench/")
    page.wait_for_selector("html[data-ready]")
    expect(page.get_by_role("status")).to_contain_text("Nothing is measured")
    expect(page.locator("table")).to_have_count(0)
    page.get_by_role("button", name="Measure").click()
    expect(page.get_by_role("status")).not_to_contain_text("Nothing is measured")
    expect(page.get_by_role("status")).to_contain_text("Measured just now", timeout=120_000)
    rates = page.locator("table.bench:not(.ratios) td").all_inner_texts()
    assert len(rates) == 6
    assert all(int(rate.replace(",", "")) > 0 for rate in rates)
    ratios = page.locator("table.ratios td").all_inner_texts()
    assert len(ratios) == 4
    assert all(float(ratio) > 0 for ratio in ratios)


def test_the_footer_leads_to_it_from_every_page(new_page: Open, site: str) -> None:
    for path in ("", "sections/"):
        page = new_page(path)
        page.get_by_role("link", name="How fast a run is here").click()
        expect(page).to_have_url(site + "bench/")


def test_a_python_that_does_not_load_is_said(new_page: Open) -> None:
    page = new_page("bench/", may_fail=True)
    page.wait_for_selector("html[data-ready]")
    page.route("**/*.wasm", lambda route: route.abort())
    page.get_by_role("button", name="Measure").click()
    expect(page.get_by_role("status")).to_contain_text("Nothing was measured", timeout=60_000)
