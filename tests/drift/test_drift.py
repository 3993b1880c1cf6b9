"""Expected against counted rows per owner, on databases at rest, in use, locked and broken."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from explorer import drift_cli
from explorer.drift import Range, drift
from explorer.expected import Owner
from sim_core.errors import DriftError
from tests.cli.hostile import COMMAND, ROOT, explorer
from tests.drift import writer

EXPECT = "SELECT owner, n FROM expected"
NAMES = ("--table", "events", "--owner", "owner")


def check(path: Path, expect: Any, table: str = "events", owner: str = "owner") -> Any:
    return drift(path, table, owner, expect, timeout=0.1)


def total(look: Any) -> int:
    return sum(look.counted.values())


# In use.


@contextmanager
def thirty_writers(path: Path, journal: str) -> Iterator[None]:
    writer.prepare(path, journal)
    words = [sys.executable, "-I", writer.__file__, str(path)]
    pause = "0" if journal == "wal" else "0.5"  # or no reader ever comes in between
    started = [
        subprocess.Popen([*words, f"owner-{n:02}", pause], stdout=subprocess.PIPE, text=True)
        for n in range(30)
    ]
    try:
        for one in started:
            assert one.stdout and one.stdout.readline() == "ready\n"
        yield
    finally:
        assert all(one.poll() is None for one in started), "a writer died: this tested less"
        for one in started:
            one.kill()
            one.communicate()


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_while_thirty_processes_write_every_look_is_one_instant(
    tmp_path: Path, journal: str
) -> None:
    path = tmp_path / "hook.db"
    with thirty_writers(path, journal):
        looks = []
        while len(looks) < 6 or total(looks[-1]) == total(looks[0]):  # until somebody wrote
            looks.append(drift(path, "events", "owner", EXPECT, timeout=30))
        with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=30) as db:
            (before,) = db.execute("SELECT count(*) FROM events").fetchone()
            while (after := db.execute("SELECT sum(n) FROM expected").fetchone()[0]) == before:
                pass  # two looks one after the other do see a change
        assert after > before
    assert not any(look.drifted for look in looks)
    totals = [total(look) for look in looks]
    assert totals == sorted(totals)


def test_a_misfiled_row_is_found_while_thirty_processes_write(tmp_path: Path) -> None:
    path = tmp_path / "hook.db"
    with thirty_writers(path, "wal"):
        with sqlite3.connect(path, timeout=30) as db:
            first = "SELECT min(n) FROM events"
            db.execute(f"UPDATE events SET owner = 'env' WHERE n = ({first})")
        done = explorer(
            *f"drift {path} --table events --owner owner --timeout 30".split(),
            "--expect",
            EXPECT,
            "--json",
        )
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["kinds"]) == (1, ["misattribution into a new owner"])
    assert [one["difference"] for one in answer["wrong"]] == [-1, 1]


# The kinds of drift.


def test_no_drift_is_said_with_its_figures(events: Callable[..., Path]) -> None:
    found = check(events(ann=10, bob=10), {"ann": 10, "bob": 10, "cid": 0})
    assert (found.drifted, drift_cli.kinds(found)) == (False, [])
    text = drift_cli.drift_text(found, "hook.db")
    assert "expected  20 rows of 3 owners\ncounted   20 rows of 2 owners" in text
    assert text.endswith("no drift: each owner has the rows that are expected")


def test_a_lost_row_is_loss(events: Callable[..., Path]) -> None:
    found = check(events(ann=9, bob=10), {"ann": 10, "bob": 10})
    assert (found.lost, found.misfiled, found.surplus) == (1, 0, 0)
    assert drift_cli.kinds(found) == ["loss"]


def test_an_owner_that_lost_every_row_is_loss(events: Callable[..., Path]) -> None:
    found = check(events(ann=3), {"ann": 3, "bob": 2})
    assert (found.lost, found.wrong[0].counted) == (2, 0)


def test_a_row_under_a_new_owner_is_no_loss(events: Callable[..., Path]) -> None:
    found = check(events(ann=9, bob=10, env=1), {"ann": 10, "bob": 10})
    assert (found.lost, found.misfiled, found.surplus) == (0, 1, 0)
    assert (found.into_new, found.between) == (Range(1, 1), Range(0, 0))
    assert drift_cli.kinds(found) == ["misattribution into a new owner"]


def test_a_row_under_another_owner_leaves_every_total_as_it_was(
    events: Callable[..., Path],
) -> None:
    found = check(events(ann=9, bob=11), {"ann": 10, "bob": 10})
    assert sum(found.counted.values()) == sum(found.expected.values())
    assert set(found.counted) == set(found.expected)
    assert (found.into_new, found.between) == (Range(0, 0), Range(1, 1))
    assert drift_cli.kinds(found) == ["misattribution between existing owners"]
    assert "counts alone cannot tell" in " ".join(drift_cli.verdict(found))


def test_a_row_too_many_is_surplus(events: Callable[..., Path]) -> None:
    found = check(events(ann=11, bob=10, env=1), {"ann": 10, "bob": 10})
    assert (found.lost, found.misfiled, found.surplus) == (0, 0, 2)


def test_where_counts_cannot_tell_they_give_a_range(events: Callable[..., Path]) -> None:
    found = check(events(ann=9, bob=11, env=1), {"ann": 10, "bob": 10})
    assert (found.misfiled, found.surplus) == (1, 1)
    assert (found.into_new, found.between) == (Range(0, 1), Range(0, 1))
    said = " ".join(drift_cli.verdict(found))
    assert "misattribution into a new owner, or between existing owners; surplus." in said
    assert "0 to 1 under" in said


def test_rows_without_an_owner_are_nobodys(events: Callable[..., Path]) -> None:
    path = events(ann=9)
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO events VALUES (NULL)")
        db.commit()
    found = check(path, {"ann": 10})
    assert found.into_new == Range(1, 1)
    assert [one.owner.kind for one in found.wrong] == ["text", "null"]
    assert "NULL       none        1  1 too many" in drift_cli.drift_text(found, "")


def test_rows_without_an_owner_may_be_expected(events: Callable[..., Path]) -> None:
    path = events(ann=9)
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO events VALUES (NULL)")
        db.commit()
    assert not check(path, "VALUES ('ann', 9), (NULL, 1)").drifted
    assert not check(path, {"ann": 9, None: 1}).drifted
    assert check(path, {"ann": 9, None: 2}).lost == 1


def test_the_command_in_the_readme_runs_as_written(
    events: Callable[..., Path],
) -> None:
    from tests.test_readme import DRIFT

    folder = events(ann=10, bob=9, env=1).parent
    (folder / "expected.csv").write_text("owner,count\nann,10\nbob,10\n")
    words = [*COMMAND, *DRIFT.split()[1:]]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "")
    assert "DRIFT: misattribution into a new owner." in done.stdout


# Owners and names as they come.


def test_names_with_quotes_and_owners_of_every_type(tmp_path: Path) -> None:
    path = tmp_path / "a?b#c%20.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute('CREATE TABLE "we""ird [t]" ("the \'owner" COLLATE NOCASE)')
        owners = ["a", "A", 1, 1.0, "1", 2.5, b"a", "it's", 'q"']
        db.executemany('INSERT INTO "we""ird [t]" VALUES (?)', [(each,) for each in owners])
        db.commit()
    expect = {"a": 1, "A": 1, 1: 2, "1": 1, 2.5: 1, b"a": 1, "it's": 1, 'q"': 1}
    assert not check(path, expect, 'we"ird [T]', "THE 'owner").drifted
    assert check(path, {**expect, "A": 2}, 'we"ird [t]', "the 'owner").drifted


def test_an_owner_that_is_no_utf8_is_counted_and_printed(events: Callable[..., Path]) -> None:
    path = events(ann=1)
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO events VALUES (CAST(x'ff41' AS TEXT))")
        db.commit()
    done = explorer("drift", str(path), *NAMES, "--expect", "SELECT 'ann', 1", "--json")
    assert (done.returncode, json.loads(done.stdout)["surplus"]) == (1, 1)


def test_a_file_compares_owners_by_their_text(tmp_path: Path) -> None:
    path, csv = tmp_path / "hook.db", tmp_path / "e.csv"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE events (owner)")
        db.executemany("INSERT INTO events VALUES (?)", [(7,), (7,), ("x",)])
        db.commit()
        csv.write_text("owner,count\n7,2\nx,1\n")
        assert not check(path, csv).drifted
        db.execute("INSERT INTO events VALUES ('7')")
        db.commit()
    with pytest.raises(DriftError, match="both written '7', a number and a text"):
        check(path, csv)
    assert not check(path, "VALUES (7, 2), ('7', 1), ('x', 1)").drifted


def test_a_whole_number_is_the_same_however_it_is_stored(tmp_path: Path) -> None:
    path, csv = tmp_path / "hook.db", tmp_path / "e.csv"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE events (owner REAL)")
        db.executemany("INSERT INTO events VALUES (?)", [(1,), (1,), (2.5,), (None,)])
        db.commit()
    for written in ("1,2", "1.0,2"):
        csv.write_text(f"{written}\n2.5,1\n")
        assert [one.owner.kind for one in check(path, csv).wrong] == ["null"]
    csv.write_text("1,2\n1.0,2\n")
    with pytest.raises(DriftError, match="names the owner '1' twice"):
        check(path, csv)


def test_owners_that_look_alike_are_told_apart(events: Callable[..., Path]) -> None:
    path = events(ann=1)
    with closing(sqlite3.connect(path)) as db:
        odd = [None, "NULL", "", " ann", "7 (number)", 7]
        db.executemany("INSERT INTO events VALUES (?)", [(one,) for one in odd])
        db.commit()
    lines = drift_cli.drift_text(check(path, {"x": 1}), "hook.db").splitlines()
    shown = {line.split("  ")[0] for line in lines}
    assert {"NULL", "'NULL'", "''", "' ann'", "'7 (number)'", "7 (number)", "ann"} <= shown
    path.with_name("e.csv").write_text("NULL,1\n")
    found = check(path, path.with_name("e.csv"))
    assert found.expected == {Owner("text", "NULL"): 1}
    assert Owner("null", None) in [one.owner for one in found.wrong]


def test_what_sqlite_leaves_beside_the_database_is_told(events: Callable[..., Path]) -> None:
    path = events(ann=1)
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO events VALUES ('bob')")
        db.commit()
        log = path.with_name("hook.db-wal").read_bytes()
    path.with_name("hook.db-wal").write_bytes(log)  # as a copy, or a crash, leaves it
    done = explorer("drift", str(path), *NAMES, "--expect", "SELECT owner, 1 FROM events")
    assert (done.returncode, "hook.db-shm came to lie beside" in done.stderr) == (0, True)
    assert path.with_name("hook.db-shm").exists()


def test_a_view_is_counted_like_a_table(events: Callable[..., Path]) -> None:
    path = events(ann=2)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE VIEW seen AS SELECT owner FROM events")
        db.commit()
    assert not check(path, {"ann": 2}, "seen").drifted


def test_an_index_that_disagrees_with_its_table_is_not_asked(events: Callable[..., Path]) -> None:
    path = events(ann=3)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE INDEX by_owner ON events (owner) WHERE owner IS NOT NULL")
        db.execute("CREATE INDEX whole ON events (owner)")
        db.commit()
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'whole'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\x0a" + bytes(7))  # an index page without an entry
    assert not check(path, {"ann": 3}).drifted


# Leaves no trace.


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_a_database_at_rest_stays_as_it_is(events: Callable[..., Path], journal: str) -> None:
    path = events(journal, ann=1)
    before = path.read_bytes(), path.stat().st_mtime_ns
    check(path, {"ann": 1})
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert [one.name for one in path.parent.iterdir()] == ["hook.db"]


def test_what_is_in_the_log_is_seen(events: Callable[..., Path]) -> None:
    path = events(ann=1)
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO events VALUES ('bob')")
        db.commit()
        assert (path.parent / "hook.db-wal").stat().st_size
        assert not check(path, {"ann": 1, "bob": 1}).drifted


def test_whoever_comes_while_it_is_read_as_immutable_is_seen(
    events: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from explorer import snapshot

    path, how_read = events(ann=1), snapshot._read
    came = []

    def slowly(path: Path, how: str, *rest: Any) -> Any:
        answer = how_read(path, how, *rest)
        if "immutable" in how:
            with closing(sqlite3.connect(path)) as db:
                db.execute("INSERT INTO events VALUES ('bob')")
                db.commit()
            came.append(how)
        return answer

    monkeypatch.setattr(snapshot, "_read", slowly)
    assert not check(path, {"ann": 1, "bob": 1}).drifted
    assert came


@pytest.mark.parametrize(
    "sql",
    [
        "WITH x AS (SELECT 1) DELETE FROM events",
        "WITH x AS (SELECT 1) INSERT INTO events SELECT 'x'",
        "SELECT 'ann', 1; DROP TABLE events",
        "SELECT load_extension('x'), 1",
        "SELECT 'ann', 1 FROM nowhere",
        "SELECT",
    ],
)
def test_an_expectation_that_is_more_than_a_select_is_refused(
    events: Callable[..., Path], sql: str
) -> None:
    path = events(ann=1)
    before = path.read_bytes()
    with pytest.raises(DriftError, match=r"SELECT|statement"):
        check(path, sql)
    assert path.read_bytes() == before
