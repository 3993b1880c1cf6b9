"""More small programs for aiosqlite: what is called back, and connections."""

import sqlite3
from typing import Any

from tests.engine.scripts import SCHEMA, all_of, asked, given, opening, plain, told, tried

# Callbacks.


@given
async def functions(db):
    seen: list[Any] = []
    answers = [await tried(db.create_function("twice", 1, lambda n: n * 2, deterministic=True))]
    answers += [await tried(db.create_function("fails", 0, lambda: 1 / 0))]
    answers += [await tried(db.create_function("notes", -1, lambda *a: seen.append(a)))]
    answers += [await tried(db.create_function("wrong", -5, print))]
    for sql in ("SELECT twice(k) FROM t", "SELECT fails()", "SELECT notes(1, 'x'), notes()"):
        answers.append(await all_of(db, sql))
    await db.execute("CREATE INDEX i ON t (twice(k))")
    answers += [await all_of(db, "SELECT twice('a', 1)"), await all_of(db, "SELECT nobody()")]
    return [*answers, seen]


@given
async def a_trace(db):
    heard: list[str] = []
    await db.set_trace_callback(heard.append)
    await db.execute("INSERT INTO u VALUES (?)", (7,))
    await db.execute_fetchall("SELECT k FROM t")
    await db.commit()
    await db.set_trace_callback(None)
    await db.execute_fetchall("SELECT v FROM t")
    return heard


@given
async def an_authorizer(db):
    asked_for: list[int] = []

    def deny_drops(action: int, *_: object) -> int:
        asked_for.append(action)
        return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_DROP_TABLE else sqlite3.SQLITE_OK

    await db.set_authorizer(deny_drops)
    answers = [await tried(db.execute_fetchall("DROP TABLE u")), asked_for[:1]]
    asked_for.clear()
    answers += [await tried(db.execute_fetchall("SELECT v FROM t WHERE k = 1")), asked_for]
    await db.set_authorizer(lambda *_: 1 / 0)
    answers.append(await tried(db.execute_fetchall("SELECT w FROM u")))
    await db.set_authorizer(None)
    answers.append(await tried(db.execute_fetchall("DROP TABLE u")))
    return answers


@given
async def a_progress_handler(db):
    await db.set_progress_handler(lambda: 1, 1)
    answers = [await tried(db.execute_fetchall("SELECT count(*) FROM t, t, t"))]
    await db.set_progress_handler(lambda: 0, 1)
    answers.append(await tried(db.execute_fetchall("SELECT count(*) FROM t")))
    await db.set_progress_handler(None, 0)
    return [*answers, await all_of(db)]


@given
async def an_interrupt_with_nothing_to_interrupt(db):
    return [await db.interrupt(), await all_of(db)]


@given
async def a_dump(db):
    return [line async for line in db.iterdump()]


# Opening and closing.


@opening
async def keywords(lib, path):
    answers = []
    for words in (
        {},
        {"isolation_level": None},
        {"isolation_level": "IMMEDIATE"},
        {"isolation_level": "LOUD"},
        {"timeout": 0.5},
        {"timeout": "long"},
        {"cached_statements": 5},
        {"detect_types": sqlite3.PARSE_COLNAMES},
        {"check_same_thread": False},
        {"check_same_thread": True},
        {"iter_chunk_size": 2},
        {"nonsense": 1},
        {"factory": type("Own", (sqlite3.Connection,), {})},
    ):
        try:
            async with lib.connect(path, **words) as db:
                await db.execute("CREATE TABLE IF NOT EXISTS x (y)")
                cursor = await db.execute("INSERT INTO x VALUES (1)")
                answers += [db.isolation_level, db.in_transaction, cursor.iter_chunk_size]
                answers.append(type(cursor.connection).__name__)
        except Exception as error:
            answers.append((type(error).__name__, str(error)))
    async with lib.connect(f"file:{path}?mode=ro", uri=True) as db:
        answers.append(await tried(db.execute("CREATE TABLE z (y)")))
    async with lib.connect(path.encode()) as db:
        answers.append(await all_of(db, "SELECT count(*) FROM x"))
    async with lib.connect(":memory:", detect_types=sqlite3.PARSE_COLNAMES) as db:
        lib.register_converter("shout", lambda raw: raw.decode().upper())
        answers.append(await all_of(db, "SELECT 'a' AS 'a [shout]'"))
    return answers


@opening
async def adapters(lib, path):
    class Point:
        pass

    class Own:
        def __conform__(self, protocol: Any) -> str:
            return "conforms"

    lib.register_adapter(Point, lambda point: "a point")
    async with lib.connect(path) as db:
        return [
            await tried(db.execute_fetchall("SELECT ?, :x", (Point(), Own()))),
            await tried(db.execute_fetchall("SELECT :x", {"x": Point()})),
        ]


@opening
async def after_close(lib, path):
    db = lib.connect(path)
    answers = [await tried(db.execute("SELECT 1")), asked(lambda: db.in_transaction)]
    answers += [await tried(db.commit()), await db.close(), await tried(db.cursor())]
    await db
    cursor = await db.execute("SELECT 1")
    answers += [await db.close(), await db.close()]
    for again in (
        db.execute("SELECT 1"),
        db.executemany("SELECT 1", []),
        db.executescript("SELECT 1"),
        db.execute_insert("SELECT 1"),
        db.execute_fetchall("SELECT 1"),
        *(db.cursor(), db.commit(), db.rollback(), db.interrupt()),
        db.create_function("f", 0, print),
        db.set_authorizer(None),
        db.set_trace_callback(None),
        db.set_progress_handler(None, 1),
        db.backup(db),
        *(cursor.execute("SELECT 1"), cursor.fetchone(), cursor.fetchall(), cursor.close()),
        cursor.executescript("SELECT 1"),
    ):
        answers.append(await tried(again))
    for name in ("in_transaction", "isolation_level", "row_factory", "text_factory"):
        answers.append(asked(lambda name=name: getattr(db, name)))
        answers.append(asked(lambda name=name: setattr(db, name, None)))
    answers.append(asked(lambda: db.total_changes))
    try:
        answers.append([line async for line in db.iterdump()])
    except ValueError as error:
        answers.append(str(error))

    async def entered() -> None:
        async with db:
            pass

    return [*answers, await tried(entered()), cursor.description, cursor.rowcount]


@opening
async def closing_inside_a_context(lib, path):
    async def closes() -> None:
        async with lib.connect(path) as db, db.execute("SELECT 1"):
            await db.close()

    async def raises() -> None:
        async with lib.connect(path) as db:
            await db.execute("CREATE TABLE x (y)")
            await db.execute("INSERT INTO x VALUES (1)")
            raise LookupError("amid")

    answers = [await tried(closes()), await tried(raises())]
    async with lib.connect(path) as db:
        answers.append(await all_of(db, "SELECT y FROM x"))
    return answers


@opening
async def no_such_place(lib, path):
    async def enter() -> None:
        async with lib.connect(f"{path}/nowhere/at.db"):
            pass

    db = lib.connect(f"{path}/nowhere/at.db")
    answers = [await tried(enter()), await tried(_awaiting(db)), await tried(_awaiting(db))]
    return [*answers, await tried(db.execute("SELECT 1")), await db.close()]


async def _awaiting(db: Any) -> None:
    await db


@opening
async def backups(lib, path):
    steps: list[tuple[int, ...]] = []
    async with lib.connect(path) as db, lib.connect(":memory:") as other:
        await db.executescript(SCHEMA)
        await db.backup(other, pages=1, progress=lambda *told: steps.append(told))
        answers = [steps, await all_of(other), await tried(db.backup(other, name="nobody"))]
        answers.append(await tried(db.backup(db)))
        answers.append(await tried(db.backup("x")))
    return answers


@opening
async def two_writers(lib, path):
    async with lib.connect(path, timeout=0) as one, lib.connect(path, timeout=0) as two:
        await one.executescript(SCHEMA)
        await one.execute("UPDATE t SET v = 'a' WHERE k = 1")
        answers = [await all_of(two), await tried(two.execute("UPDATE t SET v = 'b' WHERE k = 2"))]
        answers.append(two.in_transaction)
        await one.commit()
        cursor = await two.execute("UPDATE t SET v = 'b' WHERE k = 2")
        return [*answers, told(cursor), await all_of(two), await all_of(one)]


@opening
async def autocommit(lib, path):
    answers = []
    async with lib.connect(path, isolation_level=None) as db:
        await db.executescript(SCHEMA)
        cursor = await db.execute("INSERT INTO u VALUES (1)")
        await cursor.executemany("INSERT INTO u VALUES (?)", [(2,), (3,)])
        answers += [told(cursor), db.in_transaction]
        answers.append(
            await tried(cursor.executemany("INSERT INTO t VALUES (?, 'x')", [(7,), (8,)]))
        )
        answers[-1] = plain(answers[-1])
        answers += [told(cursor), await all_of(db), db.total_changes]
        await db.execute("BEGIN")
        await db.executescript("INSERT INTO u VALUES (4)")
        answers += [db.in_transaction, await tried(db.execute("COMMIT"))]
    return answers
