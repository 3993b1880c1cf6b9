"""The strings of a Python file, as far as they are known, and the SQL in them.

A statement may stand in pieces: put together by `+`, or with a name in braces. What a module
calls so once and for all is put in, and a question mark stands for everything else.

Wrong in this module: what SQL means.
"""

import ast
from collections.abc import Iterator
from typing import Final

from sim_core.seams import audit_sql
from sim_core.seams.audit_meanings import Meanings
from sim_core.seams.audit_places import Places

MOST_WITHIN: Final = 4
"""Constants within constants that are put in."""
MOST_PUT_IN: Final = 2_000
"""Characters of a constant that is put in."""
_STRINGS: Final = (ast.Constant, ast.JoinedStr, ast.BinOp)


class Texts:
    """The strings of one module."""

    def __init__(self, meanings: Meanings, places: Places, lines: list[str]) -> None:
        self._meanings = meanings
        self._places = places
        self._lines = lines
        self._put_in: dict[ast.expr, str | None] = {}

    def reads(self, node: ast.expr) -> Iterator[tuple[audit_sql.Read, int]]:
        """Yield what a whole string asks of the machine, each with its line."""
        if not isinstance(node, _STRINGS) or self._is_piece(node):
            return
        lines: dict[str, list[int]] = {}
        for read in audit_sql.reads(self._of(node) or ""):
            if read.name not in lines:
                lines[read.name] = self._mentions(node, read.name)
            line = lines[read.name][read.nth : read.nth + 1]
            yield read, line[0] if line else 0

    def _is_piece(self, node: ast.expr) -> bool:
        """Say whether a string is read as part of the one around it."""
        match self._places.parent(node):
            case ast.JoinedStr() | ast.BinOp(op=ast.Add()):
                return True
        return False

    def _of(self, node: ast.AST | None, within: int = 0) -> str | None:
        """Return a string as far as it is known; None where it may be none."""
        match node:
            case ast.Constant(value=str(text)):
                return text
            case ast.JoinedStr(values=values):
                return "".join(self._of(one, within) or "?" for one in values)
            case ast.FormattedValue(value=ast.Name() as name, conversion=-1, format_spec=None):
                return self._of(name, within)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                texts = self._of(left, within), self._of(right, within)
                return None if texts == (None, None) else "".join(one or "?" for one in texts)
            case ast.Name() if within < MOST_WITHIN:
                return self._constant(self._meanings.constant(node), within + 1)
        return None

    def _constant(self, value: ast.expr | None, within: int) -> str | None:
        if value is not None and value not in self._put_in:
            self._put_in[value] = None  # what is made of itself is not known
            self._put_in[value] = (self._of(value, within) or "")[:MOST_PUT_IN] or None
        return self._put_in[value] if value is not None else None

    def _mentions(self, node: ast.expr, name: str) -> list[int]:
        """Return the line of every mention of a name in a string, which may be put together."""
        last = node.end_lineno or node.lineno
        if last == node.lineno:
            return []  # however long it is, there is but one answer
        return [
            number
            for number in range(node.lineno, last + 1)
            for _ in range(audit_sql.mentions(name, self._lines[number - 1]))
        ]
