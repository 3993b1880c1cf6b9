"""Where a Python file asks the machine, read off its syntax tree.

A leak seldom stands there as time.time(): the module has another name, the function came by
`from`, or it is handed over uncalled (`default_factory=time.time`). So every name is followed to
what it stands for, through imports and plain assignments, scope by scope: a parameter that is
called `time` is not the module. What no text shows is not seen; seams/leaks.py watches the run.

Wrong in this module: files, and what is allowed.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sim_core.seams import audit_sql
from sim_core.seams.audit_names import (
    BUILTINS,
    KEEPS_ORDER,
    KEEPS_ORDER_AS_METHOD,
    LOOKS_UP,
    METHODS,
    ORDER,
    ORDERLESS,
    PEP_249,
    rule_of,
)
from sim_core.seams.audit_scopes import Names, same_named


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
    reader.enter(tree, tree.body)
    once = {(one.line, one.kind, one.call): one for one in reader.found}
    return [once[key] for key in sorted(once)]


class _Reader(ast.NodeVisitor):
    def __init__(self, tree: ast.Module, lines: list[str]) -> None:
        self.found: list[Found] = []
        self._lines = lines
        self._names = Names()
        self._parents = {
            child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)
        }

    # What is visited.

    def enter(self, owner: ast.AST, inside: Sequence[ast.AST]) -> None:
        """Read the nodes inside a scope of their own."""
        with self._names.scope(owner, inside):
            self._visit_all(inside)

    def visit(self, node: ast.AST) -> None:
        """Look at a node, then at what is in it: annotations are for readers, not for the run."""
        if isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), ast.Store):
            if self._refers(node):
                return
            self._iterates(node)
            self._reads_sql(node)
        super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._visit_all([*node.decorator_list, *_defaults(node.args)])
        if node.name not in PEP_249:
            self.enter(node, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_all(_defaults(node.args))
        self.enter(node, [node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_all([*node.decorator_list, *node.bases, *node.keywords])
        self.enter(node, node.body)

    def _visit_comprehension(self, node: ast.AST) -> None:
        self.enter(node, list(ast.iter_child_nodes(node)))

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._visit_all([node.target, *([node.value] if node.value else [])])

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring speaks of leaks
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        is_asked = self._names.is_builtin(node.func, frozenset(("isinstance", "issubclass")))
        self._visit_all([node.func, *(node.args[:1] if is_asked else node.args), *node.keywords])

    def _visit_all(self, nodes: Sequence[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    # Names that leak, called or handed over.

    def _refers(self, node: ast.expr) -> bool:
        """Note a name that leaks; say whether this was one that is known to the tables."""
        if self._names.is_builtin(node, BUILTINS):
            self._takes_address(node)
            return True
        name = self._names.name(node)
        if not name and isinstance(node, ast.Attribute) and self._called(node):
            name = METHODS.get(node.attr, "")
        rule = rule_of(name) if isinstance(node, ast.Name | ast.Attribute) else None
        if rule is None:
            return False
        call = self._called(node)
        parent = self._parents[node]
        made = isinstance(parent, ast.keyword) and parent.arg == "default_factory"
        holds = rule.of(call) if call else rule if rule.value or made else None
        if holds:
            self._note(node, holds.kind, _spoken(name), holds.why)
        return not isinstance(node, ast.Attribute) or bool(self._names.name(node))

    def _called(self, node: ast.AST) -> ast.Call | None:
        parent = self._parents.get(node)
        return parent if isinstance(parent, ast.Call) and parent.func is node else None

    def _takes_address(self, node: ast.expr) -> None:
        assert isinstance(node, ast.Name), "a builtin is a name"
        call = self._called(node)
        if not (self._keeps_its_name(node) if call is None else self._only_looks_up(call)):
            rule = BUILTINS[node.id]
            self._note(node, rule.kind, f"{node.id}()", rule.why)

    def _keeps_its_name(self, node: ast.Name) -> bool:
        """Say whether this is a default like `id=id`, which only makes the name a local one."""
        owner = self._parents[node]
        return isinstance(owner, ast.arguments) and node.id in same_named(owner)

    def _only_looks_up(self, call: ast.Call) -> bool:
        """Say whether a hash or an address is a key at once, or in a variable that is only that."""
        match self._parents[call]:
            case ast.Assign(targets=[ast.Name(id=kept)]):
                around = next(self._around(call, ast.FunctionDef, ast.AsyncFunctionDef), None)
                uses = [
                    one
                    for one in (ast.walk(around) if around else ())
                    if isinstance(one, ast.Name) and one.id == kept and type(one.ctx) is ast.Load
                ]
                return bool(uses) and all(map(self._is_key, uses))
        return self._is_key(call)

    def _is_key(self, call: ast.expr) -> bool:
        """Say whether a hash or an address only looks something up, or makes another hash."""
        match self._parents[call]:
            case ast.Subscript(slice=key):
                return key is call
            case ast.Call(func=ast.Attribute(attr=attr), args=[first, *_]):
                return first is call and attr in LOOKS_UP
            case ast.Compare(ops=ops):
                equal = ast.Eq | ast.NotEq | ast.In | ast.NotIn | ast.Is | ast.IsNot
                return all(isinstance(one, equal) for one in ops)
            case ast.Set() | ast.SetComp(elt=_):
                return True
            case ast.DictComp(key=key):
                return key is call
            case ast.Dict(keys=keys):
                return call in keys
            case ast.Return():
                around = next(self._around(call, ast.FunctionDef), None)
                return getattr(around, "name", "") == "__hash__"
        return False

    def _around(self, node: ast.AST, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        """Yield what a node stands in, of these kinds, from within."""
        while node in self._parents:
            node = self._parents[node]
            if isinstance(node, kinds):
                yield node

    # The order of a set.

    def _iterates(self, node: ast.expr) -> None:
        if self._names.is_set(node) and self._in_order(node, self._parents[node]):
            self._note(node, "set order", "the order of a set", ORDER)

    def _in_order(self, node: ast.AST, parent: ast.AST) -> bool:
        """Say whether the parent takes a set's members one after the other, and tells."""
        match parent:
            case ast.For(iter=taken) | ast.AsyncFor(iter=taken):
                return taken is node
            case ast.comprehension(iter=taken):
                made = self._parents[parent]
                return taken is node and not (isinstance(made, ast.SetComp) or self._spent(made))
            case ast.Call(func=ast.Name(id=name)):
                return node in parent.args and name in KEEPS_ORDER and not self._spent(parent)
            case ast.Call(func=ast.Attribute(attr=attr)):
                return node in parent.args and attr in KEEPS_ORDER_AS_METHOD
            case ast.Attribute(attr="pop"):
                call = self._called(parent)
                return call is not None and not call.args
            case ast.Starred():
                return not (isinstance(self._parents[parent], ast.Set) or self._spent(node))
            case ast.Assign(targets=[ast.Tuple() | ast.List(), *_]):
                return True
        return isinstance(parent, ast.YieldFrom | ast.FormattedValue)

    def _spent(self, node: ast.AST) -> bool:
        """Say whether what is made goes straight into something that does not mind its order."""
        while isinstance(self._parents[node], ast.List | ast.Tuple | ast.BinOp | ast.Starred):
            node = self._parents[node]
        match self._parents[node]:
            case ast.Call(func=ast.Name(id=name)):
                return name in ORDERLESS
        return False

    # SQL.

    def _reads_sql(self, node: ast.expr) -> None:
        text = _text(node)
        if text is not None and _text(self._parents[node]) is None:
            lines: dict[str, list[int]] = {}
            for read in audit_sql.reads(text):
                if read.name not in lines:
                    lines[read.name] = self._mentions(node, read.name)
                line = lines[read.name][read.nth : read.nth + 1]
                why = audit_sql.WHY[read.kind]
                self._note(node, read.kind, read.call, why, line[0] if line else 0)

    def _mentions(self, node: ast.expr, name: str) -> list[int]:
        """Return the line of every mention of a name in a string, which may be put together."""
        numbers = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        return [
            number
            for number in numbers
            for _ in range(audit_sql.mentions(name, self._lines[number - 1]))
        ]

    def _note(self, node: ast.expr, kind: str, call: str, why: str, line: int = 0) -> None:
        last = node.end_lineno or node.lineno
        line = line or (last if isinstance(node, ast.Attribute) else node.lineno)
        self.found.append(Found(kind, call, why, line, node.lineno, last))


def _defaults(arguments: ast.arguments) -> list[ast.AST]:
    return [*arguments.defaults, *(one for one in arguments.kw_defaults if one)]


def _text(node: ast.AST) -> str | None:
    """Return a string as far as it is known, with a question mark for what is put in."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(_text(one) or "?" for one in values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            texts = _text(left), _text(right)
            return None if texts == (None, None) else "".join(one or "?" for one in texts)
    return None


def _spoken(name: str) -> str:
    """Return a name as it is usually written: datetime.now, not datetime.datetime.now."""
    return name.removeprefix("datetime.") if name.count(".") > 1 else name
