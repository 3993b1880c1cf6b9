"""One shows itself in the process list, and another looks for it."""

OPTIONS = {
    "after": {"0": "at once", "2": "two seconds on"},
}
SCHEMA = "CREATE TABLE seen (who TEXT, what INTEGER);"
WRITERS = ("server", "watch")
RECOVER = {"server": "server"}
CONNECT = {"isolation_level": None}
TIMERS = "any"


async def server(db, clock, processes, after):
    """Comes up under its name, works on nothing, and ends."""
    await db.execute("SELECT 1")
    processes.show("server", float(after))
    await clock.sleep(3)
    await db.execute("SELECT 2")
    return "ended"


async def watch(db, me, clock, processes):
    """Looks twice, and writes down what it saw."""
    for _ in range(2):
        await clock.sleep(1)
        found = processes.shows("server")
        await db.execute("INSERT INTO seen VALUES (?, ?)", (me, found))
    return "looked"


async def once(db, processes):
    """Looks once, and tells what it saw."""
    await db.execute("SELECT 3")
    return processes.shows("server")


def what_was_seen_first_is_seen_again(db):
    """Nobody that was there is gone."""
    rows = [what for (what,) in db.execute("SELECT what FROM seen")]
    if rows == [1, 0]:
        yield "it was there, and is gone"


def nobody_shows_that_does_not_live(processes):
    """Who shows in the list lives."""
    if processes.shows("server") and not (processes.lives("A") or processes.lives("A2")):
        yield "a dead server shows"


ALWAYS = (
    what_was_seen_first_is_seen_again,
    nobody_shows_that_does_not_live,
)
