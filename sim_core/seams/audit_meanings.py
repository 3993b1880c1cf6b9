"""What a name stands for at a place in a Python file: every full name that it may have.

Of the bindings of a name (seams/audit_bindings.py) each may be the one that holds, so what it
stands for is a set, and one member that leaks is a leak. Only names that the tables know are
followed: of `import time` here and `import random` there, under one alias, comes no random.time.

Wrong in this module: which name leaks.
"""

import ast
from collections.abc import Container
from typing import Final

from sim_core.seams.audit_bindings import Binding, Bindings, Scope, instance_of
from sim_core.seams.audit_names import KNOWN, LOADERS, READ, rule_of

MOST_ROUNDS: Final = 16
"""Passes over a file until its names are taken as known: one more for every time that something
is bound on from further down, and nobody who writes for readers does that often."""
MOST_MEANINGS: Final = 64
"""Meanings of one name that are kept."""


class Meanings:
    """What the names of one module stand for."""

    def __init__(self, tree: ast.Module) -> None:
        self._bindings = Bindings(tree)
        self._attributes: dict[str, dict[str, set[str]]] = {}
        """The mark of instances → attributes that are bound as self.x = …"""
        self.scopes = {scope.owner: scope for scope in self._bindings.every}
        self.bound = [
            (home, name, all_of)
            for home in self._bindings.every
            for name, all_of in home.bindings.items()
        ]
        """Every variable, with all of its bindings."""
        self._settle()
        self.uses: dict[tuple[Scope, str], list[ast.Name]] = {}
        """A variable → the places where it is read."""
        for node, scope in self._bindings.at.items():
            if (home := scope.home(node.id)) and not isinstance(node.ctx, ast.Del):
                self.uses.setdefault((home, node.id), []).append(node)

    # Names.

    def of(self, node: ast.AST) -> set[str]:
        """Return the full names, and the marks of classes, that an expression may stand for."""
        match node:
            case ast.Name(id=name):
                home = self.home(node)
                return home.meanings.get(name, set()) if home else {name} & LOADERS
            case ast.Attribute(value=value, attr=attr):
                owners = self.of(value)
                return {one for owner in owners for one in self._attribute(owner, attr, set())}
            case ast.Call(func=func, args=arguments):
                return self._made(self.of(func), arguments)
            case ast.BoolOp(values=values):
                return {one for value in values for one in self.of(value)}
            case ast.IfExp(body=body, orelse=other):
                return self.of(body) | self.of(other)
            case ast.NamedExpr(value=value):
                return self.of(value)
        return set()

    def names(self, node: ast.AST) -> set[str]:
        """Return the full names alone: of a class of this file, those of its bases."""
        return self._named(self.of(node), set())

    def home(self, node: ast.Name) -> Scope | None:
        """Return the scope in which a name that is read is bound."""
        scope = self._bindings.at.get(node)
        return scope.home(node.id) if scope else None

    def is_builtin(self, node: ast.AST, names: Container[str]) -> bool:
        """Say whether this is one of these names, and nobody has bound it to something else."""
        return isinstance(node, ast.Name) and node.id in names and not self.home(node)

    def constant(self, node: ast.AST) -> ast.expr | None:
        """Return what a module calls by this name once and for all."""
        home = self.home(node) if isinstance(node, ast.Name) else None
        if home is not self._bindings.module or home is None or not isinstance(node, ast.Name):
            return None
        all_of = home.bindings[node.id]
        value = all_of[0].value
        return value if len(all_of) == 1 and isinstance(value, ast.expr) else None

    def _attribute(self, owner: str, attr: str, seen: set[str]) -> set[str]:
        scope = self._bindings.classes.get(owner)
        if scope is None:
            return {f"{owner}.{attr}"} & KNOWN
        bound = self._attributes.get(instance_of(owner), {})
        if attr in scope.bindings or attr in bound:
            return scope.meanings.get(attr, set()) | bound.get(attr, set())
        seen.add(owner)
        bases = self._bases(scope)
        return {one for base in bases - seen for one in self._attribute(base, attr, seen)}

    def _bases(self, scope: Scope) -> set[str]:
        assert isinstance(scope.owner, ast.ClassDef), "the mark of a class leads to its scope"
        return {one for base in scope.owner.bases for one in self.of(base)}

    def _named(self, meanings: set[str], seen: set[str]) -> set[str]:
        names = set()
        for one in meanings - seen:
            seen.add(one)
            scope = self._bindings.classes.get(one)
            if scope is None:
                names.add(one)
            elif one == scope.mark:
                names |= self._named(self._bases(scope), seen)
        return names

    def _made(self, functions: set[str], arguments: list[ast.expr]) -> set[str]:
        """Return what a call gives: a module that is loaded, or an instance of our class."""
        first = arguments[0] if arguments else None
        loaded = isinstance(first, ast.Constant) and functions & LOADERS
        module = {str(first.value)} & KNOWN if loaded and isinstance(first, ast.Constant) else set()
        return module | {*map(instance_of, functions & self._bindings.classes.keys())}

    # Until nothing changes.

    def _settle(self) -> None:
        """Follow every binding, from the first to the last and back, until all is known."""
        for _ in range(MOST_ROUNDS):
            grown = [self._grow(*one) for one in self.bound]
            grown += [self._grow(*one) for one in reversed(self.bound)]
            grown += [self._grow_attribute(*one) for one in self._bindings.attributes]
            if not any(grown):
                return

    def _grow(self, home: Scope, name: str, all_of: list[Binding]) -> bool:
        meanings = home.meanings.setdefault(name, set())
        before = len(meanings)
        for one in all_of[:MOST_MEANINGS] if before < MOST_MEANINGS else ():
            meanings |= self._meaning(one)
        return len(meanings) > before

    def _meaning(self, binding: Binding) -> set[str]:
        if isinstance(binding.value, str):
            return {binding.value} & (KNOWN | self._bindings.classes.keys())
        found = self.of(binding.value) - READ if binding.value else set()
        return {one for one in found if not _told(one)} if binding.told else found

    def _grow_attribute(self, target: ast.Attribute, value: ast.expr | None) -> bool:
        found = {one for one in self.of(value) if not _told(one)} if value else set()
        grown = False
        for mark in self.of(target.value) & self._bindings.classes.keys():
            bound = self._attributes.setdefault(instance_of(mark), {}).setdefault(
                target.attr, set()
            )
            grown = grown or not found <= bound
            bound |= found
        return grown


def _told(name: str) -> bool:
    """Say whether a name is reported where it is handed over, uncalled."""
    rule = rule_of(name)
    return rule is not None and rule.value
