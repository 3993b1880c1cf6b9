"""Source beside prose is the source."""

import re
from html import unescape
from pathlib import Path
from textwrap import dedent

import pytest

from explorer.literate import INKS, NoSuchCode, inked, shown

ROOT = Path(__file__).parent.parent.parent
CALLS = re.compile(r'beside\("([\w.]+)", "([\w.]+)"\)')
NAMED = [
    pair
    for path in sorted((ROOT / "templates").glob("**/*.html"))
    for pair in CALLS.findall(path.read_text(encoding="utf-8"))
]


def text_of(code: str) -> str:
    return unescape(re.sub(r"</?span[^>]*>", "", code))


def test_pages_show_source() -> None:
    assert len(NAMED) >= 8


@pytest.mark.parametrize(("module", "name"), NAMED, ids=[".".join(pair) for pair in NAMED])
def test_every_listing_is_the_lines_that_it_says_it_is(module: str, name: str) -> None:
    listing = shown(module, name)
    lines = (ROOT / listing.path).read_text(encoding="utf-8").splitlines()
    source = dedent("\n".join(lines[listing.first - 1 : listing.last]))
    assert text_of(listing.code) == source
    assert re.search(rf"\b{name.rpartition('.')[2]}\b", source)


@pytest.mark.parametrize(("module", "name"), NAMED, ids=[".".join(pair) for pair in NAMED])
def test_a_listing_is_short_enough_to_be_read(module: str, name: str) -> None:
    listing = shown(module, name)
    assert listing.last - listing.first < 20


def test_a_property_is_shown_by_its_function() -> None:
    assert "@property\ndef hash" in text_of(shown("sim_core.engine.run", "Run.hash").code)


def test_ink_is_a_class_and_never_a_style() -> None:
    code = inked('# why\nif x is not None:\n    raise Wrong("<b>")\n')
    assert set(re.findall(r'class="(\w+)"', code)) <= {ink for _, ink in INKS}
    assert "style" not in code
    assert '<span class="com"># why</span>' in code
    assert "&lt;b&gt;" in code


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("sim_core.engine.park", "no_such_function"),
        ("sim_core.no_such_module", "park"),
        ("sim_core.engine.park", "NOTHING"),
        ("os", "getcwd"),
    ],
)
def test_what_is_not_there_is_an_error(module: str, name: str) -> None:
    with pytest.raises(NoSuchCode):
        shown(module, name)
