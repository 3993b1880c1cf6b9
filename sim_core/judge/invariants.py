"""Promises, and what breaks them.

An invariant is a function that yields what is wrong, or SQL that must return no row. It is
judged at the end (INVARIANTS) or after every grant (ALWAYS), on a reader that cannot write. Its
docstring is the promise that is printed when it breaks.

What it is given is a copy of the evidence, so that no check can change what the next one sees.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import islice
from types import MappingProxyType, ModuleType
from typing import Any, Final, NamedTuple

from sim_core.engine.plain import plain
from sim_core.engine.reader import Reader
from sim_core.engine.run import Run
from sim_core.errors import ScenarioError
from sim_core.judge.asked import answer, asked
from sim_core.judge.declared import BUILT_IN, FINISHED, JUDGES_GIVEN, SERIAL, declared, reads_only
from sim_core.judge.serial import PROMISE
from sim_core.judge.theirs import theirs
from sim_core.quoting import LONG, cut, short, text_of
from sim_core.seams.processes import Onlooker

MOST_VIOLATIONS: Final = 1_000
"""Of one invariant at one place: a check may yield for ever."""


Ends = Callable[[], Mapping[str, int]]


class Violation(NamedTuple):
    """One broken promise, and the grant that broke it."""

    invariant: str
    promise: str
    detail: str
    grant: int


class Invariant(NamedTuple):
    """A named promise and the check that keeps it."""

    name: str
    promise: str
    check: Callable[..., Any]
    wants: tuple[str, ...]
    always: bool
    """Judged after every grant, and not only at the end."""

    def violations(
        self, grant: int, given: dict[str, Any], head: str, ends: Ends
    ) -> list[Violation]:
        """Return what is broken; `grant` is named where the check names none itself. `ends` says
        at which grant each writer came to its end, and is asked only where something is broken."""
        with theirs(lambda: f"The invariant '{short(self.name)}' of {head} raised", self.name):
            found: Any = answer(self.check, given) or ()
            each = (found,) if isinstance(found, str) else islice(found, MOST_VIOLATIONS)
            return [self._violation(one, grant, head, ends) for one in each]

    def _violation(self, found: Any, grant: int, head: str, ends: Ends) -> Violation:
        at, said = found if isinstance(found, tuple) and len(found) == 2 else (grant, found)
        if isinstance(at, str):
            at = ends().get(at, grant)
        if isinstance(said, tuple) or type(at) is not int or not 0 <= at <= grant:
            raise ScenarioError(
                f"The invariant '{short(self.name)}' of {head} yields {short(found)}; yield a "
                f"text, (grant, text) with a grant from 0 to {grant}, or (writer, text), which is "
                "told where that writer ended.",
                part=self.name,
            )
        return Violation(self.name, self.promise, cut(text_of(said), LONG), at)


def invariants_of(name: str, module: ModuleType, options: tuple[str, ...]) -> tuple[Invariant, ...]:
    """Return a scenario's invariants; ScenarioError for one that cannot be called."""
    allowed = (*JUDGES_GIVEN, *options)
    return tuple(
        invariant_of(name, entry, allowed, always=kind == "ALWAYS")
        for kind in ("INVARIANTS", "ALWAYS")
        for entry in declared(name, module, kind)
    )


def invariant_of(name: str, entry: Any, allowed: tuple[str, ...], *, always: bool) -> Invariant:
    """Return one of them, named after its function."""
    if type(entry) is str and entry in BUILT_IN and not always:
        promise, check, wants = _BUILT_IN[entry]
        return Invariant(entry, promise, check, wants, always)
    if type(entry) is tuple and [type(text) for text in entry] == [str, str, str]:
        title, promise, sql = entry
        if title and reads_only(sql):
            return Invariant(title, promise, _rows_of(sql), ("db",), always)
    if not inspect.isfunction(entry) or inspect.iscoroutinefunction(entry):
        raise ScenarioError(
            f"{name} lists an invariant {short(entry)}; give a function (no coroutine), (name, "
            f"promise, SQL that asks), or {' or '.join(map(repr, BUILT_IN))}.",
            part=short(entry),
        )
    wants = asked(entry)
    title = entry.__name__.replace("_", " ")
    if not set(wants) <= set(allowed):
        raise ScenarioError(
            f"The invariant {title!r} of {name} asks for {', '.join(wants)}; it can be given "
            f"{', '.join(allowed)}.",
            part=entry.__name__,
        )
    said = entry.__doc__ if type(entry.__doc__) is str else ""
    promise = " ".join((said or title).split())
    return Invariant(title, promise, entry, wants, always)


def _rows_of(sql: str) -> Callable[..., list[str]]:
    def check(db: Reader) -> list[str]:
        return [", ".join(map(str, row)) for row in db.execute(sql)]

    return check


def _every_writer_finished(ended: dict[str, str]) -> Iterable[str | tuple[str, str]]:
    for writer, end in ended.items():
        if end == "failed":
            yield writer, f"{writer} failed"
        elif end == "waiting":
            yield f"{writer} has not finished"


def _serial(serial: Callable[[], object]) -> Iterable[str]:
    if apart := serial():
        yield str(apart)


_BUILT_IN: Final[dict[str, tuple[str, Callable[..., Any], tuple[str, ...]]]] = {
    FINISHED: (
        "Every writer that was not killed comes to its end without an error.",
        _every_writer_finished,
        ("ended",),
    ),
    SERIAL: (PROMISE, _serial, ("serial",)),
}
"""Name → the promise, the check, and what it is given."""


def judge(
    invariants: Sequence[Invariant],
    run: Run,
    options: dict[str, str],
    serial: Callable[[], object] = lambda: None,
) -> list[Violation]:
    """Return every violation that `invariants` find in the state as it is; `serial` says how far
    it is from what one writer after the other would have come to."""
    grant = run.events[-1].grant if run.events else 0
    wanted = [name for one in invariants for name in one.wants]
    given: dict[str, Any] = {"db": run.file.reader, **options}
    if SERIAL in wanted:
        given[SERIAL] = serial
    if "told" in wanted:
        told = {name: _copy(answer) for name, answer in run.told.items()}
        given["told"] = MappingProxyType(told)
    if "ended" in wanted:
        ended = {writer.name: writer.ended or "waiting" for writer in run.writers.values()}
        given["ended"] = MappingProxyType(ended)
    if "events" in wanted:
        given["events"] = tuple(run.events)
    if "processes" in wanted:
        given["processes"] = Onlooker(run.crew.processes)
    head, ends = run.stage.head, partial(_ends, run)
    return [broken for one in invariants for broken in one.violations(grant, given, head, ends)]


ENDS: Final = frozenset(("told", "failed", "crash"))


def _ends(run: Run) -> dict[str, int]:
    """Return writer → the grant at which it was told, failed or was killed."""
    at = {event.writer: event.grant for event in run.events if event.kind in ENDS}
    return {one.name: at[one.letter] for one in run.writers.values() if one.letter in at}


def _copy(answer: Any) -> Any:
    return plain(answer) if isinstance(answer, list | dict) else answer
