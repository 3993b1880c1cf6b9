"""Five agents on one file, each sure of what it read a moment ago.

One logs what it shipped, one picks up handoffs, one keeps the plan, and
two services read along, of which one puts away what it has read. Each
runs a handful of statements, and each was tested alone. With safety off
they write as such tools do at first: what was read is still taken to
hold, and a day is the machine’s. With safety on every write asks again,
in the statement that writes, and a day is the UTC day.

Each of the failures has a page of its own, where it stands alone. Two
more are only there, because they need more than a few statements of
each: a transaction that starves the checkpoint, and a receipt that dies
between two transactions.
"""

REPORT = "A thousand tiny catastrophes for a five-agent SQLite file"

SCHEMA = """
CREATE TABLE plan (
    body    TEXT NOT NULL,
    version INTEGER NOT NULL
);
INSERT INTO plan VALUES ('draft', 1);
CREATE TABLE handoffs (
    id         INTEGER PRIMARY KEY,
    task       TEXT NOT NULL,
    trust      TEXT NOT NULL DEFAULT 'trusted',
    claimed_by TEXT
);
INSERT INTO handoffs (task) VALUES ('review the parser');
CREATE TABLE shipped (
    id   INTEGER PRIMARY KEY,
    what TEXT NOT NULL,
    day  TEXT NOT NULL,
    at   TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
    away_after INTEGER
);
INSERT INTO shipped (what, day, at)
VALUES ('the lexer', '2026-07-09', '2026-07-09T16:20:00Z');
CREATE TABLE receipts (handoff INTEGER NOT NULL, loser TEXT NOT NULL);
"""

OPTIONS = {
    "safety": {
        "on": "every write asks again, in the statement that writes",
        "off": "what was read is taken to hold, the day is a local day",
    },
}
WRITERS = ("shipper", "picker", "keeper", "archivist", "reader")
OPENING = "safety=off&seed=97"
WATCH = (
    "the file",
    "SELECT body AS plan, trust, claimed_by,"
    " (SELECT group_concat(what, ', ') FROM shipped"
    " WHERE away_after IS NULL) AS on_display FROM plan, handoffs",
)
CONNECT = {"isolation_level": None}
RECOVER = {"picker": "picker"}


async def read_plan(db):
    cursor = await db.execute("SELECT body, version FROM plan")
    return await cursor.fetchone()


async def shipper(db, me, clock, safety):
    """Adds what it shipped to the plan, and logs it."""
    body, version = await read_plan(db)
    body = f"{body}\n{me}’s line"
    if safety == "on":
        cursor = await db.execute(
            "UPDATE plan SET body = ?, version = version + 1"
            " WHERE version = ?",
            (body, version),
        )
        if cursor.rowcount == 0:
            return "conflict"
    else:
        # The keeper may have written since.
        await db.execute(
            "UPDATE plan SET body = ?, version = version + 1", (body,)
        )
    day = clock.today()
    if safety == "off":
        day = clock.local().date()
    await db.execute(
        "INSERT INTO shipped (what, day) VALUES (?, ?)",
        (f"{me}’s work", day.isoformat()),
    )
    return "success"


async def picker(db, me, safety):
    """Picks up the handoff; where it loses, it leaves a receipt."""
    if safety == "on":
        cursor = await db.execute(
            "UPDATE handoffs SET claimed_by = ? WHERE id = 1"
            " AND trust = 'trusted'"
            " AND (claimed_by IS NULL OR claimed_by = ?)",
            (me, me),
        )
        if cursor.rowcount == 1:
            return "claimed"
        await db.execute(
            "INSERT INTO receipts SELECT 1, ?1 WHERE NOT EXISTS"
            " (SELECT 1 FROM receipts WHERE loser = ?1)",
            (me,),
        )
        return "lost"
    cursor = await db.execute(
        "SELECT trust, claimed_by FROM handoffs WHERE id = 1"
    )
    trust, claimed_by = await cursor.fetchone()
    if trust == "trusted" and claimed_by in (None, me):
        # Trust may be gone by now, and the handoff too.
        await db.execute(
            "UPDATE handoffs SET claimed_by = ? WHERE id = 1", (me,)
        )
        return "claimed"
    await db.execute("INSERT INTO receipts VALUES (1, ?)", (me,))
    return "lost"


async def keeper(db, me):
    """Updates the plan by its version, and revokes an open handoff."""
    body, version = await read_plan(db)
    cursor = await db.execute(
        "UPDATE plan SET body = ?, version = version + 1"
        " WHERE version = ?",
        (f"{body}\n{me}’s line", version),
    )
    saved = "success" if cursor.rowcount == 1 else "conflict"
    await db.execute(
        "UPDATE handoffs SET trust = 'revoked'"
        " WHERE id = 1 AND claimed_by IS NULL"
    )
    return saved


async def archivist(db, safety):
    """Reads what was shipped, and puts away what it has read."""
    cursor = await db.execute(
        "SELECT max(id) FROM shipped WHERE away_after IS NULL"
    )
    (newest,) = await cursor.fetchone()
    if safety == "on":
        await db.execute(
            "UPDATE shipped SET away_after = ?"
            " WHERE away_after IS NULL AND id <= ?",
            (newest, newest),
        )
    else:
        # What was shipped in between goes too, unread.
        await db.execute(
            "UPDATE shipped SET away_after = ?"
            " WHERE away_after IS NULL",
            (newest,),
        )
    return f"read up to {newest}"


async def reader(db):
    """Reads along and writes nothing."""
    body, _ = await read_plan(db)
    return f"read {len(body.splitlines())} lines"


def acknowledged_work_survives(db, told):
    """Every writer that was told success finds its line in the plan."""
    (body,) = db.execute("SELECT body FROM plan").fetchone()
    for writer, answer in told.items():
        if answer == "success" and f"{writer}’s line" not in body:
            yield f"{writer} was told success, and its line is gone"


def a_claim_is_kept(db, told):
    """Whoever was told claimed holds the handoff, and whoever was told
    lost does not."""
    (holder,) = db.execute("SELECT claimed_by FROM handoffs").fetchone()
    for writer, answer in told.items():
        # After a crash "picker again" goes on as the same picker.
        holds = writer.removesuffix(" again") == holder
        if holds != {"claimed": True, "lost": False}.get(answer, holds):
            yield f"{writer} was told {answer}, and {holder} holds it"


def nobody_claims_what_was_revoked(db):
    """A handoff whose trust was revoked while open is never claimed."""
    for task, holder in db.execute(
        "SELECT task, claimed_by FROM handoffs"
        " WHERE trust = 'revoked' AND claimed_by IS NOT NULL"
    ):
        yield f"{holder} claimed “{task}”, which had been revoked"


def every_loss_has_one_receipt(db, told):
    """Whoever lost has one receipt, and whoever claimed has none."""
    rows = db.execute("SELECT loser FROM receipts").fetchall()
    for writer, answer in told.items():
        has = rows.count((writer.removesuffix(" again"),))
        if has != {"lost": 1, "claimed": 0}.get(answer, has):
            yield f"{writer} was told {answer}; receipts: {has}"


def nothing_is_put_away_unread(db):
    """What was put away had been read by whoever put it away."""
    for what, newest in db.execute(
        "SELECT what, away_after FROM shipped WHERE id > away_after"
    ):
        yield (
            f"“{what}” was put away by one that had read up to number"
            f" {newest}"
        )


def a_shipment_has_one_day(db):
    """The day a shipment is filed under is the day of its timestamp."""
    for what, day, at in db.execute(
        "SELECT what, day, at FROM shipped"
        " WHERE day <> substr(at, 1, 10)"
    ):
        yield f"“{what}” is stamped {at} and filed under {day}"


INVARIANTS = (
    acknowledged_work_survives,
    a_claim_is_kept,
    nobody_claims_what_was_revoked,
    every_loss_has_one_receipt,
    nothing_is_put_away_unread,
    a_shipment_has_one_day,
)
