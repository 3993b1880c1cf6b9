"""The commands that search, as a person and as a program meet them."""

import json
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.hostile import ROOT, explorer
from tests.cli.test_interrupt import interrupted

W1, W3 = "tests/tiny/w1.py", "tests/tiny/w3.py"
THREE = f"{W1}?writers=adder,adder,adder"
UNPROMISED = (
    'WRITERS = ("w", "w")\nasync def w(db):\n    "W."\n'
    '    (v,) = await (await db.execute("SELECT v FROM t")).fetchone()\n'
    '    await db.execute("UPDATE t SET v = ?", (v + 1,))\n'
)


def told(*words: str) -> str:
    """Return what a command prints, its lines joined."""
    return " ".join(explorer(*words).stdout.split())


def answer(*words: str) -> dict[str, object]:
    found = json.loads(explorer(*words, "--json").stdout)
    assert isinstance(found, dict)
    return found


def test_w1_is_broken_in_four_of_six_orders_and_half_of_all_walks() -> None:
    done = explorer("exhaust", W1)
    assert done.returncode == 1
    assert "BROKEN in 4 of 6 orders (67%)" in done.stdout
    assert "at every grant: ½." in done.stdout
    found = answer("exhaust", W1)
    assert (found["interleavings"], found["broken"], found["not_serial"]) == (6, 4, 4)
    assert found["probability"] == {"exact": "1/2", "value": 0.5}
    assert found["witness"] == f"{W1}?grants=ABBA"


def test_what_is_proved_says_of_what_and_how() -> None:
    done = explorer("exhaust", f"{W3}?writers=adder,adder,adder")
    assert done.returncode == 0
    assert "PROVED: none of 6 orders breaks a promise (every addition counts)" in done.stdout
    assert "journal delete, a grant is a statement, timers idle, time zone UTC" in done.stdout
    assert "sleep sets on lock-aware footprints" in done.stdout


def test_nothing_red_and_most_orders_failing_is_said_in_words() -> None:
    recipe = "tests/tiny/w1_deferred.py?timeout=0"
    assert "0 red, but 40 of 50 orders failed a writer" in told("exhaust", recipe)
    assert explorer("exhaust", recipe).returncode == 0


def test_a_budget_that_is_used_up_holds_and_never_proves() -> None:
    four = f"{W3}?writers=adder,adder,adder,adder"
    said = told("exhaust", four, "--budget", "10")
    assert "HELD in the 10 orders judged; ended early: the budget of 10 runs is used up" in said
    assert "about 24 orders (an estimate from 200 random walks)" in said
    assert "PROVED" not in said
    found = answer("exhaust", four, "--budget", "10")
    assert (found["verdict"], found["interleavings"], found["estimate"]) == ("held", None, 24)


@pytest.mark.parametrize("budget", range(1, 30))
def test_no_budget_short_of_the_whole_proves(budget: int) -> None:
    from sim_core.search.exhaust import Exhaust

    search = Exhaust(f"{W3}?writers=adder,adder,adder", budget=budget)
    for _ in search.steps():
        pass
    assert search.verdict == ("proved" if budget >= 6 else "held")
    assert search.counted == (search.verdict == "proved" and search.runs > 6 and budget >= 12)


def test_every_crash_point_and_two() -> None:
    one, two = (answer("exhaust", "sections", "--crashes", count) for count in "12")
    assert (one["verdict"], one["interleavings"]) == ("proved", 21)
    assert (two["verdict"], two["interleavings"]) == ("proved", 49)


def test_brute_force_comes_to_the_same() -> None:
    quick, brute = answer("exhaust", THREE), answer("exhaust", THREE, "--brute")
    same = ("interleavings", "broken", "probability", "outcomes", "verdict")
    assert [quick[name] for name in same] == [brute[name] for name in same]
    assert brute["scope"] != quick["scope"] and brute["explored"] == 90


def test_shared_objects_switch_reduction_off_and_the_scope_says_why(tmp_path: Path) -> None:
    path = tmp_path / "shared.py"
    path.write_text(
        'SCHEMA = "CREATE TABLE t (v)"\nCONNECT = {"isolation_level": None}\n'
        'WRITERS = ("w", "w")\nPROCESS = {"w": "p"}\n'
        'async def w(db, memory):\n    "W."\n    memory["n"] = memory.get("n", 0) + 1\n'
        '    await db.execute("INSERT INTO t VALUES (?)", (memory["n"],))\n'
    )
    done = explorer("exhaust", str(path))
    assert "brute force" in done.stdout
    assert "no order was left out, because writers share Python objects" in done.stdout


def test_without_promises_there_is_an_answer_all_the_same(scenario: Callable[[str], str]) -> None:
    path = scenario(UNPROMISED)
    found = explorer("exhaust", path)
    assert found.returncode == 0
    assert "NOT SERIAL in 4 of 6 orders" in found.stdout
    assert "nearest serial: A then B, where" in found.stdout
    assert "t has v 2 instead of v 1" in found.stdout
    run = explorer("run", f"{path}?grants=ABBA")
    assert run.returncode == 0 and "NOT SERIAL" in run.stdout
    assert "to    2 writers, 2 switches" in explorer("shrink", f"{path}?grants=ABAB").stdout


def test_shrink_tells_the_smallest_story_and_the_recipe() -> None:
    done = explorer("shrink", f"{THREE}&seed=0")
    assert done.returncode == 1
    assert "from  3 writers" in done.stdout
    assert "to    2 writers, 2 switches, 4 grants: ABBA" in done.stdout
    assert "nothing smaller breaks the same promise in the same way" in done.stdout
    assert done.stdout.rstrip().endswith(f"again: explorer run '{W1}?grants=ABBA'")
    found = answer("shrink", f"{THREE}&seed=0")
    assert (found["recipe"], found["smallest"]) == (f"{W1}?grants=ABBA", True)


def test_pin_and_corpus_keep_a_run_and_notice_when_it_guards_nothing(
    scenario: Callable[[str], str],
) -> None:
    source = UNPROMISED + (
        'def counts(db):\n    "Each counts."\n'
        '    (v,) = db.execute("SELECT v FROM t").fetchone()\n'
        '    if v < 2:\n        yield f"{v}"\nINVARIANTS = (counts,)\n'
    )
    path = scenario(source)
    pinned = explorer("pin", f"{path}?grants=ABBA", "--note", "Lost.")
    file = Path(path).parent / "corpus" / "hostile.txt"
    assert pinned.returncode == 0 and str(file) in pinned.stdout
    assert explorer("corpus", str(file)).returncode == 0
    assert "pinned already" in explorer("pin", f"{path}?grants=ABBA", "--note", "x").stderr
    scenario(source.replace("SET v = ?", "SET v = v + 1").replace("(v + 1,)", "()"))
    stale = explorer("corpus", str(file))
    assert stale.returncode == 1
    assert "STALE" in stale.stdout and "no longer breaks counts" in stale.stdout
    found = answer("corpus", str(file))
    assert found["stale"] == 1


BAD = [
    (["exhaust"], "Missing argument"),
    (["exhaust", "nothing"], "There is no scenario 'nothing'"),
    (["exhaust", W1, "--crashes", "3"], "3 is not in the range"),
    (["exhaust", W1, "--budget", "0"], "0 is not in the range"),
    (["exhaust", W1, "--budget", "many"], "many"),
    (["shrink", W3], "There is nothing to shrink"),
    (["shrink", f"{W1}?grants=XX"], "grants=XX"),
    (["pin", f"{W1}?grants=ABBA"], "--note"),
    (["pin", W3, "--note", "x"], "There is nothing to pin"),
    (["corpus", "nowhere"], "There is no corpus nowhere"),
    (["corpus", "README.md"], "is no line of a corpus"),
]


@pytest.mark.parametrize(("words", "said"), BAD)
def test_what_cannot_be_answered_is_one_sentence(words: list[str], said: str) -> None:
    done = explorer(*words)
    assert done.returncode == 2
    assert said in done.stderr and "Traceback" not in done.stderr


def test_ctrl_c_prints_what_was_found_until_then(scenario: Callable[[str], str]) -> None:
    source = (
        'WRITERS = ("w",) * 5\ncount = []\nasync def w(db):\n    "W."\n'
        '    await db.execute("UPDATE t SET v = v + 1")\n'
        '    await db.execute("UPDATE t SET v = v + 1")\n    count.append(1)\n'
        "    if len(count) == 500:\n        ready()\n"
        "def positive(db):\n    'P.'\nINVARIANTS = (positive,)\n"
    )
    from tests.cli.test_interrupt import READY

    begun = time.monotonic()
    status, out, errors, *left = interrupted(
        scenario(READY + source), "exhaust", number=signal.SIGINT
    )
    assert (status, left) == ("130", [])
    assert "HELD in the" in out and "interrupted" in out and "PROVED" not in out
    assert "Traceback" not in errors
    assert time.monotonic() - begun < 60


def test_the_built_in_corpus_is_replayed_by_one_command() -> None:
    done = explorer("corpus")
    assert done.returncode == 0 and "each still breaks what it broke" in done.stdout
    assert (ROOT / "sim_core/corpus/sections.txt").is_file()
