"""Who asks the machine for the time, or for chance, while a run is on?

Running twice and comparing finds a leak only when its value happens to show: the parity of a
clock in half of the pairs, the day's date never. So the calls themselves are watched. While a
Watch is on, Python's profiling hook reports every call of a C function; a call that reads a
clock, a time zone or the machine's dice is a leak if the code that made it is the user's: the
nearest frame that is neither of the standard library nor ours.

What it cannot see: a clock called by C without Python in between (`map(time.time, …)`, a
functools.partial of it, `sorted(key=random.random)`), values read without a call (time.tzname,
os.environ), addresses and hashes (id, hash, the order of a set), and other threads. Comparing
runs, best in another process, is for those.

It uses sys.setprofile, so a profiler or a debugger that does too is set aside for the while.

Wrong in this module: importing what it watches.
"""

import gc
import linecache
import sys
from opcode import opmap
from types import BuiltinFunctionType, FrameType
from typing import Any, Final, NamedTuple, Self

CLOCK: Final = "reads the machine's clock; take clock.now(), today() or monotonic()"
ZONE: Final = "asks for the machine's time zone; take clock.local() and the recipe's tz="
CHANCE: Final = "throws the machine's dice; let SQL's random() throw, or seed a random.Random"
WAITS: Final = "really waits; await clock.sleep()"
PROCESS: Final = "differs from process to process; take `me`"

ALWAYS: Final = -1


class _Call(NamedTuple):
    """Why a function leaks, and from how many arguments on it does not: it is given the time."""

    why: str
    harmless_from: int = ALWAYS


_CLOCKS: Final = ["time", "monotonic", "perf_counter", "process_time", "thread_time"]
_TIME: Final = {
    **{name: _Call(CLOCK) for clock in _CLOCKS for name in (clock, f"{clock}_ns")},
    **dict.fromkeys(("clock_gettime", "clock_gettime_ns"), _Call(CLOCK)),
    **dict.fromkeys(("localtime", "ctime", "mktime", "tzset"), _Call(ZONE)),
    **dict.fromkeys(("gmtime", "asctime"), _Call(CLOCK, 1)),
    "strftime": _Call(CLOCK, 2),
    "sleep": _Call(WAITS),
}
_OS: Final = {
    **dict.fromkeys(("urandom", "getrandom"), _Call(CHANCE)),
    **dict.fromkeys(("getpid", "getppid"), _Call(PROCESS)),
    "times": _Call(CLOCK),
}
_MODULES: Final = {
    "time": _TIME,
    "posix": _OS,
    "nt": _OS,
    "_uuid": dict.fromkeys(("generate_time_safe", "UuidCreate"), _Call(CHANCE)),
}
"""Module → its functions that leak."""

_METHODS: Final = {
    **dict.fromkeys(
        ("date.today", "datetime.today", "datetime.now", "datetime.utcnow"), _Call(CLOCK)
    ),
    "date.fromtimestamp": _Call(ZONE),
    "datetime.fromtimestamp": _Call(ZONE, 2),
    "datetime.astimezone": _Call(ZONE, 1),
}
"""Qualified name of a method → why it leaks."""

_DICE: Final = frozenset(("random", "getrandbits", "seed"))
"""Methods of random.Random that are written in C; everything else of it goes through them."""

_NAMES: Final = frozenset(
    [*(name for functions in _MODULES.values() for name in functions), *_DICE]
    + [name.rpartition(".")[2] for name in _METHODS]
)

_OWN_AFFAIRS: Final = frozenset(("logging", "importlib", "zipimport", "_strptime", "warnings"))
"""Parts of the standard library that read clocks for themselves: the answer does not reach who
called them (a log record's time is for people)."""


class Leak(NamedTuple):
    """One place where a run depends on the machine."""

    call: str
    """What was called, as one writes it: time.time, uuid.uuid4."""
    why: str
    file: str
    line: int
    source: str
    """The line itself."""
    inside: str
    """The function it stands in."""


class Watch:
    """Between enter and exit, `found` fills with leaks → how often each was met."""

    def __init__(self) -> None:
        self.found: dict[Leak, int] = {}
        self._before: Any = None
        self._collects = True

    def __enter__(self) -> Self:
        # a collection may call anybody's code in the middle of a writer (gc.callbacks, __del__)
        self._collects = gc.isenabled()
        gc.disable()
        self._before = sys.getprofile()
        sys.setprofile(self._look)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._before)
        if self._collects:
            gc.enable()

    def _look(self, frame: FrameType, event: str, function: Any) -> None:
        if event == "c_call" and function.__name__ in _NAMES:
            why = _leaks(frame, function)
            if why and (leak := _traced(frame, function, why)):
                self.found[leak] = self.found.get(leak, 0) + 1


def _leaks(frame: FrameType, function: BuiltinFunctionType) -> str:
    """Return why this very call leaks; empty where it does not."""
    call = _MODULES.get(function.__module__ or "", {}).get(function.__name__)
    if call is None and function.__name__ in _DICE:
        return _dice(frame, function)
    call = call or _METHODS.get(_method(function))
    if call is None:
        return ""
    given = call.harmless_from != ALWAYS and _count(frame) >= call.harmless_from
    return "" if given else call.why


def _method(function: BuiltinFunctionType) -> str:
    """Return a method of datetime's by the class it is known for, also where a subclass has it."""
    owner = function.__self__
    kind = owner if isinstance(owner, type) else type(owner)
    known = [base.__name__ for base in kind.__mro__ if base.__module__ == "datetime"]
    names = (f"{name}.{function.__name__}" for name in known)
    return next((name for name in names if name in _METHODS), "")


def _dice(frame: FrameType, function: BuiltinFunctionType) -> str:
    """A generator of the writer's own, with a seed of its own, is no leak."""
    module: Any = sys.modules.get("random")
    owner = function.__self__
    if module is None or not isinstance(owner, module.Random):
        return ""
    if function.__name__ == "seed":
        in_library = frame.f_globals.get("__name__") == "random"
        return CHANCE if in_library and frame.f_locals.get("a", 0) is None else ""
    return CHANCE if owner is module._inst else ""


_CALLS: Final = frozenset(opmap[name] for name in ("CALL", "CALL_KW") if name in opmap)


def _count(frame: FrameType) -> int:
    """Return how many arguments the call is given, as its instruction says; many, where it does
    not (f(*args))."""
    code = frame.f_code.co_code
    at = frame.f_lasti
    return code[at + 1] if code[at] in _CALLS else 255


def _traced(frame: FrameType, function: BuiltinFunctionType, why: str) -> Leak | None:
    """Return the leak with its call site in the user's code; None where somebody else asked."""
    name = _name_of(function)
    here: FrameType | None = frame
    while here is not None and (module := _root(here)) in sys.stdlib_module_names:
        if module in _OWN_AFFAIRS:
            return None
        name = _name_in_library(here)
        here = here.f_back
    if here is None or _is_ours(here):
        return None
    return _leak(_visible(here), name, why)


def _root(frame: FrameType) -> str:
    name: str = frame.f_globals.get("__name__") or ""
    return name.partition(".")[0]


def _is_ours(frame: FrameType) -> bool:
    name: str = frame.f_globals.get("__name__") or ""
    ours = name.partition(".")[0] in ("sim_core", "explorer")
    return ours and not name.startswith("sim_core.scenarios.")


def _visible(frame: FrameType) -> FrameType:
    """Return the nearest frame that stands in a file: a dataclass writes code that does not."""
    here: FrameType | None = frame
    while here is not None and not _is_ours(here):
        if not here.f_code.co_filename.startswith("<"):
            return here
        here = here.f_back
    return frame


def _leak(frame: FrameType, name: str, why: str) -> Leak:
    file, line = frame.f_code.co_filename, frame.f_lineno
    source = linecache.getline(file, line).strip()
    return Leak(name, why, file, line, source, frame.f_code.co_qualname)


def _name_of(function: BuiltinFunctionType) -> str:
    module = function.__module__
    if module:
        return f"{'os' if module in ('posix', 'nt') else module}.{function.__name__}"
    return _method(function) or f"random.{function.__name__}"


def _name_in_library(frame: FrameType) -> str:
    """Return what the user called in the standard library: uuid.uuid4, random.randint."""
    name = frame.f_code.co_qualname
    if name in ("Random.__init__", "Random.seed"):
        return "random.Random()" if name.endswith("__init__") else "random.seed()"
    return f"{_root(frame)}.{name.removeprefix('Random.')}"
