"""A run of ten thousand grants: only what is near is drawn, and nothing holds up its reader.

No scenario of ours runs for as long, so the site gets one more page: that of tests/tiny/long.py,
which comes with a short run. The long one is asked for by its address, and Python makes it here.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Page, expect

from sim_core import bridge
from tests.browser.conftest import BELOW, ROOT, Handler, served
from tests.browser.reading import at_step, step
from tests.browser.test_everybody import findings

Open = Callable[..., Page]
SCENARIO = "tests/tiny/long.py"
GRANTS = 9996
TRIES = 3
STEPS = 100
MOST = 100
"""Milliseconds for which a page may keep its reader waiting."""


@pytest.fixture(scope="module")
def site(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The built site, and the page of a scenario more."""
    folder = tmp_path_factory.mktemp("site")
    for path in dist.iterdir():
        (folder / path.name).symlink_to(path)
    (folder / "long").mkdir()
    page = (dist / "sections" / "index.html").read_text(encoding="utf-8")
    (folder / "long" / "index.html").write_text(longer(page, folder), encoding="utf-8")
    with served(Handler, folder) as port:
        yield f"http://127.0.0.1:{port}{BELOW}"


def longer(page: str, folder: Path) -> str:
    """The page of another scenario: its data, and a Python that knows it."""
    scenario = answered(ask="describe", scenario=SCENARIO)
    run = answered(ask="run", recipe=scenario["opening"])
    family = {"recipe": SCENARIO, "seeds": [0], "runs": [run], "opening": 0}

    def told(data: Any) -> Any:
        data |= {"scenario": scenario, "families": [family], "start": None, "local_time": False}
        data["frame"]["home"] = "../long/"
        return data

    def with_scenario(runtime: Any) -> Any:
        (core,) = (part for part in runtime["parts"] if part["name"] == "sim_core.zip")
        packed = shutil.copy(folder / "long" / core["path"], folder / "long" / "sim_core.zip")
        with ZipFile(packed, "a") as out:
            out.write(ROOT / SCENARIO, SCENARIO)
        core |= {"path": "sim_core.zip", "bytes": Path(packed).stat().st_size}
        return runtime

    return rewritten(rewritten(page, "figure-data", told), "runtime-data", with_scenario)


def rewritten(page: str, name: str, change: Callable[[Any], Any]) -> str:
    found = re.search(rf'(<script[^>]* id="{name}">)(.*?)(</script>)', page, re.S)
    assert found
    text = json.dumps(change(json.loads(found[2]))).replace("<", "\\u003c")
    return page[: found.start(2)] + text + page[found.end(2) :]


def answered(**request: object) -> Any:
    return json.loads(bridge.handle(json.dumps({"version": 1, **request})))


@pytest.fixture(scope="module")
def page(browser: Browser, site: str) -> Iterator[Page]:
    """The long run's page, opened once: Python needs some seconds to make the run."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: message.type == "error" and wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{site}long/?rounds=1428")
    arrived(page)
    yield page
    context.close()
    assert not wrong, wrong


def arrived(page: Page) -> None:
    expect(page.locator(".count")).to_contain_text(f"/ {GRANTS}", timeout=120_000)
    expect(page.locator(".density")).to_be_visible()


def start(page: Page) -> None:
    """At the first grant, with the focus in the table."""
    page.locator("tr .go").first.focus()
    page.keyboard.press("Home")
    at_step(page, 0)


CURRENT_IN_SIGHT = """() => {
  const [row] = document.querySelectorAll("tr[aria-current=step]");
  const frame = document.querySelector(".wide.long").getBoundingClientRect();
  const { top, bottom } = row.getBoundingClientRect();
  return frame.top <= top && bottom <= frame.bottom + 1;
}"""
TABLE = "document.querySelector('.wide.long')"
SCROLL = "(table, part) => { table.scrollTop = (table.scrollHeight - table.clientHeight) * part; }"
"""To a part of the whole, as one drags the bar."""
SCROLL_ON = """(table) => new Promise((done) => {
  table.scrollTop += 60;
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""
IN_SIGHT = """(table) => {
  const { top, bottom } = table.getBoundingClientRect();
  const rows = [...table.querySelectorAll("tbody tr")].filter((row) => {
    const place = row.getBoundingClientRect();
    return place.height && place.bottom > top + 80 && place.top < bottom;
  });
  const grantOf = (row) => Number(row.querySelector(".go")?.dataset.value ?? NaN);
  return rows.map((row) => (row.matches(".gap") ? null : grantOf(row)));
}"""
"""The grants of the rows that are in sight; null for a gap."""


def in_sight(page: Page) -> list[int | None]:
    seen = page.locator(".wide.long").evaluate(IN_SIGHT)
    return [each for each in seen if each is None or each == each]


def test_only_what_is_near_is_drawn_and_the_caption_says_which(page: Page) -> None:
    start(page)
    page.get_by_role("slider").fill("5000")
    at_step(page, 5000)
    assert page.locator("table.run tbody .go").count() == 50
    caption = f"Grants 4980 to 5029 of {GRANTS}, in order, and counter after each"
    expect(page.locator("table.run caption")).to_have_text(caption)
    expect(page.locator(".part")).to_have_text(
        f"Of {GRANTS} grants, 4980 to 5029 are drawn here; others come as you step or scroll."
    )
    expect(page.locator("tr[aria-current=step] .go")).to_have_text("5000")
    assert page.locator("*").count() < 3_000


def test_every_step_by_key_is_drawn_and_in_sight(page: Page) -> None:
    start(page)
    for grant in range(1, 46):
        page.keyboard.press("ArrowRight")
        at_step(page, grant)
        expect(page.locator("tr[aria-current=step] .go")).to_have_text(str(grant))
        assert page.evaluate(CURRENT_IN_SIGHT), grant
    page.keyboard.press("End")
    at_step(page, GRANTS)
    for grant in range(GRANTS - 1, GRANTS - 26, -1):
        page.keyboard.press("ArrowLeft")
        at_step(page, grant)
        assert page.evaluate(CURRENT_IN_SIGHT), grant


def test_the_next_violation_is_found_from_anywhere(page: Page) -> None:
    start(page)
    seen = []
    for _ in range(3):
        page.keyboard.press("x")
        expect(page.locator("tr[aria-current=step] + tr.loss:not(.later)")).to_be_in_viewport()
        seen.append(step(page))
    assert 0 < seen[0] < seen[1] < seen[2]
    page.get_by_role("slider").fill("5000")
    page.keyboard.press("x")
    expect(page.locator("tr[aria-current=step] + tr.loss:not(.later)")).to_be_in_viewport()
    assert step(page) > 5000 or step(page) == seen[0]


def test_what_one_scrolls_to_is_drawn_and_no_step_is_taken(page: Page) -> None:
    start(page)
    for part in (0.25, 0.5, 0.9, 0.1):
        page.locator(".wide.long").evaluate(SCROLL, part)
        page.wait_for_function(f"() => !({IN_SIGHT})({TABLE}).includes(null)")
        seen = in_sight(page)
        assert abs(seen[len(seen) // 2] / GRANTS - part) < 0.03, (part, seen)
        assert seen == list(range(seen[0], seen[-1] + 1))
    at_step(page, 0)
    page.keyboard.press("ArrowRight")
    at_step(page, 1)
    assert page.evaluate(CURRENT_IN_SIGHT)


def test_the_scroll_bar_is_as_long_wherever_one_is(page: Page) -> None:
    tall = "(table) => table.scrollHeight"
    heights = []
    for step_ in ("0", "3000", "9000"):
        page.get_by_role("slider").fill(step_)
        heights.append(page.locator(".wide.long").evaluate(tall))
    assert max(heights) < 1.02 * min(heights), heights


def test_a_row_one_reads_stays_where_it_is_when_others_are_drawn(page: Page) -> None:
    start(page)
    page.get_by_role("slider").fill("5000")
    table = page.locator(".wide.long")
    before = in_sight(page)
    for _ in range(60):
        table.evaluate(SCROLL_ON)
        now = in_sight(page)
        assert None not in now
        assert before[0] <= now[0] <= before[-1], (before, now)
        assert now[0] - before[0] <= 2, (before, now)
        before = now
    assert before[0] > 5040


def test_the_focus_stays_on_its_grant_when_other_rows_are_drawn(page: Page) -> None:
    start(page)
    page.get_by_label("go to grant 12", exact=True).click()
    at_step(page, 12)
    focused = "document.activeElement.getAttribute('aria-label')"
    for grant in range(13, 40):
        page.keyboard.press("ArrowRight")
        at_step(page, grant)
        assert page.evaluate(focused) == "go to grant 12", grant
    page.keyboard.press("End")
    at_step(page, GRANTS)
    assert page.evaluate(focused) == f"go to grant {GRANTS}"


def test_the_address_of_a_late_step_leads_back_to_it(page: Page, site: str) -> None:
    page.get_by_role("slider").fill("9321")
    at_step(page, 9321)
    expect(page).to_have_url(f"{site}long/?rounds=1428&step=9321")


def test_axe_finds_nothing_in_a_long_run(page: Page) -> None:
    page.get_by_role("slider").fill("5000")
    at_step(page, 5000)
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 6000})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert findings(page) == [], width
    page.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.parametrize("width", [794, 1280])
def test_on_paper_the_rows_that_are_drawn_stand_without_gaps(page: Page, width: int) -> None:
    page.get_by_role("slider").fill("5000")
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(media="print")
    expect(page.locator(".gap").first).to_be_hidden()
    expect(page.locator(".part")).to_be_visible()
    table = page.locator(".wide.long")
    assert table.evaluate("(table) => table.clientHeight === table.scrollHeight")
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1280, "height": 900})


def longest(page: Page, act: Callable[[], None]) -> float:
    """How long the longest task of the page's main thread kept it, in milliseconds: of the
    processor's time, so that what else the machine does at that moment does not count."""
    browser = page.context.browser
    assert browser
    events: list[Any] = []
    session = browser.new_browser_cdp_session()
    session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    ended: list[object] = []
    session.on("Tracing.tracingComplete", lambda data: ended.append(data))
    session.send("Tracing.start", {"traceConfig": {"includedCategories": TASKS}})
    act()
    session.send("Tracing.end")
    while not ended:
        page.evaluate("() => new Promise(requestAnimationFrame)")
    session.detach()
    names = [each for each in events if each["name"] == "thread_name"]
    main = {place(each) for each in names if each["args"]["name"] == "CrRendererMain"}
    tasks = [each for each in events if each["name"] == RUN_TASK and place(each) in main]
    assert tasks
    return max(float(each.get("tdur", 0)) for each in tasks) / 1000


TASKS = ["-*", "toplevel"]
RUN_TASK = "ThreadControllerImpl::RunTask"


def place(event: dict[str, Any]) -> tuple[int, int]:
    return event["pid"], event["tid"]


DRAG = """async (ways) => {
  const slider = document.querySelector("input[type=range]");
  for (let at = 0; at <= ways; at += 1) {
    slider.value = String(Math.round((at / ways) * slider.max));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise(requestAnimationFrame);
  }
}"""


def test_nothing_holds_up_who_steps_or_drags_through_ten_thousand_grants(page: Page) -> None:
    def steps() -> None:
        start(page)
        for _ in range(STEPS):
            page.keyboard.press("ArrowRight")
        at_step(page, STEPS)

    def drags() -> None:
        page.evaluate(DRAG, STEPS)
        at_step(page, GRANTS)

    for act in (steps, drags):
        tries = sorted(longest(page, act) for _ in range(TRIES))
        print(f"{act.__name__}: longest tasks {[round(each) for each in tries]} ms")
        assert median(tries) < MOST, (act.__name__, tries)


def test_nothing_holds_up_who_waits_for_ten_thousand_grants(page: Page) -> None:
    def arrives() -> None:
        page.get_by_label("1428").check()
        arrived(page)

    tries = []
    for _ in range(TRIES):
        page.get_by_label("4", exact=True).check()
        expect(page.locator(".count")).to_contain_text("/ 28")
        tries.append(longest(page, arrives))
    print(f"arrival: longest tasks {[round(each) for each in tries]} ms")
    assert median(tries) < MOST, tries
