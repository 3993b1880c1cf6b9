"""Which names of the standard library ask the machine, and why each of them leaks.

The tables of the leak check (seams/audit.py) stand apart from how it reads a file: here is what
one adds to when Python grows another clock. The words are those of the watcher (seams/leaks.py),
so that a leak is told alike whether it was read or run.

Wrong in this module: a look at code.
"""

import ast
from typing import Final, NamedTuple

from sim_core.seams.leaks import CHANCE, CLOCK, PROCESS, WAITS, ZONE

BESIDE: Final = "runs when the machine likes; only the run may say who goes next"
ADDRESS: Final = "differs from process to process; look up by it, but let no value come of it"
ORDER: Final = "comes in another order in every process; sort it first"
LOCAL: Final = f"is local, in the machine's time zone, and {CLOCK}"


PEP_249: Final = ("DateFromTicks", "TimeFromTicks", "TimestampFromTicks")
"""Local by decree (PEP 249, "Type Objects and Constructors"): told where they are called, and not
where a driver defines them, for it may do nothing else."""
_STEADY: Final = ("monotonic", "perf_counter")
_WORKED: Final = ("process_time", "thread_time")


class Rule(NamedTuple):
    """Why a name leaks. From `given` arguments on, or with that keyword, `then` holds instead:
    nothing, as a rule, because it was given the time, the zone or the seed."""

    kind: str
    why: str
    given: int = 0
    keyword: str = ""
    then: "Rule | None" = None
    value: bool = True
    """Whether it leaks where it is handed over uncalled: who calls it may give it what it needs."""

    def of(self, call: ast.Call) -> "Rule | None":
        """Return the rule that holds for this very call."""
        if not self.given:
            return self
        named = {one.arg: one.value for one in call.keywords}
        spread = any(isinstance(one, ast.Starred) for one in call.args) or None in named
        handed = call.args[self.given - 1 : self.given] + [
            value for name, value in named.items() if name == self.keyword
        ]
        return self.then if spread or any(not _is_none(one) for one in handed) else self


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _each(rule: Rule, *names: str) -> dict[str, Rule]:
    return dict.fromkeys(names, rule)


_CLOCK: Final = Rule("wall clock", CLOCK)
_TICKS: Final = Rule("monotonic clock", CLOCK)
_CPU: Final = Rule("cpu clock", CLOCK)
_LOCAL: Final = Rule("local date", LOCAL)
_HERE: Final = Rule(_LOCAL.kind, ZONE)
"""A local date of an instant that is given: it leaks the zone alone."""
_ZONE: Final = Rule("time zone", ZONE)
_SLEEP: Final = Rule("sleep", WAITS)
_LIMIT: Final = Rule("time limit", WAITS)
_CHANCE: Final = Rule("random", CHANCE)
_UNSEEDED: Final = "unseeded random"
_URANDOM: Final = Rule("urandom", CHANCE)
_SECRET: Final = Rule("secret", CHANCE)
_THREAD: Final = Rule("thread", BESIDE)
_WHO: Final = Rule("thread number", BESIDE)
_POOL: Final = Rule("worker pool", BESIDE)
_CHILD: Final = Rule("process", BESIDE)
_PID: Final = Rule("process number", PROCESS)

RULES: Final = {
    **_each(_CLOCK, "time.time", "time.time_ns", "time.clock_gettime", "time.clock_gettime_ns"),
    **_each(_TICKS, *(f"time.{name}{ns}" for name in _STEADY for ns in ("", "_ns"))),
    **_each(_TICKS, "timeit.default_timer", "timeit.timeit", "timeit.repeat"),
    **_each(_CPU, *(f"time.{name}{ns}" for name in _WORKED for ns in ("", "_ns")), "os.times"),
    "time.gmtime": Rule(_CLOCK.kind, CLOCK, 1, "", value=False),
    "time.strftime": Rule(_LOCAL.kind, LOCAL, 2, value=False),
    "time.asctime": Rule(_LOCAL.kind, LOCAL, 1, value=False),
    "time.localtime": Rule(_LOCAL.kind, LOCAL, 1, then=_HERE),
    "time.ctime": Rule(_LOCAL.kind, LOCAL, 1, then=_HERE),
    **_each(_ZONE, "time.mktime", "time.tzset"),
    **_each(_ZONE, "time.tzname", "time.timezone", "time.altzone", "time.daylight"),
    **_each(_LOCAL, "datetime.date.today", "datetime.datetime.today"),
    "datetime.datetime.now": Rule(_LOCAL.kind, LOCAL, 1, "tz", then=_CLOCK),
    "datetime.datetime.utcnow": _CLOCK,
    "datetime.date.fromtimestamp": _HERE,
    "datetime.datetime.fromtimestamp": Rule(_HERE.kind, ZONE, 2, "tz"),
    "datetime.datetime.astimezone": Rule(_ZONE.kind, ZONE, 1, "tz"),
    **_each(_HERE, *(f"sqlite3.{name}" for name in PEP_249)),
    **_each(_SLEEP, "time.sleep", "asyncio.sleep"),
    **_each(_LIMIT, "asyncio.wait_for", "asyncio.timeout", "asyncio.timeout_at"),
    "random.Random": Rule(_UNSEEDED, CHANCE, 1, "x", value=False),
    "random.seed": Rule(_UNSEEDED, CHANCE, 1, "a"),
    **_each(_URANDOM, "random.SystemRandom", "os.urandom", "os.getrandom", "ssl.RAND_bytes"),
    **_each(Rule("uuid", CHANCE), *(f"uuid.uuid{version}" for version in (1, 4, 6, 7, 8))),
    "uuid.getnode": Rule("machine address", "is the machine's own address; take `me`"),
    **_each(_PID, "os.getpid", "os.getppid", "os.getpgrp", "multiprocessing.current_process"),
    **_each(_CHILD, "os.fork", "multiprocessing.Process"),
    **_each(_THREAD, "threading.Thread", "threading.Timer"),
    **_each(_THREAD, "_thread.start_new_thread", "asyncio.to_thread"),
    **_each(_WHO, *(f"threading.{name}" for name in ("current_thread", "get_ident"))),
    **_each(_WHO, *(f"threading.{name}" for name in ("get_native_id", "enumerate"))),
    **_each(_WHO, "threading.active_count", "_thread.get_ident"),
    **_each(_POOL, "concurrent.futures.ThreadPoolExecutor", "multiprocessing.pool.ThreadPool"),
    **_each(_POOL, "concurrent.futures.ProcessPoolExecutor", "multiprocessing.Pool"),
}
"""Full name → why it leaks."""

WHOLE: Final = {
    "random": (_CHANCE, frozenset(("setstate", "getstate", "NV_MAGICCONST"))),
    "secrets": (_SECRET, frozenset(("compare_digest",))),
}
"""Modules of which everything leaks, but for some names."""

METHODS: Final = {"astimezone": "datetime.datetime.astimezone"}
"""Methods that are told by their name alone, on whatever object: nothing else is called so."""

BUILTINS: Final = {"hash": Rule("hash", ADDRESS), "id": Rule("memory address", ADDRESS)}

SET_METHODS: Final = frozenset(
    ("union", "intersection", "difference", "symmetric_difference", "copy")
)
KEEPS_ORDER: Final = frozenset(
    ("list", "tuple", "enumerate", "iter", "map", "filter", "zip", "str", "repr", "reversed")
)
"""Builtins whose answer has the order of what they are given."""
KEEPS_ORDER_AS_METHOD: Final = frozenset(("join", "fromkeys", "extend", "writelines", "appendleft"))
ORDERLESS: Final = frozenset(
    ("sorted", "set", "frozenset", "sum", "min", "max", "len", "any", "all", "Counter", "bool")
)
"""What makes the same of a set whatever its order (of a Counter, its counts are read)."""
LOOKS_UP: Final = frozenset(("get", "pop", "setdefault", "add", "discard", "remove"))
"""Methods that take a key and give nothing of it away."""


def rule_of(name: str) -> Rule | None:
    """Return why a full name leaks; None where it does not."""
    if name in RULES:
        return RULES[name]
    module, _, rest = name.partition(".")
    rule, spared = WHOLE.get(module, (None, frozenset()))
    is_function = rest and "." not in rest and not rest.startswith("_")
    return rule if is_function and rest not in spared else None


def names_of(module: str) -> list[str]:
    """Return the names that `from module import *` brings, as far as they matter here."""
    named = [name.removeprefix(f"{module}.") for name in RULES if name.startswith(f"{module}.")]
    named += ["random", "randint", "choice", "shuffle"] * (module == "random")
    named += ["token_hex", "token_bytes", "token_urlsafe", "randbelow"] * (module == "secrets")
    return [name.partition(".")[0] for name in named]
