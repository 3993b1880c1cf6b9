"""A sweep on several processes: the same answer, and nobody left behind however it ends."""

import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from explorer.workers import ENOUGH, MOST, how_many
from tests.cli.hostile import COMMAND, ROOT, WRITER, explorer

MEMORY = Path("/dev/shm")
LONG = ("sweep", "sections?mode=warn", "--seeds", "0..29999", "--jobs", "2")


def test_a_process_more_starts_only_where_it_is_worth_it() -> None:
    assert how_many(ENOUGH - 1, None) == 1
    assert how_many(ENOUGH, None) >= 1
    assert how_many(30, 2) == 2
    assert how_many(1, 8) == 1
    assert how_many(ENOUGH, 1) == 1
    assert how_many(ENOUGH, 10**6) == MOST


@pytest.mark.parametrize("policy", ["", "&policy=pct2"])
def test_two_processes_find_what_one_finds(policy: str) -> None:
    words = ("sweep", f"sections?mode=warn{policy}", "--seeds", "5..404", "--json", "--jobs")
    one, two = explorer(*words, "1"), explorer(*words, "2")
    assert one.returncode == two.returncode == 1
    assert json.loads(two.stdout)["seeds"] == 400
    assert two.stdout == one.stdout


def test_progress_is_lines_in_a_log() -> None:
    done = explorer("sweep", "sections?mode=warn", "--seeds", "0..399", "--jobs", "2")
    lines = done.stderr.splitlines()
    assert len(lines) == 10 and lines[4] == "sweeping: 200 of 400 47 broken"


BREAKS = WRITER.replace(
    'return "ok"', "return (await (await db.execute('SELECT abs(random() % 50)')).fetchone())[0]"
)


@pytest.mark.parametrize("what", ["1 / 0", "exit(3)", "raise KeyboardInterrupt"])
def test_an_error_is_told_as_in_one_process(scenario: Callable[[str], str], what: str) -> None:
    path = scenario(f"{BREAKS}\ndef i(told):\n if told['w'] == 7: {what}\nINVARIANTS = (i,)")
    told = [explorer("sweep", path, "--seeds", "0..300", "--jobs", jobs) for jobs in "12"]
    assert told[0].returncode == told[1].returncode == 2
    assert told[0].stdout == told[1].stdout
    last = [one.stderr.splitlines()[-2:] for one in told]
    assert last[0] == last[1]


def test_what_a_worker_prints_is_on_stderr(scenario: Callable[[str], str]) -> None:
    path = scenario(WRITER.replace('"W."', '"W."\n    print("printed")'))
    done = explorer("sweep", path, "--json", "--jobs", "2")
    assert json.loads(done.stdout)["seeds"] == 30
    assert done.stderr.count("printed") == 30


def test_a_worker_that_is_ended_by_its_scenario_is_one_sentence(
    scenario: Callable[[str], str],
) -> None:
    done = explorer(
        "sweep", scenario(WRITER.replace('"W."', '"W."\n    import os; os._exit(0)')), "--jobs", "2"
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.startswith("explorer: A process that made runs was ended")


def test_a_thread_that_a_scenario_left_does_not_keep_a_worker(
    scenario: Callable[[str], str],
) -> None:
    left = "import threading\nthreading.Thread(target=threading.Event().wait).start()\n"
    assert explorer("sweep", scenario(left + WRITER), "--jobs", "2").returncode == 0


# How it ends early. A process group of its own stands for a terminal's.


def session(leader: int) -> list[int]:
    """Return the processes of a session that live."""
    alive = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == leader and fields[0] not in "ZX":
            alive.append(int(stat.parent.name))
    return alive


@contextmanager
def begun(*words: str, ready: str) -> Iterator[subprocess.Popen[str]]:
    """Start the command, and go on where `ready` stands on stderr; afterwards, nobody of its
    session lives and nothing of theirs is left."""
    with subprocess.Popen(
        [*COMMAND, *words],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stderr
        while ready not in process.stderr.readline():
            pass
        everybody = session(process.pid)
        assert len(everybody) >= 3
        yield process
        while session(process.pid):
            pass  # the last of them close their stderr a moment before they are gone
    left = [one for pid in everybody for one in MEMORY.glob(f"interleaving-{pid}-*")]
    assert left == []


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="Linux's /proc")


@needs_proc
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_to_everybody_prints_what_was_found(number: int, status: int) -> None:
    with begun(*LONG, ready="3,000 of 30,000") as process:
        os.killpg(process.pid, number)
        out, errors = process.communicate(timeout=30)
    assert process.returncode == status
    assert re.search(r"^ended early, after [0-9]+ of 30000 runs: interrupted$", out, re.MULTILINE)
    assert "lost update" in out and "BROKEN under" in out
    assert [line for line in errors.splitlines() if not line.startswith("sweeping: ")] == []


STUCK = (
    "import os\ncount = []\nasync def w(db):\n 'W.'\n await db.execute('SELECT 1')\n"
    " count.append(1)\n if len(count) == 9:\n  os.write(2, b'ready\\n')\n  while True: pass\n"
)


@needs_proc
def test_ctrl_c_ends_workers_that_are_stuck_in_a_scenario(scenario: Callable[[str], str]) -> None:
    with begun("sweep", scenario(STUCK), "--jobs", "2", ready="ready") as process:
        os.killpg(process.pid, signal.SIGINT)
        out, errors = process.communicate(timeout=30)
    assert process.returncode == 130 and "of 30 runs: interrupted" in out
    assert "Traceback" not in errors


@needs_proc
def test_workers_end_with_a_command_that_is_killed() -> None:
    with begun(*LONG, ready="3,000 of 30,000") as process:
        process.kill()
        out, errors = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL and out == ""
    assert "Traceback" not in errors
