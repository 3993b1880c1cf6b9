"""`explorer leaks` as a person, or a hook, uses it: its words and its exit status."""

import json
import os
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
    schema = 'SCHEMA = "CREATE TABLE t (at TEXT DEFAULT CURRENT_TIMESTAMP)"\n'
    path.write_text(f"{schema}WRITERS = ()\n")
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


def test_what_is_allowed_is_named_in_the_call_and_nothing_read_is_not_clean(leaky: Path) -> None:
    """A hook is given what changed, which may be the seam alone: that is no error."""
    done = leaks(leaky.parent, "--allow", leaky)
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "nothing was read: 1 file left out with --allow"
    assert json.loads(leaks(leaky, "--allow", leaky, "--json").stdout)["verdict"] == "nothing"


def test_a_call_that_is_off_ends_with_two_and_one_sentence(tmp_path: Path, leaky: Path) -> None:
    for words in ([], [tmp_path / "gone.py"], [""], [leaky, "--allow", ""], [leaky, ""]):
        done = leaks(*words)
        assert done.returncode == 2 and done.stdout == ""
        assert done.stderr.splitlines()[-1].startswith("explorer: ")
        assert "Traceback" not in done.stderr and "bug" not in done.stderr
    answer = json.loads(leaks(tmp_path / "gone.py", "--json").stdout)
    assert answer["schema"]["name"] == "error" and answer["part"].endswith("gone.py")


def test_what_cannot_be_read_takes_nothing_away_from_what_was_found(leaky: Path) -> None:
    bad, gone = leaky.with_name("bad.py"), leaky.with_name("gone.py")
    bad.write_text("def (:\n")
    done = leaks(bad, leaky, gone)
    assert done.returncode == 2
    assert done.stdout.startswith("LEAK  date.today")
    assert "not read: 2 paths, each with a sentence on stderr" in done.stdout
    first, second = done.stderr.splitlines()
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert first == (
        f"explorer: '{bad}' is not Python {version} in line 1: invalid syntax; mend it, or leave "
        "it out with --allow."
    )
    assert second == f"explorer: There is no file or folder '{gone}'."
    answer = json.loads(leaks(leaky.parent, "--json").stdout)
    assert answer["verdict"] == "leaky" and len(answer["leaks"]) == 1
    assert answer["unread"] == [{"file": str(bad), "why": first.removeprefix("explorer: ")}]


def test_a_file_that_was_not_read_is_not_called_clean(tmp_path: Path) -> None:
    (tmp_path / "fine.py").write_text("")
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_bytes(b"\0")
    done = leaks(tmp_path)
    assert done.returncode == 2
    assert done.stdout.splitlines() == [
        "not read: 2 paths, each with a sentence on stderr",
        "not all read: 1 file read, and no line found that asks the machine for time or chance",
        f"next: see to what was not read, then explorer leaks {tmp_path}",
    ]
    assert done.stderr.splitlines()[0] == (
        f"explorer: '{tmp_path / 'a.py'}' is binary, and not Python; leave it out with --allow."
    )
    (tmp_path / "fine.py").unlink()
    done = leaks(tmp_path)
    assert done.returncode == 2 and "nothing was read\n" in done.stdout


@pytest.mark.parametrize("name", ["-x.py", "a\nb.py", "it's é.py", "tab\t'.py", "$(x) \\n.py"])
def test_what_to_type_next_can_be_typed(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("import time\ntime.time()\n")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", RUN, "leaks", "--", name],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    *_, last = told = done.stdout.splitlines()
    assert len(told) == 6 and told[-2].startswith("LEAKY")
    typed = last.partition("then explorer ")[2]
    again = subprocess.run(
        ["bash", "-c", f'"$0" -c "$1" {typed}', sys.executable, RUN],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert again.stdout == done.stdout


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
