"""build.py before anything is installed: old Pythons, locks, two at once, exit codes."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import build
from tests.browsers import CHROMIUM, FIREFOX

ROOT = Path(build.__file__).parent
SOURCE = (ROOT / "build.py").read_text(encoding="utf-8")


def test_an_old_python_is_told_which_one_to_use() -> None:
    """As far as one Python can stand in for another: the version is a lie, the rest is real."""
    pretend = "import sys; sys.version_info = (3, 8, 10); exec(open('build.py').read())"
    done = subprocess.run([sys.executable, "-c", pretend], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == (
        "Interleaving Explorer needs Python 3.11 or newer, and this is Python 3.8.\n"
        "Run build.py with a newer one, for example: python3.12 build.py serve\n"
    )


def test_an_old_python_gets_as_far_as_that_sentence() -> None:
    ast.parse(SOURCE, feature_version=(3, 7))


def test_it_needs_nothing_that_is_not_in_the_standard_library() -> None:
    before_defs = [node for node in ast.parse(SOURCE).body if isinstance(node, ast.Import)]
    names = {alias.name.split(".")[0] for node in before_defs for alias in node.names}
    assert names <= sys.stdlib_module_names


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-node.txt", "package-lock.json"])
def test_a_lock_pins_by_hash_and_holds_no_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    asks_for_money = r'"funding": (\{[^}]*\}|\[[^\]]*\]|"[^"]*")'
    assert not re.findall(r"https?://\S+", re.sub(asks_for_money, "", text))
    assert "--index-url" not in text
    assert re.search(r"--hash=sha256:|\"integrity\": \"sha512-", text)


def test_every_requirement_is_pinned_by_hash() -> None:
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    for line in filter(None, text.splitlines()):
        assert re.match(r"[\w.-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", line), line


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "required"),
        (["paint"], "invalid choice: 'paint'"),
        (["site", "--fast"], "unrecognized arguments: --fast"),
        (["serve", "--port", "many"], "invalid int value: 'many'"),
    ],
)
def test_words_that_are_off_are_named(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        build.parse(words)
    assert left.value.code == 2
    assert says in capsys.readouterr().err


def test_further_words_of_test_are_for_pytest() -> None:
    assert build.parse(["test", "-k", "lost", "--help"]).pytest == ["-k", "lost", "--help"]


def test_a_step_that_fails_ends_the_build_with_its_own_status() -> None:
    with pytest.raises(SystemExit) as left:
        build.run(sys.executable, "-c", "raise SystemExit(7)")
    assert left.value.code == 7


HOLD = """
import build
with build.one_at_a_time():
    print("in", flush=True)
    input()
"""


def test_two_at_once_take_turns_and_one_that_was_killed_leaves_no_lock() -> None:
    command, pipe = [sys.executable, "-c", HOLD], subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as first:
        assert first.stdout and first.stdout.readline() == "in\n"
        with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as second:
            with pytest.raises(subprocess.TimeoutExpired):
                second.wait(timeout=0.5)
            first.kill()
            assert second.stdout and second.stdout.readline() == "in\n"
            second.communicate("\n")
        assert second.returncode == 0


def test_where_there_is_no_browser_and_no_right_to_install_one_it_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("CHROME_PATH", "FIREFOX_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match=r"Install Chromium or Chrome, or name one in CHROME_PATH"):
        CHROMIUM.installed(build.apt)
    with pytest.raises(SystemExit, match=r"Install Firefox, or name one in FIREFOX_PATH"):
        FIREFOX.installed(build.apt)


def test_the_browser_that_is_named_is_the_one_that_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROME_PATH", "/opt/own/chrome")
    assert CHROMIUM.installed(build.apt) == "/opt/own/chrome"
