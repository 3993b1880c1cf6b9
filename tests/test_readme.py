"""README speaks to a user, and every command in it is run here."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.workers import ENOUGH
from sim_core.engine.policy import POLICIES
from sim_core.engine.recipe import RESERVED
from sim_core.judge.verdict import perform

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
LINES = [line for language, text in BLOCKS if not language for line in text.splitlines()]
COMMANDS = [line for line in LINES if line.startswith("explorer ")]
BUILDS = [line for line in LINES if line.startswith("python3 build.py ")]
RECIPES = [line for line in LINES if line not in COMMANDS + BUILDS]

DRIFT = next(line for line in COMMANDS if line.startswith("explorer drift "))
SERVED_IN = {"explorer serve": "tests/server", DRIFT: "tests/drift"}
"""A command that does not end by itself, or that needs files of its user → where it is run."""


def test_the_sizes_that_are_named_are_those_of_the_code() -> None:
    assert f"from {ENOUGH:,} seeds on" in README
    assert f"`{POLICIES[1]}` to `{POLICIES[-1]}`" in README


@pytest.mark.parametrize("command", [c for c in COMMANDS if c not in SERVED_IN])
def test_a_command_runs_as_written(command: str) -> None:
    words = [sys.executable, "-c", "from explorer.cli import main; main()"]
    words += shlex.split(command)[1:]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_recipe_runs_as_written(recipe: str) -> None:
    assert perform(recipe).hash


def test_the_scenario_shown_is_the_one_that_is_run() -> None:
    (shown,) = (text for language, text in BLOCKS if language == "python")
    assert shown == (ROOT / "tests/tiny/w3.py").read_text()


@pytest.mark.parametrize("command", BUILDS)
def test_build_knows_the_commands_that_are_named(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "build.py", "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert command.split()[-1] in done.stdout


def test_the_table_has_every_key_that_recipes_know_and_no_other() -> None:
    _, table = README.split("| key | meaning | default |\n", 1)
    keys = re.findall(r"^\| `([a-z_]+)` \|", table.split("\n\n")[0], re.MULTILINE)
    assert set(keys) == set(RESERVED)
