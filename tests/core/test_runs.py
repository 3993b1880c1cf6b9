"""The golden runs that JavaScript reads are what the core answers."""

import subprocess
import sys
from pathlib import Path

import pytest

MAKER = Path(__file__).parent / "make_runs.py"
GOLDEN = MAKER.parent.parent / "golden" / "runs.json"


@pytest.mark.once
def test_the_golden_runs_are_what_the_core_answers() -> None:
    """Written anew by python tests/core/make_runs.py."""
    code = f"import runpy; print(runpy.run_path({str(MAKER)!r})['written'](), end='')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout.decode() == GOLDEN.read_text(encoding="utf-8")
