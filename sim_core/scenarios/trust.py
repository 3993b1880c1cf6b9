"""The label was read and judged, and changed before the claim.

A handoff carries a label that says whether its contents can be
trusted. An agent reads it, decides, and then takes the handoff. So far
no program changes a label once it is set, so the gap between reading
and taking is harmless: a hole in a fence along a path that nobody uses
today. The writer that uses it is relabel, which does not exist yet:
with it, an agent that decided on the old label takes a handoff that is
suspect by now; with two agents instead, every order is safe, guarded
or not. One more condition closes the gap: the UPDATE that takes the
handoff asks again for the label that was judged.
"""

REPORT = "A thousand tiny catastrophes for a five-agent SQLite file"

SCHEMA = """
CREATE TABLE handoff (label TEXT NOT NULL, owner TEXT, taken_as TEXT);
INSERT INTO handoff (label) VALUES ('trusted');
"""

OPTIONS = {
    "verify": {
        "in-update": "the UPDATE that takes the handoff asks for the"
        " label again",
        "read-then-write": "the label is only read, before the UPDATE",
    },
}
# Today’s writers. Add relabel, which does not exist yet, for the race.
WRITERS = ("agent", "agent")
OPENING = "verify=read-then-write&writers=agent,relabel&grants=ABA"
CASTS = ("writers=agent,agent",)
WATCH = (
    "the handoff",
    "SELECT label, coalesce(owner, 'nobody') AS owner,"
    " coalesce(taken_as, '–') AS 'taken as' FROM handoff",
)
CONNECT = {"isolation_level": None}


async def agent(db, me, verify):
    """Reads the label, judges it, and takes the handoff if it may."""
    cursor = await db.execute("SELECT label FROM handoff")
    (label,) = await cursor.fetchone()
    if label != "trusted":
        return f"refused: it is {label}"
    # Judged. From here on the label may say something else.
    take = (
        "UPDATE handoff SET owner = ?, taken_as = label"
        " WHERE owner IS NULL"
    )
    if verify == "in-update":
        cursor = await db.execute(take + " AND label = ?", (me, label))
    else:
        cursor = await db.execute(take, (me,))
    return "taken" if cursor.rowcount == 1 else "not taken"


async def relabel(db):
    """Finds out that the handoff is suspect, and labels it so."""
    await db.execute("UPDATE handoff SET label = 'suspect'")
    return "labelled suspect"


def taken_only_while_trusted(db):
    """Whoever takes the handoff takes it while its label says
    trusted."""
    owner, taken_as = db.execute(
        "SELECT owner, taken_as FROM handoff"
    ).fetchone()
    if owner and taken_as != "trusted":
        yield f"{owner} took it when its label said {taken_as}"


def one_owner(db, told):
    """Whoever was told that it has taken the handoff owns it."""
    (owner,) = db.execute("SELECT owner FROM handoff").fetchone()
    for writer, answer in told.items():
        if answer == "taken" and writer != owner:
            yield f"{writer} was told taken, and {owner} owns it"


INVARIANTS = (taken_only_while_trusted, one_owner)
