"""Where the order of a set is told: what is a set, and what takes its members in turn.

The order of a set of texts is another one in every process. That of whole numbers is not, so a
set that plainly holds nothing else is left alone, as is what makes the same of any order.

Wrong in this module: names that are not sets.
"""

import ast
from typing import Final

from sim_core.seams.audit_bindings import Binding, Scope
from sim_core.seams.audit_meanings import MOST_ROUNDS, Meanings
from sim_core.seams.audit_names import IN_TURN
from sim_core.seams.audit_places import Places

ORDER: Final = "comes in another order in every process; sort it first"
TIES: Final = (
    "leaves ties in the order of the set, another one in every process; let the key end with the "
    "member itself"
)

_SETS: Final = frozenset(("set", "frozenset"))
_SET_TYPES: Final = frozenset(("set", "frozenset", "Set", "AbstractSet", "MutableSet", "FrozenSet"))
_AROUND_TYPES: Final = frozenset(("Optional", "Union", "Final", "ClassVar", "Annotated"))
_SET_METHODS: Final = frozenset(
    ("union", "intersection", "difference", "symmetric_difference", "copy")
)
_KEEPS_ORDER: Final = frozenset(
    (
        *("list", "tuple", "enumerate", "iter", "map", "filter", "zip", "str", "repr", "reversed"),
        *("print", "format", "ascii", "deque"),
    )
)
"""Builtins whose answer has the order of what they are given."""
_KEEPS_ORDER_AS_METHOD: Final = frozenset(
    ("join", "fromkeys", "extend", "writelines", "extendleft", "executemany", "format")
)
_CHOOSES: Final = frozenset(("sorted", "min", "max"))
"""What does not mind the order, but for members whose keys are equal."""
_ORDERLESS: Final = _CHOOSES | {"set", "frozenset", "sum", "len", "any", "all", "Counter", "bool"}
"""What makes the same of a set whatever its order (of a Counter, its counts are read)."""

_PASSED_ON: Final = (ast.List, ast.Tuple, ast.BinOp, ast.Starred)
"""What hands on what it holds, in order."""


class Order:
    """The sets of one module."""

    def __init__(self, meanings: Meanings, places: Places) -> None:
        self._meanings = meanings
        self._places = places
        self._variables: set[tuple[Scope, str]] = {
            (home, name) for home, name, all_of in meanings.bound if any(map(_may_be_set, all_of))
        }
        self._settle()

    def _settle(self) -> None:
        """Strike out variables that also hold something else, until nothing changes."""
        bound = [one for one in self._meanings.bound if one[:2] in self._variables]
        for _ in range(MOST_ROUNDS):
            before = len(self._variables)
            for home, name, all_of in (*bound, *reversed(bound)):
                if not all(map(self._binds_set, all_of)):
                    self._variables.discard((home, name))
            if len(self._variables) == before:
                return
        self._variables.clear()  # none of them is sure

    def _binds_set(self, binding: Binding) -> bool:
        if is_set_type(binding.type):
            return True
        value = binding.value
        return _is_none(value) or (isinstance(value, ast.expr) and self.is_set(value))

    # What is a set.

    def is_set(self, node: ast.AST) -> bool:
        """Say whether an expression is a set, whatever happens, whose order is nobody's."""
        match node:
            case ast.Set():
                return not _is_of_numbers(node)
            case ast.SetComp():
                return True
            case ast.Call(func=ast.Name(), args=arguments):
                made = self._meanings.is_builtin(node.func, _SETS)
                return made and not (arguments and _is_of_numbers(arguments[0]))
            case ast.Call(func=ast.Attribute(value=owner, attr=attr)):
                return attr in _SET_METHODS and self.is_set(owner)
            case ast.BinOp(op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()):
                return any(self.is_set(s) or _is_keys(s) for s in (node.left, node.right))
            case ast.IfExp(body=one, orelse=other):
                return self.is_set(one) and self.is_set(other)
            case ast.NamedExpr(value=value):
                return self.is_set(value)
            case ast.Name(id=name):
                home = self._meanings.home(node)
                return home is not None and (home, name) in self._variables
        return False

    # What tells its order.

    def told(self, node: ast.expr) -> str:
        """Return why what a set stands in tells its order; empty where it does not."""
        if not self.is_set(node):
            return ""
        parent = self._places.parent(node)
        if isinstance(parent, ast.Call) and self._has_ties(parent):
            return TIES if self._places.field(node) == "args" else ""
        return ORDER if self._in_order(node, parent) else ""

    def _in_order(self, node: ast.AST, parent: ast.AST) -> bool:
        """Say whether the parent takes a set's members one after the other, and tells."""
        match parent:
            case ast.For(iter=taken) | ast.AsyncFor(iter=taken):
                return taken is node
            case ast.comprehension(iter=taken):
                made = self._places.parent(parent)
                return taken is node and not (isinstance(made, ast.SetComp) or self._spent(made))
            case ast.Call():
                return self._places.field(node) == "args" and self._keeps_order(parent)
            case ast.Attribute(attr="pop"):
                call = self._places.called(parent)
                return call is not None and not call.args
            case ast.Starred():
                return not (isinstance(self._places.parent(parent), ast.Set) or self._spent(node))
            case ast.Assign(targets=[ast.Tuple(elts=into) | ast.List(elts=into), *_]):
                return len(into) > 1 or any(isinstance(one, ast.Starred) for one in into)
            case ast.Assign(targets=[ast.Subscript(slice=ast.Slice()), *_]):
                return True
            case ast.AugAssign(op=ast.Add(), value=added):
                return added is node
            case ast.BinOp(op=ast.Mod(), right=filled):
                return filled is node
            case ast.Tuple():
                around = self._places.parent(parent)
                return isinstance(around, ast.BinOp) and self._in_order(parent, around)
        return isinstance(parent, ast.YieldFrom | ast.FormattedValue)

    def _keeps_order(self, call: ast.Call) -> bool:
        match call.func:
            case ast.Name(id=name) if name in _KEEPS_ORDER:
                return not self._spent(call)
            case ast.Attribute(attr=attr) if attr in _KEEPS_ORDER_AS_METHOD:
                return True
        return bool(self._meanings.of(call.func) & IN_TURN) and not self._spent(call)

    def _spent(self, node: ast.AST) -> bool:
        """Say whether what is made goes straight into something that does not mind its order."""
        while isinstance(self._places.parent(node), _PASSED_ON):
            node = self._places.parent(node)
        match self._places.parent(node):
            case ast.Call(func=ast.Name(id=name)) as call:
                return name in _ORDERLESS and not self._has_ties(call)
        return False

    def _has_ties(self, call: ast.Call) -> bool:
        """Say whether this sorts by a key that several members may share."""
        keys = [one.value for one in call.keywords if one.arg == "key"]
        named = isinstance(call.func, ast.Name) and call.func.id in _CHOOSES
        return named and bool(keys) and not _tells_apart(keys[0])


def _tells_apart(key: ast.expr) -> bool:
    """Say whether a key has the member itself in it, or its text."""
    match key:
        case ast.Constant(value=None) | ast.Name(id="str" | "repr"):
            return True
        case ast.Lambda(args=ast.arguments(args=[one]), body=body):
            pieces = body.elts if isinstance(body, ast.Tuple) else [body]
            return any(isinstance(piece, ast.Name) and piece.id == one.arg for piece in pieces)
    return False


def is_set_type(annotation: ast.AST | None) -> bool:
    """Say whether an annotation promises a set, of more than whole numbers."""
    match annotation:
        case ast.Constant(value=str(quoted)):
            return is_set_type(_parsed(quoted))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _all_sets([left, right])
        case ast.Subscript(value=kind, slice=of):
            if _last_name(kind) in _AROUND_TYPES:
                apart = _last_name(kind) == "Union" and isinstance(of, ast.Tuple)
                first = of.elts[:1] if isinstance(of, ast.Tuple) else [of]
                return _all_sets(of.elts if apart and isinstance(of, ast.Tuple) else first)
            return _last_name(kind) in _SET_TYPES and _last_name(of) != "int"
        case ast.Name() | ast.Attribute():
            return _last_name(annotation) in _SET_TYPES
    return False


def _all_sets(types: list[ast.expr]) -> bool:
    some = [one for one in types if not _is_none(one)]
    return bool(some) and all(map(is_set_type, some))


def _parsed(quoted: str) -> ast.AST | None:
    try:
        return ast.parse(quoted.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _last_name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _may_be_set(binding: Binding) -> bool:
    return is_set_type(binding.type) or not (binding.value is None or _is_none(binding.value))


def _is_of_numbers(node: ast.AST) -> bool:
    """Say whether what is written out, or counted, are whole numbers alone."""
    match node:
        case ast.Set(elts=members) | ast.List(elts=members) | ast.Tuple(elts=members):
            return bool(members) and all(map(_is_number, members))
        case ast.Call(func=ast.Name(id="range")):
            return True
    return False


def _is_number(node: ast.expr) -> bool:
    value = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(value, ast.Constant) and type(value.value) is int


def _is_none(node: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_keys(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "keys"
