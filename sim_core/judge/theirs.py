"""The one way into a scenario's own code, outside its writers.

Loading a file, reading what it declares, asking an invariant: all of it runs code that we did
not write, which may raise anything, end the process, or raise an error that has no text. Nothing
of that gets out of here but Ctrl-C and errors of ours; the rest is a sentence with the culprit in
it. (Writers are called in engine/crew.py, where an error is a thing that happens in a run.)

Wrong in this module: deciding what an error means.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sim_core.errors import ExplorerError, ScenarioError
from sim_core.quoting import said


@contextmanager
def theirs(what: str, part: str) -> Iterator[None]:
    """Call the scenario's code; `what` begins the sentence that its error ends."""
    try:
        yield
    except (ExplorerError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise ScenarioError(f"{what} {said(error)}", part=part) from error
