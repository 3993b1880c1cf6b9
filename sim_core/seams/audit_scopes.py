"""What a name stands for at a place in a Python file, as far as its text tells.

Imports and plain assignments are followed, scope by scope, because a leak seldom goes by its own
name, and because what looks like one may be somebody's parameter. Beside the full name, one other
thing is known of a variable: whether it only ever holds a set.

Wrong in this module: what leaks.
"""

import ast
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from sim_core.seams.audit_names import BUILTINS, SET_METHODS, names_of

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES: Final = (*_FUNCTIONS, *_COMPREHENSIONS, ast.ClassDef)
_ASSIGNMENTS: Final = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)
_SET_TYPES: Final = frozenset(("set", "frozenset", "Set", "AbstractSet", "MutableSet", "FrozenSet"))
_LOADERS: Final = ("__import__", "importlib.import_module")


class _Scope(NamedTuple):
    """What the names that are bound here stand for; empty where that is not known."""

    names: dict[str, str]
    sets: set[str]
    is_class: bool


class Names:
    """The scopes around the place that is being read, the innermost last."""

    def __init__(self) -> None:
        self._scopes: list[_Scope] = []

    @contextmanager
    def scope(self, owner: ast.AST, inside: Sequence[ast.AST]) -> Iterator[None]:
        """Stand in the scope of a module, class, function or comprehension for a while."""
        scope = _Scope({}, set(), isinstance(owner, ast.ClassDef))
        self._scopes.append(scope)
        if isinstance(owner, _FUNCTIONS):
            self._take_parameters(owner.args, scope)
        for node in inside:
            self._bind(node, scope)
        yield
        self._scopes.pop()

    def _take_parameters(self, arguments: ast.arguments, scope: _Scope) -> None:
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        for one in [*every, arguments.vararg, arguments.kwarg]:
            if one is not None and one.arg not in same_named(arguments):
                scope.names[one.arg] = ""
                if one in every and _is_set_type(one.annotation):
                    scope.sets.add(one.arg)

    def _bind(self, node: ast.AST, scope: _Scope) -> None:
        """Note the names that a node binds in its scope, without entering scopes within."""
        match node:
            case ast.Import():
                for one in node.names:
                    root = one.name.partition(".")[0]
                    scope.names[one.asname or root] = one.name if one.asname else root
            case ast.ImportFrom(level=0, module=str(module)):
                for one in node.names:
                    names = names_of(module) if one.name == "*" else [one.name]
                    scope.names.update({one.asname or name: f"{module}.{name}" for name in names})
            case ast.ImportFrom():
                scope.names.update({one.asname or one.name: "" for one in node.names})
            case ast.ClassDef():
                known = [self.name(base) for base in node.bases]
                scope.names[node.name] = next(filter(None, known), "")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                scope.names[node.name] = ""
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._assign(name, value, None, scope)
            case ast.AnnAssign(target=ast.Name(id=name)):
                self._assign(name, node.value, node.annotation, scope)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                self._assign(name, value, None, scope)
            case ast.Name(id=name, ctx=ast.Store()):
                self._assign(name, None, None, scope)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                self._assign(name, None, None, scope)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                return
        if not isinstance(node, _SCOPES):
            assigns = _binds_one(node)
            for child in ast.iter_child_nodes(node):
                if not (assigns and isinstance(child, ast.Name)):
                    self._bind(child, scope)

    def _assign(
        self, name: str, value: ast.expr | None, type_: ast.expr | None, scope: _Scope
    ) -> None:
        known = self.name(value) if value is not None else ""
        if known or name not in scope.names:
            scope.names[name] = known
            if _is_set_type(type_) or (value is not None and self.is_set(value)):
                scope.sets.add(name)
        elif value is None or not self.is_set(value):
            scope.sets.discard(name)

    def _scope_of(self, name: str) -> _Scope | None:
        for scope in reversed(self._scopes):
            if name in scope.names and (not scope.is_class or scope is self._scopes[-1]):
                return scope
        return None

    def name(self, node: ast.AST) -> str:
        """Return the full name of what an expression stands for; empty where it is not known."""
        match node:
            case ast.Name(id=name):
                scope = self._scope_of(name)
                return scope.names[name] if scope else name if name in _LOADERS else ""
            case ast.Attribute(value=value, attr=attr):
                owner = self.name(value)
                return f"{owner}.{attr}" if owner else ""
            case ast.Call(func=func, args=[ast.Constant(value=str(module)), *_]):
                return module if self.name(func) in _LOADERS else ""
        return ""

    def is_builtin(self, node: ast.AST, names: Container[str]) -> bool:
        """Say whether this is one of these names, and nobody has bound it to something else."""
        return isinstance(node, ast.Name) and node.id in names and not self._scope_of(node.id)

    def is_set(self, node: ast.AST) -> bool:
        """Say whether an expression is a set, whatever happens."""
        match node:
            case ast.Set() | ast.SetComp():
                return True
            case ast.Call(func=ast.Name()):
                return self.is_builtin(node.func, frozenset(("set", "frozenset")))
            case ast.Call(func=ast.Attribute(value=owner, attr=attr)):
                return attr in SET_METHODS and self.is_set(owner)
            case ast.BinOp(op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()):
                return any(self.is_set(s) or _is_keys(s) for s in (node.left, node.right))
            case ast.IfExp(body=one, orelse=other):
                return self.is_set(one) and self.is_set(other)
            case ast.Name(id=name):
                scope = self._scope_of(name)
                return scope is not None and name in scope.sets
        return False


def same_named(arguments: ast.arguments) -> set[str]:
    """Return the parameters whose default is the builtin of their own name."""
    placed = [*arguments.posonlyargs, *arguments.args]
    defaults = arguments.defaults
    pairs = [*zip(placed[len(placed) - len(defaults) :], defaults, strict=True)]
    pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d]
    return {
        one.arg
        for one, default in pairs
        if isinstance(default, ast.Name) and default.id == one.arg and one.arg in BUILTINS
    }


def _binds_one(node: ast.AST) -> bool:
    """Say whether this is an assignment to one name, which is looked at as a whole."""
    if not isinstance(node, _ASSIGNMENTS):
        return False
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return len(targets) == 1 and isinstance(targets[0], ast.Name)


def _is_set_type(annotation: ast.expr | None) -> bool:
    kind = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    match kind:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _SET_TYPES
    return False


def _is_keys(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "keys"
