"""Which names of the standard library ask the machine, and why each of them leaks.

The tables of the leak check (seams/audit.py) stand apart from how it reads a file: here is what
one adds to when Python grows another clock. The words are those of the watcher (seams/leaks.py),
so that a leak is told alike whether it was read or run.

Wrong in this module: a look at code, beyond the arguments of one call.
"""

import ast
from typing import Final, NamedTuple

from sim_core.seams.leaks import CHANCE, CLOCK, PROCESS, WAITS, ZONE

BESIDE: Final = "runs when the machine likes; only the run may say who goes next"
ADDRESS: Final = "differs from process to process; look up by it, but let no value come of it"
LOCAL: Final = f"is local, in the machine's time zone, and {CLOCK}"


PEP_249: Final = ("DateFromTicks", "TimeFromTicks", "TimestampFromTicks")
"""Local by decree (PEP 249, "Type Objects and Constructors"): told where they are called, and not
where a driver defines them, for it may do nothing else."""
READ: Final = frozenset(("time.tzname", "time.timezone", "time.altzone", "time.daylight"))
"""What is no function: told where it is read, and not wherever that value goes."""
_STEADY: Final = ("monotonic", "perf_counter")
_WORKED: Final = ("process_time", "thread_time")
_DICE: Final = (
    *("random", "uniform", "randint", "randrange", "choice", "choices", "sample", "shuffle"),
    *("triangular", "betavariate", "expovariate", "gammavariate", "gauss", "lognormvariate"),
    *("normalvariate", "vonmisesvariate", "paretovariate", "weibullvariate", "binomialvariate"),
    *("getrandbits", "randbytes"),
)
_SECRETS: Final = ("token_bytes", "token_hex", "token_urlsafe", "randbelow", "randbits", "choice")
_CHILDREN: Final = (
    *("run", "Popen", "call", "check_call", "check_output", "getoutput", "getstatusoutput"),
)


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
    bare: bool = True
    """Whether it leaks where that argument is left out."""

    def of(self, call: ast.Call) -> "Rule | None":
        """Return the rule that holds for this very call."""
        if not self.given and not self.keyword:
            return self
        named = {one.arg: one.value for one in call.keywords}
        spread = any(isinstance(one, ast.Starred) for one in call.args) or None in named
        handed = call.args[self.given - 1 : self.given] + [
            value for name, value in named.items() if name == self.keyword
        ]
        if spread or any(not _is_none(one) for one in handed):
            return self.then
        return self if self.bare else None


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
_IF_LIMITED: Final = Rule("time limit", WAITS, 0, "timeout", _LIMIT, value=False, bare=False)
"""A wait for others, whoever they are; only with `timeout` for the clock."""
_CHANCE: Final = Rule("random", CHANCE)
_UNSEEDED: Final = Rule("unseeded random", CHANCE, 1, "x", value=False)
_URANDOM: Final = Rule("urandom", CHANCE)
_SECRET: Final = Rule("secret", CHANCE)
_THREAD: Final = Rule("thread", BESIDE)
_WHO: Final = Rule("thread number", BESIDE)
_POOL: Final = Rule("worker pool", BESIDE)
_CHILD: Final = Rule("process", BESIDE)
_PID: Final = Rule("process number", PROCESS)

_BY_ONE_NAME: Final = {
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
    **_each(_ZONE, *READ),
    **_each(_LOCAL, "datetime.date.today", "datetime.datetime.today"),
    "datetime.datetime.now": Rule(_LOCAL.kind, LOCAL, 1, "tz", then=_CLOCK),
    "datetime.datetime.utcnow": _CLOCK,
    "datetime.date.fromtimestamp": _HERE,
    "datetime.datetime.fromtimestamp": Rule(_HERE.kind, ZONE, 2, "tz"),
    "datetime.datetime.astimezone": Rule(_ZONE.kind, ZONE, 1, "tz"),
    **_each(_HERE, *(f"sqlite3.{name}" for name in PEP_249)),
    **_each(_SLEEP, "time.sleep", "asyncio.sleep"),
    **_each(_LIMIT, "asyncio.wait_for", "asyncio.timeout", "asyncio.timeout_at"),
    **_each(_LIMIT, "signal.alarm", "signal.setitimer"),
    **_each(_IF_LIMITED, "asyncio.wait", "asyncio.as_completed"),
    **_each(_CHANCE, *(f"random.{name}" for name in _DICE)),
    **_each(_UNSEEDED, "random.Random", "_random.Random"),
    "random.seed": _UNSEEDED._replace(keyword="a", value=True),
    **_each(_URANDOM, "random.SystemRandom", "os.urandom", "os.getrandom", "ssl.RAND_bytes"),
    **_each(_SECRET, *(f"secrets.{name}" for name in (*_SECRETS, "SystemRandom"))),
    **_each(Rule("uuid", CHANCE), *(f"uuid.uuid{version}" for version in (1, 4, 6, 7, 8))),
    "uuid.getnode": Rule("machine address", "is the machine's own address; take `me`"),
    **_each(_PID, "os.getpid", "os.getppid", "os.getpgrp", "multiprocessing.current_process"),
    **_each(_CHILD, "os.fork", "os.forkpty", "multiprocessing.Process"),
    **_each(_CHILD, *(f"subprocess.{name}" for name in _CHILDREN)),
    **_each(_CHILD, "os.system", "os.popen", "os.posix_spawn", "os.posix_spawnp"),
    **_each(_CHILD, "asyncio.create_subprocess_exec", "asyncio.create_subprocess_shell"),
    **_each(_THREAD, "threading.Thread", "threading.Timer", "multiprocessing.dummy.Process"),
    **_each(_THREAD, "_thread.start_new_thread", "asyncio.to_thread"),
    **_each(_WHO, *(f"threading.{name}" for name in ("current_thread", "get_ident"))),
    **_each(_WHO, *(f"threading.{name}" for name in ("get_native_id", "enumerate"))),
    **_each(_WHO, "threading.active_count", "_thread.get_ident"),
    **_each(_POOL, *(f"concurrent.futures.{p}ThreadPoolExecutor" for p in ("", "thread."))),
    **_each(_POOL, *(f"concurrent.futures.{p}ProcessPoolExecutor" for p in ("", "process."))),
    **_each(_POOL, "multiprocessing.Pool", "multiprocessing.pool.Pool"),
    **_each(_POOL, "multiprocessing.dummy.Pool", "multiprocessing.pool.ThreadPool"),
}

_SAME: Final = {
    "posix": "os",
    "_datetime": "datetime",
    "_pydatetime": "datetime",
    "sqlite3.Date": "datetime.date",
    "sqlite3.Timestamp": "datetime.datetime",
    "sqlite3.dbapi2.Date": "datetime.date",
    "sqlite3.dbapi2.Timestamp": "datetime.datetime",
}
"""Another name of a module or a class → the one under which the rules know it."""

RULES: Final = _BY_ONE_NAME | {
    other + name.removeprefix(known): rule
    for other, known in _SAME.items()
    for name, rule in _BY_ONE_NAME.items()
    if name.startswith(f"{known}.")
}
"""Full name → why it leaks."""

METHODS: Final = {"astimezone": "datetime.datetime.astimezone"}
"""Methods that are told by their name alone, on whatever object: nothing else is called so."""

BUILTINS: Final = {"hash": Rule("hash", ADDRESS), "id": Rule("memory address", ADDRESS)}

NUMBERS_OF_THREADS: Final = frozenset(("threading.get_ident", "_thread.get_ident"))
"""Harmless, as an address is, where something is only looked up by them."""

# Names that leak nothing, but pass on what they are given.

LOADERS: Final = frozenset(("__import__", "importlib.import_module"))
PARTIAL: Final = "functools.partial"
MAKERS: Final = frozenset(("default_factory", "factory"))
"""Keywords whose value is called without arguments later, as defaultdict calls its first one."""
DEFAULTDICT: Final = "collections.defaultdict"
IN_TURN: Final = frozenset(
    f"itertools.{name}"
    for name in (
        *("chain", "chain.from_iterable", "islice", "accumulate", "zip_longest", "cycle"),
        *("product", "permutations", "combinations", "starmap", "takewhile", "dropwhile"),
        *("filterfalse", "groupby", "pairwise", "batched", "compress"),
    )
) | {"functools.reduce", "collections.deque"}
"""What takes the members of a set in its order, beside the builtins (seams/audit_order.py)."""


def _with_owners(names: frozenset[str]) -> frozenset[str]:
    parts = (name.split(".") for name in names)
    return frozenset(".".join(one[:end]) for one in parts for end in range(1, len(one) + 1))


KNOWN: Final = _with_owners(frozenset((*RULES, *LOADERS, *IN_TURN, PARTIAL, DEFAULTDICT)))
"""Every full name that matters, and the modules and classes on the way to one."""


def rule_of(name: str) -> Rule | None:
    """Return why a full name leaks; None where it does not."""
    return RULES.get(name)


def names_of(module: str) -> list[str]:
    """Return the names that `from module import *` brings, as far as they matter here."""
    named = [name.removeprefix(f"{module}.") for name in KNOWN if name.startswith(f"{module}.")]
    return sorted({name.partition(".")[0] for name in named})
