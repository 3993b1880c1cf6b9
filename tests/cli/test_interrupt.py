"""Ctrl-C and its kin end every command, whatever a scenario does, and leave nothing behind.

The scenario itself says, on stderr, when it is time to send a signal.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.hostile import COMMAND, ROOT, RUN, WRITER, explorer


def interrupted(path: str, *words: str, number: int = signal.SIGINT, times: int = 1) -> list[str]:
    """Return the status, the output and what was left, of a command that was asked to end."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*COMMAND, words[0], path, *words[1:]],
        cwd=ROOT,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr and process.stdout
        while "ready" not in process.stderr.readline():
            pass
        for _ in range(times):
            process.send_signal(number)
        out, errors = process.communicate(timeout=30)
        left = [str(one) for one in Path("/dev/shm").glob(f"interleaving-{process.pid}-*")]
    return [str(process.returncode), out, errors, *left]


READY = "import os\ncount = []\ndef ready():\n count.append(1)\n os.write(2, b'ready\\n')\n"
ENDLESS = f"{READY}async def w(db):\n 'W.'\n await db.execute('SELECT 1')\n"
FOURTH = f"{ENDLESS} count.append(1)\n if len(count) == 4:\n  ready()\n  while True: pass\n"


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, "130"), (signal.SIGTERM, "143"), (signal.SIGHUP, "129")]
)
def test_a_sweep_that_is_ended_prints_what_it_found_and_leaves_nothing(
    scenario: Callable[[str], str], number: int, status: str
) -> None:
    rc, out, errors, *left = interrupted(scenario(FOURTH), "sweep", number=number)
    assert rc == status
    assert "ended early, after 3 of 30 runs: interrupted" in out
    assert "Traceback" not in errors and left == []


STUBBORN = [
    f"{ENDLESS} ready()\n while True: pass\n",
    f"{READY}ready()\nwhile True: pass\n",
    f"{ENDLESS} ready()\n while True:\n  try:\n   while True: pass\n  except: pass\n",
    f"{ENDLESS} ready()\n await db.execute('WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL "
    "SELECT x + 1 FROM c) SELECT count(*) FROM c')\n",
    f"import threading\nthreading.Thread(target=threading.Event().wait).start()\n{ENDLESS}"
    " ready()\n while True: pass\n",
    f"{WRITER}{READY}def i(db):\n ready()\n while True: pass\nINVARIANTS = (i,)\n",
]


@pytest.mark.parametrize("source", STUBBORN)
def test_ctrl_c_always_ends_it(scenario: Callable[[str], str], source: str) -> None:
    rc, _, errors, *left = interrupted(scenario(source), "run", times=2)
    assert rc == "130"
    assert "Traceback" not in errors and left == []


def test_a_run_that_swallowed_ctrl_c_is_not_counted(scenario: Callable[[str], str]) -> None:
    source = f"{ENDLESS} try:\n  ready()\n  while True: pass\n except: pass\n"
    rc, out, _, *left = interrupted(scenario(source), "sweep")
    assert (rc, left) == ("130", [])
    assert "after 0 of 30 runs" in out


def test_ctrl_c_while_it_still_loads_is_quiet() -> None:
    slow = "import sys, os; os.write(2, b'ready\\n'); sys.path_importer_cache.clear();"
    hook = (
        "import builtins, signal, os; real = builtins.__import__\n"
        "def slow(name, *rest):\n"
        "    if name == 'click': os.kill(os.getpid(), signal.SIGINT)\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = slow\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{slow}\n{hook}{RUN}", "list"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert "Traceback" not in done.stderr


def test_what_a_killed_process_left_is_removed_by_the_next() -> None:
    memory = Path("/dev/shm")
    if not memory.is_dir():
        pytest.skip("there is no memory file system here")
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    left = memory / f"interleaving-{gone.pid}-left"
    mine = memory / f"interleaving-{os.getpid()}-mine"
    left.mkdir()
    mine.mkdir()
    explorer("run", "sections")
    assert not left.exists() and mine.exists()
    mine.rmdir()
