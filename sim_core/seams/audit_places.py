"""Where in a syntax tree a node stands: what is around it, and in which part of that.

Wrong in this module: what a node means.
"""

import ast
from collections.abc import Iterator
from typing import Final

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


class Places:
    """The place of every node of a module."""

    def __init__(self, tree: ast.Module) -> None:
        self._parents: dict[ast.AST, ast.AST] = {}
        self._fields: dict[ast.AST, str] = {}
        for node in ast.walk(tree):
            for field, value in ast.iter_fields(node):
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        self._parents[child], self._fields[child] = node, field

    def parent(self, node: ast.AST) -> ast.AST:
        """Return what a node stands in, which a module alone does not."""
        return self._parents[node]

    def field(self, node: ast.AST) -> str:
        """Return which part of its parent a node is: args, keys, value."""
        return self._fields.get(node, "")

    def called(self, node: ast.AST) -> ast.Call | None:
        """Return the call of which a node is the function."""
        parent = self._parents.get(node)
        return parent if isinstance(parent, ast.Call) and self.field(node) == "func" else None

    def function(self, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """Return the function that a node stands in."""
        return next((one for one in self._around(node) if isinstance(one, _FUNCTIONS)), None)

    def class_(self, node: ast.AST) -> ast.ClassDef | None:
        """Return the class that a node stands in."""
        return next((one for one in self._around(node) if isinstance(one, ast.ClassDef)), None)

    def _around(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield what a node stands in, from within."""
        while node in self._parents:
            node = self._parents[node]
            yield node
