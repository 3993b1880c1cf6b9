"""Several writers, one SQLite file, every order: the deterministic core.

Reading order, each room knowing only the rooms before it:

    quoting     how other people's words stand in our sentences
    errors      what can go wrong, on one page
    seams       clock, SQL time, dice: what would otherwise leak into a run
    engine      one run: park.py (the door), then locks.py, run.py, trace.py
    judge       scenarios, their promises, the verdict on a run
    search      many runs
    greens      what passing runs prove;   reported: what others measured;   enough: both in words
    story       a trace as text;   report: its verdict;   matrix: which check sees which failure
    bridge      all of it as JSON;   later: what a page does not need at once
    scenarios   the stories; they import nothing of ours

Standard library only, without threads, sockets or an event loop, so that the same files run
natively and in a browser.
"""

from sim_core.bridge import handle
from sim_core.judge.trial import Outcome
from sim_core.judge.verdict import perform
from sim_core.search.sweep import Sweep

__all__ = ["Outcome", "Sweep", "handle", "perform"]
