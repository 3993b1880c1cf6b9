"""Which check sees which failure: looked up on the runs, and nowhere else."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sim_core.bridge import handle
from sim_core.errors import ScenarioError
from sim_core.judge.verdict import perform
from sim_core.matrix import BLIND, CATCHES, matrix, matrix_json, matrix_text
from tests.scenarios.mutants import mutant

ROOT = Path(__file__).parent.parent.parent
RUN = "from explorer.cli import main; main()"

LOSS, ALL_LOST, NEW, BETWEEN = (
    "loss of a row",
    "loss of every row of an owner",
    "misattribution to a new owner",
    "misattribution between owners",
)

PUBLISHED = {
    "total row count": {LOSS, ALL_LOST},
    "exit codes": {LOSS, ALL_LOST},
    "did all report": {LOSS, ALL_LOST},
    "distinct owner count": {ALL_LOST, NEW},
    "per owner row count": {LOSS, ALL_LOST, NEW, BETWEEN},
}
"""Check → what the report says it catches; to all else it is blind."""


def explorer(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", RUN, *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


def caught(answer: Any) -> dict[str, set[str]]:
    """Return check → the failures that it catches, of `matrix/1`."""
    return {
        check["name"]: {
            one["name"] for one in answer["failures"] if one["cells"][check["name"]] == CATCHES
        }
        for check in answer["checks"]
    }


def test_the_published_matrix_comes_out_of_the_runs() -> None:
    answer = matrix_json(matrix("owners"))
    assert caught(answer) == PUBLISHED
    assert answer["schema"] == {"name": "matrix", "version": 1}
    for failure in answer["failures"]:
        checked = perform(failure["recipe"]).checked
        assert set(failure["cells"].values()) <= {CATCHES, BLIND}
        assert {name: bool(said) for name, said in checked.items()} == {
            name: cell == CATCHES for name, cell in failure["cells"].items()
        }
        assert failure["broke"]
    assert answer["quiet"]["red"] == {}


def test_the_command_and_the_page_are_given_the_same() -> None:
    request = {"version": 1, "ask": "matrix", "scenario": "owners"}
    done = explorer("matrix", "owners", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout) == json.loads(handle(json.dumps(request)))


@pytest.mark.parametrize("width", [40, 60, 80, 100, 140])
def test_the_table_fits_and_names_the_run_of_every_column(width: int) -> None:
    found = matrix("owners")
    text = matrix_text(found, width)
    table, legend = text.split("\n\n", 2)[1:]
    assert max(map(len, table.splitlines())) <= width
    assert table.count(CATCHES) == sum(map(len, PUBLISHED.values()))
    assert table.count(BLIND) == 20 - table.count(CATCHES)
    for column in found.columns:
        assert f"explorer run '{column.recipe}'" in legend
    assert "4 misattribution between owners: only per owner row count sees it." in " ".join(
        text.split()
    )


def test_the_line_to_type_next_is_the_failure_that_is_hardest_to_see() -> None:
    done = explorer("matrix", "owners")
    assert done.returncode == 0
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("next: ")]
    assert "client=neighbour" in line
    assert explorer("run", line.split("'")[1]).returncode == 1


def test_an_only_row_that_moves_to_a_new_owner_keeps_the_number_of_owners() -> None:
    checked = perform("owners?fix1=off&fix2=off&fix3=off&seed=1").checked
    assert [name for name, said in checked.items() if said] == ["per owner row count"]


def test_run_1_says_which_checks_are_red() -> None:
    recipe = matrix("owners").columns[2].recipe
    answer = json.loads(explorer("run", recipe, "--json").stdout)
    assert answer["checks"] == {
        name: name in ("distinct owner count", "per owner row count") for name in PUBLISHED
    }
    assert "checks" not in json.loads(explorer("run", "sections", "--json").stdout)


def test_a_failure_in_whose_run_nothing_fails_is_an_error(tmp_path: Path) -> None:
    file = mutant("owners", 'f"{BASELINE}&seed=2"', '"seed=2"', tmp_path)
    with pytest.raises(ScenarioError, match=r"nothing fails in the run .*seed=2; give the recipe"):
        matrix(str(file))
    done = explorer("matrix", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert NEW in done.stderr and "Traceback" not in done.stderr


def test_a_check_that_cries_wolf_is_told_and_is_no_good_sign(tmp_path: Path) -> None:
    file = mutant(
        "owners", '    if there != sent:\n        yield f"rows', '    yield f"rows', tmp_path
    )
    found = matrix(str(file))
    assert found.wolf == ["total row count"]
    done = explorer("matrix", str(file))
    assert done.returncode == 1
    assert "And yet: total row count is red" in done.stdout


ONLY = '''"""One adds."""
SCHEMA = "CREATE TABLE t (v); INSERT INTO t VALUES (0);"
OPTIONS = {"fix": ("on", "off")}
CONNECT = {"isolation_level": None}


async def one(db, fix):
    "Adds, unless it does not."
    if fix == "on":
        await db.execute("UPDATE t SET v = v + 1")
    return "added"


def total(db):
    "The total is 1."
    ((v,),) = db.execute("SELECT v FROM t")
    if v != 1:
        yield f"v is {v}"


INVARIANTS = CHECKS = (total,)
FAILURES = {"loss": GIVEN}
'''


@pytest.mark.parametrize("given", ["fix=off", "elsewhere/only.py?fix=off", "{path}?fix=off"])
def test_a_failure_may_be_a_whole_recipe_of_its_scenario(given: str, tmp_path: Path) -> None:
    path = tmp_path / "only.py"
    path.write_text(ONLY.replace("GIVEN", repr(given.format(path=path))))
    found = matrix(str(path))
    assert found.columns[0].recipe == f"{path}?fix=off"
    assert matrix_text(found).startswith(f"{path}: 1 check, 1 failure, every")


def test_a_failure_of_another_scenario_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "only.py"
    path.write_text(ONLY.replace("GIVEN", "'owners?fix1=off'"))
    with pytest.raises(ScenarioError, match="is of another scenario; write what stands behind"):
        matrix(str(path))


@pytest.mark.parametrize("width", [72, 80, 90, 100])
def test_a_head_is_never_cut_within_a_word(width: int) -> None:
    found = matrix("owners")
    heads = matrix_text(found, width).split("\n\n")[1].split("─")[0].split()
    names = [word for one in found.columns for word in one.name.split()]
    assert sorted(heads) in (sorted("1234"), sorted([*names, *"1234"]))


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        ("sections", "sections declares no CHECKS and no FAILURES"),
        ("claims", "Of the built-in scenarios, owners has both."),
        (
            "owners?fix1=off",
            "without options, for its failures set them; ask for 'owners', and not",
        ),
        ("nowhere", "There is no scenario 'nowhere'"),
    ],
)
def test_what_has_no_matrix_says_so(scenario: str, words: str) -> None:
    done = explorer("matrix", scenario)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("CHECKS = (1,)", "lists an invariant 1"),
        ("CHECKS = 'total'", "CHECKS of .* must be a tuple of functions"),
        ("FAILURES = {'loss': 1}", "FAILURES of .* must be a dict"),
        ("FAILURES = {'loss': 'mode=gone'}", "names 'loss', whose recipe cannot be read"),
    ],
)
def test_a_wrong_declaration_is_told_by_name(text: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    file.write_text(f'"""Odd."""\n{text}\n\n\nasync def one(db):\n    """Reads."""\n')
    with pytest.raises(ScenarioError, match=words):
        matrix(str(file))
