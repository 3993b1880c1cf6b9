"""“Copy as pytest” gives a test that runs: red where the run breaks a promise, else green."""

import json
import os
import subprocess
import sys
from pathlib import Path

import build

ROOT = Path(build.__file__).parent
RUNS = ROOT / "tests" / "golden" / "runs.json"
COPY = """
import { readFileSync } from "node:fs";
import { pytestCopy } from "./static/js/pytestcopy.js";
import { parse } from "./static/js/recipe.js";
const runs = JSON.parse(readFileSync(process.argv[1], "utf8"));
const copied = ({ run, scenario }) => pytestCopy(run, parse(run.recipe, [scenario]), scenario);
process.stdout.write(JSON.stringify(runs.map(copied)));
"""


def test_the_copied_tests_are_red_and_green_as_their_runs_are(tmp_path: Path) -> None:
    command = ["node", "--input-type=module", "-e", COPY, str(RUNS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    copied: list[str] = json.loads(done.stdout)
    runs = [one["run"] for one in json.loads(RUNS.read_text(encoding="utf-8"))]
    for at, text in enumerate(copied):
        (tmp_path / f"test_{at}.py").write_text(text, encoding="utf-8")
    told = pytest_on(tmp_path)
    for at, run in enumerate(runs):
        (line,) = (line for line in told.splitlines() if line.startswith(f"test_{at}.py::"))
        assert ("FAILED" in line) is bool(run["violations"]), f"{run['recipe']}\n{told}"
        assert "ERROR" not in line
    assert "acknowledged work survives" in told, "the report is the message"
    assert {bool(run["violations"]) for run in runs} == {True, False}


def pytest_on(place: Path) -> str:
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "--rootdir=.", "."]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=place, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout
