"""Which files the leak check reads, and what it says of those that it cannot read."""

import os
import re
from pathlib import Path

import pytest

from sim_core.errors import ExplorerError
from sim_core.seams import audit as auditing
from sim_core.seams import audit_files as reading
from sim_core.seams.audit import audit, leaks_in
from tests.leaks.test_leaks import ROOT, named


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
    f"is not {reading.PYTHON} in line 1": b"def f(:\n",
    "is binary, and not Python": b"\x7fELF\0\0",
    "is not text in UTF-8": b"x = '\xff'\n",
    "nor in an encoding that it declares": b"# coding: nonsense\n",
    "in UTF-8, nor in an encoding": b"# coding: undefined\nx = 1\n",
    "UTF-8, nor in an encoding": b"# coding: punycode\nx = '\\xff-\xff'\n",
    "nests deeper than can be read": b"x = " + b"-" * 50_000 + b"1",
    "has more than 2,000,000 bytes": b"#" * (reading.MOST_BYTES + 1),
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
    for path in ("", " "):
        with pytest.raises(ExplorerError, match="A path is empty"):
            leaks_in(path)
        with pytest.raises(ExplorerError, match="A path is empty"):
            leaks_in(ROOT / "build.py", allow=[path])
    with pytest.raises(ExplorerError, match="There is no file or folder"):
        leaks_in(ROOT / "build.py", allow=[tmp_path / "typo"])


@pytest.mark.parametrize("sentence", UNREADABLE)
def test_a_sentence_ends_in_what_to_do(tmp_path: Path, sentence: str) -> None:
    path = tmp_path / "bad.py"
    path.write_bytes(UNREADABLE[sentence])
    (one,) = audit([path]).unread
    assert re.fullmatch(
        r"'[^']+' [^;]+; (mend it, or |simplify it, or )?leave it out with --allow\.", str(one)
    )


def test_what_is_no_file_of_source_is_passed_over_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    (tmp_path / ".#a.py").symlink_to("somebody@somewhere:1")
    (tmp_path / ".b.py").write_text("import time\ntime.time()\n")
    (tmp_path / "nowhere.py").symlink_to(tmp_path / "gone.py")
    (tmp_path / "round.py").symlink_to(tmp_path / "round.py")
    os.mkfifo(tmp_path / "pipe.py")
    done = audit([tmp_path])
    assert (done.files, done.unread, done.findings) == (1, [], [])
    assert audit([tmp_path / ".b.py"]).findings != []


@pytest.mark.parametrize("name", ["round.py", "pipe.py"])
def test_what_is_named_and_no_file_is_one_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "round.py").symlink_to(tmp_path / "round.py")
    os.mkfifo(tmp_path / "pipe.py")
    (one,) = audit([tmp_path / name]).unread
    assert one.part == str(tmp_path / name)


def test_too_many_files_end_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "MOST_FILES", 2)
    for name in "abc":
        (tmp_path / f"{name}.py").write_text("")
    with pytest.raises(ExplorerError, match="more than 2 files"):
        leaks_in(tmp_path)
