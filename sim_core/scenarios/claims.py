"""A session was robbed of its claim before ps could show it.

Dozens of sessions claim a task in one table before they work on it. A
claim is a lease: it runs out. A reaper frees what the dead still hold;
whether a session lives it asks the process list, where a session stands
under its name, its sentinel, once it has started up. Three fixes went
into that, each after an incident, and each left the next one open: a
late session completed a claim that was another’s by then; whoever had
no name in the list was taken for dead; a reaper that had looked at one
claim evicted the next. Then a session was reaped between its claim and
the moment it showed, and of that no incident told, but a test.

fix=published is the three fixes and the fourth, as the report tells of
them. The search breaks it twice more. Completing asks only whether the
claim is in time, and by then it may be somebody else’s. Evicting asks
for key and claimer, and the claimer may have claimed anew. A claim has
a number, its epoch, and fix=epoch asks for it too, wherever somebody
else may have come in between.

That a session shows within two minutes is an assumption, and not a
fact: startup=121 is one second longer, and the theft is back.
"""

REPORT = "The Startup-Window Theft Bug"

TTL = 300
GRACE = 120
ROUNDS = 2
PAUSE = 120

SCHEMA = """
CREATE VIEW clock AS SELECT CAST(round(
    (julianday('now') - 2440587.5) * 86400000
) AS INTEGER) AS now;
CREATE TABLE claims (
    key           TEXT PRIMARY KEY,
    claimer       TEXT NOT NULL,
    epoch         INTEGER NOT NULL,
    status        TEXT NOT NULL,
    registered_at INTEGER NOT NULL,
    expires_at    INTEGER,
    -- for the audit alone: who did what last, meaning whose claim
    process TEXT, act TEXT, actor TEXT, meant TEXT
);
CREATE TABLE history (
    at INTEGER, act TEXT, actor TEXT, meant TEXT,
    key TEXT, claimer TEXT, process TEXT,
    epoch INTEGER, expires_at INTEGER,
    old_epoch INTEGER, old_status TEXT, old_expires_at INTEGER
);
CREATE TRIGGER of_a_new_key AFTER INSERT ON claims BEGIN
    INSERT INTO history SELECT now, new.act, new.actor, new.meant,
        new.key, new.claimer, new.process,
        new.epoch, new.expires_at, NULL, NULL, NULL FROM clock;
END;
CREATE TRIGGER of_a_known_key AFTER UPDATE ON claims BEGIN
    INSERT INTO history SELECT now, new.act, new.actor, new.meant,
        new.key, new.claimer, new.process,
        new.epoch, new.expires_at,
        old.epoch, old.status, old.expires_at FROM clock;
END;
"""

OPTIONS = {
    "fix": {
        "epoch": "whoever renews, completes or evicts names key,"
        " claimer and epoch",
        "published": "completing asks for the time alone, renewing and"
        " evicting for key and claimer",
    },
    "ghost_complete": {
        "off": "only a claim in time is completed",
        "on": "whatever is claimed is completed",
    },
    "identity_shapes": {
        "off": "who cannot be seen in the process list is alive",
        "on": "who cannot be seen in the process list is dead",
    },
    "bare_status": {
        "off": "the claim is evicted that was looked at",
        "on": "whatever is claimed under that key is evicted",
    },
    "startup_window": {
        "off": "a claim younger than two minutes is not reaped",
        "on": "a claim may be reaped at once",
    },
    "startup": {
        "3": "a session shows 3 seconds after its claim",
        "119": "a session shows a second before the grace is over",
        "120": "a session shows as the grace is over",
        "121": "a session shows a second after the grace is over",
        "600": "a session shows ten minutes after its claim",
    },
}
WRITERS = ("session", "pm", "reaper")
OPENING = "startup=600&writers=session,reaper&grants=AtBBBtAA"
CASTS = (
    "fix=epoch",
    # S1 contested keys, S2 epoch integrity, S3 hostile reaper
    "fix=epoch&writers=session,session",
    "fix=epoch&writers=operator,pm",
    "fix=epoch&writers=session,hostile",
    # where a switch turns a promise red
    "fix=published&writers=session,reaper&faults=A1after:crash",
    "fix=published&writers=session,pm",
    "ghost_complete=on&writers=session,pm",
    "identity_shapes=on&writers=pm,reaper",
    "bare_status=on&writers=session,reaper&faults=A1after:crash",
    "bare_status=on&writers=launcher,session,reaper",
)
RECOVER = {"session": "resumed"}
WATCH = (
    "the claim",
    "SELECT claimer, epoch, status, time(expires_at / 1000,"
    " 'unixepoch') AS until FROM claims",
)
CONNECT = {"isolation_level": None}
TIMERS = "any"

NOW = "(SELECT now FROM clock)"

CLAIM = f"""
INSERT INTO claims VALUES (:key, :claimer, 1, 'claimed',
    {NOW}, {NOW} + :ttl, :process, 'claimed', :me, NULL)
ON CONFLICT (key) DO UPDATE SET
    claimer = excluded.claimer,
    epoch = epoch + 1,
    status = 'claimed',
    registered_at = excluded.registered_at,
    expires_at = excluded.expires_at,
    process = excluded.process,
    act = 'claimed', actor = excluded.actor, meant = NULL
WHERE status = 'abandoned'
    OR status = 'claimed' AND expires_at < {NOW}
    OR status = 'claimed' AND claimer = excluded.claimer
RETURNING epoch
"""
SET_ABANDONED = """
UPDATE claims SET status = 'abandoned',
    act = :act, actor = :me, meant = :claimer
WHERE key = :key AND status = 'claimed'
"""
SET_COMPLETED = """
UPDATE claims SET status = 'completed',
    act = 'completed', actor = :me, meant = :claimer
WHERE key = :key AND status = 'claimed'
"""
SET_RENEWED = f"""
UPDATE claims SET expires_at = {NOW} + :ttl,
    act = 'renewed', actor = :me, meant = :claimer
WHERE key = :key AND status = 'claimed'
"""
PAIR = " AND claimer = :claimer"
EPOCH = " AND claimer = :claimer AND epoch = :epoch"
IN_TIME = f" AND expires_at >= {NOW}"
SENTINELS = ("auto-", "launcher-")


def canonical(key):
    # However it is typed, one task has one key.
    return " ".join(key.split()).casefold()


async def claim(db, me, processes, key, claimer):
    given = {"key": canonical(key), "claimer": claimer, "me": me}
    given |= {"ttl": 1000 * TTL, "process": processes.me}
    rows = await db.execute_fetchall(CLAIM, given)
    return rows[0][0] if rows else None


async def update(db, sql, me, key, claimer, epoch, **more):
    given = {"key": canonical(key), "claimer": claimer, "me": me}
    if ":epoch" in sql:
        given["epoch"] = epoch
    cursor = await db.execute(sql, given | more)
    return cursor.rowcount == 1


async def renew(db, me, key, claimer, epoch, fix):
    sql = SET_RENEWED + (EPOCH if fix == "epoch" else PAIR) + IN_TIME
    mine = (me, key, claimer, epoch)
    return await update(db, sql, *mine, ttl=1000 * TTL)


async def complete(db, me, key, claimer, epoch, fix, ghost_complete):
    # The lease may have run out, and somebody may have claimed since.
    guard = EPOCH + IN_TIME if fix == "epoch" else IN_TIME
    if ghost_complete == "on":
        guard = ""
    mine = (me, key, claimer, epoch)
    return await update(db, SET_COMPLETED + guard, *mine)


async def abandon(db, me, key, claimer, epoch, fix):
    sql = SET_ABANDONED + (EPOCH if fix == "epoch" else PAIR)
    mine = (me, key, claimer, epoch)
    return await update(db, sql, *mine, act="abandoned")


async def evict(db, me, key, claimer, epoch, fix, bare_status):
    # Since the look, somebody may have claimed it.
    guard = EPOCH if fix == "epoch" else PAIR
    if bare_status == "on":
        guard = ""
    theirs = (me, key, claimer, epoch)
    return await update(
        db, SET_ABANDONED + guard, *theirs, act="evicted"
    )


def is_dead(claimer, age, processes, identity_shapes, startup_window):
    if not claimer.startswith(SENTINELS):
        # A PM, an operator: nothing to look for, nothing to prove.
        return identity_shapes == "on"
    if age < 1000 * GRACE and startup_window == "off":
        # It may not have come up yet.
        return False
    return not processes.shows(claimer)


async def reap(
    db, me, processes, keys,
    fix, identity_shapes, bare_status, startup_window,
):
    evicted = 0
    for key, claimer, epoch, age in await db.execute_fetchall(
        f"SELECT key, claimer, epoch, {NOW} - registered_at AS age"
        " FROM claims WHERE status = 'claimed' AND key GLOB ?",
        (keys,),
    ):
        probe = (claimer, age, processes)
        if is_dead(*probe, identity_shapes, startup_window):
            theirs = (key, claimer, epoch)
            evicted += await evict(db, me, *theirs, fix, bare_status)
    return evicted


async def session(
    db, me, clock, processes, fix, ghost_complete,
    identity_shapes, bare_status, startup_window, startup,
):
    """Claims the task, starts up, renews its lease, and completes."""
    task, claimer = "Fix the parser", f"auto-{me}"
    rules = (fix, identity_shapes, bare_status, startup_window)
    epoch = await claim(db, me, processes, task, claimer)
    if epoch is None:
        # The second path of remediation: it need not wait for a reaper.
        if not await reap(db, me, processes, canonical(task), *rules):
            return "denied"
        epoch = await claim(db, me, processes, task, claimer)
    if epoch is None:
        return "denied"
    # Claimed, and not yet to be seen.
    processes.show(claimer, after=float(startup))
    await clock.sleep(float(startup))
    mine = (task, claimer, epoch, fix)
    if not await renew(db, me, *mine):
        return "lost"
    done = await complete(db, me, *mine, ghost_complete)
    return "completed" if done else "lost"


async def resumed(db, me, processes, fix, startup):
    """Comes back under the id of a session that was killed, claims
    anew, and gives the task back."""
    task, claimer = "Fix the parser", f"auto-{me.split()[0]}"
    epoch = await claim(db, me, processes, task, claimer)
    if epoch is None:
        return "denied"
    processes.show(claimer, after=float(startup))
    back = await abandon(db, me, task, claimer, epoch, fix)
    return "gave back" if back else "lost"


async def pm(db, me, clock, processes, fix, ghost_complete):
    """Comes ten minutes later, for a PM, claims, and completes."""
    task = " fix  the PARSER"
    await clock.sleep(2 * TTL)
    epoch = await claim(db, me, processes, task, me)
    if epoch is None:
        return "denied"
    mine = (task, me, epoch, fix)
    done = await complete(db, me, *mine, ghost_complete)
    return "completed" if done else "lost"


async def operator(db, me, processes, fix):
    """Claims by hand, gives it back, claims again, gives it back."""
    taken = []
    for _ in range(2):
        epoch = await claim(db, me, processes, "FIX THE PARSER", me)
        if epoch is not None:
            taken.append(epoch)
            await abandon(db, me, "FIX THE PARSER", me, epoch, fix)
    return {"epochs": taken}


async def launcher(db, me, processes):
    """Claims for a session that it never starts, and ends."""
    mine = ("Fix the parser", f"launcher-{me}")
    epoch = await claim(db, me, processes, *mine)
    return "denied" if epoch is None else "claimed"


async def reaper(
    db, me, clock, processes,
    fix, identity_shapes, bare_status, startup_window,
):
    """Looks two minutes later, and evicts what the dead hold."""
    rules = (fix, identity_shapes, bare_status, startup_window)
    await clock.sleep(GRACE)
    return f"evicted {await reap(db, me, processes, '*', *rules)}"


async def hostile(
    db, me, clock, processes,
    fix, identity_shapes, bare_status, startup_window,
):
    """Looks again and again, and evicts what the dead hold."""
    rules = (fix, identity_shapes, bare_status, startup_window)
    evicted = await reap(db, me, processes, "*", *rules)
    for _ in range(ROUNDS - 1):
        await clock.sleep(PAUSE)
        evicted += await reap(db, me, processes, "*", *rules)
    return f"evicted {evicted}"


def the_claim_in_time(events):
    for event in events:
        if event.kind == "crash":
            yield event, "is killed"
        if event.kind == "failed":
            yield event, "fails, and ends"
        # With its process goes its sentinel.
        if event.kind == "told" and event.answer in ("lost", "claimed"):
            yield event, f"ends, told {event.answer}"
        if event.kind == "shows":
            yield event, f"its sentinel shows: {event.call}"
        if event.kind == "looks":
            there = "there" if event.answer else "not there"
            yield event, f"looks for {event.call} in ps: {there}"
        if event.sql.startswith(CLAIM) and event.rows:
            yield event, f"claim registered, epoch {event.rows[0][0]}"
        if event.rowcount == 1 and event.sql.startswith(SET_RENEWED):
            yield event, "lease renewed"
        if event.rowcount == 1 and event.sql.startswith(SET_COMPLETED):
            yield event, "claim completed"
        if event.rowcount == 1 and event.sql.startswith(SET_ABANDONED):
            given = event.parameters
            yield event, f"{given['claimer']} {given['act']}"


AXIS = the_claim_in_time

HOLDERS = f"""
SELECT key, claimer, process FROM history AS h
WHERE act = 'claimed' AND NOT EXISTS (
    SELECT 1 FROM history AS l WHERE l.rowid > h.rowid
    AND l.key = h.key AND l.actor = h.actor
    AND l.act IN ('completed', 'abandoned')
) AND {NOW} <= (
    SELECT max(l.expires_at) FROM history AS l
    WHERE l.key = h.key AND l.epoch = h.epoch
    AND l.claimer = h.claimer AND l.act IN ('claimed', 'renewed')
)
"""


def at_most_one_live_holder(db, processes):
    """At any instant a task has at most one holder that lives and whose
    lease has not run out."""
    held = {}
    for key, claimer, process in db.execute(HOLDERS):
        if processes.lives(process):
            task = " ".join(key.lower().split())
            held.setdefault(task, {})[claimer] = True
    for task, holders in held.items():
        if len(holders) > 1:
            yield f"“{task}” is held by {' and by '.join(holders)}"


def epochs_are_unique_and_gapless(db):
    """Each claim of a task takes the next epoch: 1, 2, 3, and so on."""
    taken = {}
    for key, epoch in db.execute(
        "SELECT key, epoch FROM history WHERE act = 'claimed'"
    ):
        task = " ".join(key.lower().split())
        taken.setdefault(task, []).append(epoch)
    for task, epochs in taken.items():
        if epochs != list(range(1, len(epochs) + 1)):
            yield f"the epochs of “{task}” are {epochs}"


def only_a_live_holder_completes(db):
    """A claim is completed by its holder, in time."""
    for actor, meant, claimer in db.execute(
        "SELECT actor, meant, claimer FROM history"
        " WHERE act = 'completed'"
        " AND (meant <> claimer OR at > old_expires_at)"
    ):
        if meant != claimer:
            yield f"{actor} completed the claim of {claimer}"
        else:
            yield f"{actor} completed its claim after it had run out"


def only_the_dead_are_reaped(db, processes):
    """No claim is evicted whose holder lives, or is not provably
    dead."""
    for actor, claimer, process in db.execute(
        "SELECT actor, claimer, process FROM history"
        " WHERE act = 'evicted'"
    ):
        if not claimer.startswith(("auto-", "launcher-")):
            yield f"{actor} evicted {claimer}, which may well live"
        elif processes.lives(process):
            yield f"{actor} evicted {claimer}, which lives"


def an_eviction_hits_what_was_looked_at(db):
    """Whoever evicts hits the claim of the claimer it looked for."""
    for actor, meant, claimer in db.execute(
        "SELECT actor, meant, claimer FROM history"
        " WHERE act = 'evicted' AND meant <> claimer"
    ):
        yield f"{actor} meant {meant}, and evicted {claimer}"


def every_lease_runs_out(db):
    """No lease is granted for longer than its TTL."""
    for actor, key in db.execute(
        "SELECT actor, key FROM history WHERE act IN ('claimed',"
        " 'renewed') AND coalesce(expires_at > at + ?, 1)",
        (1000 * TTL,),
    ):
        yield f"{actor} holds “{key}” for longer than {TTL} s"


def a_reclaim_takes_a_fresh_epoch(db):
    """What had run out, or was given up, is held again only under a new
    epoch."""
    for actor, key, epoch in db.execute(
        "SELECT actor, key, epoch FROM history"
        " WHERE act IN ('claimed', 'renewed') AND epoch <= old_epoch"
        " AND (old_status <> 'claimed' OR old_expires_at < at)"
    ):
        yield f"{actor} holds “{key}” again, still in epoch {epoch}"


def a_renewal_keeps_its_epoch(db):
    """Whoever renews a lease renews its own, and stays in its epoch."""
    for actor, claimer, old, new in db.execute(
        "SELECT actor, claimer, old_epoch, epoch FROM history"
        " WHERE act = 'renewed'"
        " AND (epoch <> old_epoch OR meant <> claimer)"
    ):
        yield f"{actor} renewed {claimer}’s epoch {old}, now {new}"


ALWAYS = (
    at_most_one_live_holder,
    epochs_are_unique_and_gapless,
    only_a_live_holder_completes,
    only_the_dead_are_reaped,
    an_eviction_hits_what_was_looked_at,
    every_lease_runs_out,
    a_reclaim_takes_a_fresh_epoch,
    a_renewal_keeps_its_epoch,
)
