"""The one way into a scenario's own code, outside its writers.

Loading a file, reading what it declares, asking an invariant: all of it runs code that we did
not write, which may raise anything, end the process, or raise an error that has no text. Nothing
of that gets out of here but Ctrl-C and errors of ours; the rest is a sentence with the culprit in
it. (Writers are called in engine/crew.py, where an error is a thing that happens in a run.)

Wrong in this module: deciding what an error means.
"""

from collections.abc import Callable

from sim_core.errors import ExplorerError, ScenarioError
from sim_core.quoting import said


class theirs:
    """Call the scenario's code; what `what` returns begins the sentence that its error ends.

    A class, and `what` a function, because every run judges its invariants in here."""

    __slots__ = ("_part", "_what")

    def __init__(self, what: Callable[[], str], part: str) -> None:
        self._what = what
        self._part = part

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is None or isinstance(error, ExplorerError | KeyboardInterrupt):
            return
        raise ScenarioError(f"{self._what()} {said(error)}", part=self._part) from error
