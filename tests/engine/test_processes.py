"""A crash takes a process with everything in it; who comes after starts from the file."""

from pathlib import Path

from sim_core.judge.trial import Outcome
from sim_core.judge.verdict import perform

SERVICE = '''
SCHEMA = "CREATE TABLE log (who TEXT, n INTEGER)"
CONNECT = {"isolation_level": None}
WATCH = ("log", "SELECT who, n FROM log ORDER BY rowid")
WRITERS = ("web", "job", "cli")
PROCESS = {"web": "service", "job": "service"}
RECOVER = {"job": "restart"}
#SHARE

async def web(db, memory):
    """Counts requests in the service's memory, then notes the count."""
    for _ in range(2):
        memory["n"] = memory.get("n", 0) + 1
        await db.execute("INSERT INTO log VALUES ('web', ?)", (memory["n"],))

async def job(db, memory):
    """Works beside it, in the same process."""
    memory["n"] = memory.get("n", 0) + 1
    await db.execute("BEGIN IMMEDIATE")
    await db.execute("INSERT INTO log VALUES ('job', ?)", (memory["n"],))
    await db.execute("COMMIT")

async def cli(db):
    """Lives in a process of its own."""
    await db.execute("INSERT INTO log VALUES ('cli', 0)")

async def restart(db, memory):
    """Starts in the service's stead, remembering nothing."""
    await db.execute("INSERT INTO log VALUES ('again', ?)", (memory.get("n", 0),))
    return "recovered"
'''


def run(tmp_path: Path, query: str, share: str = "") -> Outcome:
    path = tmp_path / "service.py"
    path.write_text(SERVICE.replace("#SHARE", share))
    return perform(f"{path}?{query}", film=True)


def rows(outcome: Outcome) -> list[tuple[object, ...]]:
    assert outcome.film is not None
    return outcome.film.frames[-1].rows


def test_a_crash_takes_every_writer_of_the_process_and_nobody_else(tmp_path: Path) -> None:
    outcome = run(tmp_path, "grants=BBB&faults=B3before:crash")
    ended = {name: writer.ended for name, writer in outcome.run.writers.items()}
    assert ended == {"A": "crashed", "B": "crashed", "C": "finished", "b": "finished"}
    assert sorted(rows(outcome)) == [("again", 0), ("cli", 0)]


def test_memory_is_shared_in_a_process_and_dies_with_it(tmp_path: Path) -> None:
    outcome = run(tmp_path, "grants=ABBB")
    assert ("web", 1) in rows(outcome) and ("job", 3) in rows(outcome)
    again = run(tmp_path, "grants=ABB&faults=B2before:crash")
    assert ("again", 0) in rows(again)


def test_a_recovery_can_crash_and_starts_again(tmp_path: Path) -> None:
    outcome = run(tmp_path, "grants=Bb&faults=B1before:crash,b1before:crash")
    kinds = [(e.writer, e.kind) for e in outcome.run.events if e.writer == "b"]
    assert ("b", "crash") in kinds and ("b", "told") in kinds
    assert outcome.run.told["job again"] == "recovered"


def test_writers_that_share_a_connection_share_its_transaction(tmp_path: Path) -> None:
    outcome = run(tmp_path, "grants=BAB", share='SHARE = ("service",)')
    assert outcome.film is not None
    frame = outcome.film.frames[2]
    assert frame.holds == {"AB": "RESERVED"}
    assert frame.pending is not None and frame.pending[1] == [("web", 1)]
    assert rows(outcome)[:1] == [("web", 1)]


def test_a_shared_connection_outlives_the_first_writer_that_ends(tmp_path: Path) -> None:
    outcome = run(tmp_path, "grants=BBBAA", share='SHARE = ("service",)')
    assert not outcome.failing
    assert len(rows(outcome)) == 4


def test_a_foreign_commit_publishes_half_of_somebodys_work(tmp_path: Path) -> None:
    path = tmp_path / "foreign.py"
    path.write_text('''
SCHEMA = "CREATE TABLE account (v INTEGER); INSERT INTO account VALUES (100), (0);"
CONNECT = {"isolation_level": None}
WRITERS = ("mover", "other")
PROCESS = {"mover": "app", "other": "app"}
SHARE = ("app",)
async def mover(db):
    """Moves money in one transaction, and dies before it is through."""
    await db.execute("BEGIN")
    await db.execute("UPDATE account SET v = v - 50 WHERE rowid = 1")
    await db.execute("UPDATE account SET v = v + 50 WHERE rowid = 2")
    await db.execute("COMMIT")
async def other(db):
    """Commits what it believes is its own."""
    await db.execute("SELECT 1")
    await db.commit()
def no_money_is_lost(db):
    """The accounts hold 100 together."""
    (total,) = db.execute("SELECT sum(v) FROM account").fetchone()
    if total != 100:
        yield f"the accounts hold {total}"
INVARIANTS = (no_money_is_lost,)
''')
    outcome = perform(f"{path}?grants=AABBA&faults=A3before:crash")
    assert outcome.broken == ("no money is lost",)


def test_executemany_in_autocommit_is_several_commits_with_gaps_between(tmp_path: Path) -> None:
    path = tmp_path / "batch.py"
    path.write_text('''
SCHEMA = "CREATE TABLE t (v INTEGER)"
CONNECT = {"isolation_level": None}
WATCH = ("t", "SELECT count(*) FROM t")
WRITERS = ("batch", "looker")
async def batch(db):
    """Writes three rows in one call."""
    await db.executemany("INSERT INTO t VALUES (?)", [(1,), (2,), (3,)])
    await db.executescript("INSERT INTO t VALUES (4); INSERT INTO t VALUES (5);")
async def looker(db):
    """Sees half of it."""
    rows = await db.execute_fetchall("SELECT count(*) FROM t")
    return rows[0][0]
''')
    assert perform(f"{path}?grants=AAB").run.told["looker"] == 2
    assert perform(f"{path}?grants=AAAAB").run.told["looker"] == 4
    crashed = perform(f"{path}?grants=AAA&faults=A2after:crash", film=True)
    assert rows(crashed) == [(2,)]


def test_time_passes_at_any_grant_where_timers_are_an_adversary(tmp_path: Path) -> None:
    path = tmp_path / "lease.py"
    path.write_text('''
SCHEMA = "CREATE TABLE t (v INTEGER); INSERT INTO t VALUES (0);"
CONNECT = {"isolation_level": None}
WRITERS = ("slow", "sleeper")
async def slow(db):
    """Writes once."""
    await db.execute("UPDATE t SET v = 1")
async def sleeper(db, clock):
    """Sleeps a minute and looks."""
    await clock.sleep(60)
    rows = await db.execute_fetchall("SELECT v FROM t")
    return rows[0][0]
''')
    assert perform(f"{path}?grants=tBB").run.told["sleeper"] == 0
    assert perform(f"{path}?timers=idle&grants=AtBB").run.told["sleeper"] == 1


def test_a_writer_can_begin_with_a_grant_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "late.py"
    path.write_text('''
SCHEMA = "CREATE TABLE t (v INTEGER); INSERT INTO t VALUES (0);"
CONNECT = {"isolation_level": None}
START = "granted"
TICK = 1000
WRITERS = ("one", "one")
async def one(db, clock):
    """Reads the clock before the database."""
    before = clock.monotonic()
    await db.execute("UPDATE t SET v = v + 1")
    return before
''')
    outcome = perform(f"{path}?grants=AABB")
    assert outcome.run.told == {"one": 1.0, "one2": 3.0}
