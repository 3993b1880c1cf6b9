"""The command under bad circumstances: no output, an odd terminal, a hostile scenario.

Always one sentence and the right status, and never a traceback.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.cli.hostile import ROOT, RUN, WRITER, explorer, shell


@pytest.mark.parametrize("output", [">/dev/full", ">&-", "1</dev/null"])
@pytest.mark.parametrize(
    "words",
    [
        *("run sections", "sweep sections --seeds 0..2", "run sections --json", "list"),
        *("--help", "--version", "run --help", "fly --json"),
    ],
)
def test_an_output_that_cannot_be_written_is_one_sentence(words: str, output: str) -> None:
    done = shell(f"explorer {words} {output}")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert "output" in last or "refuses" in last or "fly" in last


@pytest.mark.parametrize(
    "environment",
    [
        {"COLUMNS": "1"},
        {"COLUMNS": "8"},
        {"COLUMNS": "nonsense"},
        {"PYTHONIOENCODING": "latin-1"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONWARNINGS": "error"},
        {"PYTHONUTF8": "0", "LC_ALL": "C"},
    ],
    ids=str,
)
def test_a_terminal_of_any_kind_gets_the_story(environment: dict[str, str]) -> None:
    done = explorer("run", "sections?mode=warn&seed=16", **environment)
    assert done.returncode == 1
    assert "BROKEN at grant 4" in done.stdout
    assert done.stderr == ""


def test_a_narrow_terminal_shows_what_is_watched_after_each_grant() -> None:
    recipe = "sections?mode=warn&writers=careful,blind,reader&grants=CABAB"
    done = explorer("run", recipe, COLUMNS="60")
    watched = [line for line in done.stdout.splitlines() if "version\u00a0" in line]
    assert len(watched) == 3, done.stdout


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["run", "x" * 300 + ".py"], "There is no file"),
        (["run", b"sur\xff.py"], "sur\\udcff.py"),
        (["run", "esc\x1b[31m"], "esc\\x1b[31m"),
        (["fly\x1b[31m"], "fly"),
        (["sweep", "sections", "--seeds", "0.." + "9" * 5000], "not a range"),
        (["sweep", "sections", "--seeds", "1..9999999999999999"], "at most"),
        (["sweep", "sections", "--seeds", "9007199254740992"], "at most"),
        (["sweep", "sections", "--seeds", "٣"], "not a range"),
        (["run", "sections?mode=" + "x" * 7000], "characters)"),
    ],
    ids=lambda one: str(one)[:40],
)
def test_odd_words_are_one_short_harmless_sentence(words: list[str | bytes], named: str) -> None:
    done = explorer(*words)
    assert done.returncode == 2
    assert named in done.stderr
    assert "Traceback" not in done.stderr and "\x1b" not in done.stderr
    assert len(done.stderr) < 700


@pytest.mark.parametrize("words", [["fly"], ["run"], ["run", "nope"], ["sweep", "--seeds", "x"]])
def test_json_answers_wrong_words_too(words: list[str]) -> None:
    done = explorer(*words, "--json")
    assert done.returncode == 2
    assert json.loads(done.stdout)["schema"]["name"] == "error"


def test_only_the_answer_is_on_stdout(scenario: Callable[[str], str]) -> None:
    path = scenario("import os\nprint('import')\nos.write(1, b'bytes')\n" + WRITER)
    done = explorer("run", path, "--json")
    assert json.loads(done.stdout)["told"] == {"w": "ok"}
    assert "import" in done.stderr and "bytes" in done.stderr


def test_a_scenario_that_closes_stdout_does_not_silence_us(scenario: Callable[[str], str]) -> None:
    done = explorer("run", scenario("import sys\nsys.stdout.close()\n" + WRITER))
    assert (done.returncode, done.stderr) == (0, "") and "✓ told ok" in done.stdout


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("exit()", "SystemExit"),
        ("import sys; sys.exit(5)", "SystemExit: 5"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ("raise OSError(28, 'No space left on device')", "does not load"),
        (f"{WRITER}    exit()", "ends the process"),
        (f"{WRITER}    raise KeyboardInterrupt", "KeyboardInterrupt"),
        (f"{WRITER}\ndef i(db): exit(3)\nINVARIANTS = (i,)", "SystemExit: 3"),
    ],
)
def test_a_scenario_cannot_end_the_command(
    scenario: Callable[[str], str], source: str, named: str
) -> None:
    path = scenario(source.replace('return "ok"', "pass"))
    for words in (["run", path], ["run", path, "--json"], ["sweep", path]):
        done = explorer(*words)
        assert done.returncode == 2, done
        assert named in done.stderr and "Traceback" not in done.stderr


NOISY = (
    "class C:\n def __del__(self): raise ValueError('late')\n"
    "import threading, atexit\n"
    "threading.Thread(target=lambda: 1 / 0).start()\n"
    "threading.Thread(target=threading.Event().wait).start()\n"
    "atexit.register(lambda: 1 / 0)\n"
    "async def w(db):\n 'W.'\n C()\n db.execute('SELECT 1')\n"
)


def test_nothing_that_a_scenario_leaves_behind_prints_a_traceback_or_keeps_the_process(
    scenario: Callable[[str], str],
) -> None:
    done = explorer("run", scenario(NOISY))
    assert done.returncode == 0
    assert "ValueError: late" in done.stderr and "never awaited" in done.stderr
    assert "Traceback" not in done.stderr and str(ROOT) not in done.stderr


ESCAPES = (
    "async def w(db):\n 'W.'\n"
    " await db.execute(\"SELECT '\\x1b[31m', ?\", ('\\x9b31m\\u202e',))\n"
    " return '\\x1b]0;x'\n"
    "async def x(db):\n 'X.'\n raise ValueError('\\x1b[31m')\n"
    "def red\\u0435(db):\n '\\x1b[1mPromise.'\n yield '\\x1b[31m'\n"
    "INVARIANTS = (red\\u0435,)\nWRITERS = ('w', 'x')\n"
)


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_no_escape_sequence_reaches_a_terminal(
    scenario: Callable[[str], str], flags: list[str]
) -> None:
    source = ESCAPES.encode().decode("unicode_escape").replace("\x1b", "\\x1b")
    source = source.replace("\x9b", "\\x9b").replace("\u202e", "\\u202e")
    done = explorer("run", scenario(source), *flags)
    assert done.returncode == 1
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", done.stdout + done.stderr)


def test_long_values_and_many_rows_are_cut(scenario: Callable[[str], str]) -> None:
    path = scenario(
        "async def w(db):\n 'W.'\n"
        " await db.execute('BEGIN')\n"
        " await db.executemany('INSERT INTO t VALUES (?)', [(i,) for i in range(99)])\n"
        " await db.execute('COMMIT')\n"
        " await db.execute(\"SELECT v, printf('%.*c', 9999, 'x'), zeroblob(999) FROM t\")\n"
        " return 'y' * 99999\n"
    )
    done = explorer("run", path)
    assert done.returncode == 0
    told = " ".join(done.stdout.split())
    assert "… 100 rows in all" in told and "(9,999 characters)" in told
    assert "(999 bytes)" in told and "(99,999 characters)" in told
    assert len(done.stdout) < 100_000


def test_writers_that_failed_are_not_ok(scenario: Callable[[str], str]) -> None:
    fails = "async def w(db):\n 'W.'\n raise ValueError\n"
    done = explorer("run", scenario(fails))
    assert done.returncode == 0 and "ok" not in done.stdout.replace("\n", " ").split()
    assert "One writer failed: w." in done.stdout and "nothing was tested" in done.stdout
    mixed = f"{fails}{WRITER.replace('w(db)', 'x(db)')}WRITERS = ('w', 'x')\n"
    done = explorer("run", scenario(mixed))
    assert done.returncode == 0 and "not broken, but" in done.stdout
    swept = explorer("sweep", scenario(mixed), "--seeds", "0..3")
    assert "a writer failed in every one of 4 runs" in swept.stdout


def test_one_bad_seed_is_named_and_what_was_found_is_kept(scenario: Callable[[str], str]) -> None:
    path = scenario(
        "count = []\nasync def w(db):\n 'W.'\n"
        " await db.execute('SELECT 1')\n count.append(1)\n"
        " if len(count) == 4: exit()\n"
    )
    done = explorer("sweep", path, "--seeds", "10..19")
    assert done.returncode == 2
    assert "ended early, after 3 of 10 runs" in done.stdout
    assert "The writer w" in done.stderr
    assert done.stderr.splitlines()[-1] == f"in: explorer run '{path}?seed=13'"
    answer = json.loads(explorer("sweep", path, "--seeds", "10..19", "--json").stdout)
    assert (answer["seeds"], answer["asked"], len(answer["runs"])) == (3, 10, 3)
    assert "The writer w" in answer["stopped"]


@pytest.mark.parametrize(
    ("recipe", "published"),
    [
        ("sections?mode=warn", True),
        ("sections?mode=enforce", False),
        ("sections?mode=warn&writers=careful,careful", False),
        ("sections?mode=warn&faults=A2after:crash", False),
        ("sections?mode=warn&journal=wal", False),
    ],
)
def test_the_published_figure_stands_beside_the_same_thing_only(
    recipe: str, published: bool
) -> None:
    assert ("published" in explorer("sweep", recipe, "--seeds", "0..1").stdout) is published


def test_a_sweep_of_one_order_says_so() -> None:
    done = explorer("sweep", "sections?mode=warn&grants=ABAB", "--seeds", "0..2")
    assert "every seed runs the same" in done.stdout


def test_python_without_docstrings_is_said() -> None:
    done = explorer("run", "sections", PYTHONOPTIMIZE="2")
    assert done.returncode == 2 and "docstrings" in done.stderr


def test_no_place_for_files_is_one_sentence() -> None:
    nowhere = "import sim_core.engine.place as p, tempfile; p._MEMORY = p.Path('/nowhere');"
    nowhere += "tempfile._candidate_tempdir_list = lambda: ['/nowhere'];"
    done = subprocess.run(
        [sys.executable, "-c", nowhere + RUN, "run", "sections"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "no place for the files of a run" in done.stderr and "Traceback" not in done.stderr
