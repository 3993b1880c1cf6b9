"""Two writers in one of Python's transaction modes, in every order: by the engine, and by hand.

By hand means on plain sqlite3: two connections with timeout 0 and one statement after the other,
in the order that the engine granted. Needs nothing but the standard library, so that it runs
under any Python at hand:

    python -m tests.engine.modes       prints how many orders it compared
"""

import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sim_core.engine.policy import Scripted, Uniform
from sim_core.engine.run import Run
from sim_core.engine.stage import Part, Stage

SCHEMA = "CREATE TABLE t (v INTEGER); INSERT INTO t VALUES (0); CREATE TABLE u (w);"
READ = ("fetchall", "SELECT v FROM t")
WRITE = ("fetchall", "UPDATE t SET v = v + 1")
ADD = ("fetchall", "INSERT INTO u VALUES (1)")
BEGIN = ("fetchall", "BEGIN IMMEDIATE")
COMMIT = ("commit", "")
ROLLBACK = ("rollback", "")
SCRIPT = ("script", "UPDATE t SET v = v + 10")
MANY = ("many", "INSERT INTO u VALUES (?)")

PAIRS = [
    ((READ, WRITE, COMMIT), (READ, WRITE, COMMIT)),
    ((WRITE, COMMIT, ADD, ROLLBACK), (READ, ADD, COMMIT)),
    ((READ, WRITE, READ, COMMIT), (MANY, COMMIT, READ)),
    ((BEGIN, WRITE, COMMIT), (WRITE, ROLLBACK, READ)),
    ((READ, COMMIT, WRITE, COMMIT), (WRITE, SCRIPT)),
]
MODES: list[Any] = ["", "DEFERRED", "IMMEDIATE", "EXCLUSIVE", None]
if sys.version_info >= (3, 12):
    MODES += [True, False]


def orders(left: int, right: int) -> Iterator[str]:
    """Yield every order of so many A and so many B."""
    if not left or not right:
        yield "A" * left + "B" * right
        return
    for rest in orders(left - 1, right):
        yield "A" + rest
    for rest in orders(left, right - 1):
        yield "B" + rest


async def play(db: Any, steps: Any, outcomes: list[Any]) -> None:
    for call, sql in steps:
        try:
            match call:
                case "fetchall":
                    outcome: Any = await db.execute_fetchall(sql)
                case "many":
                    outcome = (await db.executemany(sql, [(1,), (2,)])).rowcount
                case "script":
                    outcome = (await db.executescript(sql)).rowcount
                case _:
                    outcome = await getattr(db, call)()
        except sqlite3.Error as error:
            outcome = error.sqlite_errorname
        outcomes.append((call, outcome, db.in_transaction))


def by_the_engine(mode: Any, journal: str, pair: Any, order: str) -> tuple[Any, Run]:
    """Return both writers' outcomes and the final rows, and the run (its file is gone)."""
    told: dict[str, list[Any]] = {"A": [], "B": []}

    def part(letter: str, steps: Any) -> Part:
        return Part(letter, letter, letter, lambda db, *_: play(db, steps, told[letter]))

    stage = Stage(
        head="modes",
        schema=SCHEMA,
        journal=journal,
        isolation=mode,
        timeout=0,
        parts=(part("A", pair[0]), part("B", pair[1])),
    )
    run = Run(stage, Scripted(order, Uniform(0)), fresh=True)
    run.go()
    rows = [run.file.reader.execute(f"SELECT * FROM {name}").fetchall() for name in "tu"]
    run.remove()
    return (told, rows), run


def by_hand(mode: Any, journal: str, pair: Any, run: Run, path: Path) -> Any:
    """Do what the run's events say was done, in their order, on plain sqlite3."""
    setup = sqlite3.connect(path, isolation_level=None)
    setup.execute(f"PRAGMA journal_mode={journal}").fetchall()
    setup.executescript(SCHEMA)
    setup.close()
    how = {"autocommit": mode} if isinstance(mode, bool) else {"isolation_level": mode}
    raws = {letter: sqlite3.connect(path, timeout=0, **how) for letter in "AB"}
    for raw in raws.values():
        raw.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        raw.rollback()
    told: dict[str, list[Any]] = {"A": [], "B": []}
    steps = {"A": list(pair[0]), "B": list(pair[1])}
    for letter in run.grants:
        if not steps[letter]:
            raws[letter].close()  # its writer had come to its end
            continue
        call, sql = steps[letter].pop(0)
        told[letter].append(_by_hand(raws[letter], call, sql))
        if not steps[letter]:
            raws[letter].close()
    reader = sqlite3.connect(path)
    rows = [reader.execute(f"SELECT * FROM {name}").fetchall() for name in "tu"]
    reader.close()
    return told, rows


def _by_hand(raw: Any, call: str, sql: str) -> Any:
    try:
        match call:
            case "fetchall":
                outcome: Any = raw.execute(sql).fetchall()
            case "many":
                outcome = raw.executemany(sql, [(1,), (2,)]).rowcount
            case "script":
                outcome = raw.executescript(sql).rowcount
            case _:
                outcome = getattr(raw, call)()
    except sqlite3.Error as error:
        outcome = error.sqlite_errorname
    return call, outcome, raw.in_transaction


def compared(mode: Any, journal: str, folder: Path) -> int:
    """Compare every order of every pair; return how many there were.

    Left out: orders in which one call was several grants, which by hand it cannot be.
    """
    count = 0
    for pair in PAIRS:
        for order in orders(len(pair[0]), len(pair[1])):
            engine, run = by_the_engine(mode, journal, pair, order)
            if len(run.grants) != len(order) or run.grants != order:
                continue
            path = folder / f"{mode}-{journal}-{count}.db"
            real = by_hand(mode, journal, pair, run, path)
            assert engine == real, f"{mode!r} {journal} {order} {pair}:\n{engine}\n{real}"
            count += 1
    return count


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        total = sum(compared(mode, j, Path(name)) for mode in MODES for j in ("delete", "wal"))
    sys.stdout.write(f"{total}\n")
