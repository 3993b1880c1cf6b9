"""Two clerks count up for as long as they are told to: a run of up to ten thousand grants."""

OPTIONS = {"rounds": ("4", "40", "400", "1428")}
SCHEMA = "CREATE TABLE counter (v INTEGER, note TEXT); INSERT INTO counter VALUES (0, 'nobody');"
WRITERS = ("clerk", "clerk")
WATCH = ("counter", "SELECT v, note FROM counter")
CONNECT = {"isolation_level": None}


async def clerk(db, me, rounds):
    """Reads the counter and sets it to one more; every other round it does so in a transaction."""
    for step in range(int(rounds)):
        await db.execute("BEGIN IMMEDIATE" if step % 2 else "SELECT 1")
        (v,) = await (await db.execute("SELECT v FROM counter")).fetchone()
        await db.execute("UPDATE counter SET v = ?, note = ?", (v + 1, f"{me} {step}"))
        if step % 2:
            await db.execute("COMMIT")
    return "counted"


def no_step_is_lost(events):
    """The counter never goes back, and never stands still."""
    highest = 0
    for event in events:
        if event.kind == "operation" and (event.sql or "").startswith("UPDATE"):
            if event.parameters[0] <= highest:
                yield event.grant, f"the counter was set to {event.parameters[0]} again"
            highest = max(highest, event.parameters[0])


INVARIANTS = (no_step_is_lost,)
