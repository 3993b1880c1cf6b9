"""A statement's parameters, frozen as its operation is parked.

Between a writer's call and its grant others run, and so may whoever else holds the same list;
the trace keeps parameters for even longer. So what was given is copied, and values of types that
SQLite does not know are adapted here, once, by the adapters that sqlite3 itself would ask:
otherwise a datetime would stand in the trace as its type only, and two runs that bound different
ones would pass for equal.

Wrong in this module: judging what it is given. What sqlite3 refuses is passed on as it came, and
sqlite3 says so in its own words.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

from sim_core.engine.plain import plain

_PLAIN: Final = frozenset((int, float, str, bytes, type(None)))


def frozen(parameters: Any) -> Any:
    """Return a copy of `parameters` with every value adapted."""
    if parameters is None:
        return ()
    if type(parameters) is dict:
        return {name: _adapted(value) for name, value in parameters.items()}
    if type(parameters) in (tuple, list) or _is_sequence(parameters):
        return tuple(map(_adapted, parameters))
    return parameters


def _is_sequence(parameters: Any) -> bool:
    texts = (str, bytes, bytearray, memoryview)
    return isinstance(parameters, Sequence) and not isinstance(parameters, texts)


def _adapted(value: Any) -> Any:
    if type(value) in _PLAIN:
        return value
    if type(value) is bytearray:
        return bytes(value)
    return sqlite3.adapt(value, sqlite3.PrepareProtocol, value)


def kept(parameters: Any, depth: int = 2) -> Any:
    """Return parameters as an event keeps them: SQLite's values as they are, also in the rows of
    an executemany; as plain data whatever sqlite3 refuses, which may be anything."""
    if type(parameters) in _PLAIN:
        return parameters
    if depth and type(parameters) in (tuple, list):
        return type(parameters)([kept(value, depth - 1) for value in parameters])
    if depth and type(parameters) is dict and all(type(name) is str for name in parameters):
        return {name: kept(value, depth - 1) for name, value in parameters.items()}
    return plain(parameters)


class Elements:
    """What executemany is given, each element frozen as sqlite3 takes it.

    The first is taken at once: a statement cannot be asked what it reads and writes without
    parameters. An error of the writer's own generator comes where sqlite3 would have met it.
    """

    def __init__(self, given: Iterable[Any]) -> None:
        self.seen: list[Any] = []
        """What was taken so far, for the trace."""
        self._error: Exception | None = None
        self._rest = iter(given)
        try:
            self.seen.extend(frozen(one) for one in islice(self._rest, 1))
        except Exception as error:
            self._error = error

    def __iter__(self) -> Iterator[Any]:
        yield from tuple(self.seen)
        if self._error:
            raise self._error
        for one in self._rest:
            self.seen.append(frozen(one))
            yield self.seen[-1]
