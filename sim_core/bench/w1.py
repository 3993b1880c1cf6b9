"""Every adder reads, then writes what it read plus one: a lost update."""

SCHEMA = "CREATE TABLE counter (v INTEGER); INSERT INTO counter VALUES (0);"
WRITERS = ("adder", "adder")
WATCH = ("counter", "SELECT v FROM counter")
CONNECT = {"isolation_level": None}


async def adder(db):
    """Reads the counter, then sets it to one more."""
    cursor = await db.execute("SELECT v FROM counter")
    (v,) = await cursor.fetchone()
    # Whoever adds here is overwritten.
    await db.execute("UPDATE counter SET v = ?", (v + 1,))
    return "added"


def every_addition_counts(db, told):
    """The counter is as high as there are adders that were told so."""
    (v,) = db.execute("SELECT v FROM counter").fetchone()
    if v != len(told):
        yield f"{len(told)} added one, and the counter stands at {v}"


INVARIANTS = (every_addition_counts,)
