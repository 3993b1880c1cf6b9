"""A slip in a scenario file or a recipe is told by its name, and never passed over."""

from pathlib import Path

import pytest

from explorer import check_cli
from sim_core.engine.recipe import parse
from sim_core.errors import RecipeError, ScenarioError
from sim_core.judge.scenario import load, recipe_of
from sim_core.judge.verdict import perform

STORY = """
SCHEMA = "CREATE TABLE t (v)"
CONNECT = {"isolation_level": None}
async def one(db):
    "Reads."
    return await db.execute_fetchall("SELECT count(*) FROM t")
async def two(db):
    "Reads, too."
    await db.execute("SELECT 1")
"""

SLIPS = {
    "RECOVERS = {'one': 'two'}": "declares RECOVERS, which nobody reads; if RECOVER is meant",
    "SCHEME = ''": "declares SCHEME, .* if SCHEMA is meant",
    "PROCESSES = {}": "declares PROCESSES, .* if PROCESS is meant",
    "INVARIANT = ()": "declares INVARIANT, .* if INVARIANTS is meant",
    "WRITERS = ('one',) * 6": "WRITERS of .* names 6; at most 5 run together",
    "PROCESS = {'three': 'p'}": "PROCESS of .* names 'three', which is no writer",
    "SHARE = ('p',)": "SHARE of .* names the process 'p', in which PROCESS lets no writer live",
    "PROCESS = {'one': 'p'}; SHARE = ('q',)": "SHARE of .* names the process 'q'",
    "RECOVER = {'one': 'three'}": "RECOVER of .* names 'three', which is no writer",
    "async def star(*db):\n    'A star.'\nWRITERS = ('star',)": "no such coroutine",
}


def story(folder: Path, more: str) -> str:
    path = folder / "story.py"
    path.write_text(f"{STORY}{more}\n")
    return str(path)


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_a_scenario_is_told(slip: str, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match=SLIPS[slip]):
        load(story(tmp_path, slip))


@pytest.mark.parametrize("name", ["STARTED", "LINES", "READ", "_SCHEMAS", "ROLES"])
def test_a_constant_of_the_scenarios_own_is_none(name: str, tmp_path: Path) -> None:
    assert load(story(tmp_path, f"{name} = 1")).terms.writers == ("one", "two")


def test_what_is_asked_for_by_place_is_given_by_place(tmp_path: Path) -> None:
    source = (
        "async def placed(db, me, /, clock):\n    'Tells.'\n    return [me, clock.today().year]\n"
        "def kept(db, /, told):\n    yield str(told)\n"
        "WRITERS = ('placed',)\nINVARIANTS = (kept,)"
    )
    outcome = perform(story(tmp_path, source))
    assert outcome.run.told == {"placed": ["placed", 2026]}
    assert [one.detail for one in outcome.violations] == ["{'placed': ['placed', 2026]}"]


@pytest.mark.parametrize(
    "name",
    [
        *("SQLITE_DENY", "SQLITE_IGNORE", "SQLITE_CREATE_INDEX", "SQLITE_ROW", "SQLITE_DONE"),
        *("SQLITE_OK", "SQLITE_READ", "SQLITE_LIMIT_COLUMN", "SQLITE_NOTICE", "SQLITE_NOPE"),
    ],
)
def test_only_a_result_code_that_is_an_error_can_be_a_fault(name: str) -> None:
    _, recipe = recipe_of("sections")
    with pytest.raises(RecipeError, match=f"SQLite has no error {name}"):
        parse(f"faults=A1before:{name}", recipe.terms)


@pytest.mark.parametrize(
    "name", ["SQLITE_FULL", "SQLITE_IOERR_FSYNC", "SQLITE_BUSY_SNAPSHOT", "SQLITE_ABORT_ROLLBACK"]
)
def test_an_extended_code_is_one(name: str) -> None:
    _, recipe = recipe_of("sections")
    assert parse(f"faults=A1before:{name}", recipe.terms).faults[0].kind == name


@pytest.mark.parametrize("zone", ["localtime", "posixrules", "posix/localtime", "Localtime"])
def test_the_machines_own_zone_is_no_zone_of_a_run(zone: str) -> None:
    _, recipe = recipe_of("sections")
    with pytest.raises(RecipeError, match="whatever zone this machine is set to"):
        parse(f"tz={zone}", recipe.terms)


def test_a_check_in_which_nothing_ran_does_not_send_anybody_on(tmp_path: Path) -> None:
    path = story(tmp_path, "WRITERS = ('nobody',)")
    found = check_cli.Check()
    for _ in found.over([f"{path}?seed=1"]):
        pass
    words = check_cli.told(found, path, range(1, 2))
    assert "sweep" not in words and words.endswith(f"next: explorer run '{path}'")
