"""The essay's chapters, and the figures that stand in them."""

from typing import Final, NamedTuple


class Figure(NamedTuple):
    """One figure: the run it opens with, and what to look at."""

    id: str
    recipe: str
    look: str
    kind: str = "run"
    then: tuple[str, ...] = ()


class Chapter(NamedTuple):
    """One page of the essay."""

    slug: str
    title: str
    summary: str
    report: str
    figures: tuple[Figure, ...] = ()
    written: str = ""
    """The day from which readers of the feed are told of it, such as 2026-11-30."""


CHAPTERS: Final = (
    Chapter(
        "one-file-five-agents",
        "One file, five agents",
        "What five agents do to one file.",
        "A thousand tiny catastrophes for a five-agent SQLite file",
        (
            Figure(
                "lost-update",
                "sections?mode=warn&seed=16&step=4",
                "Look at grant 4.",
                then=("sections?mode=enforce&seed=16",),
            ),
            Figure("receipt", "receipts?round=0&seed=14", "Look at the crash."),
        ),
        written="2026-11-30",
    ),
)
FURTHER: Final[tuple[Chapter, ...]] = ()
