"""The source of the simulator as it is shown beside prose: looked up when the page is made.

Nothing is copied: a function is found by its module and name, and its lines are the file's own.
So a page cannot show code that is no longer there; it does not build then. The colouring is ink
alone, because colour belongs to the writers: words of the language are bold, comments italic,
and what a reader may pass over is soft.

Wrong in this module: code as text in a template, and a style in an attribute.
"""

import importlib
import inspect
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from textwrap import dedent
from typing import Any, Final, NamedTuple

from markupsafe import Markup
from pygments.lexers import PythonLexer
from pygments.token import Comment, Keyword, Name, Operator, String

ROOT: Final = Path(__file__).parent.parent

INKS: Final = (
    (String.Doc, "doc"),
    (Comment, "com"),
    (Keyword.Constant, ""),
    (Keyword, "key"),
    (Operator.Word, "key"),
    (Name.Function, "def"),
    (Name.Class, "def"),
)
"""Kind of token → the class that static/css/essay.css knows; the first that fits."""


class NoSuchCode(Exception):
    """A page names source that is not there."""


class Listing(NamedTuple):
    """A function or class as it stands in its file."""

    name: str
    path: str
    """From the root of the repository."""
    first: int
    last: int
    """Its lines, decorators included."""
    code: Markup

    @property
    def lines(self) -> str:
        """Return which lines they are, in words."""
        return f"lines {self.first} to {self.last}"


@lru_cache(maxsize=100)
def shown(module: str, name: str) -> Listing:
    """Return a function, a class or a method (`Class.method`) of sim_core; NoSuchCode where there
    is none of that name."""
    if module.partition(".")[0] != "sim_core":
        raise NoSuchCode(f"{module} is not of sim_core")
    try:
        found: object = importlib.import_module(module)
        for part in name.split("."):
            found = inspect.getattr_static(found, part)
        found = getattr(found, "fget", found)  # a property is shown by its function
        lines, first = inspect.getsourcelines(found)  # type: ignore[arg-type]
    except (ImportError, AttributeError, TypeError, OSError) as error:
        raise NoSuchCode(f"there is no source of {name} in {module}: {error}") from error
    path = Path(inspect.getfile(found)).resolve()  # type: ignore[arg-type]
    last = first + len(lines) - 1
    code = inked(dedent("".join(lines)))
    return Listing(name, path.relative_to(ROOT).as_posix(), first, last, code)


def inked(source: str) -> Markup:
    """Return Python as HTML in ink."""
    tokens = [(_ink(kind), text) for kind, text in PythonLexer().get_tokens(source)]
    pieces = []
    for ink, run in groupby(tokens, key=lambda token: token[0]):
        text = "".join(text for _, text in run)
        mark = Markup('<span class="{}">{}</span>') if ink else Markup("{1}")
        pieces.append(mark.format(ink, text))
    return Markup("").join(pieces).rstrip()


def _ink(kind: Any) -> str:
    return next((ink for among, ink in INKS if kind in among), "")
