"""Writers that only read and write, in turn: as many orders as a search could want."""

OPTIONS = {"operations": ("3", "4", "8")}
SCHEMA = "CREATE TABLE counter (v INTEGER); INSERT INTO counter VALUES (0);"
WRITERS = ("stepper", "stepper")
CONNECT = {"isolation_level": None}


async def stepper(db, operations):
    """Reads the counter, sets it to one more, and begins again."""
    v = 0
    for step in range(int(operations)):
        if step % 2:
            await db.execute("UPDATE counter SET v = ?", (v + 1,))
        else:
            (v,) = await (await db.execute("SELECT v FROM counter")).fetchone()


def the_counter_is_never_negative(db):
    """Nobody ever takes anything away."""
    (v,) = db.execute("SELECT v FROM counter").fetchone()
    if v < 0:
        yield f"the counter stands at {v}"


INVARIANTS = (the_counter_is_never_negative,)
