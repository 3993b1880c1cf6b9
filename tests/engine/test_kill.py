"""A crash in a run leaves what SIGKILL leaves.

Every program runs in real processes, one for each of its operations, and is killed there; the
engine runs it with a crash at the same place. All tables, all rows, have to be equal, and all
that the program was told before it died.
"""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sim_core.engine import faults
from sim_core.engine.db import Connection
from sim_core.engine.policy import Uniform
from sim_core.engine.run import Run
from sim_core.engine.stage import Part, Stage
from tests.engine.kill_programs import NEWER, PROGRAMS, SCHEMA, Program

CHILD = Path(__file__).with_name("kill_child.py")
ALL = {**PROGRAMS, **(NEWER if sys.version_info >= (3, 12) else {})}


class Left(NamedTuple):
    """What is left of a program that died."""

    tables: dict[str, Any]
    outcomes: list[Any]


def everything(path: Path) -> dict[str, Any]:
    """Return all rows of all tables of a file, and its schema."""
    raw = sqlite3.connect(path)
    schema = raw.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name").fetchall()
    names = [name for kind, name, _ in schema if kind == "table"]
    rows = {
        name: raw.execute(f"SELECT rowid, * FROM {name} ORDER BY rowid").fetchall()
        for name in names
    }
    assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    raw.close()
    return {"": schema, **rows}


def sizes(tables: dict[str, Any]) -> dict[str, Any]:
    """Blobs are random: compare how long they are."""
    wide = [(row[0], len(row[1]), row[1] == bytes(len(row[1]))) for row in tables["wide"]]
    return {**tables, "wide": wide}


# Really.


def killed(program: Program, journal: str, path: Path, place: int) -> tuple[Left, bool]:
    """Kill a real process at its parking place; also say whether that was its last."""
    setup = sqlite3.connect(path, isolation_level=None)
    setup.execute(f"PRAGMA journal_mode={journal}").fetchall()
    setup.executescript(SCHEMA)
    setup.close()
    told = json.dumps({"steps": program.steps, "connect": program.connect})
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", str(CHILD), str(path), told],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert child.stdin is not None and child.stdout is not None
    for _ in range(place - 1):
        child.stdout.readline()
        child.stdin.write(b".")
        child.stdin.flush()
    stop = json.loads(child.stdout.readline())
    os.kill(child.pid, signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    child.stdin.close()
    child.stdout.close()
    return Left(sizes(everything(path)), stop["outcomes"]), stop["last"]


# By the engine.


async def play(db: Any, program: Program, outcomes: list[Any]) -> None:
    """Run the program's steps on the facade, as kill_child does on sqlite3."""
    cursors: dict[str, Any] = {}
    for call, name, *arguments in program.steps:
        cursor = cursors.get(name) or cursors.setdefault(name, await db.cursor())
        owner = db if call in ("commit", "rollback") else cursor
        try:
            answer = await getattr(owner, call)(*arguments)
            outcome = answer if call.startswith("fetch") else None
        except sqlite3.Error as error:
            outcome = error.sqlite_errorname
        outcomes.append(outcome)


def simulated(program: Program, journal: str, crash: str) -> tuple[Left, int]:
    """Run with a crash; also return how many operations there were."""
    outcomes: list[Any] = []
    part = Part("A", "a", "a", lambda db, *_: play(db, program, outcomes))
    mode = program.connect.get("autocommit", program.connect.get("isolation_level"))
    stage = Stage(
        head="to be killed",
        schema=SCHEMA,
        journal=journal,
        isolation=mode,
        timeout=0,
        parts=(part,),
        faults=faults.parse(crash) if crash else (),
        granularity="call",
    )
    run = Run(stage, Uniform(0), fresh=True)
    run.go()
    writer = run.writers["A"]
    assert writer.ended == ("crashed" if crash else "finished"), writer.error
    left = Left(sizes(everything(run.file.path)), json.loads(json.dumps(outcomes)))
    run.remove()
    return left, writer.number - 1


def places(program: Program, journal: str) -> list[str]:
    """Return the crash before each operation, and the one after the last."""
    count = simulated(program, journal, "")[1]
    return [*(f"A{n}before:crash" for n in range(1, count + 1)), f"A{count}after:crash"]


@pytest.mark.parametrize("journal", ["delete", "wal"])
@pytest.mark.parametrize("name", ALL)
def test_a_crash_leaves_what_sigkill_leaves(name: str, journal: str, tmp_path: Path) -> None:
    crashes = places(ALL[name], journal)
    for place, crash in enumerate(crashes, 1):
        real, last = killed(ALL[name], journal, tmp_path / f"{place}.db", place)
        assert last == (place == len(crashes)), f"{name} has other operations in the engine"
        assert simulated(ALL[name], journal, crash)[0] == real, f"{name}: {crash}"


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_closing_in_the_place_of_killing_would_be_seen(
    journal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = PROGRAMS["a half-fetched RETURNING"]
    real, _ = killed(program, journal, tmp_path / "killed.db", 3)
    assert simulated(program, journal, "A3before:crash")[0] == real
    monkeypatch.setattr(Connection, "kill", Connection.finish)
    assert simulated(program, journal, "A3before:crash")[0] != real
