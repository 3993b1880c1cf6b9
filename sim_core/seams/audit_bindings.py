"""What every name in a Python file may be bound to, scope by scope, straight off its text.

A name can be bound twice, in the two branches of a try or an if, so all of its bindings are
kept, with no guess at which one holds. What the bound values mean is asked later
(seams/audit_meanings.py), when every scope is complete: a function may read what a class further
down, or another function by `global`, has bound.

Wrong in this module: what leaks, and which names are known.
"""

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from sim_core.seams.audit_names import BUILTINS, names_of

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Binding(NamedTuple):
    """One thing that a name may stand for."""

    value: ast.expr | str | None = None
    """An expression, or a full name as an import brings it; None where nothing is known."""
    type: ast.expr | None = None
    told: bool = False
    """A leak that is handed over here is told here, and not again wherever the name is used: a
    parameter's default, an attribute. The excuse of the one line is then enough."""


UNKNOWN = Binding()


class Scope:
    """A module, class, function or comprehension, and what is bound in it."""

    def __init__(self, owner: ast.AST, outer: "Scope | None") -> None:
        self.owner = owner
        self.outer = outer
        self.mark = ""
        """Of a class: what stands for it where names are followed. No full name looks so."""
        self.bindings: dict[str, list[Binding]] = {}
        self.meanings: dict[str, set[str]] = {}
        """What the names stand for, as seams/audit_meanings.py finds out."""
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()

    @property
    def is_class(self) -> bool:
        return isinstance(self.owner, ast.ClassDef)

    @property
    def is_function(self) -> bool:
        return isinstance(self.owner, Function)

    def home(self, name: str) -> "Scope | None":
        """Return the scope whose name this is here; None for a builtin, or nobody's."""
        for scope in self.outwards():
            if name in scope.globals:
                module = [*scope.outwards()][-1]
                return module if name in module.bindings else None
            if name in scope.bindings and (scope is self or not scope.is_class):
                return scope
        return None

    def outwards(self) -> Iterator["Scope"]:
        """Yield this scope and those around it, the module last."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer


class Bindings(ast.NodeVisitor):
    """Everything that a module binds, and where its names are read."""

    def __init__(self, tree: ast.Module) -> None:
        self.module = self._scope = Scope(tree, None)
        self.every = [self.module]
        self.at: dict[ast.Name, Scope] = {}
        """A name that is read → the scope it is read in."""
        self.classes: dict[str, Scope] = {}
        """The mark of a class, and that of its instances → its scope."""
        self.attributes: list[tuple[ast.Attribute, ast.expr | None]] = []
        """`self.clock = time`: what is bound, and to what."""
        self._later: list[tuple[Scope, str, Binding]] = []
        self._visit_all(tree.body)
        for scope, name, binding in self._later:
            _bind(scope.outer.home(name) or scope if scope.outer else scope, name, binding)

    # Scopes.

    @contextmanager
    def _inside(self, owner: ast.AST) -> Iterator[Scope]:
        around, self._scope = self._scope, Scope(owner, self._scope)
        self.every.append(self._scope)
        yield self._scope
        self._scope = around

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._bind(node.name, UNKNOWN)
        self._visit_all([*node.decorator_list, *([node.returns] if node.returns else [])])
        self._function(node, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._function(node, [node.body])

    def _function(self, node: Function, body: Sequence[ast.AST]) -> None:
        self.visit(node.args)
        owner = self._scope
        with self._inside(node) as scope:
            self._take_parameters(node.args)
            placed = [*node.args.posonlyargs, *node.args.args]
            if owner.is_class and placed and not _is_static(node):
                scope.bindings[placed[0].arg] = [Binding(instance_of(owner.mark))]
            self._visit_all(body)

    def _take_parameters(self, arguments: ast.arguments) -> None:
        defaults = {one.arg: default for one, default in defaulted(arguments)}
        for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            default = defaults.get(one.arg)
            if not keeps_its_name(one.arg, default):
                self._bind(one.arg, Binding(default, one.annotation, told=True))
        for rest in filter(None, (arguments.vararg, arguments.kwarg)):
            self._bind(rest.arg, UNKNOWN)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_all([*node.decorator_list, *node.bases, *node.keywords])
        mark = f"<{node.name} {len(self.classes)}>"
        self._bind(node.name, Binding(mark))
        with self._inside(node) as scope:
            scope.mark = mark
            self.classes |= {mark: scope, instance_of(mark): scope}
            self._visit_all(node.body)

    def _visit_comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    ) -> None:
        first = node.generators[0]
        self.visit(first.iter)  # it is evaluated outside
        with self._inside(node):
            for one in node.generators:
                self._take_each(one.target, one.iter)
                self._visit_all([*([] if one is first else [one.iter]), *one.ifs])
            made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            self._visit_all(made)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension

    def visit_Global(self, node: ast.Global) -> None:
        self._scope.globals |= {*node.names}

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self._scope.nonlocals |= {*node.names}

    # Names.

    def _bind(self, name: str, binding: Binding) -> None:
        if name in self._scope.globals:
            _bind(self.module, name, binding)
        elif name in self._scope.nonlocals:
            self._later.append((self._scope, name, binding))
        else:
            _bind(self._scope, name, binding)

    def _take(self, target: ast.expr, value: ast.expr | None) -> None:
        """Note what an assignment binds: a name, an attribute, or several of them."""
        match target:
            case ast.Name(id=name):
                self._bind(name, Binding(value, told=self._scope.is_class))
            case ast.Attribute():
                self.attributes.append((target, value))
                self.visit(target)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for one, its in zip(targets, _pieces(value, targets), strict=True):
                    self._take(one, its)
            case ast.Starred(value=rest):
                self._take(rest, None)
            case _:
                self.visit(target)

    def _take_each(self, target: ast.expr, among: ast.expr) -> None:
        """Note what a loop binds, where its list stands right there."""
        listed = isinstance(among, ast.Tuple | ast.List | ast.Set)
        for value in (getattr(among, "elts", ()) if listed else ()) or (None,):
            self._take(target, value)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._bind(node.id, UNKNOWN)
        else:
            self.at[node] = self._scope

    def visit_Import(self, node: ast.Import) -> None:
        for one in node.names:
            root = one.name.partition(".")[0]
            self._bind(one.asname or root, Binding(one.name if one.asname else root))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for one in node.names:
            if node.level or not node.module:
                self._bind(one.asname or one.name, UNKNOWN)
                continue
            for name in names_of(node.module) if one.name == "*" else [one.name]:
                self._bind(one.asname or name, Binding(f"{node.module}.{name}"))

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self._take(target, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._visit_all([node.annotation, *([node.value] if node.value else [])])
        if isinstance(node.target, ast.Name):
            told = self._scope.is_class
            self._bind(node.target.id, Binding(node.value, node.annotation, told))
        else:
            self._take(node.target, node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)
        if isinstance(node.target, ast.Name):
            self.at[node.target] = self._scope  # it is read as well, and stays what it was
        else:
            self.visit(node.target)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        inside, comprehension = self._scope, (ast.ListComp, ast.SetComp, ast.DictComp)
        while isinstance(self._scope.owner, (*comprehension, ast.GeneratorExp)):
            assert self._scope.outer, "a comprehension stands in something"
            self._scope = self._scope.outer
        self._take(node.target, node.value)
        self._scope = inside

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self.visit(node.iter)
        self._take_each(node.target, node.iter)
        self._visit_all([*node.body, *node.orelse])

    visit_AsyncFor = visit_For

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self._rest(node, node.name)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        self._rest(node, node.name)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        self._rest(node, node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self._rest(node, node.rest)

    def _rest(self, node: ast.AST, name: str | None) -> None:
        if name:
            self._bind(name, UNKNOWN)
        self.generic_visit(node)

    def _visit_all(self, nodes: Sequence[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)


def instance_of(mark: str) -> str:
    """Return the mark of a class's instances: they have its attributes, and are not its bases."""
    return mark if mark.endswith("()") else f"{mark}()"


def _bind(scope: Scope, name: str, binding: Binding) -> None:
    scope.bindings.setdefault(name, []).append(binding)


def _pieces(value: ast.expr | None, targets: list[ast.expr]) -> list[ast.expr | None]:
    """Return what each target gets of a value, as far as both are written out."""
    nothing: list[ast.expr | None] = [None] * len(targets)
    if not isinstance(value, ast.Tuple | ast.List):
        return nothing
    rest = [at for at, one in enumerate(targets) if isinstance(one, ast.Starred)]
    if any(isinstance(one, ast.Starred) for one in value.elts):
        return nothing
    if not rest:
        return [*value.elts] if len(value.elts) == len(targets) else nothing
    if len(value.elts) < len(targets) - 1:
        return nothing
    after = len(targets) - rest[0] - 1
    return [*value.elts[: rest[0]], None, *value.elts[len(value.elts) - after :]]


def _is_static(node: Function) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in decorators)


def defaulted(arguments: ast.arguments) -> list[tuple[ast.arg, ast.expr]]:
    """Return the parameters that have a default, each with it."""
    placed = [*arguments.posonlyargs, *arguments.args]
    defaults = arguments.defaults
    pairs = [*zip(placed[len(placed) - len(defaults) :], defaults, strict=True)]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return [*pairs, *((one, default) for one, default in named if default)]


def keeps_its_name(name: str, default: ast.expr | None) -> bool:
    """Say whether this is `id=id`, which only makes the builtin a local name."""
    return isinstance(default, ast.Name) and default.id == name and name in BUILTINS
