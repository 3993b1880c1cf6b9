"""A search in slices comes to what the whole comes to, and can be stopped between two."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim_core.bridge import handle
from sim_core.search.exhaust import Exhaust
from sim_core.searched import exhaust_json

W1 = "tests/tiny/w1.py?writers=adder,adder,adder"


def ask(kind: str, **request: Any) -> dict[str, Any]:
    answer = json.loads(handle(json.dumps({"version": 1, "ask": kind} | request)))
    assert isinstance(answer, dict)
    return answer


def to_the_end(answer: dict[str, Any], steps: int) -> dict[str, Any]:
    while not answer["done"]:
        answer = ask("more", steps=steps)
    return answer


@pytest.mark.parametrize("steps", [1, 7, 1000])
def test_slices_of_any_size_come_to_the_same(steps: int) -> None:
    whole = Exhaust(W1)
    for _ in whole.steps():
        pass
    sliced = to_the_end(ask("exhaust", recipe=W1, steps=steps), steps)
    assert sliced == json.loads(json.dumps(exhaust_json(whole))) | {"done": True}
    assert (sliced["interleavings"], sliced["broken"]) == (90, 84)


def test_before_the_end_nothing_is_proved_and_nothing_counted() -> None:
    first = ask("exhaust", recipe="tests/tiny/w3.py?writers=adder,adder,adder", steps=2)
    assert (first["done"], first["verdict"], first["interleavings"]) == (False, "held", None)
    assert first["explored"] == 2
    last = to_the_end(first, 5)
    assert (last["verdict"], last["interleavings"]) == ("proved", 6)


def test_stop_keeps_what_was_found_and_guesses_by_that_name_only() -> None:
    ask("exhaust", recipe="tests/tiny/w2.py?writers=adder,adder,adder,adder", steps=3)
    stopped = ask("stop")
    assert (stopped["done"], stopped["verdict"], stopped["stopped"]) == (True, "held", "stopped")
    assert stopped["interleavings"] is None and stopped["estimate"] == 24
    assert ask("more")["error"] == "RequestError"


def test_a_new_search_takes_the_place_of_the_old() -> None:
    ask("exhaust", recipe=W1, steps=1)
    story = to_the_end(ask("shrink", recipe=f"{W1}&seed=1", steps=1), 100)
    assert (story["schema"]["name"], story["grants"], story["smallest"]) == ("shrink", "ABBA", True)


@pytest.mark.parametrize(
    ("kind", "request_", "part"),
    [
        ("more", {}, "more"),
        ("stop", {}, "more"),
        ("exhaust", {}, "recipe"),
        ("exhaust", {"recipe": W1, "crashes": 3}, "crashes"),
        ("exhaust", {"recipe": W1, "brute": 1}, "brute"),
        ("exhaust", {"recipe": W1, "budget": 0}, "budget"),
        ("exhaust", {"recipe": W1, "steps": True}, "steps"),
        ("shrink", {"recipe": W1.replace("w1", "w3")}, "tests/tiny/w3.py"),
    ],
)
def test_what_cannot_be_answered_is_named(kind: str, request_: dict[str, Any], part: str) -> None:
    to_the_end(ask("exhaust", recipe=W1, steps=1000), 1000)
    answer = ask(kind, **request_)
    assert answer["schema"]["name"] == "error" and part in answer["part"]


def test_a_search_that_ends_in_an_error_is_over(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        'SCHEMA = "CREATE TABLE t (v)"\nWRITERS = ("a", "a")\ncount = []\n'
        'async def a(db):\n    "A."\n    count.append(1)\n    await db.execute("SELECT 1")\n'
        "    if len(count) > 2:\n        exit()\n"
    )
    assert ask("exhaust", recipe=str(path), steps=9)["error"] == "ScenarioError"
    assert "No search is going on" in ask("more")["message"]
