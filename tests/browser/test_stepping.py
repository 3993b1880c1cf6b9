"""Stepping by button, slider and key; Back and Forward; being shown it happen."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.reading import at_step, query, rows, step

Open = Callable[..., Page]


def test_buttons_step_and_the_address_follows(figure: Open) -> None:
    page = figure()
    whole = step(page)
    page.get_by_label("Back one grant").click()
    at_step(page, whole - 1)
    assert query(page)["step"] == str(whole - 1)
    page.get_by_label("Forward one grant").click()
    at_step(page, whole)
    assert "step" not in query(page)


def test_the_slider_steps(figure: Open) -> None:
    page = figure()
    page.get_by_role("slider").fill("1")
    at_step(page, 1)
    expect(page.locator("[aria-current=step] .go")).to_have_text("1")


def test_what_is_still_to_come_keeps_its_place_but_not_its_outcome(figure: Open) -> None:
    page = figure()
    height = "table => table.offsetHeight"
    tall = page.locator("table.run").evaluate(height)
    page.get_by_role("slider").fill("2")
    expect(page.locator("tr.loss td")).to_be_hidden()
    expect(page.locator("del")).to_be_hidden()
    assert page.locator("table.run").evaluate(height) == tall


def test_the_end_is_no_dead_end(figure: Open) -> None:
    page = figure()
    page.get_by_label("Same order, mode enforce").click()
    expect(page.locator(".what")).to_contain_text("enforce")
    expect(page.locator("h1")).to_contain_text("Nothing was lost")
    expect(page.locator("tr.loss")).to_have_count(0)


def test_back_and_forward_walk_through_the_runs(figure: Open) -> None:
    page = figure()
    opening, first = rows(page), page.url
    page.get_by_label("Back one grant").click()
    page.get_by_label("seed 2,").click()
    expect(page.locator(".what")).to_contain_text("seed 2")
    second = page.url
    page.go_back()
    at_step(page, len([row for row in opening if row[0].isdigit()]) - 1)
    page.go_forward()
    expect(page).to_have_url(second)
    expect(page.locator(".what")).to_contain_text("seed 2")
    assert first != second


def test_watching_walks_from_the_first_grant_to_the_loss(figure: Open) -> None:
    page = figure()
    whole = step(page)
    page.get_by_role("button", name="Watch it happen").click()
    at_step(page, 1)
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    at_step(page, whole)
    expect(page.get_by_role("button", name="Watch it happen")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("Lost")


def test_who_asks_for_less_motion_is_brought_to_the_start_and_steps_alone(figure: Open) -> None:
    page = figure(reduced_motion="reduce")
    page.get_by_role("button", name="Watch it happen").click()
    at_step(page, 1)
    expect(page.get_by_role("button", name="Watch it happen")).to_be_visible()


def test_another_order_that_shipped_needs_no_python(figure: Open) -> None:
    page = figure("?mode=warn&grants=ABAB&step=1")
    page.get_by_role("button", name="careful: UPDATE").click()
    expect(page.locator(".what")).to_contain_text("grants AA")
    at_step(page, 2)
    expect(page.locator(".ghost")).to_have_count(1)


def test_a_walk_by_keys_alone(figure: Open) -> None:
    page = figure("?mode=warn&grants=ABAB")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('#figure') !== null"):
            break
    page.keyboard.press("Home")
    at_step(page, 0)
    page.keyboard.press("ArrowRight")
    at_step(page, 1)
    page.keyboard.press("Shift+ArrowRight")
    at_step(page, 3)
    page.keyboard.press("ArrowLeft")
    at_step(page, 2)
    page.keyboard.press("b")
    expect(page.locator(".what")).to_contain_text("grants ABBA")
    at_step(page, 3)
    page.keyboard.press("End")
    at_step(page, 4)
    page.keyboard.press("]")
    assert query(page)["seed"] == "1"
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("[")
    expect(page.locator(".what")).to_contain_text("seed 0")


def test_keys_rest_while_one_types(figure: Open) -> None:
    page = figure("?mode=warn&grants=ABAB&step=2")
    seed = page.get_by_role("spinbutton", name="seed")
    seed.fill("4")
    seed.press("Home")
    seed.press("x")
    at_step(page, 2)
    seed.press("Enter")
    expect(page.locator(".what")).to_contain_text("seed 4")


def test_one_short_sentence_is_said_per_step(figure: Open) -> None:
    page = figure("?mode=warn&grants=ABAB&step=2")
    page.get_by_label("Forward one grant").click()
    expect(page.get_by_role("status")).to_have_text(
        "Grant 3 of 4: careful, UPDATE … WHERE version = 1, 1 row, told success."
    )
    assert page.get_by_role("status").count() == 1
