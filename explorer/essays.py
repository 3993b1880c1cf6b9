"""The essay as a table: which pages there are, and which run each of their figures opens with.

The words are in templates/chapters, one file a page; what a figure looks like is the drawing's.
Here stands what both must agree about, so that a word that lights a lane, a link that opens a run
and the build that ships it mean the same figure.

Wrong in this module: a sentence that is longer than a caption.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from explorer import incidents, literate, tally
from sim_core import reported

RUN: Final = "run"


class Figure(NamedTuple):
    """One figure: the run that it opens with, and what to look at there."""

    id: str
    """Unique on its page, and its id in the HTML."""
    recipe: str
    look: str
    kind: str = RUN
    """A run; or matrix, greens, day, incidence or wal, which are drawings of their own."""
    then: tuple[str, ...] = ()
    """Other runs that links in the prose open in it."""


class Chapter(NamedTuple):
    """One page of the essay."""

    slug: str
    title: str
    summary: str
    report: str = ""
    """The title of the published report that it follows."""
    figures: tuple[Figure, ...] = ()
    name: str = ""
    """What it is called where there is little room."""
    next: str = ""
    """Slug of what one reads after it."""
    written: str = ""
    """The day from which readers of the feed are told of it, such as 2026-11-30."""


ONE_FILE: Final = Chapter(
    "one-file-five-agents",
    "One file, five agents",
    "What five programs can do to one SQLite file while every one of their tests is green.",
    "A thousand tiny catastrophes for a five-agent SQLite file",
    (
        Figure(
            "lost-update",
            "sections?mode=warn&seed=16&step=4",
            "Look at the last row: the body that blind writes is built on the draft of grant 2, "
            "and careful’s line of grant 3 is not in it.",
            then=(
                "sections?seed=16",
                "sections?mode=warn&grants=ABBA",
                "sections?mode=warn&writers=careful,overwriter&grants=AAB",
            ),
        ),
        Figure(
            "exposure",
            "sections?mode=warn",
            "The same writers run for real, under thirty seeds, and in every order there is. Read "
            "a row from left to right, and do not expect its three figures to agree.",
            kind="incidence",
        ),
        Figure(
            "receipt",
            "receipts?round=0&grants=AAABBBB&faults=B3after:crash&step=7",
            "Look at grants 6 and 7: agent2 has ended its failed claim, and is killed before it "
            "can write that it lost.",
            then=("receipts?round=1&grants=AAABBBB&faults=B3after:crash",),
        ),
        Figure(
            "two-receipts",
            "receipts?round=1&writers=agent,worker,watcher&grants=AAABBbcccccbbbb"
            "&faults=B2before:crash&step=15",
            "Look at grants 6 and 7: both tasks of the killed crew are back, and both count no "
            "receipt. The small marks are writers that came back.",
            then=(
                "receipts?writers=agent,worker,watcher&grants=AAABBbcccccbbbb"
                "&faults=B2before:crash",
            ),
        ),
        Figure(
            "label",
            "trust?verify=read-then-write&writers=agent,relabel&grants=ABA&step=3",
            "Look at the label after grant 2, and at what the handoff was taken as in grant 3.",
            then=("trust?writers=agent,relabel&grants=ABA",),
        ),
        Figure(
            "starved",
            "checkpoint?leak=on",
            "Every write succeeded on both sides. Look at how much of each bar is hatched: those "
            "frames wait in the log.",
            kind="wal",
        ),
        Figure(
            "cleared",
            "clear?clear=by-status&grants=ABBA&step=4",
            "Compare the result that the clearer was shown at grant 1 with the one that it removed "
            "at grant 4.",
            then=("clear?grants=ABBA",),
        ),
        Figure(
            "wrong-hours",
            "seams?seam=local&tz=%2B09:00",
            "An hour is hatched where an event’s local day is not the day of its own timestamp.",
            kind="day",
        ),
    ),
    next="the-wrong-owner",
    written="2026-11-30",
)

WRONG_OWNER: Final = Chapter(
    "the-wrong-owner",
    "The wrong owner",
    "Most checks see a record that is lost. Few see one that is filed under somebody else.",
    "The test we called flaky was filing records under the wrong owner",
    (
        Figure(
            "misfiled",
            "owners?fix1=off&fix2=off&fix3=off&grants=ABBBBAABAAAAAABBB&step=17",
            "Look at grant 8, where hook2 is refused at once, and at the last row: its event is "
            "there, under env-seat-0.",
            then=("owners?fix1=off&fix3=off&grants=ABBBBAABAAAAAABBB",),
        ),
        Figure(
            "matrix",
            "owners",
            "The last column is the one to remember: of five checks a single one is left.",
            kind="matrix",
        ),
        Figure(
            "refused-twice",
            "owners?fix3=off&grants=ABBBBAABBBBBAAAAAAA&step=12",
            "Look at grants 9 and 12: refused at the look-up, refused again at the append, and "
            "hook2 fails.",
            then=("owners?grants=ABBBBAABBAAAAAAAtBBBBBBB",),
        ),
        Figure(
            "greens",
            "",
            "Find your own habit in the first table: two greens, ten, twenty.",
            kind="greens",
        ),
    ),
    next="the-startup-window-theft",
    written="2026-11-30",
)

STARTUP: Final = Chapter(
    "the-startup-window-theft",
    "The startup-window theft",
    "A lease, a reaper, and the seconds between claiming a task and being seen to live.",
    "The Startup-Window Theft Bug",
    (
        Figure(
            "theft",
            "claims?startup_window=on&writers=session,reaper&grants=tABBBtAA&step=5",
            "Look at the axis: the claim, the look and the eviction stand at 2 min, and the "
            "session shows 3 s later.",
            then=("claims?writers=session,reaper&grants=tABBtAAA",),
        ),
        Figure(
            "one-second",
            "claims?startup=121&writers=session,reaper&grants=AtBBBtAA&step=5",
            "Look at the axis again: the reaper waits two minutes, as it must, and comes one "
            "second too early.",
            then=("claims?startup=120&writers=session,reaper&grants=AtBBAAA",),
        ),
        Figure(
            "ghost",
            "claims?fix=published&writers=session,pm&grants=AtAAtBBAB&step=8",
            "Look at grant 8: the claim is in time, and its claimer is pm; the session completes "
            "it.",
            then=("claims?writers=session,pm&grants=AtAAtBBAB",),
        ),
        Figure(
            "next-epoch",
            "claims?fix=published&writers=session,reaper&grants=AAtBBaBa&faults=A1after:crash"
            "&step=7",
            "Look at the epoch: the reaper looks at epoch 1 in grant 5, and evicts epoch 2 in "
            "grant 7. The small mark is the session, back after its kill.",
            then=("claims?writers=session,reaper&grants=AAtBBaBa&faults=A1after:crash",),
        ),
    ),
    name="The theft",
    next="how-it-works",
    written="2026-11-30",
)

CHAPTERS: Final = (ONE_FILE, WRONG_OWNER, STARTUP)

FURTHER: Final = (
    Chapter(
        "how-it-works",
        "How it works",
        "The seams, the one door and the hash, each in its own source.",
        figures=(
            Figure(
                "waits",
                "receipts?grants=AAABBBB&step=1",
                "Look at agent2, which waits for a lock that agent holds. Nobody is blocked in "
                "SQLite; it is not offered.",
            ),
        ),
        next="what-this-cannot-find",
        written="2026-11-30",
    ),
    Chapter(
        "what-this-cannot-find",
        "What this cannot find",
        "A proof is of something. Here is what ours are not of.",
        name="Limits",
        next="corpus",
        written="2026-11-30",
    ),
    Chapter(
        "corpus",
        "The corpus",
        "Runs that broke a promise, kept with their notes and run again on every change.",
        written="2026-11-30",
    ),
)

WORDS: Final[Mapping[str, object]] = {
    "orders": tally.orders,
    "broken": tally.broken,
    "proved": tally.proved,
    "red_seeds": tally.red_seeds,
    "likely": tally.likely,
    "promises": tally.promises,
    "published": tally.published,
    "kept": tally.kept,
    "per_cent": tally.per_cent,
    "passes": tally.passes,
    "needed": tally.needed,
    "between": tally.between,
    "alike": tally.alike,
    "reported": reported,
    "shown": literate.shown,
    "incidents": incidents.incidents,
}
"""What a page may ask while it is made."""
