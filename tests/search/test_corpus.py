"""What is pinned is replayed for ever; what guards nothing any more is called stale, and fails."""

import subprocess
import sys
from pathlib import Path

import pytest

from sim_core.errors import CorpusError
from sim_core.search.corpus import (
    BUILT_IN,
    Entry,
    entries,
    entry_of,
    files,
    pin,
    place_of,
    replay,
)

RED = "sections?mode=warn&grants=BAAB"


def kept(file: Path) -> list[Entry]:
    return [entry for _, entry in entries(file)]


def test_every_entry_of_ours_still_breaks_what_it_broke() -> None:
    found = [replay(entry, where) for file in files(BUILT_IN) for where, entry in entries(file)]
    assert found and not [one for one in found if one.stale]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "new" / "sections.txt"
    first, second = entry_of(RED, "One line.\nAnd # another."), entry_of(f"{RED}&step=2", "x")
    pin(first, file)
    with pytest.raises(CorpusError, match="is pinned already"):
        pin(second, file)
    pin(entry_of("sections?mode=warn&seed=16", "The second."), file)
    assert kept(file)[0] == first
    assert [entry.note for entry in kept(file)] == ["One line.\nAnd # another.", "The second."]
    assert [path.name for path in file.parent.iterdir()] == ["sections.txt"]


def test_a_run_that_breaks_nothing_is_not_pinned() -> None:
    with pytest.raises(CorpusError, match="nothing to pin"):
        entry_of("sections?mode=enforce", "")


@pytest.mark.parametrize(
    ("was", "is_", "why"),
    [
        ("mode=warn", "mode=enforce", "no longer is a run"),
        ("breaks lost update", "breaks something else", "no longer breaks something else"),
        ("A SELECT body", "A SELECT title", "no longer makes the statement SELECT title"),
        ("mode=warn", "mood=warn", "no longer is a run"),
        ("sections?", "chapters?", "no longer is a run"),
    ],
)
def test_an_entry_that_guards_nothing_any_more_is_stale(
    tmp_path: Path, was: str, is_: str, why: str
) -> None:
    file = tmp_path / "sections.txt"
    pin(entry_of(RED, "n"), file)
    text = file.read_text()
    assert was in text
    file.write_text(text.replace(was, is_, 1))
    ((where, entry),) = entries(file)
    assert why in replay(entry, where).stale


def test_a_promise_that_holds_again_makes_its_entry_stale(tmp_path: Path) -> None:
    entry = entry_of("sections?mode=warn&seed=16", "")
    mended = Entry("sections?seed=16", entry.breaks, entry.statements)
    assert "no longer breaks lost update" in replay(mended, "here").stale


@pytest.mark.parametrize(
    "text",
    ["    breaks x\n", f"{RED}\n    makes x\n", f"{RED}\n    breaks\n", f"{RED}\n    runs A\n"],
)
def test_a_line_that_is_none_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "c.txt"
    file.write_text(text)
    with pytest.raises(CorpusError, match=r"c\.txt:\d is no line of a corpus"):
        kept(file)


def test_a_file_that_cannot_be_read_or_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="There is no corpus"):
        files(tmp_path / "nothing")
    blob = tmp_path / "blob.txt"
    blob.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CorpusError, match="cannot be read as a corpus"):
        kept(blob)
    (tmp_path / "occupied").write_text("")
    with pytest.raises(CorpusError, match="cannot be written"):
        pin(entry_of(RED, ""), tmp_path / "occupied" / "sections.txt")


def test_entries_of_built_in_scenarios_stand_with_us_and_others_beside_their_file() -> None:
    assert place_of("sections?mode=warn") == BUILT_IN / "sections.txt"
    assert place_of("a/mine.py?seed=1") == Path("a/corpus/mine.txt")


def test_a_corpus_and_its_scenario_travel_together(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    scenario = tmp_path / "here" / "mine?.py"
    scenario.write_text(Path("tests/tiny/w1.py").read_text())
    file = place_of(f"{scenario}?grants=ABBA")
    pin(entry_of(f"{scenario}?grants=ABBA", ""), file)
    ((where, entry),) = entries(file)
    assert entry.recipe == "../mine?.py?grants=ABBA"
    assert not replay(entry, where, file.parent).stale
    moved = (tmp_path / "here").rename(tmp_path / "there")
    assert not replay(entry, where, moved / "corpus").stale


def test_what_is_not_serial_where_nothing_is_promised_can_be_kept(tmp_path: Path) -> None:
    scenario = tmp_path / "mine.py"
    scenario.write_text(Path("tests/tiny/w1.py").read_text().replace("INVARIANTS =", "ONCE ="))
    entry = entry_of(f"{scenario}?grants=ABBA", "")
    assert entry.breaks == ("serial",)
    assert not replay(entry, "here").stale
    with pytest.raises(CorpusError, match="nothing to pin"):
        entry_of(f"{scenario}?grants=AABB", "")


def test_a_promise_with_a_line_break_in_its_name_can_be_kept(tmp_path: Path) -> None:
    scenario = tmp_path / "#mine.py"
    text = Path("tests/tiny/w1.py").read_text()
    scenario.write_text(f"{text}INVARIANTS = ((' two\\nlines ', 'P.', 'SELECT 1'),)\n")
    file = place_of(str(scenario))
    pin(entry_of(f"{scenario}?grants=ABBA", "a\u2028b"), file)
    ((where, entry),) = entries(file)
    assert not replay(entry, where, file.parent).stale


def test_a_path_that_cannot_be_written_in_one_line_is_refused(tmp_path: Path) -> None:
    scenario = tmp_path / "two\nlines.py"
    scenario.write_text(Path("tests/tiny/w1.py").read_text())
    with pytest.raises(CorpusError, match="cannot stand in a corpus"):
        pin(entry_of(f"{scenario}?grants=ABBA", ""), tmp_path / "c.txt")


def test_pins_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    file = tmp_path / "sections.txt"
    file.write_text("# " + "x" * 3_000_000 + "\n" + entry_of(RED, "").text())
    one = "import sys; from pathlib import Path; from sim_core.search.corpus import *; "
    pins = [
        subprocess.Popen(
            [sys.executable, "-c", f"{one}pin(entry_of({recipe!r}, 'n'), Path({str(file)!r}))"]
        )
        for recipe in (f"sections?mode=warn&seed={seed}" for seed in (0, 9, 16, 27))
    ]
    assert [process.wait() for process in pins] == [0] * len(pins)
    assert len(kept(file)) == 1 + len(pins)
