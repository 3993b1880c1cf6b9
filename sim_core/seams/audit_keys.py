"""Whether a hash, an address or the number of a thread is only something to look up by.

Such a value differs from process to process, and does no harm as long as nothing comes of it:
the key of a dictionary, a member of a set, one side of `==`, a piece of somebody's __hash__.

Wrong in this module: where the value comes from.
"""

import ast
from typing import Final

from sim_core.seams.audit_bindings import Scope
from sim_core.seams.audit_meanings import Meanings
from sim_core.seams.audit_places import Places

_LOOKS_UP: Final = frozenset(("get", "pop", "setdefault", "add", "discard", "remove"))
"""Methods that take a key and give nothing of it away."""


class Keys:
    """What becomes of a value, in one module."""

    def __init__(self, meanings: Meanings, places: Places) -> None:
        self._meanings = meanings
        self._places = places
        self._verdicts: dict[tuple[Scope, str], bool] = {}
        self._members: dict[ast.AST, set[str]] = {}
        self._hashes: dict[ast.AST, set[str]] = {}

    def only_looks_up(self, call: ast.Call) -> bool:
        """Say whether the value is a key at once, or in a variable that is only that."""
        whole = self._whole(call)
        match self._places.parent(whole):
            case ast.Assign(targets=[ast.Name(id=kept)]) | ast.AnnAssign(target=ast.Name(id=kept)):
                return self._is_in_hash(call) or self._only_keys(call, kept)
            case ast.Assign(targets=[ast.Attribute(attr=kept)]):
                return self._is_in_hash(call) or kept in self._hash_of(call)
            case ast.NamedExpr(target=ast.Name(id=kept)) as walrus:
                return self._is_key(walrus) and self._only_keys(call, kept)
            case ast.Call(func=ast.Attribute(value=listed, attr="append")):
                return ast.dump(listed) in self._asked_for(call)
        return self._is_key(call) or self._is_in_hash(call)

    def _whole(self, node: ast.AST) -> ast.AST:
        """Return the tuple that a value is a piece of, or the value."""
        while isinstance(self._places.parent(node), ast.Tuple):
            node = self._places.parent(node)
        return node

    def _is_key(self, value: ast.expr) -> bool:
        """Say whether a value looks something up here, and does nothing else."""
        whole = self._whole(value)
        match self._places.parent(whole):
            case ast.Subscript(slice=key):
                return key is whole
            case ast.Call(func=ast.Attribute(attr=attr), args=[first, *_]):
                return first is whole and attr in _LOOKS_UP
            case ast.Compare(ops=ops):
                equal = ast.Eq | ast.NotEq | ast.In | ast.NotIn | ast.Is | ast.IsNot
                return all(isinstance(one, equal) for one in ops)
            case ast.Set() | ast.SetComp():
                return True
            case ast.DictComp() | ast.Dict():
                return self._places.field(whole) in ("key", "keys")
        return False

    def _only_keys(self, call: ast.Call, kept: str) -> bool:
        """Say whether a variable of a function is read as a key, and in no other way."""
        around = self._places.function(call)
        scope = self._meanings.scopes[around] if around else None
        return scope is not None and kept in scope.bindings and self._verdict(scope, kept)

    def _verdict(self, home: Scope, kept: str) -> bool:
        if (home, kept) not in self._verdicts:
            uses = self._meanings.uses.get((home, kept), [])
            self._verdicts[home, kept] = bool(uses) and all(map(self._is_key, uses))
        return self._verdicts[home, kept]

    def _is_in_hash(self, call: ast.Call) -> bool:
        """Say whether all this makes is another hash."""
        return getattr(self._places.function(call), "name", "") == "__hash__"

    def _hash_of(self, call: ast.Call) -> set[str]:
        """Return the attributes that the __hash__ of the class around reads."""
        around = self._places.class_(call)
        if around is None:
            return set()
        if around not in self._hashes:
            hashes = (one for one in around.body if getattr(one, "name", "") == "__hash__")
            inside = (one for method in hashes for one in ast.walk(method))
            self._hashes[around] = {one.attr for one in inside if isinstance(one, ast.Attribute)}
        return self._hashes[around]

    def _asked_for(self, call: ast.Call) -> set[str]:
        """Return the lists that the function around only asks whether they have a member."""
        around = self._places.function(call)
        if around is None:
            return set()
        if around not in self._members:
            asked = (one for one in ast.walk(around) if isinstance(one, ast.Compare))
            self._members[around] = {
                ast.dump(listed)
                for one in asked
                for op, listed in zip(one.ops, one.comparators, strict=True)
                if isinstance(op, ast.In | ast.NotIn)
            }
        return self._members[around]
