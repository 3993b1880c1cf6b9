"""What cannot be compared is one clear sentence, and exit status 2."""

import json
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from explorer import expected
from explorer.drift import drift
from sim_core.errors import DriftError
from tests.cli.hostile import explorer

EXPECT = "SELECT owner, n FROM expected"
NAMES = ("--table", "events", "--owner", "owner")


def sentence(*words: str | Path) -> str:
    done = explorer("drift", *map(str, words))
    assert (done.returncode, done.stdout) == (2, ""), done
    (line,) = [one for one in done.stderr.splitlines() if one.startswith("explorer: ")]
    assert "Traceback" not in done.stderr and "bug" not in line
    return line.removeprefix("explorer: ")


def test_a_missing_file_or_a_folder_is_said(tmp_path: Path) -> None:
    missing = tmp_path / "none.db"
    assert sentence(missing, *NAMES, "--expect", EXPECT) == f"There is no file '{missing}'."
    assert "is a folder" in sentence(tmp_path, *NAMES, "--expect", EXPECT)
    assert not missing.exists()


def test_a_missing_table_or_column_is_named_with_what_is_near(
    events: Callable[..., Path],
) -> None:
    path = events(ann=1)
    off = sentence(path, "--table", "event", "--owner", "owner", "--expect", EXPECT)
    assert off == "The database has no table 'event'; did you mean 'events'?"
    off = sentence(path, "--table", "events", "--owner", "onwer", "--expect", EXPECT)
    assert off == "The table 'events' has no column 'onwer'; did you mean 'owner'?"
    off = sentence(path, "--table", "events", "--owner", "zzz", "--expect", EXPECT)
    assert off == "The table 'events' has no column 'zzz'; its columns are 'owner'."


def test_an_empty_file_is_a_database_without_tables(tmp_path: Path) -> None:
    (tmp_path / "empty.db").touch()
    said = sentence(tmp_path / "empty.db", *NAMES, "--expect", EXPECT)
    assert said == "The database has no table 'events'; it has none at all."


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_locked_file_is_said_after_a_bounded_wait(
    events: Callable[..., Path], journal: str
) -> None:
    path = events(journal, ann=1)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA locking_mode=EXCLUSIVE")
        db.execute("BEGIN EXCLUSIVE")
        db.execute("INSERT INTO events VALUES ('bob')")
        said = sentence(path, *NAMES, "--expect", "SELECT 'ann', 1", "--timeout", "0.2")
    assert said.startswith(f"'{path}' is locked: another process kept it to itself for")


def test_a_corrupt_file_is_said(events: Callable[..., Path], tmp_path: Path) -> None:
    path = events("delete", **{f"owner{n}": 50 for n in range(40)})
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))
    assert "is corrupt" in sentence(path, *NAMES, "--expect", "SELECT 'ann', 1")
    path.write_bytes(whole[: len(whole) // 2 + 100])
    assert "is corrupt" in sentence(path, *NAMES, "--expect", "SELECT 'ann', 1")
    other = tmp_path / "notes.txt"
    other.write_text("owner,count\n")
    assert "is not an SQLite database" in sentence(other, *NAMES, "--expect", "SELECT 'ann', 1")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("e.csv", "ann,10\nann,10\n", "names the owner 'ann' twice"),
        ("e.csv", "ann,-1\n", "gives 'ann' the count '-1'"),
        ("e.csv", "ann,1.5\n", "gives 'ann' the count '1.5'"),
        ("e.csv", "ann\n", "has 1 cell, and not two"),
        ("e.csv", "ann,1\n,3\n", "Line 2 of"),
        ("e.csv", 'ann,1\n"bob,2\n', "is not CSV"),
        ("e.csv", "", "expects no owner at all"),
        ("e.json", '{"ann": 1, "ann": 2}', "names the owner 'ann' twice"),
        ("e.json", '{"ann": null}', "gives 'ann' the count 'NULL'"),
        ("e.json", '{"ann": true}', "gives 'ann' the count 'true'"),
        ("e.json", '{"ann": 1.0}', "gives 'ann' the count '1.0'"),
        ("e.json", '{"ann": {"a": 1}}', "gives 'ann' the count"),
        ("e.json", '["ann", 1]', "must be one object"),
        ("e.json", '{"ann": ', "is not JSON"),
        ("e.json", '{"ann": 10, "bob": 10 "cleo": 10}', "delimiter: line 1 column 23 (char 22)."),
        ("e", '{"ann": -1}', "gives 'ann' the count '-1'"),
        ("e.csv", "\xff", "is not text in UTF-8"),
    ],
)
def test_a_file_that_is_no_expectation_is_said(
    events: Callable[..., Path], name: str, content: str, said: str
) -> None:
    path = events(ann=1)
    expect = path.with_name(name)
    expect.write_bytes(content.encode("latin-1"))
    assert said in sentence(path, *NAMES, "--expect", expect)


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT 'ann'", "two columns, owner and count"),
        ("SELECT 'ann', NULL", "gives 'ann' the count 'NULL'"),
        ("SELECT 'ann', -1", "gives 'ann' the count '-1'"),
        ("VALUES ('ann', 1), ('ann', 2)", "names the owner 'ann' twice"),
        ("SELECT 'ann', 1 WHERE 0", "expects no owner at all; make it give a row each"),
        ("SELECT 'ann', 1e30", f"a count is a whole number from 0 to {2**63 - 1:,}."),
        ("SELECT name, 1 FROM pragma_table_info('events')", "no PRAGMA either"),
        ("SELECT 'ann', 1; SELECT 2", "one statement at a time."),
        ("SELECT zeroblob(900000000), 1", "a value of more than 16,000,000 bytes; make it shorter"),
        ("", "--expect is empty; give a file or a SELECT."),
        (
            "SELECT nonsense",
            "The expectation's SELECT is refused by SQLite: no such column: nonsense.",
        ),
        ("nonsense", "The expectation 'nonsense' is no file and no SELECT; give either."),
    ],
)
def test_a_select_that_is_no_expectation_is_said(
    events: Callable[..., Path], sql: str, said: str
) -> None:
    words = sentence(events(ann=1), *NAMES, "--expect", sql)
    assert said in words and ".." not in words


def test_a_select_after_a_comment_is_one(events: Callable[..., Path]) -> None:
    path = str(events(ann=1))
    for sql in ("-- who\nSELECT 'ann', 1", "/* who\n*/ /**/ SELECT 'ann', 1"):
        assert explorer("drift", path, *NAMES, "--expect", sql).returncode == 0


ENDLESS = "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 1 FROM n"


def test_a_select_without_end_is_ended(
    events: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = events(ann=1)
    monkeypatch.setattr(expected, "SECONDS", 0.2)
    with pytest.raises(DriftError, match="expectation's SELECT took longer than"):
        drift(path, "events", "owner", f"{ENDLESS} WHERE i < 0")
    monkeypatch.setattr(expected, "SECONDS", 60)
    monkeypatch.setattr(expected, "MOST_OWNERS", 1_000)
    with pytest.raises(DriftError, match=r"gives more than 1,000 owners, or .*; narrow it"):
        drift(path, "events", "owner", ENDLESS)
    monkeypatch.setattr(expected, "MOST_CHARACTERS", 1_000)
    with pytest.raises(DriftError, match="or 1,000 characters"):
        drift(path, "events", "owner", "SELECT zeroblob(1001), 1")


def test_ctrl_c_during_a_select_is_ctrl_c(
    events: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, began = events(ann=1), time.monotonic()

    def clock() -> float:
        if sys._getframe(1).f_code.co_name == "<lambda>":
            raise KeyboardInterrupt  # as the handler of a signal does
        return began

    monkeypatch.setattr(expected, "monotonic", clock)
    with pytest.raises(KeyboardInterrupt):
        drift(path, "events", "owner", f"{ENDLESS} WHERE i < 0")


def test_a_view_that_is_broken_is_not_a_broken_database(events: Callable[..., Path]) -> None:
    path = events(ann=1)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE VIEW seen AS SELECT owner FROM gone")
        db.commit()
    said = sentence(path, "--table", "seen", "--owner", "owner", "--expect", "SELECT 'ann', 1")
    assert said.startswith("The table or view 'seen' cannot be counted: SQLite says “no such table")


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
@pytest.mark.parametrize(
    "words",
    [
        ("drift", "no.db", *NAMES, "--expect", "SELECT 1, 1", "--timeout"),
        ("drill", "owners", "--limit"),
        ("drill", "claims", "--suite", "S1", "--speed"),
        ("incidence", "sections", "--speed"),
    ],
    ids=lambda words: " ".join((*words[:2], words[-1])) if isinstance(words, tuple) else words,
)
def test_what_is_no_number_is_refused(words: tuple[str, ...], value: str) -> None:
    done = explorer(*words, value)
    assert (done.returncode, done.stdout) == (2, "")
    assert words[-1] in done.stderr and "Traceback" not in done.stderr


def test_a_log_that_cannot_be_opened_has_a_remedy(events: Callable[..., Path]) -> None:
    path = events(ann=1)
    path.with_name("hook.db-wal").mkdir()
    said = sentence(path, *NAMES, "--expect", "SELECT 'ann', 1")
    assert said.endswith("copy it together with its -wal into one that is, and ask there.")


def test_no_name_is_no_database() -> None:
    said = sentence("", *NAMES, "--expect", "SELECT 'ann', 1")
    assert said == "The database's name is empty; name its file."


def test_an_error_is_an_object_with_json(tmp_path: Path) -> None:
    done = explorer("drift", str(tmp_path / "no"), *NAMES, "--expect", EXPECT, "--json")
    assert (done.returncode, json.loads(done.stdout)["error"]) == (2, "DriftError")


@pytest.mark.parametrize("wrong", ["mis.csv", ""])
def test_a_program_that_names_a_file_as_text_is_told_to_give_a_path(
    wrong: str, events: Callable[..., Path]
) -> None:
    with pytest.raises(DriftError, match="is a str, and no SELECT; give a file's name as a Path"):
        drift(events(ann=1), "events", "owner", wrong)
