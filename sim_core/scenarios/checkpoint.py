"""One open read transaction, and the log grows with every write.

In WAL mode a write goes to the end of a log, and a checkpoint copies
the log’s frames back into the file, so that the log can start anew. It
must stop where the oldest open snapshot stands. A reporter reads two
figures in one transaction, forgets to end it, and goes off to ask its
model about them. Nothing fails: every write succeeds, and every
checkpoint that does not wait comes back with its busy flag at 0. Only
its two other figures drift apart: frames in the log, frames copied
back. A checkpoint that waits for the readers is told busy in the end.

All that the report tells of it: the checkpoints starved, because of a
transaction that nobody ended. That it was a reader’s is our
reconstruction. What the checkpoints say here is SQLite’s own.
"""

REPORT = "A thousand tiny catastrophes for a five-agent SQLite file"

SCHEMA = """
CREATE TABLE entries (
    id          INTEGER PRIMARY KEY,
    log         INTEGER NOT NULL,
    copied_back INTEGER NOT NULL
);
"""

OPTIONS = {
    "leak": {
        "off": "the reporter ends its transaction once it has read",
        "on": "the reporter leaves its transaction open",
    },
}
WRITERS = ("reporter", "recorder")
OPENING = "leak=on&seed=0"
WATCH = (
    "the log",
    "SELECT id, log, copied_back FROM entries",
)
CONNECT = {"isolation_level": None}
JOURNAL = "wal"
RECOVER = {"recorder": "janitor"}

# Time passes only when nobody can go: whoever is amid a transaction
# gets to its end within the five seconds that a checkpoint waits.
TIMERS = "idle"

ENTRIES = 3
THINKING = 60


async def checkpoint(db, mode):
    cursor = await db.execute(f"PRAGMA wal_checkpoint({mode})")
    return await cursor.fetchone()


async def ask(db, sql):
    cursor = await db.execute(sql)
    (answer,) = await cursor.fetchone()
    return answer


async def reporter(db, clock, leak):
    """Reads two figures that must agree, and asks its model."""
    await db.execute("BEGIN")
    count = await ask(db, "SELECT count(*) FROM entries")
    last = await ask(db, "SELECT ifnull(max(id), 0) FROM entries")
    if leak == "off":
        await db.execute("COMMIT")
    # Left open, the snapshot lives as long as the process: no
    # checkpoint may pass it while the model thinks, nor ever after.
    await clock.sleep(THINKING)
    return f"reported {count} entries, the last is number {last}"


async def recorder(db):
    """Writes entries, checkpoints after each, and empties the log."""
    log = copied_back = 0
    for _ in range(ENTRIES):
        await db.execute(
            "INSERT INTO entries (log, copied_back) VALUES (?, ?)",
            (log, copied_back),
        )
        # PASSIVE never waits, as the checkpoints that SQLite makes by
        # itself do not: it copies what it may, and calls that success.
        _, log, copied_back = await checkpoint(db, "PASSIVE")
    return await empty_the_log(db)


async def janitor(db):
    """Empties the log, and writes nothing."""
    return await empty_the_log(db)


async def empty_the_log(db):
    # TRUNCATE waits, as long as the busy timeout, for every reader.
    busy, log, copied_back = await checkpoint(db, "TRUNCATE")
    return {"busy": busy, "log": log, "copied_back": copied_back}


def the_log_can_be_emptied(told):
    """A checkpoint that waits for the readers, as long as the busy
    timeout, leaves no frame in the log."""
    for writer, answer in told.items():
        # Without a log, in rollback mode, SQLite answers -1.
        if isinstance(answer, dict) and answer["log"] > 0:
            yield writer, (
                f"{writer} waited for the readers, and was told busy:"
                f" {answer['copied_back']} of {answer['log']} frames"
                " are copied back"
            )


INVARIANTS = (the_log_can_be_emptied,)
