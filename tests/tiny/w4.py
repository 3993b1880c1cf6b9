"""Every adder reads in one transaction and writes in another."""

SCHEMA = "CREATE TABLE counter (v INTEGER); INSERT INTO counter VALUES (0);"
WRITERS = ("adder", "adder")
WATCH = ("counter", "SELECT v FROM counter")
CONNECT = {"isolation_level": None}


async def adder(db):
    """Reads in one IMMEDIATE transaction, then writes in another."""
    await db.execute("BEGIN IMMEDIATE")
    cursor = await db.execute("SELECT v FROM counter")
    (v,) = await cursor.fetchone()
    await db.execute("COMMIT")
    # Between the two, the counter is anybody's.
    await db.execute("BEGIN IMMEDIATE")
    await db.execute("UPDATE counter SET v = ?", (v + 1,))
    await db.execute("COMMIT")
    return "added"


def every_addition_counts(db, told):
    """The counter is as high as there are adders that were told so."""
    (v,) = db.execute("SELECT v FROM counter").fetchone()
    if v != len(told):
        yield f"{len(told)} added one, and the counter stands at {v}"


INVARIANTS = (every_addition_counts,)
