"""aiosqlite 0.22.1 ships tests of its own; the facade has to pass them too."""

import importlib.metadata
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

from sim_core.engine import aiosqlite_shape

ROOT = Path(__file__).parent.parent.parent
EXCEPTIONS = {
    "test_close_blocking_until_transaction_queue_empty",
    "test_cursor_on_closed_connection_loop",
}


def outcomes(into: Path) -> dict[str, str]:
    spec = importlib.util.find_spec("aiosqlite")
    assert spec is not None and spec.origin is not None
    folder = Path(spec.origin).parent / "tests"
    program = [sys.executable, "-m", "tests.engine.aiosqlite_suite", str(folder), str(into)]
    subprocess.run(program, cwd=ROOT, capture_output=True, check=True)
    told: dict[str, str] = json.loads(into.read_text())
    return told


def test_all_but_the_named_exceptions_of_its_thirty_tests_pass(tmp_path: Path) -> None:
    assert importlib.metadata.version("aiosqlite") == aiosqlite_shape.__version__
    told = outcomes(tmp_path / "outcomes.json")
    failed = {name: text for name, text in told.items() if text not in ("passed", "skipped")}
    assert len(told) == 30
    assert set(failed) == EXCEPTIONS, "\n".join(failed.values())


def test_every_exception_is_named_with_its_reason() -> None:
    for name in EXCEPTIONS:
        assert name in (aiosqlite_shape.__doc__ or "")
