"""The essay: its chapters, the figures that stand in them, and the numbers that the prose quotes.

A figure is a run with a moment to look at, or an exhibit: a table or a chart that is no single
run. What it says under itself is said here, beside the recipe that it has to be true of. A number
in the prose that has been measured is looked up, so that prose and measurement cannot part.

Wrong in this module: how a figure is drawn, or a number by hand that figures.json has.
"""

from typing import Final, NamedTuple

from sim_core.figures import known

RUN: Final = "run"


class Figure(NamedTuple):
    """One figure of a page."""

    id: str
    recipe: str
    """The run that it opens with, and the step at which it stands; an exhibit's subject."""
    look: str
    """What to look at."""
    kind: str = RUN
    then: tuple[str, ...] = ()
    """Runs that links in the prose open in it."""


class Chapter(NamedTuple):
    """One page of prose."""

    slug: str
    title: str
    summary: str
    report: str = ""
    """Title of the report that it is after."""
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
    "Every test was green, and nobody knew whether it was correct.",
    "A thousand tiny catastrophes for a five-agent SQLite file",
    (
        Figure(
            "lost-update",
            "sections?mode=warn&seed=16&step=4",
            "At grant 4 a line that was saved and confirmed is written over. Nobody is told.",
            then=(
                "sections?seed=16",
                "sections?mode=warn&writers=careful,overwriter&grants=AAB",
            ),
        ),
        Figure(
            "exposure",
            "sections?mode=warn",
            "What happened in real runs, what thirty seeds met, and what there is to meet. Real "
            "threads are no fair dice: they hit some gaps nearly always, and others hardly ever.",
            "incidence",
        ),
        Figure(
            "receipt",
            "receipts?round=0&grants=AAABBBB&faults=B3after:crash&step=7",
            "agent2 has lost the race and ended its claim. At grant 7 it is killed, one statement "
            "before it would have written down that it lost.",
            then=("receipts?round=1&grants=AAABBBB&faults=B3after:crash",),
        ),
        Figure(
            "two-receipts",
            "receipts?round=1&writers=agent,worker,watcher&seed=7&faults=B2before:crash&step=15",
            "Two tasks of one process were killed at grant 2. Each came back on its own, and each "
            "left a receipt: grants 10 and 14.",
            then=("receipts?writers=agent,worker,watcher&seed=7&faults=B2before:crash",),
        ),
        Figure(
            "label",
            "trust?verify=read-then-write&writers=agent,relabel&grants=ABA&step=3",
            "Between the look at grant 1 and the claim at grant 3 the label has changed.",
            then=("trust?writers=agent,relabel&grants=ABA",),
        ),
        Figure(
            "starved",
            "checkpoint?leak=on",
            "Frames in the log after each write, and frames that a checkpoint could copy back.",
            "wal",
        ),
        Figure(
            "cleared",
            "clear?clear=by-status&grants=ABBA&step=4",
            "The clearer was shown “keys rotated”. What it removed at grant 4 says something else.",
            then=("clear?grants=ABBA",),
        ),
        Figure(
            "two-days",
            "seams?seam=local&tz=%2B09:00&grants=AtBBAA&step=4",
            "It is past midnight in Tokyo. The export at grant 4 is dated with the new day and "
            "leaves out what was logged at nine, on the day before by the file’s own clock only.",
            then=("seams?tz=%2B09:00&grants=AtBBAA",),
        ),
        Figure(
            "wrong-hours",
            "seams?seam=local",
            "One event an hour for a day, in four zones. Marked: the hours in which the row’s day "
            "and the row’s timestamp disagree.",
            "day",
        ),
    ),
    next="the-wrong-owner",
    written="2026-11-30",
)

WRONG_OWNER: Final = Chapter(
    "the-wrong-owner",
    "The wrong owner",
    "Three hundred rows were due, and three hundred were there.",
    "The test we called flaky was filing records under the wrong owner",
    (
        Figure(
            "misfiled",
            "owners?fix1=off&fix2=off&fix3=off&grants=ABBBBAABAAAAAABBB&step=17",
            "At grant 8 hook2 is refused, and swallows it. At grant 17 its row is filed under the "
            "name that the environment happened to hold.",
        ),
        Figure(
            "matrix",
            "owners",
            "Five checks that a test might make, against ways to fail. Each cell was looked up on "
            "a run, and the run is one press away.",
            "matrix",
        ),
        Figure(
            "refused-twice",
            "owners?fix3=off&grants=ABBBBAABBBBBAAAAAAA&step=12",
            "Two fixes in, a new file: hook2 asks for WAL at grants 9 and 12 while the other hook "
            "holds the lock, and is refused both times.",
            then=("owners?grants=ABBBBAABAAAAAABBB",),
        ),
        Figure(
            "greens",
            "",
            "What a row of green runs is worth, if the system still fails as often as it did.",
            "greens",
        ),
    ),
    next="the-startup-window-theft",
    written="2026-11-30",
)

THEFT: Final = Chapter(
    "the-startup-window-theft",
    "The startup-window theft",
    "A session claimed its work, and was robbed before it had come up.",
    "The Startup-Window Theft Bug",
    (
        Figure(
            "theft",
            "claims?startup_window=on&writers=session,reaper&grants=tABBBtAA&step=5",
            "Claim, look, eviction; and three seconds later the sentinel that would have told the "
            "reaper to leave it alone.",
            then=(
                "claims?startup=119&writers=session,reaper&seed=7",
                "claims?startup=600&writers=session,reaper&grants=AtBBBtAA",
            ),
        ),
        Figure(
            "ghost",
            "claims?fix=published&writers=session,pm&grants=AtAAtBBAB&step=8",
            "The session’s lease ran out at 600 s and the PM claimed the task. At grant 8 the "
            "session completes it: in time, and not its own.",
            then=("claims?writers=session,pm&grants=AtAAtBBAB",),
        ),
        Figure(
            "next-epoch",
            "claims?fix=published&writers=session,reaper&grants=AAtBBaBa&faults=A1after:crash"
            "&step=7",
            "The reaper saw epoch 1, whose holder was dead. What it evicts at grant 7 is epoch 2, "
            "whose holder is not.",
            then=("claims?writers=session,reaper&grants=AAtBBaBa&faults=A1after:crash",),
        ),
    ),
    name="The theft",
    next="how-it-works",
    written="2026-11-30",
)

HOW: Final = Chapter(
    "how-it-works",
    "How it works",
    "Determinism is nothing that one adds. One stops leaking.",
    next="what-this-cannot-find",
)
LIMITS: Final = Chapter(
    "what-this-cannot-find",
    "What this cannot find",
    "A tool that proves things owes you the list of things it does not look at.",
    name="Limits",
    next="corpus",
)
INCIDENTS: Final = Chapter(
    "corpus",
    "Incidents that happened here",
    "Every run that ever broke a promise is kept, and replayed for good.",
    name="Incidents",
)

CHAPTERS: Final = (ONE_FILE, WRONG_OWNER, THEFT)
FURTHER: Final = (HOW, LIMITS, INCIDENTS)

COUNTS: Final = {
    "seeds": ("seeds", "broken"),
    "orders": ("orders", "orders"),
    "red": ("orders", "broken"),
    "killed": ("crashes", "orders"),
    "red-killed": ("crashes", "broken"),
}
"""What may be quoted of a variant → where figures.json keeps it: how many of thirty seeds are red,
how many orders there are, how many of them are red, and the same with one kill anywhere."""


def counted(recipe: str, what: str) -> str:
    """Return a measured count of the variant that has this recipe, as prose writes it.

    Raises KeyError where nobody measured it."""
    kind, count = COUNTS[what]
    found = next(
        (each for figures in known().values() for each in figures if each["recipe"] == recipe), None
    )
    if found is None:
        raise KeyError(f"nobody measured {recipe}")
    return f"{found[kind][count]:,}"
