"""`explorer leaks` as a person, or a hook, uses it: its words and its exit status."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.leaks_cli import leaks as command

ROOT = Path(__file__).parent.parent.parent
RUN = "from explorer.cli import main; main()"


def leaks(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", RUN, "leaks", *map(str, words)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)


@pytest.fixture
def leaky(tmp_path: Path) -> Path:
    path = tmp_path / "leaky.py"
    path.write_text("from datetime import date\nday = date.today()\n")
    return path


def test_a_leak_is_told_with_its_place_its_line_and_what_to_do(leaky: Path) -> None:
    done = leaks(leaky)
    assert done.returncode == 1 and done.stderr == ""
    assert done.stdout.splitlines() == [
        f"LEAK  date.today  {leaky}:2  (local date)",
        "  > day = date.today()",
        "  is local, in the machine's time zone, and reads the machine's clock; take clock.now(), "
        "today() or monotonic()",
        "",
        "LEAKY: 1 line in 1 of 1 file: 1 local date",
        f"next: mend {leaky}:2, then explorer leaks {leaky}",
    ]


def test_a_scenario_that_asks_nothing_is_clean_and_leads_to_the_check_that_runs_it() -> None:
    done = leaks("sim_core/scenarios/sections.py")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "clean: 1 file read, and no line found that asks the machine for time or chance",
        "next: explorer check sim_core/scenarios/sections.py",
    ]


def test_the_sql_of_a_scenario_is_counted_and_told_with_sql(tmp_path: Path) -> None:
    path = tmp_path / "stamps.py"
    path.write_text('SCHEMA = "CREATE TABLE t (at TEXT DEFAULT CURRENT_TIMESTAMP)"\n')
    done = leaks(path)
    assert done.returncode == 0 and "1 place in the SQL of scenarios asks" in done.stdout
    done = leaks(path, "--sql")
    assert done.returncode == 1 and "(sql clock)" in done.stdout


def test_json_is_one_object_and_the_same_findings(leaky: Path) -> None:
    done = leaks(leaky, "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    assert answer["schema"] == {"name": "leaks", "version": 1}
    assert (answer["files"], answer["verdict"]) == (1, "leaky")
    (one,) = answer["leaks"]
    assert (one["file"], one["line"], one["kind"], one["call"]) == (
        *(str(leaky), 2),
        *("local date", "date.today"),
    )


def test_what_is_allowed_is_named_in_the_call(leaky: Path) -> None:
    assert leaks(leaky.parent, "--allow", leaky).returncode == 0


def test_a_call_that_is_off_ends_with_two_and_one_sentence(tmp_path: Path, leaky: Path) -> None:
    (tmp_path / "bad.py").write_text("def (:\n")
    for words in ([], [tmp_path / "gone.py"], [leaky, tmp_path / "bad.py"]):
        done = leaks(*words)
        assert done.returncode == 2 and done.stdout == ""
        assert done.stderr.splitlines()[-1].startswith("explorer: ")
        assert "Traceback" not in done.stderr
    answer = json.loads(leaks(tmp_path / "gone.py", "--json").stdout)
    assert answer["schema"]["name"] == "error" and answer["part"].endswith("gone.py")


def test_the_help_says_what_it_cannot_see() -> None:
    text = " ".join(leaks("--help").stdout.split())
    for blind in ("getattr", "exec", "C extensions", "without a call", "other modules"):
        assert blind in text


def test_what_was_read_before_ctrl_c_is_told_and_is_not_called_clean(
    leaky: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    said: list[str] = []
    monkeypatch.setattr("explorer.interrupt.check", stop)
    monkeypatch.setattr("explorer.terminal.say", said.append)
    clean = leaky.with_name("a.py")
    clean.write_text("")
    for path in (clean, leaky):
        with command.make_context("leaks", [str(path)]) as words, pytest.raises(KeyboardInterrupt):
            command.invoke(words)
    assert said[0].startswith("stopped: 1 file read") and "LEAK  date.today" in said[1]
