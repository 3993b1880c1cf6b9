"""What tells the order of a set, or an address: planted, as in tests/leaks/planted.py."""

from tests.leaks.planted_leak import Planted


def _set(way: str, source: str) -> Planted:
    line = source.count("\n") + 1
    return Planted(way, "set order", "the order of a set", line, source)


SETS = [
    _set("printed", "print({x, y})"),
    _set("printed", "x = '%s' % {x, y}"),
    _set("printed", "x = '%s %s' % (1, set(y))"),
    _set("printed", "x = '{}'.format({x, y})"),
    _set("added to a list", "def f(l, s: set[str]):\n    l += s"),
    _set("added to a list", "s = set(y)\nl[:] = s"),
    _set("in turn", "import functools\nx = functools.reduce(f, {a, b})"),
    _set("in turn", "from itertools import chain as c\nx = list(c({a, b}))"),
    _set("in turn", "import itertools\nx = itertools.chain.from_iterable({a, b})"),
    _set("in turn", "from collections import deque\nx = deque({a, b})"),
    _set("written", "s = set(y)\ndb.executemany('INSERT INTO t VALUES (?)', s)"),
    _set("ties", "x = sorted({a, b}, key=len)"),
    _set("ties", "x = max(set(y), key=lambda one: one.size)"),
    _set("ties", "x = min(set(y), key=f)"),
    _set("ties", "x = sorted([f(a) for a in set(y)], key=len)"),
    _set("by annotation", "def f(s: 'set[str]'):\n    for x in s: g(x)"),
    _set("by annotation", "def f(s: set[str] | None):\n    for x in s: g(x)"),
    _set("by annotation", "def f(s: 'Optional[frozenset[str]]' = None):\n    for x in s: g(x)"),
    _set("by annotation", "s: Final[set[str]] = f()\nfor x in s: g(x)"),
    _set("later", "s = None\ns = set(y)\nx = list(s)"),
    _set("unpacked", "a, *b = {x, y}"),
    _set("unpacked", "[*a] = {x, y}"),
    # Hashes and addresses.
    Planted("kept", "hash", "hash()", 2, "class A:\n    def __init__(self): self.x = hash(self)"),
    Planted("kept", "memory address", "id()", 2, "def f(x, all):\n    all.append(id(x))"),
    Planted("kept", "memory address", "id()", 2, "def f(x):\n    k = id(x), 1\n    return k"),
    Planted(
        *("kept", "thread number", "threading.get_ident", 3),
        "import threading\ndef f():\n    me = threading.get_ident()\n    print(me)",
    ),
]
