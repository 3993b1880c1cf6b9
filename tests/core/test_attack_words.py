"""Requests and recipes of any shape: always one answer, that names the culprit in short."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim_core.bridge import handle
from tests.core.hostile import HEAD, WRITER, ask, run


@pytest.mark.parametrize(
    "request_text",
    [
        '{"version": 1, "ask": []}',
        '{"version": 1, "ask": {}}',
        '{"version": true, "ask": "hello"}',
        '{"version": 1.0, "ask": "hello"}',
        None,
        3,
        '{"version": 1, "ask": "sweep", "recipe": "sections", "seeds": [9007199254740992, '
        "9007199254740992]}",
        '{"version": 1, "ask": "run", "recipe": "\\ud800"}',
    ],
)
def test_a_request_of_any_shape_is_answered(request_text: Any) -> None:
    answer = handle(request_text)
    answer.encode("utf-8")
    assert json.loads(answer)["schema"]["name"] == "error"


def test_ctrl_c_of_a_scenario_is_an_answer_too(tmp_path: Path) -> None:
    answer = run(tmp_path, "async def w(db):\n 'W.'\n raise KeyboardInterrupt\n")
    assert answer["message"] == "The run was interrupted."


@pytest.mark.parametrize(
    ("milliseconds", "shown"), [("1234.567", "1234.567"), ("0.001", "0.001"), ("3600.000", "3600")]
)
def test_a_timeout_is_printed_to_its_last_digit(milliseconds: str, shown: str) -> None:
    assert ask(ask="run", recipe=f"sections?timeout={milliseconds}")["recipe"] == (
        f"sections?timeout={shown}"
    )


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:8000/sections/?mode=warn&seed=16",
        "https://pages.example/explorer/sections/?mode=warn&seed=16#figure",
        "/sections/?mode=warn&seed=16",
        "sections/?mode=warn&seed=16",
    ],
)
def test_the_address_of_a_page_is_a_recipe(address: str) -> None:
    assert ask(ask="run", recipe=address)["recipe"] == "sections?mode=warn&seed=16"


@pytest.mark.parametrize("name", ["what?.py", "a?b.py", "pct%20.py", "s" * 200 + ".py", "ü.py"])
def test_a_file_of_any_name_can_be_named(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(HEAD + WRITER)
    recipe = f"{path}?seed=3"
    assert ask(ask="run", recipe=recipe)["recipe"] == recipe


@pytest.mark.parametrize(
    ("recipe", "named"),
    [
        ("x" * 5000 + ".py", "There is no file"),
        ("dir.py/", "There is no file dir.py/"),
        ("nul\0.py", "There is no file nul\\x00.py"),
        ("", "names no scenario"),
        ("?seed=1", "names no scenario"),
        ("sections?mode=warn&step=99", "this run has only 4 grants"),
        ("sections?mode=" + "b" * 500, "(505 characters)"),
        ("sections?faults=" + "b" * 500, "characters)"),
    ],
)
def test_a_recipe_that_is_off_is_told_in_a_short_sentence(recipe: str, named: str) -> None:
    message = ask(ask="run", recipe=recipe)["message"]
    assert named in message and len(message) < 420
