"""The command line as a person uses it: a real process, its words and its exit status."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
RUN = "from explorer.cli import main; main()"


def explorer(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", RUN, *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_a_run_prints_two_columns_the_verdict_and_what_to_type_next() -> None:
    done = explorer("run", "sections?mode=warn&seed=16")
    lines = done.stdout.splitlines()
    assert done.returncode == 1
    assert any("A careful" in line and "B blind" in line for line in lines)
    assert "BROKEN at grant 4: lost update" in done.stdout
    assert lines[-2] == "next: explorer shrink 'sections?mode=warn&seed=16'"
    assert lines[-1] == "again: explorer run 'sections?mode=warn&seed=16'"


def test_json_is_the_only_thing_on_stdout() -> None:
    done = explorer("run", "sections?mode=warn&seed=16", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 1 and answer["schema"]["name"] == "run"
    assert len(answer["hash"]) == 64 and len(answer["events"]) == 6


def test_a_sweep_stands_beside_the_published_figure() -> None:
    done = explorer("sweep", "sections?mode=warn", "--seeds", "0..29")
    assert done.returncode == 1
    assert "17 of 30: 57%, 95 % interval 39–73 %" in done.stdout
    assert "lost update" in done.stdout and "acknowledged work survives" in done.stdout


def test_the_line_to_type_next_works_and_leads_on() -> None:
    done = explorer("sweep", "sections?mode=warn", "--seeds", "0..29")
    recipe = done.stdout.splitlines()[-1].split("'")[1]
    assert explorer("run", recipe).returncode == 1


def test_enforce_breaks_under_no_seed() -> None:
    done = explorer("sweep", "sections?mode=enforce", "--seeds", "0..29", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 0
    assert (answer["seeds"], answer["broken"], answer["verdict"]) == (30, [], "held")


def test_the_list_names_every_scenario_and_its_opening_run() -> None:
    done = explorer("list")
    assert done.returncode == 0
    assert "explorer run 'sections?mode=warn&seed=16'" in done.stdout
    assert json.loads(explorer("list", "--json").stdout)["scenarios"][0]["slug"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["run", "nope"], "'nope'"),
        (["run", "sections?mode=blue"], "mode=blue"),
        (["run", "sections?colour=red"], "'colour'"),
        (["run", "sections?writers=nobody"], "'nobody'"),
        (["run", "sections?seed=x"], "seed=x"),
        (["run", "sections?faults=A9before:crash"], "A1before to A2after"),
        (["run", "sections?mode=warn&step=99"], "step=99"),
        (["run", "sections?grants=AAA"], "goes to A"),
        (["run", "sections?" + "a" * 9_000], "at most 8,000"),
        (["run", "missing.py"], "missing.py"),
        (["run"], "RECIPE"),
        (["sweep", "sections", "--seeds", "9..1"], "9..1"),
        (["sweep", "sections", "--seeds", "few"], "few"),
        (["serve", "--port", "99999"], "99999"),
        (["fly"], "fly"),
        (["drill"], "\nexplorer: Say what is meant: claims or owners.\n"),
        (["drill", "claims"], "Choose from: S1, S2, S3\n"),
    ],
)
def test_words_that_are_off_get_one_sentence_and_status_2(words: list[str], named: str) -> None:
    done = explorer(*words)
    assert done.returncode == 2
    assert named in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("def broken(:", "SyntaxError"),
        ("import nowhere_to_be_found", "nowhere_to_be_found"),
        ("x = 1", "no writer"),
        ("SCHEMA = 7\nasync def w(db):\n 'Writes.'\n", "SCHEMA"),
        ("SCHEMA = 'CREATE TABEL t (x)'\nasync def w(db):\n 'Writes.'\n", "SCHEMA"),
        ("SCHEMA = ''\nWRITERS = ('x',)\nasync def w(db):\n 'Writes.'\n", "'x'"),
        ("SCHEMA = ''\nOPTIONS = {'seed': ['1']}\nasync def w(db):\n 'Writes.'\n", "seed"),
        ("SCHEMA = ''\nINVARIANTS = (7,)\nasync def w(db):\n 'Writes.'\n", "7"),
        (
            "SCHEMA = ''\ndef i(db):\n 1 / 0\nINVARIANTS = (i,)\nasync def w(db):\n 'Writes.'\n",
            "ZeroDivisionError",
        ),
        ("SCHEMA = ''\nWATCH = ('t', 'SELECT')\nasync def w(db):\n 'Writes.'\n", "WATCH"),
        ("SCHEMA = ''\nOPENING = 'mode=x'\nasync def w(db):\n 'Writes.'\n", "mode"),
        ("SCHEMA = ''\nWRITERS = 7\nasync def w(db):\n 'Writes.'\n", "WRITERS"),
        ("SCHEMA = ''\nOPTIONS = ['a']\nasync def w(db):\n 'Writes.'\n", "OPTIONS"),
        ("SCHEMA = ''\nJOURNAL = 'off'\nasync def w(db):\n 'Writes.'\n", "JOURNAL"),
        ("SCHEMA = ''\nCONNECT = {'isolation_level': 'X'}\nasync def w(db):\n 'W.'\n", "CONNECT"),
        (
            "SCHEMA = ''\nasync def w(db):\n 'Awaits.'\n import asyncio\n await asyncio.sleep(1)\n",
            "asyncio",
        ),
    ],
)
def test_a_scenario_file_that_is_off_gets_one_sentence(
    tmp_path: Path, source: str, named: str
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(source)
    done = explorer("run", str(path))
    assert done.returncode == 2
    assert named in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_output_into_a_closed_pipe_ends_quietly() -> None:
    command = f"{sys.executable} -c '{RUN}' list | head -n 0; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert "Traceback" not in done.stderr
