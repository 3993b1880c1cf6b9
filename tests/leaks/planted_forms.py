"""How a name that leaks is bound so that one overlooks it: planted, as in tests/leaks/planted.py.

All of them hide a few names, one each of what is called, handed over and left without an argument.
"""

from tests.leaks.planted_leak import Planted


def _time(way: str, line: int, *lines: str) -> Planted:
    return Planted(way, "wall clock", "time.time", line, "\n".join(lines))


def _ticks(way: str, line: int, *lines: str) -> Planted:
    return Planted(way, "monotonic clock", "time.monotonic", line, "\n".join(lines))


def _dice(way: str, line: int, *lines: str) -> Planted:
    return Planted(way, "random", "random.random", line, "\n".join(lines))


def _gmtime(way: str, line: int, *lines: str) -> Planted:
    return Planted(way, "wall clock", "time.gmtime", line, "\n".join(lines))


_TRY = "try: from time import monotonic", "except ImportError: from compat import monotonic"

FORMS = [
    # Several meanings.
    _ticks("fallback", 3, *_TRY, "x = monotonic()"),
    _ticks("fallback first", 3, "from compat import monotonic", _TRY[0][5:], "monotonic()"),
    _time("two modules", 3, "import time as clk", "import fake as clk", "x = clk.time()"),
    _time("if", 3, "if c: import time as clk", "else: import fake as clk", "x = clk.time()"),
    _time("else", 3, "if c: import fake as clk", "else: import time as clk", "x = clk.time()"),
    _time(
        "fallback by def",
        4,
        "try: from time import time",
        "except ImportError:",
        "    def time(): return 0",
        "x = time()",
    ),
    _dice("one alias of two", 3, "import time as t", "import random as t", "x = t.random()"),
    # Assignments.
    _time("tuple", 3, "import time, random", "t, r = time, random", "x = t.time()"),
    _dice("tuple", 3, "import time, random", "(a, [t, r]) = 1, [time, random]", "x = r.random()"),
    _time("tuple with a rest", 3, "import time", "a, *b, t = 1, 2, 3, time", "x = t.time()"),
    _time("chained", 3, "import time", "a = b = time", "x = a.time()"),
    _time("chained", 3, "import time", "a = b = time", "x = b.time()"),
    _time("or", 3, "import time", "def f(clock=None):", "    (clock or time).time()"),
    _time("or", 4, "import time", "def f(clock):", "    clock = clock or time", "    clock.time()"),
    _time("conditional", 3, "import time", "t = time if c else None", "x = t.time()"),
    _time("walrus", 2, "import time", "x = (T := time).time()"),
    _time("walrus", 3, "import time", "if T := time: pass", "x = T.time()"),
    _time(
        "walrus in a comprehension",
        4,
        "import time",
        "def f():",
        "    [T := time for _ in '1']",
        "    return T.time()",
    ),
    _time("loop", 2, "import time", "for t in (time, fake): t.time()"),
    _time("bound further down", 2, "def f():", "    clk.time()", "import time", "clk = time"),
    # Attributes.
    _time(
        *("class attribute", 4, "import time", "class E:", "    t = time"),
        "    def f(self): return self.t.time()",
    ),
    _time("class attribute", 4, "import time", "class E:", "    t = time", "x = E.t.time()"),
    _time("class attribute", 4, "import time", "class E:", "    t = time", "x = E().t.time()"),
    _time(
        *("inherited attribute", 6, "import time", "class A:", "    t = time"),
        *("class E(A):", "    def f(self):", "        return self.t.time()"),
    ),
    _dice(
        *("own attribute", 4, "import random", "class E:"),
        *("    def __init__(self): self.rng = random", "    def f(self): return self.rng.random()"),
    ),
    _dice(
        *("own attribute", 3, "import random", "class E:"),
        *("    def f(self): return self.rng.random()", "    def g(self): self.rng = random"),
    ),
    _time(
        *("attribute from a default", 4, "import time", "class E:"),
        "    def __init__(self, clock=time): self.clock = clock",
        "    def f(self): return self.clock.time()",
    ),
    # Parameters.
    _time("default", 2, "import time", "def f(clock=time): return clock.time()"),
    _time("default", 2, "import time", "def f(*, clock=time): return clock.time()"),
    _time("default", 2, "import time", "f = lambda t=time: t.time()"),
    _gmtime("default", 2, "import time", "def f(clock=time.gmtime): return clock()"),
    # Scopes.
    _time(
        *("global", 5, "def load():", "    global clk", "    import time as clk", "def f():"),
        "    return clk.time()",
    ),
    _time(
        *("nonlocal", 6, "def outer():", "    clk = None", "    def load():"),
        *("        nonlocal clk; import time as clk", "    def f():", "        clk.time()"),
    ),
    # Handed over.
    Planted(
        *("partial", "local date", "time.strftime", 2),
        "import functools, time\nf = functools.partial(time.strftime, '%Y')",
    ),
    Planted(
        *("partial", "unseeded random", "random.Random", 3),
        "from functools import partial\nfrom random import Random\nf = partial(Random)",
    ),
    _gmtime("factory", 2, "import attr, time", "x = attr.ib(factory=time.gmtime)"),
    _gmtime(
        "factory", 3, *("import time", "from collections import defaultdict as d"), "d(time.gmtime)"
    ),
    _gmtime(
        "in an annotation",
        3,
        "import time",
        "class A:",
        "    at: Annotated[T, field(default_factory=time.gmtime)]",
    ),
    _time("in an annotation", 2, "import time", "def f(at: Annotated[T, D(time.time)]) -> T: ..."),
    _time("in an annotation", 2, "import time", "def f(at: T) -> Annotated[T, D(time.time)]: ..."),
    # Other names of the same.
    *(
        Planted(
            "by a longer name", kind, call, 2, f"import {call.rpartition('.')[0]}\nx = {call}()"
        )
        for kind, call in (
            ("worker pool", "concurrent.futures.thread.ThreadPoolExecutor"),
            ("worker pool", "concurrent.futures.process.ProcessPoolExecutor"),
            ("worker pool", "multiprocessing.dummy.Pool"),
            ("process number", "posix.getpid"),
            ("unseeded random", "_random.Random"),
            ("process", "subprocess.run"),
            ("process", "subprocess.Popen"),
            ("process", "subprocess.check_output"),
            ("process", "subprocess.call"),
            ("process", "subprocess.check_call"),
            ("process", "os.system"),
        )
    ),
    *(
        Planted("by another name", "local date", call, 2, f"import sqlite3\nx = {call}()")
        for call in ("sqlite3.Timestamp.now", "sqlite3.Date.today")
    ),
    Planted(
        *("limited", "time limit", "asyncio.wait", 2),
        "import asyncio\nasync def f(): await asyncio.wait(s, timeout=1)",
    ),
]
