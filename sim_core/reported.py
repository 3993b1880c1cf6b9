"""What a published report measured, as figures: our own stand beside them, and are judged alike.

Wrong in this module: a figure of ours, and a sentence of theirs.
"""

from fractions import Fraction
from typing import Final, NamedTuple

OWNERS: Final = "The test we called flaky was filing records under the wrong owner"
"""The title of the report on `owners`."""

CLAIMS: Final = "The Startup-Window Theft Bug"
"""The title of the report on `claims`."""


class Rate(NamedTuple):
    """A share of runs that failed, as it was reported: of how many runs was not."""

    what: str
    failed: Fraction


class Row(NamedTuple):
    """Runs that were counted."""

    what: str
    fixes: tuple[int, ...]
    failed: int
    runs: int


BASELINE: Final = Rate("no fix, alone on the machine", Fraction(67, 1000))
NOISY: Final = Rate("no fix, on a noisy machine", Fraction(24, 100))
RATES: Final = (BASELINE, NOISY)

ROWS: Final = (
    Row("fix 1", (1,), 1, 10),
    Row("fixes 1 and 2", (1, 2), 0, 10),
    Row("fixes 1, 2 and 3, under load", (1, 2, 3), 0, 20),
)

NEW_FILE: Final = Row("processes on a brand-new file, fixes 1 and 2", (1, 2), 7, 300)
"""Processes, and not runs."""
PROCESSES: Final = 300
"""Hook processes of one run."""
AT_A_TIME: Final = 30
WRITE_MS: Final = Fraction(116, 10)
"""Milliseconds that one process's write took, on average."""
MARKERS: Final = 1
"""Marker events in one green run."""
PLATFORM: Final = "Windows 11, rusqlite"
RERUNS: Final = 2
"""Greens in a row after which a red test passed for a known flake, before all this."""
