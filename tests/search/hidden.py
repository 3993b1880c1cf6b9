"""Small programs that depend on something easily forgotten, and how many of their orders break."""

HEAD = '''
import sqlite3
CONNECT = {"isolation_level": None}
SCHEMA = """
CREATE TABLE t (k INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 0);
CREATE TABLE u (k INTEGER PRIMARY KEY, v); INSERT INTO u VALUES (1, 0);
CREATE TABLE h (v);
"""
WRITERS = ("a", "b")

async def q(db, sql, *given):
    try:
        return [list(row) for row in await (await db.execute(sql, given)).fetchall()]
    except sqlite3.Error as error:
        return error.sqlite_errorname

async def spend(db):
    await q(db, "SELECT v FROM u")
'''

HIDDEN = {
    "a number in the header": (
        """
async def a(db):
    "A."
    await q(db, "PRAGMA user_version=1")
    await spend(db)
    return await q(db, "PRAGMA user_version")
async def b(db):
    "B."
    await q(db, "PRAGMA user_version=2")
    await spend(db)
def first(told):
    "A reads its own."
    if told["a"] == [[2]]:
        yield "it is of b"
INVARIANTS = (first,)
""",
        (5, 10),
    ),
    "what a view is": (
        """
async def a(db):
    "A."
    await q(db, "CREATE VIEW IF NOT EXISTS w AS SELECT 1 v")
    await spend(db)
    return await q(db, "SELECT v FROM w")
async def b(db):
    "B."
    await q(db, "CREATE VIEW IF NOT EXISTS w AS SELECT 2 v")
    await spend(db)
def first(told):
    "A reads its own."
    if told["a"] == [[2]]:
        yield "it is of b"
INVARIANTS = (first,)
""",
        (4, 10),
    ),
    "a rowid that nobody named": (
        """
async def a(db):
    "A."
    await q(db, "INSERT INTO h VALUES ('x')")
    await spend(db)
    return await q(db, "SELECT rowid FROM h WHERE v = 'x'")
async def b(db):
    "B."
    await q(db, "INSERT INTO h VALUES ('y')")
    await q(db, "DELETE FROM h WHERE v = 'y'")
    await spend(db)
def first(told):
    "A is the first."
    if told["a"] == [[2]]:
        yield "it is the second"
INVARIANTS = (first,)
""",
        (6, 20),
    ),
    "the last inserted rowid": (
        """
async def a(db):
    "A."
    n = (await db.execute("INSERT INTO t (v) VALUES ('x')")).lastrowid
    await spend(db)
    return n
async def b(db):
    "B."
    await q(db, "INSERT INTO t (v) VALUES ('y')")
    await q(db, "DELETE FROM t WHERE k > 1")
    await spend(db)
def first(told):
    "A is the second row."
    if told["a"] == 3:
        yield "it is the third"
INVARIANTS = (first,)
""",
        (3, 10),
    ),
    "1 and 1.0": (
        """
async def a(db):
    "A."
    await q(db, "UPDATE t SET v = 1")
    await spend(db)
async def b(db):
    "B."
    await q(db, "UPDATE t SET v = 1.0")
    await spend(db)
INVARIANTS = (("whole", "It stays whole.", "SELECT 1 FROM t WHERE typeof(v) = 'real'"),)
""",
        (3, 6),
    ),
    "when a clock was read": (
        """
TIMERS = "any"
async def a(db, clock):
    "A."
    await spend(db)
    t = clock.monotonic()
    await spend(db)
    await spend(db)
    return round(t)
async def b(db, clock):
    "B."
    await clock.sleep(5)
    await spend(db)
def early(told):
    "A is early."
    if told["a"] >= 5:
        yield "it is late"
INVARIANTS = (early,)
""",
        (10, 20),
    ),
    "an attribute of a class": (
        """
class Cache:
    value = None
async def a(db):
    "A."
    Cache.value = None
    await q(db, "SELECT v FROM t")
    Cache.value = "a"
    await q(db, "SELECT v FROM t")
    await q(db, "UPDATE t SET v = ?", Cache.value)
async def b(db):
    "B."
    Cache.value = None
    await spend(db)
    Cache.value = "b"
    await spend(db)
    await q(db, "UPDATE u SET v = ?", Cache.value)
INVARIANTS = (("mine", "T is of a.", "SELECT 1 FROM t WHERE v = 'b'"),)
""",
        (6, 20),
    ),
}
