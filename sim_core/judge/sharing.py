"""What writers share besides the file: objects of Python that one can change and another see.

A search that leaves orders out knows only what is touched in the file. So a writer's code is read
for names of its module that hold something changeable, for defaults and closures that do, and for
`global`. It is a look, not a proof: an object behind an imported module is not seen.

Wrong in this module: running anything.
"""

import dis
from collections import Counter
from collections.abc import Callable, Iterator
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final

_UNCHANGEABLE: Final = (
    *(int, float, complex, str, bytes, type(None), range, Enum, ModuleType),
    *(FunctionType, BuiltinFunctionType, BaseException),
)
_CONTAINERS: Final = (tuple, frozenset)


def shared_object(writers: list[Callable[..., Any]]) -> str:
    """Return the name of something changeable that two of these writers reach, or nothing."""
    reached = Counter(name for writer in writers for name in set(_changeable(writer, set())))
    return next((name for name, count in sorted(reached.items()) if count > 1), "")


def _changeable(function: Callable[..., Any], seen: set[int]) -> Iterator[str]:
    """Yield the names of what `function`, and what it calls in its module, could change."""
    if not isinstance(function, FunctionType) or id(function) in seen:
        return
    seen.add(id(function))
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    if not all(map(_is_fixed, defaults)):
        yield f"a default of {function.__name__}"
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if not _is_fixed(cell.cell_contents):
            yield name
    for name in _globals(function.__code__):
        value = function.__globals__.get(name)
        if isinstance(value, FunctionType) and value.__module__ == function.__module__:
            yield from _changeable(value, seen)
        elif name.startswith("=") or not _is_fixed(value):
            yield name.removeprefix("=")


def _globals(code: CodeType) -> Iterator[str]:
    """Yield the names of the module that a piece of code reads; with = those that it sets."""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield str(step.argval)
        elif step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            yield f"={step.argval}"
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _globals(inner)


def _is_fixed(value: object) -> bool:
    """Say whether nobody can change a value."""
    if isinstance(value, _CONTAINERS):
        return all(map(_is_fixed, value))
    if isinstance(value, type):
        # a class of the scenario's own may keep something in itself
        return value.__module__ in ("builtins", "sqlite3") or issubclass(
            value, (BaseException, Enum, tuple)
        )
    return isinstance(value, _UNCHANGEABLE)
