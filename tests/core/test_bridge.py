"""The bridge answers everything in JSON and raises nothing."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim_core.bridge import handle


def ask(**request: Any) -> Any:
    return json.loads(handle(json.dumps({"version": 1, **request})))


def test_a_run_carries_its_recipe_its_hash_and_a_frame_a_step() -> None:
    run = ask(ask="run", recipe="sections?seed=16&mode=warn&step=2")
    assert run["schema"] == {"name": "run", "version": 1}
    assert run["recipe"] == "sections?mode=warn&seed=16"
    assert (run["grants"], run["verdict"]) == ("ABAB", "broken")
    assert [step["rows"][0][0] for step in run["steps"]] == [
        *("draft", "draft", "draft", "draft\ncareful’s line", "draft\nblind’s line")
    ]
    assert [offer["status"] for offer in run["steps"][4]["offers"]] == ["finished", "finished"]


def test_a_sweep_counts_by_invariant() -> None:
    warn = ask(ask="sweep", recipe="sections?mode=warn", seeds=[0, 29])
    enforce = ask(ask="sweep", recipe="sections?mode=enforce", seeds=[0, 29])
    assert warn["seeds"] == 30 and warn["verdict"] == "broken"
    assert warn["by_invariant"]["lost update"] == warn["broken"] != []
    assert enforce["broken"] == [] and enforce["verdict"] == "held"


def test_a_link_with_another_outcome_says_so() -> None:
    run = ask(ask="run", recipe="sections?mode=warn&seed=16")
    same = f"sections?mode=warn&seed=16&check=1.{run['hash'][:8]}"
    assert "mismatch" not in ask(ask="run", recipe=same)
    assert "may differ" in ask(ask="run", recipe="sections?mode=warn&check=1.00000000")["mismatch"]


@pytest.mark.parametrize(
    ("request_text", "word"),
    [
        ("", "not JSON"),
        ("[]", "version"),
        ('{"version": 2}', "version"),
        ('{"version": 1, "ask": "fly"}', "fly"),
        ('{"version": 1, "ask": "run"}', "recipe"),
        ('{"version": 1, "ask": "run", "recipe": 7}', "recipe"),
        ('{"version": 1, "ask": "sweep", "recipe": "sections", "seeds": [3, 1]}', "seeds"),
        ('{"version": 1, "ask": "sweep", "recipe": "sections", "seeds": [0, 99999999]}', "seeds"),
        ("[" * 100_000, "nested"),
    ],
)
def test_a_bad_request_is_answered_with_one_sentence(request_text: str, word: str) -> None:
    answer = json.loads(handle(request_text))
    assert answer["schema"]["name"] == "error"
    assert word in answer["message"]


@given(st.text(max_size=80))
def test_any_recipe_gets_an_answer(recipe: str) -> None:
    assert ask(ask="run", recipe=recipe)["schema"]["name"] in ("run", "error")
