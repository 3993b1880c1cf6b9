"""All that a run needs to know, apart from who goes when."""

from typing import NamedTuple

from sim_core.engine.faults import Fault
from sim_core.engine.file import Isolation, Layout
from sim_core.engine.writer import Start
from sim_core.seams.clock import Habit


class Part(NamedTuple):
    """A writer before the run: `start` makes its coroutine."""

    letter: str
    name: str
    role: str
    start: Start
    process: str = ""
    """Writers of one process crash together; empty: a process of its own."""
    shares: bool = False
    """It uses its process's one connection."""
    recover: "Part | None" = None
    """What starts in its process's stead after a crash."""


class Stage(NamedTuple):
    """One scenario with its options chosen and its writers named."""

    head: str
    """What was run, in one line: the first line of the trace."""
    schema: str
    journal: str
    isolation: Isolation
    timeout: int
    """Busy timeout in virtual milliseconds."""
    parts: tuple[Part, ...]
    seed: int = 0
    faults: tuple[Fault, ...] = ()
    probability: int = 1_000_000
    """That a fault strikes where it fits, in millionths."""
    granularity: str = "statement"
    timers: str = "idle"
    """`any`: time may pass at every grant; `idle`: only when nobody can run."""
    tick: int = 0
    """Milliseconds that every grant takes."""
    start_granted: bool = False
    """Writers park before their first line, and begin when granted."""
    zone: str = "UTC"
    clock: Habit = ()
    """How the wall clock misbehaves, where the scenario asks for it."""

    @property
    def letters(self) -> dict[str, str]:
        """Return name → letter, of its writers and of their recoveries."""
        recoveries = [part.recover for part in self.parts if part.recover]
        return {part.name: part.letter for part in (*self.parts, *recoveries)}

    @property
    def layout(self) -> Layout:
        """Return what its file must be like."""
        return Layout(self.schema, self.journal, self.isolation, self.zone)
