"""Both agents were told success, and one of them was erased.

A section of the shared file holds a text that several agents extend.
A careful agent reads the text and its version, and writes only if the
version still holds (compare-and-swap). For old callers the tool also
takes writes that name no version. In mode warn it counts them and lets
them through, so a blind write can land on top of work it has never
seen. In mode enforce it refuses them.
"""

REPORT = "A thousand tiny catastrophes for a five-agent SQLite file"
PUBLISHED = {
    "broken": 17,
    "seeds": 30,
    "interval": (39, 73),
    "variant": "mode=warn",
}

SCHEMA = """
CREATE TABLE sections (
    name    TEXT PRIMARY KEY,
    body    TEXT NOT NULL,
    version INTEGER NOT NULL,
    warned  INTEGER NOT NULL DEFAULT 0
);
INSERT INTO sections (name, body, version) VALUES ('plan', 'draft', 1);
"""

# enforce became the default on 2026-07-10, as in the report. The
# evidence: sections?mode=warn&seed=16, one of the seeds that lose.
OPTIONS = {
    "mode": {
        "enforce": "a write that names no version is refused",
        "warn": "a write that names no version is counted and accepted",
    },
}
WRITERS = ("careful", "blind")
OPENING = "mode=warn&seed=16"
WATCH = (
    "section “plan”",
    "SELECT body, version, warned FROM sections WHERE name = 'plan'",
)
CONNECT = {"isolation_level": None}


async def save(db, body, version, mode):
    """The tool that every agent calls; without a version, blind."""
    if version is not None:
        cursor = await db.execute(
            "UPDATE sections SET body = ?, version = version + 1"
            " WHERE name = 'plan' AND version = ?",
            (body, version),
        )
        return "success" if cursor.rowcount == 1 else "conflict"
    if mode == "enforce":
        return "refused: a write must name the version it read"
    # Nothing here asks what the row holds by now.
    await db.execute(
        "UPDATE sections SET body = ?, version = version + 1,"
        " warned = warned + 1 WHERE name = 'plan'",
        (body,),
    )
    return "success"


async def read(db):
    # No docstring: a helper, and not a writer to pick.
    cursor = await db.execute(
        "SELECT body, version FROM sections WHERE name = 'plan'"
    )
    return await cursor.fetchone()


async def careful(db, me, mode):
    """Reads, appends its line, and writes with the version it read."""
    body, version = await read(db)
    return await save(db, f"{body}\n{me}’s line", version, mode)


async def blind(db, me, mode):
    """Reads, appends its line to what it read, and writes blindly."""
    body, _ = await read(db)
    return await save(db, f"{body}\n{me}’s line", None, mode)


async def overwriter(db, me, mode):
    """Writes its own text without reading."""
    return await save(db, f"{me}’s line", None, mode)


async def reader(db):
    """Reads along and writes nothing."""
    body, _ = await read(db)
    lines = len(body.splitlines())
    return f"read {lines} line{'s' * (lines != 1)}"


def writes(events):
    """Each accepted write: its event, the lines before and after."""
    lines = ["draft"]
    for event in events:
        if event.kind == "operation" and event.rowcount == 1:
            before, lines = lines, event.parameters[0].splitlines()
            yield event, before, lines


def lost_update(events, told):
    """No write built on an older read removes a line whose writer
    was told success."""
    reads = [e for e in events if e.kind == "operation" and e.rows]
    written = {}
    for event, before, after in writes(events):
        mine = [e.grant for e in reads if e.writer == event.writer]
        seen = max((at for at in mine if at < event.grant), default=0)
        for line in before:
            owner, grant = written.get(line, ("", 0))
            if line in after or told.get(owner) != "success":
                continue
            if 0 < seen < grant:
                yield event.grant, (
                    f"{owner} was told success at grant {grant}, and"
                    " its line is gone: this write was built on what"
                    f" stood there at grant {seen}"
                )
        for line in after:
            if line not in before:
                owner = line.removesuffix("’s line")
                written[line] = owner, event.grant


def acknowledged_work_survives(db, told):
    """Every writer that was told success finds its line in the final
    row."""
    (body,) = db.execute(
        "SELECT body FROM sections WHERE name = 'plan'"
    ).fetchone()
    for writer, answer in told.items():
        if answer == "success" and f"{writer}’s line" not in body:
            yield (
                f"{writer} was told success, and its line is not in the"
                " final row"
            )


INVARIANTS = (lost_update, acknowledged_work_survives)
