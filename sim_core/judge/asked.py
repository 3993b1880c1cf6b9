"""What a scenario's function asks for by its parameters, and how it is given that.

Apart because writers and invariants ask in the same way, and Python has several ways to take an
argument: `def kept(db, /)` cannot be given it by name, and `*db` is no question at all.
"""

import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Any


def asked(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of what it asks for; those of *args and **kwargs with their stars."""
    stars: dict[Any, str] = {
        inspect.Parameter.VAR_POSITIONAL: "*",
        inspect.Parameter.VAR_KEYWORD: "**",
    }
    parameters = inspect.signature(function).parameters.values()
    return tuple(stars.get(one.kind, "") + one.name for one in parameters)


def answer(function: Callable[..., Any], given: dict[str, Any]) -> Any:
    """Call it with what it asks for."""
    by_place, by_name = ways(function)
    if not by_place:
        return function(**{name: given[name] for name in by_name})
    return function(*[given[name] for name in by_place], **{name: given[name] for name in by_name})


@lru_cache(maxsize=256)
def ways(function: Callable[..., Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what it has to be given by place, and what by name."""
    parameters = inspect.signature(function).parameters.values()
    by_place = tuple(one.name for one in parameters if one.kind is one.POSITIONAL_ONLY)
    return by_place, tuple(one.name for one in parameters if one.kind is not one.POSITIONAL_ONLY)
