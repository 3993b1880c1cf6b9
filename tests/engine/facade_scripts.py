"""Small programs for aiosqlite: executing, fetching, factories, transactions."""

import sqlite3
from collections.abc import Iterator
from typing import Any

from tests.engine.scripts import all_of, asked, given, told, tried

# Parameters.


@given
async def wrong_parameters(db):
    cases = [
        ("SELECT ?", ()),
        ("SELECT ?", (1, 2)),
        ("SELECT ?", 5),
        ("SELECT ?", {1}),
        ("SELECT ?", (one for one in [1])),
        ("SELECT ?", (object(),)),
        ("SELECT ?", {"a": 1}),
        ("SELECT :a", {}),
        ("SELECT :a", {"b": 1}),
        ("SELECT ?", (2**63,)),
    ]
    return [await tried(db.execute_fetchall(sql, parameters)) for sql, parameters in cases]


@given
async def good_parameters(db):
    cases = [
        ("SELECT ?, ?", [1, None]),
        ("SELECT ?", "x"),
        ("SELECT ?", range(1)),
        ("SELECT :a, :b, :a", {"a": 1, "b": b"x", "c": object()}),
        ("SELECT ?, ?", (True, 1.5)),
        ("SELECT ?", (bytearray(b"ab"),)),
        ("SELECT ?", (memoryview(b"ab"),)),
    ]
    return [await tried(db.execute_fetchall(sql, parameters)) for sql, parameters in cases]


@given
async def texts_that_are_no_statement(db):
    texts = ["", " ; ", "-- nothing", "nonsense", "SELECT 1; SELECT 2", "SELECT 1;", "SELECT\0 1"]
    answers = [await all_of(db, text) for text in texts]
    for wrong in (None, 5, b"SELECT 1"):
        answers.append(await tried(db.execute(wrong)))
        answers.append(await tried(db.executemany(wrong, [(1,)])))
        answers.append(await tried(db.executescript(wrong)))
    return answers


# Executing.


@given
async def what_a_cursor_tells(db):
    cursor = await db.cursor()
    answers = [told(cursor)]
    for sql in (
        "SELECT k, v AS name FROM t ORDER BY k",
        "INSERT INTO t VALUES (9, 'nine')",
        "UPDATE t SET v = v || '!'",
        "DELETE FROM t WHERE k > 1",
        "CREATE TABLE x (y)",
        "PRAGMA user_version",
        "REPLACE INTO t VALUES (9, 'ten')",
    ):
        answers.append(cursor is await cursor.execute(sql))
        answers.append(told(cursor))
        answers.append(await tried(cursor.fetchone()))
        answers.append(told(cursor))
    await db.rollback()
    return answers


@given
async def returning(db):
    cursor = await db.execute("INSERT INTO u VALUES (1), (2), (3) RETURNING w, rowid")
    answers = [told(cursor), db.in_transaction]
    for _ in range(5):
        answers.append(await cursor.fetchone())
        answers.append(cursor.rowcount)
    await db.commit()
    cursor = await db.execute("UPDATE u SET w = 0 WHERE w > 7 RETURNING w")
    answers += [told(cursor), await cursor.fetchall(), cursor.rowcount]
    return answers


@given
async def many(db):
    cursor = await db.executemany("INSERT INTO u VALUES (?)", [(1,), (2,), (3,)])
    answers = [told(cursor), db.in_transaction]
    await cursor.executemany("UPDATE u SET w = w + :by", ({"by": n} for n in range(3)))
    answers += [told(cursor), await all_of(db, "SELECT w FROM u")]
    await cursor.executemany("DELETE FROM u WHERE w = ?", [])
    answers.append(told(cursor))
    await db.commit()
    answers.append(db.total_changes)
    return answers


@given
async def many_that_fail(db):
    def failing() -> Iterator[tuple[str]]:
        yield ("four",)
        yield ("five",)
        raise KeyError("six")

    insert = "INSERT INTO t (v) VALUES (?)"
    cursor = await db.cursor()
    answers = []
    for sql, parameters in (
        (insert, [("four",), ("one",), ("five",)]),
        (insert, failing()),
        (insert, [("six",), ("too", "many")]),
        (insert, 5),
        (insert, [5]),
        ("SELECT ?", [(1,)]),
        ("SELECT ?", []),
        ("nonsense", []),
    ):
        answers.append(await tried(cursor.executemany(sql, parameters)))
        answers += [told(cursor), db.in_transaction, await all_of(db)]
        await db.rollback()
    return [None if answer is cursor else answer for answer in answers]


@given
async def scripts(db):
    cursor = await db.execute("SELECT k FROM t ORDER BY k")
    first = await cursor.fetchone()
    answers = [first, cursor is await cursor.executescript("INSERT INTO u VALUES (1); SELECT 5;")]
    answers += [told(cursor), await cursor.fetchall()]
    for script in (
        "INSERT INTO u VALUES ('a;b'); -- a comment; with INSERT\nINSERT INTO u VALUES (3)",
        "BEGIN; INSERT INTO u VALUES (4); SAVEPOINT s; INSERT INTO u VALUES (5); ROLLBACK TO s",
        "INSERT INTO u VALUES (6); nonsense; INSERT INTO u VALUES (7)",
        "INSERT INTO t VALUES (1, 'again')",
        "CREATE TABLE x (y); CREATE TRIGGER z AFTER INSERT ON x BEGIN SELECT 1; SELECT 2; END;"
        "INSERT INTO x VALUES (1); SELECT",
        "SELECT 'open; SELECT 2",
        " ; ;; /* ; */",
        "SELECT 1\0",
    ):
        done = await tried(db.executescript(script))
        answers.append(done if isinstance(done, tuple) else told(done))
        answers += [db.in_transaction, await all_of(db, "SELECT w FROM u")]
    return answers


@given
async def a_script_commits_what_is_open(db):
    await db.execute("INSERT INTO u VALUES (1)")
    answers = [db.in_transaction]
    await db.executescript("INSERT INTO u VALUES (2)")
    await db.rollback()
    return [*answers, db.in_transaction, await all_of(db, "SELECT w FROM u")]


@given
async def shortcuts(db):
    answers = [
        await tried(db.execute_insert("INSERT INTO u VALUES (5)")),
        await tried(db.execute_insert("INSERT INTO t (v) VALUES (?)", ("four",))),
        await tried(db.execute_insert("INSERT INTO t (v) VALUES (?)", ("four",))),
        await tried(db.execute_insert("SELECT 1")),
        await tried(db.execute_fetchall("UPDATE t SET v = v || k RETURNING v")),
        await tried(db.execute_fetchall("SELECT * FROM nowhere")),
    ]
    async with db.execute_fetchall("SELECT k FROM t") as rows:
        answers.append(rows)
    async with db.execute_insert("INSERT INTO u VALUES (6)") as row:
        answers.append(row)
    return [*answers, db.total_changes]


@given
async def constraints(db):
    await db.execute("CREATE TABLE c (a NOT NULL CHECK (a > 0), b REFERENCES t (k))")
    await db.execute("PRAGMA foreign_keys = ON")
    cases = [(None, 1), (-1, 1), (1, 77), (1, 1)]
    answers = [await tried(db.execute_insert("INSERT INTO c VALUES (?, ?)", one)) for one in cases]
    answers.append(await tried(db.execute("INSERT INTO t VALUES (1, 'x')")))
    answers.append(await tried(db.execute("INSERT INTO t VALUES (8, 'one')")))
    answers.append(db.in_transaction)
    return answers


# Fetching.


@given
async def sizes(db):
    many = (
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 150) SELECT i FROM n"
    )
    cursor = await db.execute(many)
    answers = [cursor.arraysize, cursor.iter_chunk_size, await cursor.fetchmany()]
    cursor.arraysize = 4
    for size in (None, 3, 1, "x", 1.5):
        answers.append(await tried(cursor.fetchmany(size)))
    answers.append([row async for row in cursor])
    answers += [await cursor.fetchmany(2), await cursor.fetchone(), await cursor.fetchall()]
    cursor = await db.execute(many)
    answers.append(len(await cursor.fetchmany(-1)))
    return answers


@given
async def fetching_from_nothing(db):
    cursor = await db.cursor()
    answers = [await cursor.fetchone(), await cursor.fetchmany(3), await cursor.fetchall()]
    await cursor.execute("INSERT INTO u VALUES (1)")
    answers += [await cursor.fetchone(), await cursor.fetchall()]
    await tried(cursor.execute("nonsense"))
    return [*answers, await tried(cursor.fetchall()), told(cursor)]


@given
async def a_closed_cursor(db):
    cursor = await db.execute("SELECT k FROM t")
    await cursor.close()
    answers = [await tried(cursor.fetchone()), await tried(cursor.fetchmany(2))]
    answers += [await tried(cursor.fetchall()), await tried(cursor.execute("SELECT 1"))]
    answers += [await tried(cursor.executemany("INSERT INTO u VALUES (?)", [(1,)]))]
    answers += [await tried(cursor.executescript("SELECT 1")), await tried(cursor.close())]
    return answers


@given
async def contexts(db):
    answers = []
    async with db.execute("SELECT k FROM t ORDER BY k") as outer:
        async for (k,) in outer:
            async with db.execute("SELECT v FROM t WHERE k = ?", (k,)) as inner:
                answers.append(await inner.fetchone())
        answers.append(await outer.fetchall())
    answers.append(await tried(outer.fetchone()))
    async with db.cursor() as cursor:
        await cursor.execute("SELECT count(*) FROM t")
        answers.append(await cursor.fetchone())
    try:
        async with db.execute("SELECT 1") as cursor:
            raise LookupError
    except LookupError:
        answers.append(await tried(cursor.fetchone()))
    async with await db.cursor() as cursor:
        answers.append(told(cursor))
    return answers


# Factories.


@given
async def row_factories(db):
    def as_dict(cursor: Any, row: Any) -> Any:
        return dict(zip([column[0] for column in cursor.description], row, strict=True))

    answers = [db.row_factory]
    first = "SELECT k, v FROM t ORDER BY k LIMIT 2"
    for factory in (sqlite3.Row, as_dict, lambda cursor, row: len(row), lambda c, r: 1 / 0):
        db.row_factory = factory
        answers.append(db.row_factory is factory)
        cursor = await db.execute(first)
        answers += [cursor.row_factory is factory, await tried(cursor.fetchone())]
        cursor = await db.execute(first)
        answers += [await tried(cursor.fetchmany(2)), await all_of(db, first)]
        answers.append(await tried(db.execute_insert("INSERT INTO u VALUES (1)")))
    db.row_factory = None
    cursor.row_factory = sqlite3.Row
    await cursor.execute(first)
    return [*answers, await tried(cursor.fetchall()), await all_of(db, first)]


@given
async def text_factories(db):
    answers = [db.text_factory is str]
    for factory in (bytes, bytearray, lambda raw: raw.decode().upper(), lambda raw: {}[raw]):
        db.text_factory = factory
        answers += [db.text_factory is factory, await all_of(db, "SELECT k, v FROM t ORDER BY k")]
    return answers


# Transactions.


@given
async def transactions(db):
    answers = [db.in_transaction, db.isolation_level, await db.commit(), await db.rollback()]
    await db.execute("INSERT INTO u VALUES (1)")
    answers.append(db.in_transaction)
    await db.rollback()
    answers += [db.in_transaction, await all_of(db, "SELECT w FROM u")]
    for sql in ("BEGIN", "BEGIN", "SAVEPOINT s", "INSERT INTO u VALUES (2)", "ROLLBACK TO s"):
        answers += [await tried(db.execute_fetchall(sql)), db.in_transaction]
    for sql in ("RELEASE s", "RELEASE s", "COMMIT", "COMMIT", "ROLLBACK", "SAVEPOINT x"):
        answers += [await tried(db.execute_fetchall(sql)), db.in_transaction]
    await db.commit()
    await db.execute("CREATE TABLE x (y)")
    return [*answers, db.in_transaction, db.total_changes, await all_of(db, "SELECT w FROM u")]


@given
async def isolation_levels(db):
    answers = []
    for level in ("IMMEDIATE", "EXCLUSIVE", "DEFERRED", "", "deferred", "LOUD"):

        def assign(level: str = level) -> None:
            db.isolation_level = level

        answers += [asked(assign), db.isolation_level]
        await db.execute("INSERT INTO u VALUES (?)", (level,))
        answers.append(db.in_transaction)
        await db.commit()
    try:
        db.isolation_level = None
    except sqlite3.ProgrammingError as error:
        answers.append(str(error)[:70])
    return [*answers, db.isolation_level, await all_of(db, "SELECT w FROM u")]


@given
async def a_cursor_amid_a_commit(db):
    cursor = await db.execute("SELECT k FROM t ORDER BY k")
    answers = [await cursor.fetchone()]
    await db.execute("INSERT INTO u VALUES (1)")
    await db.commit()
    return [*answers, await cursor.fetchone(), await cursor.fetchall()]
