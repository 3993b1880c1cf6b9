"""The clear removes what its caller never saw.

A clearer lists the handoffs that are done, is shown them, and clears.
If the clear says “whatever is done” (by-status), it means what is done
by then: a handoff that was opened again meanwhile, worked on and closed
with another result, or one that was filed after the look. What is gone
was never shown to anybody. With a revision in every row (by-revision)
the clear names what its caller was shown, as it was shown.

All that the report tells of it: handoffs were cleared in a race, and
one more column was the cure. How it went is our reconstruction.
"""

REPORT = "A thousand tiny catastrophes for a five-agent SQLite file"

# revision is the new column, and AUTOINCREMENT belongs to it: without,
# the number of a cleared handoff is given again, and counts from 1.
SCHEMA = """
CREATE TABLE handoffs (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    status   TEXT NOT NULL,
    result   TEXT NOT NULL,
    revision INTEGER NOT NULL DEFAULT 1
);
INSERT INTO handoffs (status, result) VALUES ('open', '');
INSERT INTO handoffs (status, result) VALUES ('done', 'keys rotated');
"""

OPTIONS = {
    "clear": {
        "by-revision": "clears what was shown, while it is the same",
        "by-status": "clears whatever is done by then",
    },
}
WRITERS = ("clearer", "reopener")
OPENING = "clear=by-status&grants=ABBA"
WATCH = (
    "handoffs",
    "SELECT id, status, result, revision FROM handoffs",
)
CONNECT = {"isolation_level": None}
RECOVER = {"clearer": "clearer"}


async def clearer(db, clear):
    """Lists the done handoffs, and clears them."""
    cursor = await db.execute(
        "SELECT id, status, result, revision FROM handoffs"
        " WHERE status = 'done'"
    )
    shown = list(await cursor.fetchall())
    # Its agent reads the list. Nothing keeps the others away.
    if clear == "by-status":
        cursor = await db.execute(
            "DELETE FROM handoffs WHERE status = 'done'"
            " RETURNING id, status, result, revision"
        )
        cleared = list(await cursor.fetchall())
    else:
        cleared = []
        for number, _, _, revision in shown:
            cursor = await db.execute(
                "DELETE FROM handoffs WHERE id = ? AND revision = ?"
                " RETURNING id, status, result, revision",
                (number, revision),
            )
            cleared += await cursor.fetchall()
    return f"shown {len(shown)}, cleared {len(cleared)}"


async def save(db, number, status, result):
    """Every change of a handoff comes by here."""
    cursor = await db.execute(
        "UPDATE handoffs SET status = ?, result = ?,"
        " revision = revision + 1 WHERE id = ?",
        (status, result, number),
    )
    return cursor.rowcount == 1


async def reopener(db):
    """Opens a handoff again, and closes it with another result."""
    opened = await save(db, 2, "open", "staging was left out")
    if opened and await save(db, 2, "done", "old keys were leaked"):
        return "closed again"
    return "it is gone"


async def filer(db):
    """Files a handoff of its own, and finishes it."""
    cursor = await db.execute(
        "INSERT INTO handoffs (status, result) VALUES ('open', '')"
    )
    number = cursor.lastrowid
    await save(db, number, "done", "backups checked")
    return f"finished {number}"


def cleared_as_shown(events):
    """Nothing is cleared that its caller was not shown, as it was
    shown."""
    shown = set()
    for event in events:
        for row in event.rows or ():
            seen = event.writer, *row
            if event.sql.startswith("SELECT"):
                shown.add(seen)
            elif seen not in shown:
                number, status, result, revision = row
                yield event.grant, (
                    f"handoff {number} was cleared as {status} at"
                    f" revision {revision}, “{result}”, and whoever"
                    " cleared it was not shown that"
                )


INVARIANTS = (cleared_as_shown,)
