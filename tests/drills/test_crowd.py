"""Nobody of a drill stays behind, however it ends, and what it wrote can be read."""

import signal
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from explorer.drills.crowd import Crowd, Ended, waves
from sim_core.errors import MachineError
from tests.drills import stuck
from tests.drills.processes import PROC, drilling, started

pytestmark = pytest.mark.skipif(not PROC.is_dir(), reason="this system has no /proc")

OWNERS = ("owners", "--processes", "60", "--concurrent", "15", "--owners", "15", "--repeat", "50")
CLAIMS = ("claims", "--suite", "S3", "--repeat", "50")


@pytest.mark.parametrize("after", [0.0, 0.05, 0.3, 0.7, 1.5, 2.9])
@pytest.mark.parametrize("words", [OWNERS, CLAIMS], ids=["owners", "claims"])
def test_killed_at_any_moment_it_leaves_nobody_and_a_readable_file(
    words: tuple[str, ...], after: float, tmp_path: Path
) -> None:
    folder = tmp_path / "kept"
    with drilling(*words, "--folder", str(folder), temporary=tmp_path) as drill:
        drill.wait_for_children()
        time.sleep(after)  # the moment is the test's subject
        drill.process.send_signal(signal.SIGKILL)
        drill.process.wait()
        assert drill.orphans() == []
    files = list(folder.glob("*.db"))
    assert files
    for file in files:
        with closing(sqlite3.connect(file)) as db:
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_killed_while_its_processes_are_stuck_it_leaves_nobody(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.drills.stuck", str(tmp_path / "a.db")]
    with started(command, tmp_path) as drill:
        assert drill.process.stdout and drill.process.stdout.readline() == "gone\n"
        assert len(drill.children()) == 3
        time.sleep(0.3)  # until all are where they are stuck
        drill.process.send_signal(signal.SIGKILL)
        drill.process.wait()
        assert drill.orphans(5) == []


@pytest.mark.parametrize("words", [OWNERS, CLAIMS], ids=["owners", "claims"])
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_asked_to_end_it_leaves_nobody_and_no_file(
    words: tuple[str, ...], number: int, status: int, tmp_path: Path
) -> None:
    with drilling(*words, temporary=tmp_path) as drill:
        drill.wait_for_children(5)
        assert list(tmp_path.iterdir())
        drill.process.send_signal(number)
        _, errors = drill.process.communicate(timeout=30)
        assert (drill.process.returncode, drill.orphans()) == (status, [])
    assert "Traceback" not in errors
    assert "interrupted before the first run was done" in errors
    assert list(tmp_path.iterdir()) == []


def test_asked_to_end_it_still_tells_what_was_made(tmp_path: Path) -> None:
    words = ("owners", "--processes", "4", "--owners", "2", "--repeat", "25")
    with drilling(*words, temporary=tmp_path) as drill:
        assert drill.process.stderr
        while "of 100" not in drill.process.stderr.readline():
            pass
        drill.process.send_signal(signal.SIGINT)
        out, _ = drill.process.communicate(timeout=30)
    assert drill.process.returncode == 130
    assert "of 25 runs: interrupted" in out and "red in 0 of" in out


def test_what_takes_too_long_is_killed_and_counted(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    with closing(sqlite3.connect(path)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        ended = list(waves(stuck.jobs(path), 3, patience=0.5))
    assert time.monotonic() - began < 20
    assert ended == [Ended(n, -signal.SIGKILL, None, True) for n in range(3)]


def test_who_goes_goes_with_everybody(tmp_path: Path) -> None:
    task = tmp_path / "when.py"
    task.write_text("import time\ndef prepared(job): return lambda: {'at': time.time()}\n")
    jobs = [{"task": str(task), "paths": []}] * 12
    with Crowd(jobs, 20) as crowd:
        told = time.time()
        crowd.go()
        moments = [one.said["at"] for one in crowd.ended()]
    assert min(moments) > told, "somebody did not wait for the others"
    assert max(moments) - min(moments) < 1.0


def test_no_more_go_at_a_time_than_asked(tmp_path: Path) -> None:
    task = tmp_path / "many.py"
    task.write_text(
        "import os, time\n"
        "def prepared(job):\n"
        " mine = os.path.join(job['folder'], str(os.getpid()))\n"
        " open(mine, 'w').close()\n"
        " def task():\n"
        "  time.sleep(0.05); seen = len(os.listdir(job['folder'])); time.sleep(0.05)\n"
        "  os.remove(mine); return {'seen': seen}\n"
        " return task\n"
    )
    folder = tmp_path / "here"
    folder.mkdir()
    jobs = [{"task": str(task), "paths": [], "folder": str(folder)}] * 10
    seen = [one.said["seen"] for one in waves(jobs, 4, patience=20)]
    assert len(seen) == 10 and max(seen) <= 4


def test_a_process_that_does_not_start_is_said(tmp_path: Path) -> None:
    task = tmp_path / "broken.py"
    task.write_text("raise ValueError('no such thing')\n")
    with pytest.raises(MachineError, match="did not start: ValueError: no such thing"):
        list(waves([{"task": str(task), "paths": []}], 1, patience=5))
