"""Every error of ours, on one page, so that a caller knows what it can meet.

    ExplorerError                anything we raise on purpose; its text is one sentence
    ├── RecipeError              the words of a recipe or an address are off (.part names them)
    ├── ScenarioError            a scenario file cannot be used (.part names what)
    ├── CorpusError              a corpus cannot be read or written, or a run not be pinned
    ├── RequestError             a bridge request is malformed
    ├── DriftError               a database, or what is expected of it, cannot be compared
    ├── LeakError                a file that the leak check was given cannot be read
    ├── MachineError             this machine lacks what a run needs: room, a place for files
    ├── Endless                  a statement does not come to its end
    ├── UncoveredShape           a writer asked for time or chance in a way no seam covers
    ├── LockSurprise             SQLite and our lock table disagree: a bug of ours, said loudly
    └── Divergence               a replay met a run that is not the recorded one

A message names the culprit and what is allowed. Programmer errors are asserts with a
reason; they never reach a person who only typed something wrong.
"""

from collections.abc import Iterator
from contextlib import contextmanager


class ExplorerError(Exception):
    """Base of all: `part` is the culprit as it was given, for a page that marks it; `recipe` is
    the run in which it came, where it came in one."""

    def __init__(self, message: str, part: str = "") -> None:
        super().__init__(message)
        self.part = part
        self.recipe = ""


class RecipeError(ExplorerError):
    """A recipe (or the address that carries it) names something that does not exist."""


class ScenarioError(ExplorerError):
    """A scenario file is missing, does not load, or does not declare what it must."""


class CorpusError(ExplorerError):
    """A corpus file cannot be read or written, or there is nothing to pin."""


class RequestError(ExplorerError):
    """A request to the bridge has the wrong shape, version or size."""


class DriftError(ExplorerError):
    """Somebody's database cannot be read, or what is expected of it is no expectation."""


class LeakError(ExplorerError):
    """A file is there, and the leak check cannot read it as Python; `part` is its name."""


class MachineError(ExplorerError):
    """The machine, and nobody's scenario, lacks what a run needs."""


class Endless(ExplorerError):
    """A statement took more steps of SQLite's machine than any that ends."""


class UncoveredShape(ExplorerError):
    """Time or chance was asked for in a shape that the seams do not model.

    Raised instead of letting the real clock or the real dice in: a run that quietly reads
    them would no longer be the same run tomorrow.
    """


class LockSurprise(ExplorerError):
    """SQLite answered BUSY where the lock table expected success, or the reverse."""


class Divergence(ExplorerError):
    """A scripted schedule asks for a writer that cannot run at that grant."""


@contextmanager
def within(recipe: str) -> Iterator[None]:
    """Name the run in which an error of ours comes, unless it is named already."""
    try:
        yield
    except ExplorerError as error:
        error.recipe = error.recipe or recipe
        raise
