"""One line identifies a run, and is written in one way only."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sim_core.engine.recipe import LETTERS, MOST_CHARACTERS
from sim_core.errors import ExplorerError, RecipeError
from sim_core.judge.scenario import recipe_of

GOLDEN = json.loads((Path(__file__).parent.parent / "golden/recipes.json").read_text())


def canonical(text: str) -> str:
    return recipe_of(text)[1].text


@pytest.mark.parametrize("entry", GOLDEN, ids=lambda entry: entry["text"][:60])
def test_a_recipe_reads_as_the_golden_file_says(entry: dict[str, str]) -> None:
    """JavaScript reads the same file: the two parsers cannot drift apart."""
    if "canonical" in entry:
        assert canonical(entry["text"]) == entry["canonical"]
    else:
        with pytest.raises(RecipeError) as caught:
            canonical(entry["text"])
        assert caught.value.part == entry["part"]


RECIPES = st.builds(
    lambda mode, roles, journal, seed, faults: (
        f"sections?seed={seed}&mode={mode}&journal={journal}&writers={','.join(roles)}"
        + (f"&faults={LETTERS[faults % len(roles)]}{faults + 1}before:crash" if faults else "")
    ),
    st.sampled_from(["warn", "enforce"]),
    st.lists(st.sampled_from(["careful", "blind", "overwriter", "reader"]), min_size=1, max_size=5),
    st.sampled_from(["delete", "wal"]),
    st.integers(0, 2**53 - 1),
    st.integers(0, 20),
)


@given(RECIPES)
def test_the_canonical_form_of_a_canonical_form_is_itself(text: str) -> None:
    once = canonical(text)
    assert canonical(once) == once
    assert recipe_of(once)[1] == recipe_of(text)[1]


@given(st.text(max_size=200))
def test_any_text_is_a_recipe_or_one_clear_sentence(text: str) -> None:
    for recipe in (text, f"sections?{text}", f"sections?mode={text}", f"sections?faults={text}"):
        try:
            canonical(recipe)
        except ExplorerError as error:
            assert str(error)


def test_a_recipe_that_is_too_long_is_refused_before_it_is_read() -> None:
    with pytest.raises(RecipeError, match=r"at most 8,000"):
        canonical("sections?grants=" + "A" * MOST_CHARACTERS)
