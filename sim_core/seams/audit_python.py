"""Where a Python file asks the machine, read off its syntax tree.

A leak seldom stands there as time.time(): the module has another name, the function came by
`from`, or it is handed over uncalled (`default_factory=time.time`). So every name is followed to
what it may stand for (seams/audit_meanings.py): a parameter that is called `time` is not the
module. What no text shows is not seen; seams/leaks.py watches the run.

Wrong in this module: files, and what is allowed.
"""

import ast
from collections.abc import Sequence
from typing import NamedTuple

from sim_core.seams import audit_sql
from sim_core.seams.audit_bindings import defaulted, keeps_its_name
from sim_core.seams.audit_keys import Keys
from sim_core.seams.audit_meanings import Meanings
from sim_core.seams.audit_names import (
    BUILTINS,
    DEFAULTDICT,
    MAKERS,
    METHODS,
    NUMBERS_OF_THREADS,
    PARTIAL,
    PEP_249,
    Rule,
    rule_of,
)
from sim_core.seams.audit_order import Order
from sim_core.seams.audit_places import Places
from sim_core.seams.audit_texts import Texts


class Found(NamedTuple):
    """One leak: what is asked, and the lines of the code that asks."""

    kind: str
    call: str
    why: str
    line: int
    first: int
    last: int


def found(tree: ast.Module, lines: list[str]) -> list[Found]:
    """Return every leak of a module, from top to bottom."""
    reader = _Reader(tree, lines)
    reader.visit(tree)
    once = {(one.line, one.kind, one.call): one for one in reader.found}
    return [once[key] for key in sorted(once)]


class _Reader(ast.NodeVisitor):
    def __init__(self, tree: ast.Module, lines: list[str]) -> None:
        self.found: list[Found] = []
        self._places = Places(tree)
        self._meanings = Meanings(tree)
        self._keys = Keys(self._meanings, self._places)
        self._order = Order(self._meanings, self._places)
        self._texts = Texts(self._meanings, self._places, lines)

    # What is visited.

    def visit(self, node: ast.AST) -> None:
        """Look at a node, then at what is in it."""
        if isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store):
            self._refers(node)
            if why := self._order.told(node):
                self._note(node, "set order", "the order of a set", why)
            for read, line in self._texts.reads(node):
                self._note(node, read.kind, read.call, audit_sql.WHY[read.kind], line)
        super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._visit_all([*node.decorator_list, node.args])
        self._annotation(node.returns)
        if node.name not in PEP_249:
            self._visit_all(node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_arg(self, node: ast.arg) -> None:
        self._annotation(node.annotation)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._annotation(node.annotation)
        self._visit_all([node.target, *([node.value] if node.value else [])])

    def visit_TypeAlias(self, node: ast.AST) -> None:
        """A `type` statement (Python 3.12) is an annotation with a name."""
        self._annotation(getattr(node, "value", None))

    def _annotation(self, node: ast.AST | None) -> None:
        """An annotation is for readers; but a call in it runs: Annotated[int, Field(…)]."""
        if isinstance(node, ast.Call):
            self.visit(node)
        elif node is not None:
            for one in ast.iter_child_nodes(node):
                self._annotation(one)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring speaks of leaks
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        asked = self._meanings.is_builtin(node.func, frozenset(("isinstance", "issubclass")))
        self._visit_all([node.func, *(node.args[:1] if asked else node.args), *node.keywords])

    def _visit_all(self, nodes: Sequence[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    # Names that leak, called or handed over.

    def _refers(self, node: ast.expr) -> None:
        """Note a name that leaks; of several that it may stand for, each one that does."""
        if not isinstance(node, ast.Name | ast.Attribute):
            return
        if isinstance(node, ast.Name) and self._meanings.is_builtin(node, BUILTINS):
            self._takes_address(node)
            return
        names = self._meanings.names(node)
        if not names and isinstance(node, ast.Attribute) and self._places.called(node):
            names = {METHODS.get(node.attr, "")}
        for name in sorted(names):
            rule = rule_of(name)
            holds = self._holds(rule, node) if rule else None
            if holds and not (name in NUMBERS_OF_THREADS and self._only_looks_up(node)):
                self._note(node, holds.kind, _spoken(name), holds.why)

    def _holds(self, rule: Rule, node: ast.expr) -> Rule | None:
        """Return the rule that holds for a name where it stands: called, or handed over."""
        if call := self._places.called(node):
            return rule.of(call)
        match self._places.parent(node):
            case ast.Call(func=maker, args=[first, *given], keywords=named) if first is node:
                makers = self._meanings.of(maker)
                if PARTIAL in makers:
                    return rule.of(ast.Call(node, given, named))
                return rule if rule.value or DEFAULTDICT in makers else None
            case ast.keyword(arg=maker) if maker in MAKERS:
                return rule.of(ast.Call(node, [], []))
        return rule if rule.value else None

    def _only_looks_up(self, node: ast.expr) -> bool:
        call = self._places.called(node)
        return call is not None and self._keys.only_looks_up(call)

    def _takes_address(self, node: ast.Name) -> None:
        if not (self._keeps_its_name(node) or self._only_looks_up(node)):
            rule = BUILTINS[node.id]
            self._note(node, rule.kind, f"{node.id}()", rule.why)

    def _keeps_its_name(self, node: ast.Name) -> bool:
        """Say whether this is a default like `id=id`."""
        owner = self._places.parent(node)
        return isinstance(owner, ast.arguments) and any(
            one.arg == node.id and default is node and keeps_its_name(one.arg, default)
            for one, default in defaulted(owner)
        )

    def _note(self, node: ast.expr, kind: str, call: str, why: str, line: int = 0) -> None:
        last = node.end_lineno or node.lineno
        line = line or (last if isinstance(node, ast.Attribute) else node.lineno)
        self.found.append(Found(kind, call, why, line, node.lineno, last))


def _spoken(name: str) -> str:
    """Return a name as it is usually written: datetime.now, not datetime.datetime.now."""
    return name.removeprefix("datetime.") if name.count(".") > 1 else name
