"""Every adder adds in one statement: nothing to lose."""

SCHEMA = "CREATE TABLE counter (v INTEGER); INSERT INTO counter VALUES (0);"
WRITERS = ("adder", "adder")
WATCH = ("counter", "SELECT v FROM counter")
CONNECT = {"isolation_level": None}


async def adder(db):
    """Adds one where the counter stands."""
    await db.execute("UPDATE counter SET v = v + 1")
    return "added"


def every_addition_counts(db, told):
    """The counter is as high as there are adders that were told so."""
    (v,) = db.execute("SELECT v FROM counter").fetchone()
    if v != len(told):
        yield f"{len(told)} added one, and the counter stands at {v}"


INVARIANTS = (every_addition_counts,)
