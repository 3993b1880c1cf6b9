"""What cannot be compared is one clear sentence, and exit status 2."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

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
    assert said.startswith(f"'{path}' is locked: another process kept it to itself for the 0.2")


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
        ("e.json", '{"ann": true}', "gives 'ann' the count 'True'"),
        ("e.json", '{"ann": 1.0}', "gives 'ann' the count '1.0'"),
        ("e.json", '{"ann": {"a": 1}}', "gives 'ann' the count"),
        ("e.json", '["ann", 1]', "must be one object"),
        ("e.json", '{"ann": ', "is not JSON"),
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
        ("SELECT NULL, 1", "expects rows of NULL, which is no owner"),
        ("SELECT 'ann', NULL", "gives 'ann' the count 'NULL'"),
        ("SELECT 'ann', -1", "gives 'ann' the count '-1'"),
        ("VALUES ('ann', 1), ('ann', 2)", "names the owner 'ann' twice"),
        ("SELECT 'ann', 1 WHERE 0", "expects no owner at all"),
        ("SELECT nonsense", "SQLite refuses the SELECT of --expect: no such column: nonsense."),
        ("nonsense", "--expect 'nonsense' is no file and no SELECT; give either."),
    ],
)
def test_a_select_that_is_no_expectation_is_said(
    events: Callable[..., Path], sql: str, said: str
) -> None:
    assert said in sentence(events(ann=1), *NAMES, "--expect", sql)


def test_an_error_is_an_object_with_json(tmp_path: Path) -> None:
    done = explorer("drift", str(tmp_path / "no"), *NAMES, "--expect", EXPECT, "--json")
    assert (done.returncode, json.loads(done.stdout)["error"]) == (2, "DriftError")
