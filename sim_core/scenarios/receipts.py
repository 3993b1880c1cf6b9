"""The loser of a race was killed, and nothing shows that it lost.

Two agents want the same handoff. One gets it. The other must leave a
receipt, a row which says that it lost and to whom, so that somebody
who looks into it later can tell what went on. It took three rounds to
get that right. Round 0 ends the failed claim first and writes the
receipt afterwards: a kill between the two leaves a loss without a
trace. Round 1 writes the receipt before it ends the claim, in the same
transaction, so that there are both or neither. Then a process with two
tasks is killed: after the restart each of them sees that the claim has
no receipt, each claims again, and each writes one. Round 2 lets the
INSERT itself look whether a receipt is there.

After the fix the same kill leaves the same rows, and yet nothing is
lost: the loser died inside its claim, the claim went with it, and
nobody was told anything. Only who has ended a claim in vain is owed a
receipt.
"""

REPORT = "A thousand tiny catastrophes for a five-agent SQLite file"

SCHEMA = """
CREATE TABLE handoff (owner TEXT);
INSERT INTO handoff VALUES (NULL);
CREATE TABLE receipts (loser TEXT, winner TEXT);
"""

OPTIONS = {
    "round": {
        "2": "the receipt is inserted if there is none, in the claim’s"
        " own transaction",
        "1": "the receipt is inserted in the claim’s own transaction",
        "0": "the claim is rolled back, then the receipt is inserted",
    },
}
WRITERS = ("agent", "agent")
# The crew is one process. A kill takes both of its tasks, and each of
# them comes back as a retry of its own.
PROCESS = {"worker": "crew", "watcher": "crew"}
RECOVER = {"worker": "retry", "watcher": "retry"}
OPENING = "round=0&grants=AAABBBB&faults=B3after:crash"
CASTS = ("writers=agent,worker,watcher&faults=B2before:crash",)
WATCH = (
    "the handoff",
    "SELECT coalesce(owner, 'nobody') AS owner, coalesce(("
    "SELECT group_concat(loser, ' and ') FROM receipts"
    "), 'none') AS receipts FROM handoff",
)
CONNECT = {"isolation_level": None}

RECEIPT = """
INSERT INTO receipts (loser, winner)
SELECT :who, owner FROM handoff
"""
IF_ABSENT = """
WHERE NOT EXISTS (SELECT 1 FROM receipts WHERE loser = :who)
"""


async def claim(db, who, round):
    # The same call may come twice: who owns it already still owns it.
    await db.execute("BEGIN IMMEDIATE")
    cursor = await db.execute(
        "UPDATE handoff SET owner = :who"
        " WHERE owner IS NULL OR owner = :who",
        {"who": who},
    )
    if cursor.rowcount == 1:
        await db.execute("COMMIT")
        return f"{who} owns it"
    if round == "0":
        await db.execute("ROLLBACK")
        # A kill here: it has lost, and nothing will ever say so.
        await db.execute(RECEIPT, {"who": who})
        return f"{who} lost"
    once = IF_ABSENT if round == "2" else ""
    await db.execute(RECEIPT + once, {"who": who})
    await db.execute("COMMIT")
    return f"{who} lost"


async def agent(db, me, round):
    """Claims the handoff for itself; once killed, it stays away."""
    return await claim(db, me, round)


async def worker(db, round):
    """Claims the handoff for the crew, a process of two tasks."""
    return await claim(db, "crew", round)


async def watcher(db):
    """The crew’s other task: looks who owns the handoff."""
    cursor = await db.execute("SELECT owner FROM handoff")
    (owner,) = await cursor.fetchone()
    return f"saw {owner or 'nobody'} own it"


async def retry(db, round):
    """Claims again for the crew, unless there is a receipt by now."""
    cursor = await db.execute(
        "SELECT count(*) FROM receipts WHERE loser = 'crew'"
    )
    (receipts,) = await cursor.fetchone()
    if receipts:
        return "crew lost, as its receipt says"
    # The other task of the crew sees the same, and claims as well.
    return await claim(db, "crew", round)


OVER = ("COMMIT", "ROLLBACK", "told", "crash")


def losers(events):
    """Who made a failed claim that is over, and the grant of its end.

    Killed before its transaction ends, a claim was never made. Only the
    events tell the one from the other: the file looks the same.
    """
    held, failed = set(), {}
    for event in events:
        what = event.kind
        if what == "operation" and event.error is None:
            what = event.sql.partition(" ")[0]
        if what == "crash" and event.writer in held:
            failed.pop(event.writer, None)
        if what == "BEGIN":
            held.add(event.writer)
        if what in OVER:
            held.discard(event.writer)
        if what == "UPDATE" and event.rowcount == 0:
            failed[event.writer] = event.parameters["who"]
        if what in ("told", "crash") and event.writer in failed:
            yield failed.pop(event.writer), event.grant


def every_loser_has_a_receipt(events, db):
    """Whoever claimed the handoff in vain, and whose claim is over, has
    a receipt for it."""
    rows = db.execute("SELECT loser FROM receipts").fetchall()
    for loser, grant in losers(events):
        if (loser,) not in rows:
            yield grant, (
                f"{loser} lost the handoff and is gone, and there is no"
                " receipt for it"
            )


def one_receipt_a_conflict(db):
    """Nobody has two receipts for one loss, and the winner has none."""
    for loser, winner, count in db.execute(
        "SELECT loser, winner, count(*) FROM receipts GROUP BY loser"
    ):
        if count > 1:
            yield f"{loser} lost once, and has {count} receipts"
        if loser == winner:
            yield f"{loser} has a receipt for losing to itself"


def one_owner(db, told):
    """Whoever was told that it owns the handoff does."""
    (owner,) = db.execute("SELECT owner FROM handoff").fetchone()
    for writer, answer in told.items():
        if answer.endswith(" owns it") and answer != f"{owner} owns it":
            yield writer, f"{owner} has it; {writer} was told: {answer}"


INVARIANTS = (
    every_loser_has_a_receipt,
    one_receipt_a_conflict,
    one_owner,
)
