"""No run reads the machine's clock or dice, in Python or in SQL."""

from pathlib import Path

import pytest

from sim_core.errors import UncoveredShape
from sim_core.judge.trial import Outcome
from sim_core.judge.verdict import perform

SCHEMA = """
CREATE TABLE log (
    id INTEGER PRIMARY KEY,
    at TEXT DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    stamp TEXT DEFAULT CURRENT_TIMESTAMP,
    day TEXT GENERATED ALWAYS AS (date(at)) VIRTUAL,
    dice INTEGER DEFAULT (random())
);
CREATE TABLE seen (at TEXT);
CREATE TRIGGER log_seen AFTER INSERT ON log BEGIN INSERT INTO seen VALUES (datetime('now')); END;
CREATE VIEW newest AS SELECT datetime('now', '+1 day') AS tomorrow;
"""


def run(tmp_path: Path, body: str, query: str = "") -> Outcome:
    path = tmp_path / "timed.py"
    lines = "\n".join("    " + line for line in body.strip().splitlines())
    path.write_text(
        f"SCHEMA = {SCHEMA!r}\nCONNECT = {{'isolation_level': None}}\nWRITERS = ('one',)\n"
        f"async def one(db, clock):\n    'Runs.'\n{lines}\n"
    )
    return perform(f"{path}?{query}")


def answer(outcome: Outcome) -> object:
    return outcome.run.told["one"]


def test_defaults_triggers_and_views_read_the_virtual_clock(tmp_path: Path) -> None:
    told = answer(
        run(
            tmp_path,
            """
await db.execute("INSERT INTO log (id) VALUES (1)")
await clock.sleep(90)
await db.execute("INSERT INTO log (id) VALUES (2)")
rows = await db.execute_fetchall("SELECT at, stamp, day FROM log ORDER BY id")
seen = await db.execute_fetchall("SELECT at FROM seen")
tomorrow = await db.execute_fetchall("SELECT tomorrow FROM newest")
return [rows, seen, tomorrow]
""",
        )
    )
    assert told == [
        [
            ["2026-07-10T09:00:00Z", "2026-07-10 09:00:00", "2026-07-10"],
            ["2026-07-10T09:01:30Z", "2026-07-10 09:01:30", "2026-07-10"],
        ],
        [["2026-07-10 09:00:00"], ["2026-07-10 09:01:30"]],
        [["2026-07-11 09:01:30"]],
    ]


def test_python_reads_the_same_instant(tmp_path: Path) -> None:
    told = answer(
        run(
            tmp_path,
            """
await clock.sleep(1.5)
return [clock.now().isoformat(), clock.today().isoformat(), clock.monotonic()]
""",
        )
    )
    assert told == ["2026-07-10T09:00:01.500000+00:00", "2026-07-10", 1.5]


def test_random_comes_from_the_seed(tmp_path: Path) -> None:
    body = 'return await db.execute_fetchall("SELECT random(), hex(randomblob(4))")'
    assert answer(run(tmp_path, body)) == answer(run(tmp_path, body))
    assert answer(run(tmp_path, body)) != answer(run(tmp_path, body, "seed=1"))


def test_a_shape_that_is_not_modelled_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UncoveredShape, match=r"date\(…, 'localtime', …, 'floor'\)"):
        run(tmp_path, """await db.execute("SELECT date('now', 'localtime', 'floor')")""")


FLOOR = "SELECT date('now', 'localtime', 'floor')"


@pytest.mark.parametrize(
    "where",
    [
        f'SCHEMA = "CREATE TABLE t (v); INSERT INTO t {FLOOR}"',
        f'SCHEMA = "CREATE TABLE t (v)"\nINVARIANTS = (("never", "Never.", "{FLOOR}"),)',
        f'SCHEMA = "CREATE TABLE t (v)"\nWATCH = ("day", "{FLOOR}")',
    ],
    ids=["schema", "invariant", "watch"],
)
def test_it_is_refused_by_name_in_every_sql_of_a_scenario(tmp_path: Path, where: str) -> None:
    path = tmp_path / "asks.py"
    writer = "async def one(db):\n    'Reads.'\n    await db.execute('SELECT 1')\n"
    path.write_text(f"{where}\n{writer}")
    with pytest.raises(UncoveredShape, match="floor"):
        perform(str(path), film=True)


TRUSTS_NOBODY = """
await db.execute("PRAGMA trusted_schema = OFF")
await db.execute("INSERT INTO seen VALUES (datetime('now'))")
"""


def test_a_schema_that_is_not_trusted_may_still_be_used_without_time(tmp_path: Path) -> None:
    assert not run(tmp_path, TRUSTS_NOBODY).failing


def test_time_in_a_schema_that_is_not_trusted_is_refused_by_name(tmp_path: Path) -> None:
    body = TRUSTS_NOBODY + 'await db.execute("INSERT INTO log (id) VALUES (1)")'
    with pytest.raises(UncoveredShape, match=r"trusted_schema=OFF bars \w+\(\)"):
        run(tmp_path, body)


def test_a_sleeping_lock_holder_lets_a_busy_timeout_expire(tmp_path: Path) -> None:
    path = tmp_path / "slow.py"
    path.write_text("""
SCHEMA = "CREATE TABLE t (v)"
CONNECT = {"isolation_level": None}
WRITERS = ("slow", "hasty")
async def slow(db, clock):
    "Holds the write lock for ten seconds."
    await db.execute("BEGIN IMMEDIATE")
    await clock.sleep(10)
    await db.execute("COMMIT")
async def hasty(db):
    "Waits as long as its timeout."
    await db.execute("INSERT INTO t VALUES (1)")
""")
    patient = perform(f"{path}?grants=A&timeout=20")
    hasty = perform(f"{path}?grants=AtB&timeout=5")
    assert not patient.failing
    assert hasty.run.writers["B"].error == "SQLITE_BUSY"
    assert [e.time for e in hasty.run.events if e.kind == "failed"] == [5_000]
