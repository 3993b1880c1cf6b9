"""Every planted leak is found on its line, and what only looks like one is not."""

import json
import sqlite3
import textwrap
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from sim_core.errors import ExplorerError
from sim_core.seams import audit as auditing
from sim_core.seams.audit import EXCUSE, Finding, audit, leaks_in
from sim_core.seams.audit_names import BUILTINS, RULES, WHOLE
from sim_core.seams.audit_sql import WHY
from tests.leaks.harmless import HARMLESS
from tests.leaks.planted import PLANTED, Planted

ROOT = Path(__file__).parent.parent.parent
CORE = ROOT / "sim_core"
SCENARIOS = sorted((CORE / "scenarios").glob("[a-z]*.py"))
SEAM = (CORE / "seams", CORE / "bench")
"""Who may ask the machine: the seam, and the benchmark."""


def written(folder: Path, source: str) -> Path:
    path = folder / "planted.py"
    path.write_text(source)
    return path


def named(findings: list[Finding]) -> list[tuple[int, str, str]]:
    return [(one.line, one.kind, one.call) for one in findings]


@pytest.mark.parametrize("leak", PLANTED, ids=lambda leak: f"{leak.kind}-{leak.way}-{leak.call}")
def test_a_planted_leak_is_found_on_its_line(tmp_path: Path, leak: Planted) -> None:
    found = leaks_in(written(tmp_path, leak.source))
    assert (leak.line, leak.kind, leak.call) in named(found)
    assert {(one.kind, one.call) for one in found} == {(leak.kind, leak.call)}
    (one,) = (one for one in found if one.line == leak.line)
    assert one.why and one.source == leak.source.splitlines()[leak.line - 1].strip()


def test_the_table_is_as_wide_as_it_says() -> None:
    assert len(PLANTED) >= 60
    rules = [*RULES.values(), *BUILTINS.values(), *(rule for rule, _ in WHOLE.values())]
    kinds = {rule.kind for rule in rules} | {*WHY, "set order", EXCUSE}
    assert {leak.kind for leak in PLANTED} == kinds and len(kinds) >= 20


@pytest.mark.parametrize("source", HARMLESS.values(), ids=HARMLESS)
def test_what_only_looks_like_a_leak_is_none(tmp_path: Path, source: str) -> None:
    assert leaks_in(written(tmp_path, source)) == []


# No false alarm.


@pytest.mark.parametrize("module", [json, sqlite3, textwrap], ids=lambda module: module.__name__)
def test_modules_that_ask_nothing_are_clean(module: ModuleType) -> None:
    file = Path(str(module.__file__))
    assert leaks_in(file.parent if file.name == "__init__.py" else file) == []


def test_what_pep_249_makes_local_is_told_where_it_is_called(tmp_path: Path) -> None:
    path = written(tmp_path, "from sqlite3 import TimestampFromTicks as stamp\nat = stamp(0)\n")
    assert named(leaks_in(path)) == [(2, "local date", "sqlite3.TimestampFromTicks")]


def test_the_core_asks_the_machine_in_its_seam_only() -> None:
    found = audit([CORE], allow=[*SEAM, CORE / "scenarios"])
    assert named(found.findings) == [] and found.files > 50


def test_the_seam_is_let_through_because_it_is_named_and_not_for_where_it_lies() -> None:
    found = {one.kind for path in SEAM for one in leaks_in(path)}
    assert "monotonic clock" in found


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_scenario_asks_nothing_but_the_one_whose_story_is_the_leak(path: Path) -> None:
    calls = Counter((one.kind, one.call) for one in leaks_in(path))
    story = {("local date", "date.today"): 2} if path.stem == "seams" else {}
    assert calls == story


# What may stay.


def test_an_excuse_without_a_reason_is_told_beside_the_leak(tmp_path: Path) -> None:
    source = "import time\nx = time.time()  # leak: allowed, because   \n"
    found = leaks_in(written(tmp_path, source))
    assert named(found) == [(2, "excuse", "# leak: allowed"), (2, "wall clock", "time.time")]


def test_an_excuse_holds_for_its_own_line_only(tmp_path: Path) -> None:
    source = "import time\n# leak: allowed, because I say so\nx = time.time()\n"
    assert named(leaks_in(written(tmp_path, source))) == [(3, "wall clock", "time.time")]


def test_a_scenarios_sql_is_answered_by_the_run_and_told_on_request(tmp_path: Path) -> None:
    path = written(tmp_path, "SCHEMA = \"CREATE TABLE t (at DEFAULT (date('now')))\"\n")
    assert leaks_in(path) == [] and audit([path]).answered == 1
    (one,) = leaks_in(path, sql=True)
    assert (one.kind, one.call) == ("sql clock", "date()") and "the run's clock answers" in one.why


def test_several_leaks_come_from_top_to_bottom_and_each_once(tmp_path: Path) -> None:
    source = "import time, os\nx = time.time() - time.time(), os.getpid()\ny = time.sleep(1)\n"
    assert named(leaks_in(written(tmp_path, source))) == [
        (2, "process number", "os.getpid"),
        (2, "wall clock", "time.time"),
        (3, "sleep", "time.sleep"),
    ]


# Files and folders.


def test_a_folder_is_read_whole_and_each_file_once(tmp_path: Path) -> None:
    for name in ("a.py", "deep/b.py", ".hidden/c.py", "__pycache__/d.py", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("import time\ntime.sleep(1)\n")
    (tmp_path / "deep" / "round").symlink_to(tmp_path, target_is_directory=True)
    done = audit([tmp_path, tmp_path / "a.py"])
    assert [Path(one.file).name for one in done.findings] == ["a.py", "b.py"]
    assert done.files == 2
    assert audit([tmp_path], allow=[tmp_path / "deep"]).files == 1


def test_a_script_without_an_ending_is_python_if_it_says_so(tmp_path: Path) -> None:
    script = tmp_path / "hook"
    script.write_text("#!/usr/bin/env python3\nimport time\ntime.sleep(1)\n")
    assert named(leaks_in(script)) == [(3, "sleep", "time.sleep")]


@pytest.mark.parametrize(
    "content",
    [
        b"import time\r\n\r\ntime.sleep(1)\r\n",
        b"\xef\xbb\xbfimport time\n\ntime.sleep(1)",
        b"# -*- coding: latin-1 -*-\nimport time # \xe9\ntime.sleep(1)\n",
        b"import time\nx = '\\d \xe2\x80\xa8 \x0c'\ntime.sleep(1)\n",
    ],
    ids=["crlf", "bom", "latin-1", "odd separators"],
)
def test_lines_are_counted_as_python_counts_them(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "odd.py"
    path.write_bytes(content)
    assert named(leaks_in(path)) == [(3, "sleep", "time.sleep")]


UNREADABLE = {
    "is not Python in line 1": b"def f(:\n",
    "is binary, and not Python": b"\x7fELF\0\0",
    "is not text in UTF-8": b"x = '\xff'\n",
    "nor in an encoding that it declares": b"# coding: nonsense\n",
    "nests deeper than can be read": b"x = " + b"-" * 50_000 + b"1",
    "has more than 2,000,000 bytes": b"#" * (auditing.MOST_BYTES + 1),
}


@pytest.mark.parametrize("sentence", UNREADABLE)
def test_what_cannot_be_read_is_one_clear_sentence(tmp_path: Path, sentence: str) -> None:
    path = tmp_path / "bad.py"
    path.write_bytes(UNREADABLE[sentence])
    with pytest.raises(ExplorerError, match=sentence) as raised:
        leaks_in(path)
    assert raised.value.part == str(path) and "\n" not in str(raised.value)


def test_a_path_that_leads_nowhere_is_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("time.time()")
    for path, sentence in {
        tmp_path / "gone.py": "There is no file or folder",
        tmp_path / "notes.txt": "is not a Python file",
        tmp_path: "There is no Python file in",
        Path("/dev/null"): "is no ordinary file",
        Path("a\0b"): "There is no file or folder",
    }.items():
        with pytest.raises(ExplorerError, match=sentence):
            leaks_in(path)
    with pytest.raises(ExplorerError, match="There is no file or folder"):
        leaks_in(ROOT / "build.py", allow=[tmp_path / "typo"])


def test_too_many_files_end_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "MOST_FILES", 2)
    for name in "abc":
        (tmp_path / f"{name}.py").write_text("")
    with pytest.raises(ExplorerError, match="more than 2 files"):
        leaks_in(tmp_path)
