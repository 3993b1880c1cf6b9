"""Small programs to be killed at every operation (see test_kill).

A step is (call, cursor's name, arguments …); a connection's own calls need no cursor, and name
one all the same.
"""

from typing import Any, NamedTuple

SCHEMA = """
CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER UNIQUE);
INSERT INTO t VALUES (1, 10), (2, 20), (3, 30);
CREATE TABLE log (at INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT);
CREATE TABLE wide (body BLOB);
CREATE TRIGGER noted AFTER UPDATE ON t BEGIN INSERT INTO log (what) VALUES ('t' || new.k); END;
"""


class Program(NamedTuple):
    """Steps, and how the connection is opened."""

    steps: list[tuple[Any, ...]]
    connect: dict[str, Any]


def sql(*texts: str, cursor: str = "c") -> list[tuple[Any, ...]]:
    return [("execute", cursor, text) for text in texts]


def autocommit(*steps: tuple[Any, ...]) -> Program:
    return Program(list(steps), {"isolation_level": None})


def legacy(*steps: tuple[Any, ...], level: str = "") -> Program:
    return Program(list(steps), {"isolation_level": level})


COMMIT = ("commit", "c")
ROLLBACK = ("rollback", "c")

PROGRAMS = {
    "an open transaction": autocommit(
        *sql(
            "BEGIN",
            "INSERT INTO t VALUES (4, 40)",
            "UPDATE t SET v = v + 1 WHERE k < 3",
            "DELETE FROM t WHERE k = 3",
            "COMMIT",
            "UPDATE t SET v = 5 WHERE k = 1",
        )
    ),
    "an immediate and an exclusive transaction": autocommit(
        *sql("BEGIN IMMEDIATE", "INSERT INTO t VALUES (4, 40)", "ROLLBACK"),
        *sql("BEGIN EXCLUSIVE", "INSERT INTO t VALUES (5, 50)", "COMMIT"),
    ),
    "several statements, each its own commit": autocommit(
        *sql(
            "INSERT INTO t VALUES (4, 40)",
            "INSERT INTO t VALUES (5, 40)",
            "UPDATE t SET v = v + 100",
            "INSERT OR REPLACE INTO t VALUES (9, 110)",
            "DELETE FROM t",
        )
    ),
    "after COMMIT": legacy(
        *sql("INSERT INTO t VALUES (4, 40)"),
        COMMIT,
        *sql("UPDATE t SET v = v + 1 WHERE k = 4", "INSERT INTO log (what) VALUES ('b')"),
        COMMIT,
        *sql("DELETE FROM t WHERE k = 1"),
        ROLLBACK,
        *sql("DELETE FROM t WHERE k = 2"),
    ),
    "implicit IMMEDIATE": legacy(
        *sql("UPDATE t SET v = 11 WHERE k = 1", "SELECT count(*) FROM t"),
        ("fetchall", "c"),
        COMMIT,
        level="IMMEDIATE",
    ),
    "a half-fetched SELECT": autocommit(
        *sql("SELECT k FROM t ORDER BY k", cursor="half"),
        ("fetchone", "half"),
        *sql("UPDATE t SET v = 77 WHERE k = 3"),
        ("fetchone", "half"),
        *sql("BEGIN", "INSERT INTO t VALUES (4, 40)"),
        ("fetchmany", "half", 1),
        *sql("COMMIT"),
        ("close", "half"),
        *sql("INSERT INTO t VALUES (5, 50)"),
    ),
    "a half-fetched RETURNING": autocommit(
        *sql("INSERT INTO t VALUES (4, 40), (5, 50) RETURNING k", cursor="half"),
        ("fetchone", "half"),
        ("fetchone", "half"),
        ("fetchone", "half"),
        *sql("UPDATE t SET v = -v RETURNING v", cursor="half"),
        ("fetchmany", "half", 2),
        ("fetchall", "half"),
        *sql("DELETE FROM t WHERE k < 4 RETURNING k", cursor="half"),
        ("fetchone", "half"),
        ("close", "half"),
        *sql("SELECT count(*) FROM t"),
    ),
    "a RETURNING beside a SELECT": autocommit(
        *sql("SELECT k FROM t", cursor="one"),
        ("fetchone", "one"),
        *sql("UPDATE t SET v = v + 1000 WHERE k > 1 RETURNING v", cursor="two"),
        ("fetchone", "two"),
        ("fetchall", "one"),
        ("fetchall", "two"),
    ),
    "a half-fetched RETURNING in a transaction": legacy(
        *sql("UPDATE t SET v = v + 1000 RETURNING v", cursor="half"),
        ("fetchone", "half"),
        *sql("INSERT INTO log (what) VALUES ('x')"),
        COMMIT,
        ("fetchall", "half"),
    ),
    "savepoints": autocommit(
        *sql(
            "SAVEPOINT a",
            "INSERT INTO t VALUES (4, 40)",
            "SAVEPOINT b",
            "INSERT INTO t VALUES (5, 50)",
            "ROLLBACK TO b",
            "INSERT INTO t VALUES (6, 60)",
            "RELEASE b",
            "RELEASE a",
            "BEGIN",
            "SAVEPOINT c",
            "DELETE FROM t WHERE k = 1",
            "RELEASE c",
            "COMMIT",
        )
    ),
    "executemany in autocommit": autocommit(
        ("executemany", "c", "INSERT INTO t VALUES (?, ?)", [[4, 40], [5, 50], [6, 10], [7, 70]]),
        ("executemany", "c", "UPDATE t SET v = v + :by WHERE k = 1", [{"by": 1}, {"by": 1}]),
    ),
    "executemany in a transaction": legacy(
        ("executemany", "c", "INSERT INTO t VALUES (?, ?)", [[4, 40], [5, 50]]),
        ("executemany", "c", "DELETE FROM t WHERE k = ?", [[1], [4]]),
        COMMIT,
    ),
    "executescript in autocommit": autocommit(
        (
            "executescript",
            "c",
            "INSERT INTO t VALUES (4, 40); INSERT INTO t VALUES (5, 50); BEGIN;"
            "DELETE FROM t WHERE k = 1; DELETE FROM t WHERE k = 2; COMMIT; SELECT 1;"
            "CREATE TABLE x (y); BEGIN; INSERT INTO x VALUES ('never; committed')",
        ),
    ),
    "executescript amid a transaction": legacy(
        *sql("INSERT INTO t VALUES (4, 40)"),
        ("executescript", "c", "INSERT INTO t VALUES (5, 50); INSERT INTO t VALUES (6, 60)"),
        *sql("INSERT INTO t VALUES (7, 70)"),
        COMMIT,
    ),
    "DDL in a transaction": autocommit(
        *sql(
            "BEGIN",
            "CREATE TABLE x (y)",
            "INSERT INTO x VALUES (1)",
            "ALTER TABLE x ADD COLUMN z DEFAULT 'z'",
            "CREATE INDEX by_v ON t (v, k)",
            "DROP TABLE log",
            "COMMIT",
            "VACUUM",
            "DROP TABLE x",
        )
    ),
    "errors that undo": autocommit(
        *sql(
            "BEGIN",
            "INSERT INTO t VALUES (4, 40)",
            "UPDATE OR FAIL t SET v = 20 + k",
            "INSERT OR ROLLBACK INTO t VALUES (5, 22)",
            "UPDATE OR FAIL t SET v = CASE k WHEN 1 THEN 7 ELSE 8 END",
            "COMMIT",
        )
    ),
    "more pages than the cache holds": autocommit(
        *sql(
            "PRAGMA cache_size = 2",
            "BEGIN",
            "INSERT INTO wide SELECT randomblob(3000) FROM t, t, t",
            "UPDATE t SET v = v + 1",
            "UPDATE wide SET body = zeroblob(3000)",
            "COMMIT",
            "PRAGMA wal_checkpoint(truncate)",
            "DELETE FROM wide WHERE rowid % 2",
        )
    ),
}

NEWER = {
    "autocommit=True": Program(
        [
            *sql("INSERT INTO t VALUES (4, 40)", "BEGIN", "INSERT INTO t VALUES (5, 50)"),
            COMMIT,
            ("executemany", "c", "INSERT INTO t VALUES (?, ?)", [[6, 60]]),
        ],
        {"autocommit": True},
    ),
    "autocommit=False": Program(
        [
            *sql("INSERT INTO t VALUES (4, 40)"),
            COMMIT,
            *sql("INSERT INTO t VALUES (5, 50)"),
            ROLLBACK,
            ("executescript", "c", "INSERT INTO t VALUES (6, 60); INSERT INTO t VALUES (7, 70)"),
            COMMIT,
            *sql("DELETE FROM t"),
        ],
        {"autocommit": False},
    ),
}
"""From Python 3.12 on."""
