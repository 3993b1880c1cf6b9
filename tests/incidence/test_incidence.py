"""Real runs are real, and judged by the same promises.

The figures belong to the machine, so a test asks only for what holds on any: what cannot break
never does, what is forced always does, and every run comes to an end.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.incidence import Incidence
from sim_core.engine.place import place
from sim_core.errors import RecipeError, ScenarioError

W1, W3 = "tests/tiny/w1.py", "tests/tiny/w3.py"

HEAD = '''"""T."""
SCHEMA = "CREATE TABLE t (v); INSERT INTO t VALUES (0);"
CONNECT = {"isolation_level": None}
WRITERS = ("w", "w")
'''
COUNTS = """
def counts(db, told):
    "As high as there are."
    (v,) = db.execute("SELECT v FROM t").fetchone()
    if v != len(told):
        yield f"{v} and not {len(told)}"
INVARIANTS = (counts,)
"""
FINE = "\ndef fine(db):\n 'F.'\nINVARIANTS = (fine,)\n"
SLOW = f"""{HEAD}
async def w(db, clock):
    "Sleeps where the other slips in."
    (v,) = await (await db.execute("SELECT v FROM t")).fetchone()
    await clock.sleep(0.01)
    await db.execute("UPDATE t SET v = ?", (v + 1,))
{COUNTS}"""
TELLS = "\nSEEN = []\ndef seen(told, ended):\n 'S.'\n SEEN.append((dict(told), dict(ended)))\n"

Write = Callable[[str], str]


def threads() -> int:
    """Return how many threads there are, once those that end have ended."""
    for one in threading.enumerate():
        if "_connection_worker_thread" in one.name:
            one.join(5)
    return threading.active_count()


@pytest.fixture
def scenario(tmp_path: Path) -> Write:
    def write(source: str) -> str:
        path = tmp_path / f"s{len(list(tmp_path.iterdir()))}.py"
        path.write_text(source)
        return str(path)

    return write


def made(text: str, runs: int, **options: Any) -> Incidence:
    found = Incidence(text, **options)
    for _ in found.over(runs):
        pass
    return found


def seen(found: Incidence) -> tuple[dict[str, Any], dict[str, str]]:
    """Return what the last run told, and how it ended, to a scenario with TELLS."""
    (one,) = (one for one in found.scenario.invariants if one.name == "seen")
    last: tuple[dict[str, Any], dict[str, str]] = one.check.__globals__["SEEN"][-1]
    return last


# What happens, and what cannot.


def test_the_lost_update_happens_by_itself() -> None:
    found = made(W1, 300)
    assert (len(found.runs), found.hung, found.failing) == (300, 0, 0)
    assert 0 < found.by_invariant["every addition counts"] == found.broken <= 300
    assert "the counter stands at 1" in found.examples["every addition counts"]


def test_a_writer_that_sleeps_in_the_gap_breaks_it_in_nearly_every_run(scenario: Write) -> None:
    assert made(scenario(SLOW), 60).broken >= 55


def test_what_is_proved_in_the_engine_never_breaks_here() -> None:
    for recipe in (W3, f"{W3}?journal=wal", "tests/tiny/w2.py", f"{W3}?writers=adder,adder,adder"):
        found = made(recipe, 100)
        assert (found.broken, found.failing, found.hung) == (0, 0, 0), recipe


def test_the_option_decides_as_it_does_in_the_engine() -> None:
    assert made("sections", 100).broken == 0
    assert made("sections?mode=warn", 300).broken > 0


# As real as it says.


def test_every_writer_has_a_connection_and_a_thread_of_its_own(scenario: Write) -> None:
    path = scenario(
        f"{HEAD}import threading\n{TELLS}INVARIANTS = (seen,)\n"
        "async def w(db):\n 'W.'\n await db.create_function('th', 0, threading.get_ident)\n"
        " ((id,),) = await db.execute_fetchall('SELECT th()')\n return str(id)\n"
    )
    told, ended = seen(made(path, 1))
    assert len({*told.values(), str(threading.get_ident())}) == 3
    assert ended == {"w": "finished", "w2": "finished"}


HOLDS = (
    "async def w(db, clock):\n 'W.'\n await db.execute('BEGIN IMMEDIATE')\n"
    " await clock.sleep(0.3)\n await db.execute('COMMIT')\n"
)


@pytest.mark.parametrize(("timeout", "failing"), [("0.05", 1), ("5", 0)])
def test_the_busy_timeout_is_a_real_one(scenario: Write, timeout: str, failing: int) -> None:
    found = made(f"{scenario(HEAD + HOLDS + FINE)}?timeout={timeout}", 1)
    assert found.failing == failing
    assert all("database is locked" in said for said in found.errors)


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_the_journal_mode_is_that_of_the_recipe(scenario: Write, journal: str) -> None:
    path = scenario(
        f"{HEAD}{TELLS}INVARIANTS = (seen,)\nasync def w(db):\n 'W.'\n"
        " ((mode,),) = await db.execute_fetchall('PRAGMA journal_mode')\n return mode\n"
    )
    assert seen(made(f"{path}?journal={journal}", 1))[0] == {"w": journal, "w2": journal}


@pytest.mark.parametrize(("connect", "height"), [("{}", 0), ("{'isolation_level': None}", 2)])
def test_isolation_is_honoured(scenario: Write, connect: str, height: int) -> None:
    """Who does not commit is rolled back when its connection closes, at its end."""
    path = scenario(
        f"{HEAD}CONNECT = {connect}\nasync def w(db):\n 'W.'\n"
        " await db.execute('UPDATE t SET v = v + 1')\n"
        f"def high(db):\n 'H.'\n if db.execute('SELECT v FROM t').fetchone() != ({height},):\n"
        "  yield 'other'\nINVARIANTS = (high,)\n"
    )
    found = made(path, 5)
    assert (found.broken, found.failing) == (0, 0)


def test_writers_of_one_process_share_what_it_has(scenario: Write) -> None:
    path = scenario(
        f"{HEAD}PROCESS = {{'w': 'p'}}\nSHARE = ('p',)\n{TELLS}INVARIANTS = (seen,)\n"
        "async def w(db, memory):\n 'W.'\n memory.setdefault('ids', []).append(id(db))\n"
        " await db.execute('SELECT 1')\n return len(set(memory['ids'])), len(memory['ids'])\n"
    )
    assert seen(made(path, 1))[0] == {"w": [1, 2], "w2": [1, 2]}


def test_the_clock_is_the_machines(scenario: Write) -> None:
    path = scenario(
        f"{HEAD}{TELLS}INVARIANTS = (seen,)\nimport datetime\nasync def w(db, clock):\n 'W.'\n"
        " start, early = clock.monotonic(), datetime.datetime.now(datetime.UTC)\n"
        " await clock.sleep(0.02)\n"
        " return [clock.now() > early, (clock.now() - clock.local()).total_seconds() < 1,\n"
        "  clock.today() >= early.date(), clock.monotonic() - start >= 0.01]\n"
    )
    assert seen(made(path, 1))[0] == dict.fromkeys(("w", "w2"), [True] * 4)


# What cannot be judged, or played.


def test_what_asks_for_events_is_left_out_by_name() -> None:
    found = Incidence("sections?mode=warn")
    assert [*found.left_out] == ["lost update"]
    assert [one.name for one in found.judged] == ["acknowledged work survives"]


def test_nothing_left_to_judge_is_an_error(scenario: Write) -> None:
    path = scenario(f"{HEAD}async def w(db):\n 'W.'\ndef e(events):\n 'E.'\nINVARIANTS = (e,)\n")
    with pytest.raises(
        ScenarioError, match=r"Nothing of .* can be judged .* 'e' asks for `events`"
    ):
        Incidence(path)


@pytest.mark.parametrize("key", ["faults=A1after:crash", "tz=Asia/Tokyo"])
def test_what_nobody_can_play_is_refused(key: str) -> None:
    with pytest.raises(RecipeError, match=f"^{key} cannot be played outside the engine"):
        Incidence(f"{W1}?{key}")


def test_what_plays_no_part_is_said() -> None:
    found = Incidence(f"{W1}?grants=ABBA&seed=3&policy=pct2&granularity=call")
    assert found.ignored == (
        "seed and policy and grants played no part: here the machine says who goes when.",
        "granularity played no part: they say how the engine works.",
    )
    assert found.recipe.text == W1


def test_an_always_is_judged_at_the_end(scenario: Write) -> None:
    source = SLOW.replace("INVARIANTS", "ALWAYS")
    found = made(scenario(source), 5)
    assert found.only_at_the_end == ["counts"]
    assert found.broken > 0


def test_who_fails_is_counted_and_the_built_in_promise_sees_it(scenario: Write) -> None:
    path = scenario(
        f"{HEAD}async def w(db, me):\n 'W.'\n if me == 'w2':\n  raise ValueError('no')\n"
        "INVARIANTS = ('every writer finished',)\n"
    )
    found = made(path, 4)
    assert (found.failing, found.broken) == (4, 4)
    assert found.errors == {"w2: ValueError: no": 4}


UNPROMISED = SLOW.replace(COUNTS, "").replace("await clock.sleep(0.01)", "")


def test_without_promises_it_is_held_to_one_after_the_other(scenario: Write) -> None:
    found = made(scenario(UNPROMISED), 100)
    assert found.odd > 0 and found.broken == 0
    assert "instead of" in found.examples["serial"]
    promised = made(scenario(f"{UNPROMISED}\nINVARIANTS = ('serial',)\n"), 100)
    assert promised.by_invariant["serial"] > 0


def test_serial_is_left_out_where_the_clock_is_in_the_rows(scenario: Write) -> None:
    source = f"{HEAD}async def w(db):\n 'W.'\n await db.execute('UPDATE t SET v = unixepoch()')\n"
    found = made(scenario(f"{source}{FINE}INVARIANTS = (fine, 'serial')\n"), 3)
    assert found.left_out == {"serial": "depends on the engine's clock or dice"}
    assert found.broken == 0


# An end in any case.

HANGS = {
    "an await": "import asyncio\nasync def w(db):\n 'W.'\n await asyncio.Event().wait()\n",
    "a statement": "async def w(db):\n 'W.'\n await db.execute('WITH RECURSIVE c(x) AS (SELECT 1"
    " UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c')\n",
    "plain Python": "async def w(db):\n 'W.'\n while True: pass\n",
    "one that ignores its end": "import asyncio\nasync def w(db):\n 'W.'\n for _ in range(3):\n"
    "  try:\n   await asyncio.Event().wait()\n  except BaseException: pass\n",
}


@pytest.mark.parametrize("where", HANGS)
def test_a_run_that_hangs_is_counted_and_ended(scenario: Write, where: str) -> None:
    before = threads()
    found = made(f"{scenario(HEAD + HANGS[where] + FINE)}?timeout=0", 9, patience=0.1)
    assert (found.hung, len(found.runs), found.broken) == (3, 3, 0)
    assert found.stopped == "3 runs hung for more than 0.1 seconds each"
    assert threads() == before
    assert list(place().glob("real-*")) == []


def test_nothing_is_left_of_a_run(scenario: Write) -> None:
    before = threads()
    leaves = "import asyncio\nLEFT = []\nasync def w(db):\n 'W.'\n" + (
        " LEFT.append(asyncio.ensure_future(asyncio.sleep(99)))\n"
        " await db.execute('BEGIN IMMEDIATE')\n await db.close()\n"
    )
    made(f"{W3}?journal=wal", 10)
    assert made(scenario(HEAD + leaves + FINE), 10).failing == 0
    assert threads() == before
    assert list(place().glob("real-*")) == []


def test_a_clock_that_runs_faster_makes_a_sleep_shorter(scenario: Write) -> None:
    path = scenario(
        f"{HEAD}{TELLS}INVARIANTS = (seen,)\nasync def w(db, clock):\n 'W.'\n"
        " early, start = clock.now(), clock.monotonic()\n await clock.sleep(86_400)\n"
        " return [(clock.now() - early).days, clock.monotonic() - start >= 86_000]\n"
    )
    assert seen(made(path, 1, speed=1e6))[0] == {name: [1, True] for name in ("w", "w2")}
