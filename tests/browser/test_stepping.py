"""Stepping by button, slider and key; Back and Forward; being shown it happen."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.reading import at_step, query, rows, step, with_python

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
    expect(page.locator("h1")).to_contain_text("Nothing acknowledged was lost")
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
    expect(page.locator("#figure").get_by_role("status")).to_contain_text("Lost")


def test_who_asks_for_less_motion_walks_to_the_loss_one_grant_a_press(figure: Open) -> None:
    page = figure(reduced_motion="reduce")
    whole = step(page)
    page.get_by_role("button", name="Watch it happen").click()
    expect(page.locator(".hint")).to_contain_text("One grant a press")
    for grant in range(1, whole):
        at_step(page, grant)
        page.get_by_role("button", name="Next grant").click()
    at_step(page, whole)
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
    expect(page.locator("#figure-keys")).to_be_visible()
    page.keyboard.press("[")
    expect(page.locator(".what")).to_contain_text("seed 0")


def test_keys_rest_while_one_types(figure: Open) -> None:
    page = figure("?mode=warn&grants=ABAB&step=2")
    seed = page.get_by_role("textbox", name="seed", exact=True)
    seed.fill("4")
    seed.press("Home")
    seed.press("ArrowRight")
    at_step(page, 2)
    seed.press("Enter")
    expect(page.locator(".what")).to_contain_text("seed 4")


def test_one_short_sentence_is_said_per_step(figure: Open) -> None:
    page = figure("?mode=warn&grants=ABAB&step=2")
    page.get_by_label("Forward one grant").click()
    expect(page.locator("#figure").get_by_role("status")).to_have_text(
        "Grant 3 of 4: careful, UPDATE … WHERE version = 1, 1 row, told success."
    )
    assert page.locator("#figure").get_by_role("status").count() == 1


def test_every_new_run_is_announced_in_one_sentence(figure: Open) -> None:
    page = with_python(figure("?mode=warn&grants=ABAB"))
    status = page.locator("#figure").get_by_role("status")
    expect(status).to_have_text("")
    page.get_by_label("go to grant 2").focus()
    for key, words in {
        "]": "Seed 1.",
        "b": "nother order.",
        "k": "killed before operation",
    }.items():
        page.keyboard.press("Home")
        page.keyboard.press(key)
        expect(status).to_contain_text(words) if key != "b" else expect(status).not_to_have_text("")
        expect(status).to_contain_text("Grant")
    page.get_by_role("textbox", name="seed", exact=True).fill("2")
    page.keyboard.press("Enter")
    expect(status).to_contain_text("Seed 2")
    page.get_by_label("writer B").select_option("reader")
    expect(status).to_contain_text("Writers careful, reader.")
    page.get_by_label("Next:").or_(page.get_by_label("Same")).click()
    expect(status).not_to_contain_text("Writers careful, reader.")


def focused(page: Page) -> str:
    """The action of what has the focus; fails where the page's body has it."""
    inside = "document.activeElement.closest('#figure') !== null"
    assert page.evaluate(inside), page.evaluate("document.activeElement.outerHTML.slice(0, 80)")
    return str(page.evaluate("document.activeElement.dataset.action ?? ''"))


def press(page: Page, button: Locator) -> None:
    button.focus()
    page.keyboard.press("Enter")


def test_the_focus_stays_in_the_figure_when_a_control_goes(figure: Open) -> None:
    page = with_python(figure("?mode=warn&grants=ABAB&step=2"))
    press(page, page.get_by_label("crash careful here"))
    expect(page.locator("tr .crash")).to_have_count(1)
    assert focused(page) in ("crash", "uncrash")
    press(page, page.get_by_role("button", name="remove"))
    expect(page.locator("tr .crash")).to_have_count(0)
    assert focused(page) == "daggers"
    press(page, page.get_by_role("button", name="choose a point"))
    press(page, page.locator("#points .dagger").first)
    expect(page.locator("tr .crash")).to_have_count(1)
    assert focused(page) == "uncrash"
    for _ in range(3):
        press(page, page.get_by_role("button", name="add", exact=True))
        expect(page.locator("table.run")).to_be_visible()
        assert focused(page) in ("add", "writer")
    page.get_by_role("slider").press("End")
    press(page, page.get_by_label("Next:").or_(page.get_by_label("Same")))
    expect(page.locator("table.run")).to_be_visible()
    assert focused(page) in ("try", "forward")


def test_a_grant_that_ends_the_run_leaves_the_focus_in_the_figure(figure: Open) -> None:
    page = figure("?mode=warn&grants=ABAB&step=3")
    press(page, page.get_by_role("button", name="blind: UPDATE"))
    at_step(page, 4)
    assert focused(page) == "try"


def test_the_strip_is_one_stop_for_tab_and_arrows_walk_in_it(figure: Open) -> None:
    page = figure("?mode=warn&seed=16")
    assert page.locator('.seeds [tabindex="0"]').count() == 1
    assert page.locator(".seed small").all_inner_texts()[:6] == ["0", "", "", "", "", "5"]
    page.locator('.seeds [tabindex="0"]').focus()
    here = step(page)
    for key, seed in {
        "ArrowRight": 17,
        "ArrowDown": 22,
        "ArrowLeft": 21,
        "Home": 0,
        "End": 29,
    }.items():
        page.keyboard.press(key)
        expect(page.get_by_label(f"seed {seed},")).to_be_focused()
    assert step(page) == here
    assert page.locator('.seeds [tabindex="0"]').count() == 1
    page.keyboard.press("Enter")
    expect(page.locator(".what")).to_contain_text("seed 29")


def test_the_key_sheet_opens_into_view_and_escape_closes_it(figure: Open) -> None:
    page = figure()
    page.get_by_label("go to the start").focus()
    page.keyboard.press("?")
    expect(page.locator("#figure-keys")).to_be_focused()
    expect(page.locator("#figure-keys")).to_be_in_viewport()
    crowded = """() => [...document.querySelectorAll("#figure-keys dl > div")].some((row) => {
      const [a, b] = [row.children[0].lastElementChild, row.children[1]];
      return a.getBoundingClientRect().right > b.getBoundingClientRect().left;
    })"""
    assert not page.evaluate(crowded)
    page.keyboard.press("Escape")
    expect(page.locator("#figure-keys")).to_be_hidden()
    assert focused(page) == "keys"


def test_every_legal_crash_point_stands_beside_the_button_that_asks_for_one(figure: Open) -> None:
    page = figure("?mode=warn&grants=ABAB")
    page.get_by_role("button", name="choose a point").click()
    offered = page.locator("#points .dagger")
    expect(offered.first).to_be_in_viewport()
    assert (
        offered.all_inner_texts()
        == [
            "† before 1, SELECT",
            "† before 2, UPDATE",
            "† after 2, its last",
        ]
        * 2
    )
