"""A run is taken along as a test, a trace and a picture, and a trace is brought back."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.reading import with_python

Open = Callable[..., Page]


@pytest.fixture
def taken(figure: Open) -> Page:
    page = with_python(figure("?mode=warn&seed=16"))
    expect(page.get_by_role("button", name="Trace", exact=True)).to_be_visible()
    return page


def saved(page: Page, name: str) -> tuple[str, str]:
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    return download.value.suggested_filename, Path(download.value.path()).read_text("utf-8")


def test_a_trace_is_saved_and_opened_again(taken: Page, figure: Open, tmp_path: Path) -> None:
    name, text = saved(taken, "Trace")
    assert name.startswith("sections-mode-warn-seed-16")
    assert json.loads(text)["grants"] == "ABAB"
    kept = tmp_path / name
    kept.write_text(text, encoding="utf-8")
    other = with_python(figure("?mode=enforce"))
    other.locator("input[type=file]").set_input_files(kept)
    expect(other.locator("tr.loss")).to_contain_text("lost")
    expect(other.locator("#figure [role=status]").last).to_contain_text("the trace is true")
    assert "mode=warn&seed=16" in other.url


@pytest.mark.parametrize(
    "forged",
    [{"hash": "0" * 64}, {"verdict": "ok", "violations": []}],
    ids=["another hash", "another story under the same hash"],
)
def test_a_changed_trace_is_shown_and_told_to_be_none(
    taken: Page, tmp_path: Path, forged: dict[str, object]
) -> None:
    _, text = saved(taken, "Trace")
    kept = tmp_path / "changed.json"
    kept.write_text(json.dumps(json.loads(text) | forged), encoding="utf-8")
    taken.locator("input[type=file]").set_input_files(kept)
    expect(taken.locator(".problem")).to_contain_text(
        "not what its recipe comes to", timeout=30_000
    )


def test_a_mended_trace_is_chosen_again_and_a_folder_is_a_sentence(
    taken: Page, tmp_path: Path
) -> None:
    kept = tmp_path / "run.json"
    chooser = taken.locator("input[type=file]")
    kept.write_text("{", encoding="utf-8")
    chooser.set_input_files(kept)
    expect(taken.locator(".problem")).to_contain_text("is not JSON")
    _, text = saved(taken, "Trace")
    kept.write_text(text, encoding="utf-8")
    chooser.set_input_files(kept)
    expect(taken.locator(".problem")).to_have_count(0)
    taken.evaluate(
        """() => {
          const file = new File(["{}"], "traces");
          file.text = () => Promise.reject(new DOMException("gone", "NotFoundError"));
          const dataTransfer = { files: [file], types: ["Files"] };
          const drop = Object.assign(new Event("drop", { bubbles: true }), { dataTransfer });
          document.querySelector("header").dispatchEvent(drop);
        }"""
    )
    expect(taken.locator(".problem")).to_contain_text("traces cannot be read; it may be a folder")


@pytest.mark.parametrize("text", ["{", "[1, 2]", '{"schema": {"name": "sweep", "version": 1}}'])
def test_what_is_no_trace_is_one_sentence(taken: Page, tmp_path: Path, text: str) -> None:
    kept = tmp_path / "odd.json"
    kept.write_text(text, encoding="utf-8")
    taken.locator("input[type=file]").set_input_files(kept)
    expect(taken.locator(".problem")).to_be_visible()
    expect(taken.locator("tr.loss")).to_contain_text("lost")


def test_a_trace_is_dropped_on_the_figure(taken: Page, figure: Open) -> None:
    _, text = saved(taken, "Trace")
    other = with_python(figure("?mode=enforce"))
    expect(other.get_by_role("button", name="Trace", exact=True)).to_be_visible()
    other.evaluate(
        """text => {
          const files = new DataTransfer();
          files.items.add(new File([text], "run.json", {type: "application/json"}));
          const how = {dataTransfer: files, bubbles: true, cancelable: true};
          const drop = new DragEvent("drop", how);
          document.querySelector("#figure").dispatchEvent(drop);
        }""",
        text,
    )
    expect(other.locator("tr.loss")).to_contain_text("lost")


def test_the_picture_is_a_drawing_that_stands_alone(taken: Page) -> None:
    name, text = saved(taken, "SVG")
    assert name.endswith(".svg")
    root = ET.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "careful’s line" in "".join(root.itertext())


def test_a_test_is_copied(taken: Page) -> None:
    taken.context.grant_permissions(["clipboard-read", "clipboard-write"])
    taken.get_by_role("button", name="Copy as pytest").click()
    copied = taken.evaluate("navigator.clipboard.readText()")
    assert "def test_" in copied and "sections?mode=warn" in copied
