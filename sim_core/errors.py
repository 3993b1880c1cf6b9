"""Every error of ours, on one page, so that a caller knows what it can meet.

    ExplorerError                anything we raise on purpose; its text is one sentence
    ├── RecipeError              the words of a recipe or an address are off (.part names them)
    ├── ScenarioError            a scenario file cannot be used (.part names what)
    ├── RequestError             a bridge request is malformed
    ├── UncoveredShape           a writer asked for time or chance in a way no seam covers
    ├── LockSurprise             SQLite and our lock table disagree: a bug of ours, said loudly
    └── Divergence               a replay met a run that is not the recorded one

A message names the culprit and what is allowed. Programmer errors are asserts with a
reason; they never reach a person who only typed something wrong.
"""


class ExplorerError(Exception):
    """Base of all: `part` is the culprit as it was given, for a page that marks it."""

    def __init__(self, message: str, part: str = "") -> None:
        super().__init__(message)
        self.part = part


class RecipeError(ExplorerError):
    """A recipe (or the address that carries it) names something that does not exist."""


class ScenarioError(ExplorerError):
    """A scenario file is missing, does not load, or does not declare what it must."""


class RequestError(ExplorerError):
    """A request to the bridge has the wrong shape, version or size."""


class UncoveredShape(ExplorerError):
    """Time or chance was asked for in a shape that the seams do not model.

    Raised instead of letting the real clock or the real dice in: a run that quietly reads
    them would no longer be the same run tomorrow.
    """


class LockSurprise(ExplorerError):
    """SQLite answered BUSY where the lock table expected success, or the reverse."""


class Divergence(ExplorerError):
    """A scripted schedule asks for a writer that cannot run at that grant."""
