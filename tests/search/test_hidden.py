"""What a state holds that no row shows, and what writers share that no file holds.

Counting merges states that are equal, and the search leaves orders out that only swap what does
not meet. Each program here depends on something that is easily forgotten; brute force knows.
"""

from pathlib import Path

import pytest

from sim_core.errors import ScenarioError
from sim_core.judge.verdict import perform
from sim_core.search.outcomes import smaller
from tests.search.hidden import HEAD, HIDDEN
from tests.searches import searched


def file(folder: Path, source: str, name: str = "mine") -> str:
    path = folder / f"{name}.py"
    path.write_text(HEAD + source)
    return str(path)


@pytest.mark.parametrize("name", HIDDEN)
def test_what_hides_is_counted(tmp_path: Path, name: str) -> None:
    source, truth = HIDDEN[name]
    path = file(tmp_path, source)
    quick, brute = searched(path), searched(path, brute=True)
    for search in (quick, brute):
        assert (search.groups.broken, search.groups.orders) == truth
        assert search.verdict == "broken"
    assert quick.groups.probability == brute.groups.probability
    assert [group.witness for group in quick.groups] == [group.witness for group in brute.groups]


RECOVERING = """
PROCESS = {"a": "p", "b": "p"}
RECOVER = {"a": "ra", "b": "rb"}
async def a(db):
    "A."
    await q(db, "SELECT v FROM t")
async def b(db):
    "B."
    await spend(db)
async def ra(db, memory):
    "A again."
    memory["x"] = "a"
    await q(db, "SELECT v FROM t")
    await q(db, "UPDATE t SET v = ?", memory["x"])
async def rb(db, memory):
    "B again."
    memory["x"] = "b"
    await spend(db)
    await q(db, "UPDATE u SET v = ?", memory["x"])
INVARIANTS = (("mine", "T is of a.", "SELECT 1 FROM t WHERE v = 'b'"),)
"""


def test_memory_that_only_recoveries_share_is_shared(tmp_path: Path) -> None:
    path = file(tmp_path, RECOVERING)
    quick = searched(path, crashes=1)
    brute = searched(path, crashes=1, brute=True)
    assert quick.scope.why == "writers share Python objects"
    assert quick.verdict == brute.verdict == "broken"
    assert quick.groups.broken == brute.groups.broken > 0


REPAIRING = """
RECOVER = {"b": "rb"}
async def a(db):
    "Repairs where b was killed."
    await q(db, "SELECT v FROM h")
    if await q(db, "SELECT v FROM h WHERE v = 'b died'"):
        await q(db, "UPDATE t SET v = 1")
        await q(db, "UPDATE t SET v = 2")
async def b(db):
    "Does little."
    await q(db, "SELECT 1")
async def rb(db):
    "Says so."
    await q(db, "INSERT INTO h VALUES ('b died')")
INVARIANTS = (("half", "It is never left at 1.", "SELECT 1 FROM t WHERE v = 1"),)
"""


def test_a_place_that_only_another_crash_makes_is_struck_too(tmp_path: Path) -> None:
    path = file(tmp_path, REPAIRING)
    assert perform(f"{path}?grants=BBbAAAA&faults=B1after:crash,A3after:crash").broken
    assert searched(path, crashes=1).verdict == "proved"
    search = searched(path, crashes=2)
    assert search.verdict == "broken" and search.witness
    assert perform(search.witness.text).broken == ("half",)


MIXED = """
RECOVER = {"a": "ra"}
async def a(db):
    "Adds, in one statement."
    await q(db, "SELECT 1")
    await q(db, "UPDATE t SET v = v + 1")
async def ra(db):
    "Only looks."
    await q(db, "SELECT 1")
    return "ok"
async def b(db):
    "Adds, in two."
    ((v,),) = await q(db, "SELECT v FROM t")
    await q(db, "UPDATE t SET v = ?", v + 1)
    return v
"""


def test_an_end_may_be_serial_after_one_crash_and_not_after_another(tmp_path: Path) -> None:
    path = file(tmp_path, MIXED)
    search = searched(path, crashes=1)
    assert (search.groups.apart, search.groups.orders) == (8, 56)
    for group in search.groups:
        outcome = perform(search.with_crashes(group.faults, group.witness).text)
        assert (outcome.apart is None) == (group.apart is None)
    assert searched(file(tmp_path, MIXED + DECLARED, "held"), crashes=1).groups.broken == 8


DECLARED = 'INVARIANTS = ("serial",)\n'


def test_a_recovery_may_come_after_somebody_else(tmp_path: Path) -> None:
    path = file(
        tmp_path,
        DECLARED
        + 'RECOVER = {"a": "ra"}\n'
        + "".join(
            f'async def {role}(db):\n    "{role}."\n'
            f"    await db.execute(\"INSERT INTO t (v) VALUES ('{role}')\")\n"
            for role in ("a", "ra", "b")
        ),
    )
    assert not perform(f"{path}?grants=AABa&faults=A1after:crash").broken


def test_who_finished_is_never_missing_from_the_serial_order(tmp_path: Path) -> None:
    source = """
WRITERS = ("a", "b", "c")
GENERATED = ("told",)
async def a(db):
    "Adds 1."
    ((v,),) = await q(db, "SELECT v FROM t")
    await q(db, "UPDATE t SET v = ?", v + 1)
async def b(db):
    "Adds 10."
    ((v,),) = await q(db, "SELECT v FROM t")
    await q(db, "UPDATE t SET v = ?", v + 10)
async def c(db):
    "Fails."
    raise ValueError("x")
"""
    assert searched(file(tmp_path, source)).groups.apart == 4


@pytest.mark.parametrize("answer", ["{v}", "frozenset([v])", "(v,)", "{'v': v}"])
def test_answers_of_any_plain_kind_are_compared(tmp_path: Path, answer: str) -> None:
    source = "".join(
        f'async def {role}(db):\n    "Counts."\n    ((v,),) = await q(db, "SELECT v FROM t")\n'
        f'    await q(db, "UPDATE t SET v = v + 1")\n    return {answer}\n'
        for role in "ab"
    )
    assert searched(file(tmp_path, source)).groups.apart == 4


LOG = """
JOURNAL = "wal"
WRITERS = ("reader", "reader", "writer")
async def reader(db):
    "Reads in a transaction."
    await q(db, "BEGIN")
    await q(db, "SELECT 1 FROM t")
    await q(db, "COMMIT")
async def writer(db):
    "Writes, and asks how the log stands."
    await q(db, "INSERT INTO h VALUES (1)")
    await q(db, "PRAGMA wal_checkpoint(PASSIVE)")
    await q(db, "INSERT INTO h VALUES (2)")
    return (await q(db, "PRAGMA wal_checkpoint(PASSIVE)"))[0][1]
def short(told):
    "The log was not started anew."
    if told["writer"] == 1:
        yield "it was"
INVARIANTS = (short,)
"""


def test_where_a_checkpoint_tells_of_the_log_no_order_is_left_out(tmp_path: Path) -> None:
    path = file(tmp_path, LOG)
    quick, brute = searched(path), searched(path, brute=True)
    assert "how the log stands" in quick.scope.why
    assert quick.groups.broken == brute.groups.broken > 0
    assert quick.groups.orders == brute.groups.orders == quick.explored


DICE = """
async def a(db):
    "Throws."
    await q(db, "SELECT 1 FROM u WHERE random() IS NULL")
    await q(db, "SELECT v FROM t")
    return await q(db, "SELECT abs(random() % 1000)")
async def b(db):
    "Empties."
    await q(db, "DELETE FROM u")
    await q(db, "SELECT v FROM t")
INVARIANTS = (("none", "Nothing.", "SELECT 1 WHERE 0"),)
"""


def test_where_dice_are_thrown_nothing_is_proved_but_counted_for_one_seed(tmp_path: Path) -> None:
    search = searched(file(tmp_path, DICE))
    assert (search.verdict, search.chance) == ("held", True)
    assert [group.count for group in search.groups] == [6, 4]
    faulty = searched("sections?faults=*:SQLITE_FULL&p=0.000001")
    assert (faulty.verdict, faulty.chance) == ("held", True)


@pytest.mark.leaks
def test_what_outlives_a_run_is_named_and_is_no_bug_of_ours(tmp_path: Path) -> None:
    source = """
runs = []
async def a(db):
    "Does less every time."
    runs.append(1)
    for _ in range(max(1, 5 - len(runs))):
        await q(db, "SELECT 1")
async def b(db):
    "B."
    await spend(db)
"""
    with pytest.raises(ScenarioError, match="is not the same run twice"):
        searched(file(tmp_path, source))


def test_a_scenario_without_a_schema_can_be_searched(tmp_path: Path) -> None:
    path = tmp_path / "bare.py"
    path.write_text(
        'CONNECT = {"isolation_level": None}\nWRITERS = ("a", "a")\n'
        'async def a(db):\n    "A."\n    await db.execute("SELECT 1")\n'
    )
    assert searched(str(path)).verdict == "proved"


def test_the_witness_is_the_smallest_of_all(tmp_path: Path) -> None:
    search = searched("tests/tiny/w1.py?writers=adder,adder,adder")
    red = [smaller(group.witness) for group in search.groups if group.end.broken]
    assert search.witness and smaller(search.witness.grants) == min(red)
