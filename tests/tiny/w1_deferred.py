"""Every adder reads and writes in one DEFERRED transaction, and waits for nobody."""

SCHEMA = "CREATE TABLE counter (v INTEGER); INSERT INTO counter VALUES (0);"
WRITERS = ("adder", "adder")
WATCH = ("counter", "SELECT v FROM counter")
CONNECT = {"isolation_level": None}
JOURNAL = "wal"


async def adder(db):
    """Begins, reads, writes one more and commits."""
    await db.execute("BEGIN")
    cursor = await db.execute("SELECT v FROM counter")
    (v,) = await cursor.fetchone()
    await db.execute("UPDATE counter SET v = ?", (v + 1,))
    await db.execute("COMMIT")
    return "added"


def every_addition_counts(db, told):
    """The counter is as high as there are adders that were told so."""
    (v,) = db.execute("SELECT v FROM counter").fetchone()
    if v != len(told):
        yield f"{len(told)} added one, and the counter stands at {v}"


INVARIANTS = (every_addition_counts,)
