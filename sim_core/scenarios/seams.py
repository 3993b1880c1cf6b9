"""One event, two days: a local date stands beside a UTC timestamp.

The file speaks UTC: every row is stamped by the schema. Two places ask
Python for the day instead, an activity logger and a markdown exporter,
and date.today() is wrong twice. It reads the machine’s own clock, which
no run controls; so a run that meets it is not the same run tomorrow,
and no seed can be kept of it. And it answers in local time: in Tokyo
the day has another name than the row’s for nine hours out of 24, and
an export made after local midnight leaves out the evening before it,
which by the file’s own clock is still today.

So there are two steps. Seam local takes the same local day from the
clock of the run: every run can be had again, and now the wrong hours
show. Seam closed takes the UTC day. One gap stays: the day is read a
moment before its row is stamped, and UTC midnight can fall in between
(all_day beside the logger lets it).
"""

import datetime

REPORT = "A thousand tiny catastrophes for a five-agent SQLite file"

SCHEMA = """
CREATE TABLE activity (
    id   INTEGER PRIMARY KEY,
    what TEXT NOT NULL,
    day  TEXT NOT NULL,
    at   TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
);
CREATE TABLE exports (
    day  TEXT NOT NULL,
    body TEXT NOT NULL,
    upto INTEGER NOT NULL,
    at   TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
);
"""

OPTIONS = {
    "seam": {
        "closed": "the day is the UTC day, from the clock of the run",
        "local": "the day is the local day, from the clock of the run",
        "leaky": "date.today(): the machine’s own day, in its zone",
    },
}
WRITERS = ("logger", "exporter")
LEAKY = ("seam=leaky",)
OPENING = "seam=local&tz=+09:00&grants=AtBBAA"
WATCH = (
    "the days",
    "SELECT what AS event, day, at FROM activity"
    " UNION ALL SELECT 'the export', day, at FROM exports",
)
CONNECT = {"isolation_level": None}

HOUR = 3600


async def log(db, what, clock, seam):
    # The day comes from Python, the timestamp from the schema.
    day = clock.today()
    if seam == "local":
        day = clock.local().date()
    if seam == "leaky":
        day = datetime.date.today()
    await db.execute(
        "INSERT INTO activity (what, day) VALUES (?, ?)",
        (what, day.isoformat()),
    )


async def logger(db, me, clock, seam):
    """Logs what it shipped at 09:00 UTC, and again at 15:30."""
    await log(db, f"{me} shipped at nine", clock, seam)
    # In Tokyo this crosses midnight: from 18:00 to 00:30.
    await clock.sleep(6.5 * HOUR)
    await log(db, f"{me} shipped late", clock, seam)
    return "logged"


async def exporter(db, clock, seam):
    """Writes the day’s events into one markdown file."""
    cursor = await db.execute(
        "SELECT day, what FROM activity ORDER BY id"
    )
    rows = await cursor.fetchall()
    day = clock.today()
    if seam == "local":
        day = clock.local().date()
    if seam == "leaky":
        day = datetime.date.today()
    today = day.isoformat()
    # What the logger filed under another day is not looked for.
    lines = [f"- {what}" for filed, what in rows if filed == today]
    await db.execute(
        "INSERT INTO exports (day, body, upto) VALUES (?, ?, ?)",
        (today, "\n".join([f"# {today}", *lines]), len(rows)),
    )
    return f"exported {len(lines)} of {len(rows)}"


async def all_day(db, clock, seam):
    """Logs one event an hour, for 24 hours."""
    for _ in range(24):
        await clock.sleep(HOUR)
        await log(db, f"at {clock.now():%H:%M} UTC", clock, seam)
    return "logged 24"


def an_event_has_one_day(db):
    """The day an event is filed under is the day of its timestamp."""
    for what, day, at in db.execute(
        "SELECT what, day, at FROM activity"
        " WHERE day <> substr(at, 1, 10) ORDER BY id"
    ):
        yield f"“{what}” is stamped {at} and filed under {day}"


def an_export_has_one_day(db):
    """The day an export is headed with is the day of its timestamp."""
    for day, at in db.execute(
        "SELECT day, at FROM exports WHERE day <> substr(at, 1, 10)"
    ):
        yield f"the export written at {at} is headed {day}"


def an_export_leaves_nothing_out(db):
    """Every event that an export had read of its own UTC day stands
    in it."""
    for what, day in db.execute(
        "SELECT what, exports.day FROM activity, exports"
        " WHERE id <= upto"
        " AND substr(activity.at, 1, 10) = substr(exports.at, 1, 10)"
        " AND instr(body, what) = 0 ORDER BY id"
    ):
        yield (
            f"“{what}” happened on the UTC day of the export headed"
            f" {day}, and is not in it"
        )


INVARIANTS = (
    an_event_has_one_day,
    an_export_has_one_day,
    an_export_leaves_nothing_out,
)
