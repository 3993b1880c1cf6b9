"""`explorer incidence` as a person and as a program meet it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.hostile import HEAD, ROOT, RUN, explorer
from tests.cli.test_interrupt import READY, interrupted

WARN = "sections?mode=warn"


def test_three_figures_stand_beside_each_other_and_each_is_explained() -> None:
    done = explorer("incidence", WARN, "--runs", "200")
    assert done.returncode == 1
    out = done.stdout
    assert "BROKEN in " in out and "of 200 real runs" in out and "of 30 seeds" in out
    row = next(line for line in out.splitlines() if line.startswith("acknowledged"))
    assert "5: 17 % (7.3–34)" in row and row.split()[-2:] == ["2", "¼"]
    for name in ("real runs    incidence:", "seeds        exposure:", "orders       possibility:"):
        assert name in out
    assert "left out: “lost update” asks for `events`" in out


def test_what_never_broke_says_what_that_means() -> None:
    done = explorer("incidence", "tests/tiny/w3.py", "--runs", "50")
    assert done.returncode == 0
    assert "held in 50 of 50 real runs; that says how seldom" in done.stdout
    assert "0: 0 % (0–7.1)" in done.stdout


def test_one_object_for_programs() -> None:
    found = json.loads(explorer("incidence", WARN, "--runs", "100", "--json").stdout)
    assert found["schema"] == {"name": "incidence", "version": 1}
    assert (found["runs"], found["judged"], found["asked"], found["hung"]) == (100, 100, 100, 0)
    assert [*found["by_invariant"]] == ["acknowledged work survives"]
    assert [*found["left_out"]] == ["lost update"]
    assert found["sweep"]["by_invariant"]["lost update"]["broken"] == 5
    assert found["orders"]["probability"] == {"exact": "1/4", "value": 0.25}
    assert (found["orders"]["interleavings"], found["orders"]["broken"]) == (6, 2)
    assert {"platform", "python", "sqlite", "aiosqlite", "failing"} <= set(found)


def test_more_orders_than_are_counted_are_null_and_not_a_guess() -> None:
    recipe = "tests/tiny/buried.py"
    found = json.loads(explorer("incidence", recipe, "--runs", "5", "--json").stdout)
    assert found["orders"]["interleavings"] is None and found["orders"]["by_invariant"] == {}
    assert "not counted" in explorer("incidence", recipe, "--runs", "5").stdout


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_without_aiosqlite_one_sentence_says_how_to_get_it(flags: list[str]) -> None:
    missing = f"import sys; sys.modules['aiosqlite'] = None; {RUN}"
    done = subprocess.run(
        [sys.executable, "-c", missing, "incidence", WARN, *flags],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr.strip().endswith("not installed here: pip install aiosqlite")
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("nowhere",),
        (WARN, "--runs", "0"),
        (WARN, "--runs", "100001"),
        (f"{WARN}&faults=A1after:crash",),
        (f"{WARN}&tz=Asia/Tokyo",),
    ],
)
def test_a_call_that_cannot_be_answered_is_an_error(words: tuple[str, ...]) -> None:
    done = explorer("incidence", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "explorer: " in done.stderr and "Traceback" not in done.stderr


def test_a_schema_that_sqlite_refuses_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text(HEAD.replace("CREATE", "CREAT") + "async def w(db):\n 'W.'\n" + FINE)
    done = explorer("incidence", str(path))
    assert done.returncode == 2
    assert "SQLite refuses the SCHEMA" in done.stderr and "Traceback" not in done.stderr


FINE = "def fine(db):\n 'F.'\nINVARIANTS = (fine,)\nWRITERS = ('w', 'w')\n"
REAL = "async def w(db):\n 'W.'\n await db.execute('UPDATE t SET v = 1')\n"
WAITING = {
    "an await": "import asyncio; await asyncio.sleep(60)",
    "plain Python": "time.sleep(60)",
    "a statement": "await db.execute('WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1"
    " FROM c) SELECT count(*) FROM c')",
}


@pytest.mark.parametrize("where", WAITING)
def test_ctrl_c_prints_what_was_found_and_leaves_nothing(tmp_path: Path, where: str) -> None:
    path = tmp_path / "waits.py"
    later = (
        " if 'aiosqlite' in type(db).__module__:\n  REAL.append(1)\n"
        f"  if len(REAL) == 21:\n   ready()\n   {WAITING[where]}\n"
    )
    path.write_text(f"{HEAD}import time\nREAL = []\n{READY}{REAL}{later}{FINE}")
    rc, out, errors, *left = interrupted(str(path), "incidence", "--runs", "500")
    assert (rc, left) == ("130", [])
    assert "ended early, after 10 of 500 runs: interrupted" in out
    assert "Traceback" not in errors


def test_who_sleeps_longer_than_a_run_may_take_is_told_how_to_go_on() -> None:
    done = explorer("incidence", "seams?seam=local", "--runs", "5")
    assert done.returncode == 2 and done.stdout == ""
    assert "sleeps 23,400 seconds, and a run may take 15" in done.stderr
    assert "--speed 3120" in done.stderr


def test_a_proved_variant_of_the_five_holds_outside_too() -> None:
    done = explorer("incidence", "five", "--runs", "3")
    assert done.returncode == 0 and "held in 3 of 3 real runs" in done.stdout
