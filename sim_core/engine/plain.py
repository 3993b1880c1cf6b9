"""Any value as plain JSON: bounded, the same bytes everywhere, and without calling its code.

What a writer returns or binds can be anything: a list that holds itself, a blob of a gigabyte,
an object whose methods raise. The trace, and whoever reads it, gets it as plain data. A text or
blob over LONGEST is told by its start, length and digest; what JSON has no number for, by name.

The C encoder does nearly all of it. The walk in Python comes in only where that one gives up or
has written more than LONGEST, and for ordinary values it comes to the same bytes.

Wrong in this module: asking a value about itself. A subclass is read through its base's methods.
"""

import hashlib
import json
import sys
from collections.abc import Iterable
from math import isfinite
from typing import Any, Final

from sim_core.quoting import kind

LONGEST: Final = 65_536
"""Characters of a text, or bytes of a blob, that are told whole."""
MOST_BITS: Final = 8_192
"""Of an integer; Python itself does not write much longer ones in decimal."""
DEEPEST: Final = 50
MOST_VALUES: Final = 20_000
"""Values within one that a scenario made: lists that share their parts can hold more than any
machine. Rows are what a file held, and are told whole."""
START: Final = 60


def sha256(text: str) -> str:
    """Return the digest of a text, in hex; halves of characters (surrogates) count as they are."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def plain(value: object) -> Any:
    """Return the value as None, bool, int, float, str, list or dict."""
    if value is None or (type(value) is str and len(value) <= LONGEST):
        return value
    return _Walk(MOST_VALUES).of(value, DEEPEST)


def rows(value: object) -> Any:
    """Return the same of rows, and of whatever else is bounded already, however much it is."""
    return _Walk(sys.maxsize).of(value, DEEPEST)


_fast: Final = json.JSONEncoder(
    separators=(",", ":"), ensure_ascii=True, allow_nan=False, default=plain
).encode


def encode(value: object) -> str:
    """Return the value as JSON, in ASCII."""
    try:
        text = _fast(value)
    except (ValueError, TypeError, RecursionError, OverflowError):
        text = _fast(rows(value))
    return text if len(text) <= LONGEST else _fast(rows(value))


def readable(value: object, indent: int | None = None) -> str:
    """Return the same for people: letters that are not ASCII stand as they are."""
    return json.dumps(
        rows(value),
        ensure_ascii=False,
        separators=(", ", ": ") if indent is None else (",", ": "),
        indent=indent,
    )


def decode(text: str) -> Any:
    """Return what `encode` has written."""
    return json.loads(text)


class _Walk:
    """One value taken apart."""

    def __init__(self, most: int) -> None:
        self.left = most

    def of(self, value: object, depth: int) -> Any:
        self.left -= 1
        type_ = type(value)
        if value is None or type_ is bool:
            return value
        if issubclass(type_, str):
            return _text(str.__str__(value))
        if issubclass(type_, int):
            return _whole(int.__int__(value))  # type: ignore[arg-type]
        if issubclass(type_, float):
            return _number(float.__float__(value))  # type: ignore[arg-type]
        if issubclass(type_, bytes | bytearray | memoryview):
            return _blob(value)
        if depth and self.left > 0:
            if issubclass(type_, list):
                return self._list(list.__iter__(value), depth)  # type: ignore[arg-type]
            if issubclass(type_, tuple):
                return self._list(tuple.__iter__(value), depth)  # type: ignore[arg-type]
            if type_ in (set, frozenset):
                return {"set": sorted((self.of(each, depth - 1) for each in value), key=_fast)}  # type: ignore[attr-defined]
            if (type_.__module__, type_.__name__) == ("sqlite3", "Row"):
                return self._list(iter(tuple(value)), depth)  # type: ignore[arg-type]
            if issubclass(type_, dict):
                return self._dict(dict.items(value), depth)  # type: ignore[arg-type]
        return {"type": kind(value)}

    def _list(self, values: Iterable[object], depth: int) -> list[Any]:
        return [self.of(value, depth - 1) for value in values]

    def _dict(self, items: Iterable[tuple[object, object]], depth: int) -> dict[str, Any]:
        pairs = [(_key(key), key, value) for key, value in items]
        if all(name is not None for name, _, _ in pairs):
            return {str(name): self.of(value, depth - 1) for name, _, value in pairs}
        odd = [[self.of(key, depth - 1), self.of(value, depth - 1)] for _, key, value in pairs]
        return {"type": "dict", "items": odd}


def _key(key: object) -> str | None:
    """Return a key as JSON writes it; None for one that it cannot write."""
    if type(key) is str:
        return key if len(key) <= LONGEST else None
    small = type(key) is int and key.bit_length() <= MOST_BITS
    finite = type(key) is float and isfinite(key)
    return json.dumps(key) if key is None or type(key) is bool or small or finite else None


def _text(text: str) -> object:
    if len(text) <= LONGEST:
        return text
    return {"text": text[:START], "characters": len(text), "sha256": sha256(text)}


def _whole(number: int) -> object:
    if number.bit_length() <= MOST_BITS:
        return number
    return {"number": "integer", "bits": number.bit_length(), "sha256": sha256(hex(number))}


def _number(number: float) -> object:
    return number if isfinite(number) else {"number": repr(number)}


def _blob(value: Any) -> object:
    try:
        content = memoryview(value).cast("B")  # a look, and no copy of a gigabyte
    except ValueError:  # a memoryview that was released
        return {"type": kind(value)}
    except TypeError:  # one with gaps cannot be looked at in one piece
        content = memoryview(memoryview(value).tobytes())
    if len(content) <= LONGEST:
        return {"blob": content.hex()}
    digest = hashlib.sha256(content).hexdigest()
    return {"blob": content[:START].hex(), "bytes": len(content), "sha256": digest}
