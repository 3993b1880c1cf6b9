"""The runs that have an address of their own: `/<scenario>/<name>/`.

A link with a query can name any run; one that is passed from hand to hand should say what it is
about before it is opened. So every run of the built-in corpus has a path, a title, a description
and a picture, and so has, for each story, a run in which the fix holds. They stand apart from the
pages because an address, once it was given away, must go on naming the same run.

Wrong in this module: a run that is not pinned or tried, or a word that its run does not bear out.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from sim_core.engine.faults import CRASH
from sim_core.engine.recipe import Recipe
from sim_core.figures import known
from sim_core.judge.scenario import recipe_of
from sim_core.search.corpus import BUILT_IN, Entry, entries, files

LONGEST_TITLE: Final = 60
LONGEST_DESCRIPTION: Final = 160
"""Characters of what others show of a page; a longer text is cut by whoever shows it."""


class Canonical(NamedTuple):
    """One run that has a path."""

    scenario: str
    name: str
    recipe: str
    title: str
    description: str
    breaks: tuple[str, ...]
    """Names of the promises that it breaks; none where the fix holds."""

    @property
    def path(self) -> str:
        """Where its page is, from the site's root."""
        return f"/{self.scenario}/{self.name}/"


class Words(NamedTuple):
    """What a run is called by hand."""

    name: str
    title: str
    description: str = ""
    """In place of how the corpus' note begins, where that does not stand alone."""


@lru_cache(maxsize=1)
def canonical() -> tuple[Canonical, ...]:
    """Return every run that has a path: the corpus, scenario by scenario, then the mended."""
    return (*_kept(), *_mended())


def _kept() -> Iterator[Canonical]:
    for file in files(BUILT_IN):
        for _, entry in entries(file):
            scenario = recipe_of(entry.recipe)[1].terms.scenario
            words = NAMED.get(entry.recipe) or _by_itself(entry)
            description = words.description or beginning(entry.note)
            yield Canonical(
                scenario, words.name, entry.recipe, words.title, description, entry.breaks
            )


def _mended() -> Iterator[Canonical]:
    for text, words in MENDED.items():
        _, recipe = recipe_of(text)
        description = f"{words.description}{_proof(recipe)}"
        yield Canonical(recipe.terms.scenario, words.name, text, words.title, description, ())


def _by_itself(entry: Entry) -> Words:
    """Return what an entry is called that was pinned and not named: by what it breaks."""
    (first, *_) = entry.breaks
    slug = re.sub(r"[^a-z0-9]+", "-", first.lower()).strip("-")
    return Words(slug, f"Broken: {first}"[:LONGEST_TITLE])


def beginning(note: str) -> str:
    """Return as much of a note's beginning as a description holds, whole clauses only, and
    nothing of its figures, which begin with what is red."""
    told = re.split(r" (?:Red|Same promise)\b", " ".join(note.split()))[0]
    ends = [match.start() for match in re.finditer(r"[.;:?](?= |$)", told)]
    fitting = [end for end in ends if end < LONGEST_DESCRIPTION]
    end = fitting[-1] if fitting else LONGEST_DESCRIPTION - 1
    return f"{told[:end]}{'?' if told[end : end + 1] == '?' else '.'}"


def _proof(recipe: Recipe) -> str:
    """Return what was proved of this variant and these writers, as it was measured; nothing where
    that was not."""
    crashes = [fault for fault in recipe.faults if fault.kind == CRASH]
    unharmed = recipe.every_order.but(faults=tuple(set(recipe.faults) - set(crashes))).text
    measured = known().get(recipe.terms.scenario, [])
    found = next((each for each in measured if each["recipe"] == unharmed), None)
    counted = found and found["crashes" if crashes else "orders"]
    if not counted or counted["verdict"] != "proved":
        return ""
    killed = ", with one kill anywhere" if crashes else ""
    return f" Proved over all {counted['orders']:,} orders{killed}."


NAMED: Final = {
    "checkpoint?leak=on": Words(
        "no-checkpoint-gets-further", "One open read, and the log cannot be emptied"
    ),
    "checkpoint?leak=on&grants=AAABBBBBBtBtA": Words(
        "nothing-copied-back", "Checkpoints copy nothing back, and none complains"
    ),
    "checkpoint?leak=on&grants=AAABBBtbtA&faults=B2after:crash": Words(
        "after-a-kill", "A new process does not free what another one holds"
    ),
    "claims?startup=600&writers=session,reaper&grants=AtBBBtAA": Words(
        "startup-window", "Robbed of its claim while it was starting"
    ),
    "claims?startup_window=on&writers=session,reaper&grants=tABBBtAA": Words(
        "without-a-grace", "Without a grace, evicted before it could be seen"
    ),
    "claims?bare_status=on&writers=launcher,session,reaper&grants=AtCCBBBBCtBB": Words(
        "wrong-eviction", "An eviction hits a claim that nobody looked at"
    ),
    "claims?fix=published&writers=session,reaper&grants=AAtBBaBa&faults=A1after:crash": Words(
        "back-from-the-dead",
        "Four fixes, and a session evicted after its return",
        "A session was killed and came back under its own id; the reaper, which had seen it dead, "
        "evicted its new claim, with all four published fixes on.",
    ),
    "claims?fix=published&writers=session,pm&grants=AtAAtBBAB": Words(
        "completes-anothers-claim", "Four fixes, and a session completes another’s claim"
    ),
    "claims?fix=published&seed=2&policy=pct4": Words(
        "completion-among-three",
        "A seed finds the wrong completion among three",
        "A lease ran out, a PM claimed the task, and the session completed that claim, with a "
        "reaper beside them. A seed found this order.",
    ),
    "claims?ghost_complete=on&writers=session,pm&grants=AtAAtABB": Words(
        "ghost-completion", "Completed after its lease had run out"
    ),
    "claims?identity_shapes=on&writers=session,pm&grants=tBBAAAABtAAA": Words(
        "taken-for-dead", "Taken for dead because it is never listed"
    ),
    "clear?clear=by-status&grants=ABBA": Words(
        "shown-one-cleared-another", "Shown one result, cleared with another"
    ),
    "clear?clear=by-status&grants=BABA": Words(
        "never-shown",
        "Cleared, and never shown at all",
        "The handoff was open when the clearer looked, so it was shown nothing; it was closed a "
        "moment later, and cleared.",
    ),
    "clear?clear=by-status&writers=clearer,filer&grants=ABBA": Words(
        "new-handoff", "A new handoff goes with the one that was shown"
    ),
    "five?safety=off&seed=97": Words(
        "three-at-once", "Five agents, three promises broken in one run"
    ),
    "five?safety=off&writers=shipper,keeper&grants=ABBBAA": Words(
        "lost-line", "Saved between a read and a write, and lost"
    ),
    "five?safety=off&writers=picker,picker&grants=ABBA": Words(
        "claimed-twice",
        "Two pickers, one handoff, both told “claimed”",
        "Two pickers saw a free handoff and both were told claimed; the row names one of them.",
    ),
    "five?safety=off&writers=keeper,picker&grants=AAABB&faults=B2after:crash": Words(
        "two-receipts", "Killed after its receipt, and a second one written"
    ),
    "five?safety=off&tz=-10:00": Words("local-day", "Filed under yesterday, ten hours west"),
    "owners?fix1=off&fix2=off&fix3=off&seed=1": Words(
        "wrong-owner", "The total is right, and a row has the wrong owner"
    ),
    "owners?fix1=off&fix2=off&fix3=off&grants=ABBBBAABAAAAAABBB": Words(
        "smallest-order",
        "The smallest order that misfiles a row",
        "hook2 creates the table and asks for WAL while hook is inside its own BEGIN IMMEDIATE; "
        "SQLite refuses, and the row of hook2 is filed under another owner.",
    ),
    "owners?fix1=off&fix2=off&fix3=off&client=neighbour&seed=1": Words(
        "neighbour",
        "A row moves to another owner that exists",
        "The environment named seat-1, so the row of hook2, of seat-2, stands under an owner that "
        "exists.",
    ),
    "owners?fix1=off&fix2=off&fix3=off&writers=hook,hook,hook,hook&seed=2": Words(
        "four-hooks", "Four hooks, four rows, and one of them misfiled"
    ),
    "owners?fix1=off&fix2=off&fix3=off&client=neighbour&writers=hook,hook,hook,hook&seed=2": Words(
        "four-hooks-neighbour",
        "Only each owner’s row count sees it",
        "The row of hook4 moved to seat-1, which now has three rows, and seat-2 one. Of five "
        "checks a test might make, one sees it.",
    ),
    "owners?fix1=off&fix2=off&fix3=off&writers=hook,hook,hook,hook&seed=17": Words(
        "lost-rows", "Refused twice, and one owner has no row at all"
    ),
    "owners?fix2=off&fix3=off&seed=1": Words(
        "fix-1-alone", "Fix 1 alone, and a row is still misfiled"
    ),
    "owners?fix3=off&grants=ABBBBAABBBBBAAAAAAA": Words(
        "fixes-1-and-2", "Fixes 1 and 2, and a hook still fails"
    ),
    "owners?fix1=off&journal=wal&faults=%2A.pragma-journal_mode-walbefore:SQLITE_BUSY": Words(
        "already-wal", "Asking for WAL where it is WAL already"
    ),
    "owners?fix2=off&journal=wal&faults=A.select-ownerbefore:SQLITE_IOERR": Words(
        "silent-fallback", "The registry is unreadable, and a row misfiled"
    ),
    "receipts?round=0&seed=2&faults=%2Abefore:crash&p=0.1": Words(
        "no-receipt", "The receipt that died with the process"
    ),
    "receipts?round=0&writers=agent,worker,watcher&seed=7&faults=B2before:crash": Words(
        "two-receipts",
        "Claimed again after a restart: two receipts for one loss",
        "A process of two tasks was killed amid its claim, both tasks came back, and the crew has "
        "two receipts for one loss.",
    ),
    "receipts?round=1&writers=agent,worker,watcher&seed=7&faults=B2before:crash": Words(
        "two-receipts-round-1",
        "After the first fix, still two receipts for one loss",
        "The crew was killed as its claim began; its two tasks came back, each saw no receipt, "
        "each claimed again, and each wrote one.",
    ),
    "seams?seam=local&tz=Asia%2FTokyo&grants=AtBBAA": Words(
        "tokyo", "Half past midnight in Tokyo: one event, two days"
    ),
    "seams?seam=local&tz=-10:00": Words("west", "West of Greenwich, filed under yesterday"),
    "seams?seam=local&writers=all_day&tz=Asia%2FTokyo": Words(
        "nine-hours", "Nine hours of the day are filed under the next"
    ),
    "seams?writers=logger,all_day&grants=tBBtBBtBBtBBtBBtBBtBBtBBtBBtBBtBBtBBtBBtBBtBBA": Words(
        "over-midnight", "Read before midnight, stamped after it"
    ),
    "sections?mode=warn&seed=16": Words(
        "lost-update", "Both were told success, and one line is gone"
    ),
    "trust?verify=read-then-write&writers=agent,relabel&seed=11": Words(
        "stale-label", "Taken as trusted, after it was labelled suspect"
    ),
}
"""Entry of the corpus → what its page is called. One without words here is called by what it
breaks, until somebody finds better ones."""

MENDED: Final = {
    "checkpoint": Words(
        "read-closed",
        "The read is closed, and the log is emptied",
        "The reporter closes its read transaction, and at the end the log is empty.",
    ),
    "claims?startup=120&writers=session,reaper": Words(
        "grace-is-enough",
        "A start-up of 120 seconds, and a grace that is enough",
        "A session takes 120 seconds to come up, the reaper waits as long, and nobody alive is "
        "evicted.",
    ),
    "claims?writers=session,reaper&grants=AAtBBaBa&faults=A1after:crash": Words(
        "epoch-spares-the-return",
        "Back under its own id, and the epoch spares it",
        "The kill and the order that break the four published fixes; with the epoch, nobody is "
        "evicted.",
    ),
    "claims?writers=session,pm&grants=AtAAtBBAB": Words(
        "epoch-stops-a-completion",
        "Told “lost”: the epoch stops a wrong completion",
        "The order that breaks the four published fixes; with the epoch, the session is told lost "
        "and the PM completes.",
    ),
    "clear?grants=ABBA": Words(
        "by-revision",
        "Asked for the revision, and nothing unseen is cleared",
        "The same order; the clear names the revision that it was shown, and clears nothing.",
    ),
    "five?seed=97": Words(
        "every-safeguard-on",
        "Five agents, every safeguard on, nothing broken",
        "The same seed with every safeguard on: the shipper is told of the conflict, and no line "
        "is lost.",
    ),
    "owners?seed=1": Words(
        "all-three-fixes",
        "All three fixes, and each row under its owner",
        "The same seed with all three fixes: both hooks file, each under its own owner.",
    ),
    "receipts?grants=AAABBBB&faults=B3after:crash": Words(
        "receipt-inside",
        "Killed before COMMIT: receipt and claim go together",
        "A kill before COMMIT: the receipt is in the transaction of the claim, and goes with it.",
    ),
    "seams?tz=%2B09:00&grants=AtBBAA": Words(
        "utc-day",
        "The UTC day everywhere, and each event has one",
        "The same order nine hours east, with days taken from UTC: the export holds 1 of 1.",
    ),
    "sections?seed=16": Words(
        "refused",
        "The same seed, and the blind write is refused",
        "A write must name the version that it read: the blind one is turned away, and careful’s "
        "line stays.",
    ),
    "trust?writers=agent,relabel&seed=11": Words(
        "label-asked-again",
        "The label is asked for again, and nothing is taken",
        "The same order, with the label asked for inside the UPDATE: the agent is told “not "
        "taken”.",
    ),
}
"""Recipe → what the page is called where the fix holds: of each story, one such run at least."""
