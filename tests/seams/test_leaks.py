"""Who asks the machine for time or chance is named, with the line; nobody else is."""

import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from sim_core.judge.verdict import perform
from sim_core.seams.leaks import Leak, Watch
from sim_core.search.check import Check

HEAD = 'SCHEMA = "CREATE TABLE t (v)"\nCONNECT = {"isolation_level": None}\nWRITERS = ("one",)\n'


def scenario(folder: Path, source: str) -> str:
    path = folder / "leaky.py"
    path.write_text(HEAD + textwrap.dedent(source))
    return str(path)


def found(folder: Path, source: str) -> list[Leak]:
    check = Check()
    for _ in check.over([scenario(folder, source)]):
        pass
    assert not check.misfits
    return list(check.leaks)


def writer(line: str, imports: str = "") -> str:
    return (
        f"import datetime, os, random, secrets, time, uuid\n{imports}\n"
        f"async def one(db, clock):\n    'Leaks.'\n"
        f"    v = {line}\n"
        "    await db.execute('INSERT INTO t VALUES (1)')\n"
    )


LEAKS = {
    "time.time()": "time.time",
    "time.time_ns()": "time.time_ns",
    "time.perf_counter_ns() % 2": "time.perf_counter_ns",
    "time.monotonic()": "time.monotonic",
    "time.process_time()": "time.process_time",
    "time.clock_gettime(0)": "time.clock_gettime",
    "time.gmtime()": "time.gmtime",
    "time.localtime(0)": "time.localtime",
    "time.strftime('%Y')": "time.strftime",
    "time.sleep(0)": "time.sleep",
    "datetime.date.today()": "date.today",
    "datetime.datetime.now()": "datetime.now",
    "datetime.datetime.now(datetime.timezone.utc)": "datetime.now",
    "datetime.datetime.now(tz=datetime.timezone.utc)": "datetime.now",
    "datetime.datetime.utcnow()": "datetime.utcnow",
    "datetime.datetime.today()": "datetime.today",
    "datetime.datetime.fromtimestamp(0)": "datetime.fromtimestamp",
    "datetime.date.fromtimestamp(0)": "date.fromtimestamp",
    "clock.now().astimezone()": "datetime.astimezone",
    "os.urandom(4)": "os.urandom",
    "os.getpid()": "os.getpid",
    "random.random()": "random.random",
    "random.randint(1, 6)": "random.randint",
    "random.choice('ab')": "random.choice",
    "random.shuffle([1, 2])": "random.shuffle",
    "random.Random().random()": "random.Random()",
    "random.seed()": "random.seed()",
    "random.SystemRandom().random()": "random.SystemRandom.random",
    "uuid.uuid4()": "uuid.uuid4",
    "uuid.uuid1()": "uuid.uuid1",
    "secrets.token_hex(4)": "secrets.token_hex",
    "secrets.token_bytes()": "secrets.token_bytes",
    "secrets.choice('ab')": "random.choice",
    "secrets.randbelow(7)": "secrets.randbelow",
}

HARMLESS = [
    "time.gmtime(0)",
    "time.strftime('%Y', time.gmtime(0))",
    "random.Random(7).random()",
    "random.Random('x').choice('ab')",
    "datetime.datetime.fromtimestamp(0, datetime.timezone.utc)",
    "datetime.datetime.fromtimestamp(0, tz=datetime.timezone.utc)",
    "clock.now().astimezone(datetime.timezone.utc)",
    "datetime.datetime.strptime('2026', '%Y')",
    "datetime.datetime(2026, 7, 10).isoformat()",
    "uuid.uuid5(uuid.NAMESPACE_DNS, 'a')",
    "[clock.now(), clock.today(), clock.local(), clock.monotonic()]",
    "__import__('logging').getLogger('x').warning('a log record reads the time for itself')",
    "__import__('colorsys')",
    "os.path.join('a', 'b')",
]


@pytest.mark.parametrize("line", LEAKS)
def test_a_leak_is_named_with_its_call_site(tmp_path: Path, line: str) -> None:
    (leak,) = found(tmp_path, writer(line))
    assert leak.call == LEAKS[line]
    assert (Path(leak.file).name, leak.line, leak.inside) == ("leaky.py", 8, "one")
    assert leak.source == f"v = {line}"


@pytest.mark.parametrize("line", HARMLESS)
def test_what_is_the_same_on_every_machine_is_no_leak(tmp_path: Path, line: str) -> None:
    assert found(tmp_path, writer(line)) == []


ROUNDABOUT = {
    "from time import time as now": ("now()", "time.time"),
    "stamp = lambda: time.time()": ("stamp()", "time.time"),
    "def stamp(read=time.time): return read()": ("stamp()", "time.time"),
    "def stamp(at=time.time()): return at": ("stamp()", "time.time"),
    "STARTED = datetime.date.today()": ("STARTED", "date.today"),
    "class Day(datetime.date): pass": ("Day.today()", "date.today"),
    "from uuid import uuid4 as fresh": ("fresh()", "uuid.uuid4"),
    "from collections import defaultdict": ("defaultdict(uuid.uuid4)[1]", "uuid.uuid4"),
    "class Made:\n    def __init__(self): self.at = time.time()": ("Made()", "time.time"),
    "from dataclasses import dataclass, field\n@dataclass\nclass Made:\n"
    "    at: float = field(default_factory=lambda: time.time())": ("Made()", "time.time"),
}


@pytest.mark.parametrize("helper", ROUNDABOUT)
def test_a_leak_is_found_behind_a_helper_a_default_or_another_name(
    tmp_path: Path, helper: str
) -> None:
    line, call = ROUNDABOUT[helper]
    leaks = found(tmp_path, writer(line, helper))
    assert [leak.call for leak in leaks] == [call]
    assert Path(leaks[0].file).name == "leaky.py" and leaks[0].source


def test_a_leak_in_a_module_that_a_writer_imports_names_that_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stamps_of_mine.py").write_text(
        "import time\n\ndef stamp():\n    return time.time()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    (leak,) = found(tmp_path, writer("stamps_of_mine.stamp()", "import stamps_of_mine"))
    assert (Path(leak.file).name, leak.line, leak.inside) == ("stamps_of_mine.py", 4, "stamp")


def test_a_leak_in_an_invariant_or_in_a_function_of_sql_counts_as_well(tmp_path: Path) -> None:
    source = """
        import time
        def stamp(): return time.time()
        def is_young(db):
            "Reads the wall."
            time.time_ns()
            return ()
        INVARIANTS = (is_young,)
        async def one(db):
            "Asks in SQL."
            await db.create_function("stamp", 0, stamp)
            await db.execute("INSERT INTO t VALUES (stamp())")
    """
    assert {(leak.call, leak.inside) for leak in found(tmp_path, source)} == {
        ("time.time", "stamp"),
        ("time.time_ns", "is_young"),
    }


def test_our_own_calls_and_the_librarys_for_us_are_nobodys_leak() -> None:
    with Watch() as watch:
        perform("sections?mode=warn&seed=16")
        perform("tests/tiny/w3.py")
    assert watch.found == {}


def test_the_hook_is_gone_afterwards_and_the_one_before_is_back(tmp_path: Path) -> None:
    def mine(*_: Any) -> None: ...

    before = sys.getprofile()
    found(tmp_path, writer("time.time()"))
    assert sys.getprofile() is before
    sys.setprofile(mine)
    try:
        with pytest.raises(ZeroDivisionError), Watch():
            1 / 0  # noqa: B018
        assert sys.getprofile() is mine
    finally:
        sys.setprofile(before)


@pytest.mark.leaks
def test_a_leak_met_often_is_one_leak(tmp_path: Path) -> None:
    with Watch() as watch:
        perform(scenario(tmp_path, writer("[time.time() for _ in range(9)]")))
    assert list(watch.found.values()) == [9]
