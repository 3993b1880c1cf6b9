"""Our own source beside the prose: the lines that run are the lines that are shown.

A listing names a file of the core and something defined in it; its text is cut out of the file
when the page is made, so that it cannot differ from what runs. Pygments marks comments, names and
texts; which of them look how is the style sheet's affair.

Wrong in this module: a line of source that is written down a second time.
"""

import ast
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

import sim_core

CORE: Final = Path(sim_core.__file__).parent


class Listing(NamedTuple):
    """Source as it is shown."""

    file: str
    first: int
    last: int
    html: Markup


@lru_cache(maxsize=100)
def listing(file: str, name: str) -> Listing:
    """Return the definition of `name`, such as Clock.advance, in a file of sim_core.

    Raises KeyError where the file defines no such thing."""
    text = (CORE / file).read_text(encoding="utf-8")
    found = _definition(ast.parse(text), name.split("."))
    if found is None:
        raise KeyError(f"sim_core/{file} defines no {name}")
    first = min([found.lineno, *(each.lineno for each in found.decorator_list)])
    last = found.end_lineno or first
    lines = text.splitlines()[first - 1 : last]
    indent = len(lines[0]) - len(lines[0].lstrip())
    code = "\n".join(line[indent:] for line in lines)
    html = highlight(code, PythonLexer(), HtmlFormatter(nowrap=True))
    return Listing(f"sim_core/{file}", first, last, Markup(html.rstrip()))


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definition(inside: ast.Module | ast.ClassDef, names: list[str]) -> Definition | None:
    for node in inside.body:
        if isinstance(node, Definition) and node.name == names[0]:
            if len(names) == 1:
                return node
            return _definition(node, names[1:]) if isinstance(node, ast.ClassDef) else None
    return None
