"""One run: writers parked at their operations, granted one at a time until none is left.

The loop is: who can go (`_offered`), who goes (the policy), let it go (`grant`). Between two
grants nothing happens; inside one, a writer is alone. SQLite's own answer is checked against
the lock table every time, so that the model cannot drift from the database unnoticed.

Wrong in this module: judging. What a run was worth is decided elsewhere, from its events.
"""

import sqlite3
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Final, NamedTuple

from sim_core.engine import trace
from sim_core.engine.db import Connection
from sim_core.engine.faults import Fault
from sim_core.engine.file import File, Isolation
from sim_core.engine.locks import FREE, Claim, Locks, Outlook, Wait
from sim_core.engine.needs import Needs
from sim_core.engine.park import Operation
from sim_core.engine.policy import Policy
from sim_core.engine.trace import Event
from sim_core.engine.writer import LAST, Writer
from sim_core.engine.writerclock import WriterClock
from sim_core.errors import ExplorerError, LockSurprise, ScenarioError
from sim_core.seams.chance import WRITERS
from sim_core.seams.clock import Clock

TIME: Final = "t"
"""The grant that lets time pass to the next deadline."""

MOST_GRANTS: Final = 10_000


class Part(NamedTuple):
    """A writer before the run: `start` makes its coroutine from connection and clock."""

    letter: str
    name: str
    role: str
    start: Callable[[Connection, WriterClock], Coroutine[Operation, Any, Any]]


class Stage(NamedTuple):
    """All that a run needs to know, apart from who goes when."""

    head: str
    """What was run, in one line: the first line of the trace."""
    schema: str
    journal: str
    isolation_level: Isolation
    timeout: int
    """Busy timeout in virtual milliseconds."""
    parts: tuple[Part, ...]
    seed: int
    faults: tuple[Fault, ...] = ()


class Run:
    """Runs a stage under a policy; afterwards `events`, `grants` and `hash` tell what happened."""

    def __init__(
        self,
        stage: Stage,
        policy: Policy,
        after_grant: tuple[Callable[["Run"], None], ...] = (),
    ) -> None:
        self.stage = stage
        self.policy = policy
        self.after_grant = after_grant
        self.clock = Clock()
        self.locks = Locks(wal=stage.journal == "wal")
        self.needs = Needs()
        self.events: list[Event] = []
        self.grants = ""
        self.file = File(stage.schema, stage.journal, self.clock, stage.seed)
        self.writers: dict[str, Writer] = {}
        self.crashes = {(fault.writer, fault.place): fault for fault in stage.faults}

    def go(self) -> None:
        """Run to the end: until every writer is done, dead, or waits for ever."""
        try:
            for index, part in enumerate(self.stage.parts):
                self.writers[part.letter] = self._enter(index, part)
            for writer in self.writers.values():
                self._resume(writer, None)
            self._observe()
            while offered := self._offered():
                self._grant(self.policy.choose(offered))
                self._observe()
        finally:
            self._leave()

    @property
    def hash(self) -> str:
        """Return the identity of what happened (see engine/trace.py)."""
        return trace.digest(self.stage.head, self.events)

    @property
    def told(self) -> dict[str, Any]:
        """Return writer name → its answer, for every writer that has been given one."""
        return {w.name: w.answer for w in self.writers.values() if w.ended == "finished"}

    def remove(self) -> None:
        """Delete the file; to be called once nobody wants to read it any more."""
        self.file.remove()

    # Entering and leaving.

    def _enter(self, index: int, part: Part) -> Writer:
        raw = self.file.connect(WRITERS + index, self.stage.isolation_level)
        connection = Connection(raw)
        hold = self.locks.open(part.letter, self.stage.timeout)
        coroutine = part.start(connection, WriterClock(self.clock))
        return Writer(part.letter, part.name, part.role, connection, hold, coroutine)

    def _leave(self) -> None:
        for writer in self.writers.values():
            self._disconnect(writer)
        for writer in self.writers.values():
            # what a dead writer still wants to say, or refuses to end with, nobody hears
            with suppress(Exception):
                writer.coroutine.close()

    def _disconnect(self, writer: Writer) -> None:
        if not writer.connection.dead:
            writer.connection.release()
            self.file.close(writer.connection.raw)
            self.locks.close(writer.letter)

    def _observe(self) -> None:
        for look in self.after_grant:
            look(self)

    # Who can go.

    def outlook(self, writer: Writer) -> Outlook:
        """Return what SQLite would do with the writer's parked operation, right now."""
        if writer.operation is LAST or self._crash_at(writer):
            return FREE
        need = self.needs.of(writer.connection.raw, writer.operation)
        return self.locks.outlook(writer.hold, need)

    def _offered(self) -> tuple[str, ...]:
        if len(self.grants) >= MOST_GRANTS:
            raise ExplorerError(
                f"The run did not end within {MOST_GRANTS} grants; a writer seems to loop.",
                part=self.stage.head,
            )
        parked = [writer for writer in self.writers.values() if not writer.ended]
        ready = [writer.letter for writer in parked if self._can_go(writer)]
        if ready or not parked:
            return tuple(ready)
        return (TIME,) if any(w.deadline is not None for w in parked) else ()

    def _can_go(self, writer: Writer) -> bool:
        if writer.operation.sleeps and self.clock.milliseconds < (writer.deadline or 0):
            return False
        outlook = self.outlook(writer)
        if not isinstance(outlook, Wait):
            writer.waits = None
            return True
        if writer.expired(self.clock.milliseconds):
            return True
        if writer.waits != outlook:
            self._start_waiting(writer, outlook)
        return False

    def _start_waiting(self, writer: Writer, wait: Wait) -> None:
        if writer.deadline is None:
            writer.deadline = self.clock.milliseconds + writer.hold.timeout
        writer.waits = wait
        self._event(writer, "wait", lock=wait.lock, holders=wait.holders, deadline=writer.deadline)

    # One grant.

    def _grant(self, letter: str) -> None:
        self.grants += letter
        if letter == TIME:
            self._advance()
            return
        writer = self.writers[letter]
        if self._crash_at(writer):
            self._crash(writer)
        elif writer.operation is LAST:
            self._finish(writer)
        else:
            self._act(writer)

    def _advance(self) -> None:
        deadlines = [w.deadline for w in self.writers.values() if not w.ended]
        self.clock.advance(min(at for at in deadlines if at is not None))
        self.events.append(Event(len(self.grants), self.clock.milliseconds, TIME, "advance"))

    def _act(self, writer: Writer) -> None:
        """Do the parked operation on real SQLite, and compare with what the table foresaw."""
        operation = writer.operation
        raw, hold = writer.connection.raw, writer.hold
        need = self.needs.of(raw, operation)
        foreseen = self.locks.outlook(hold, need)
        changes = raw.total_changes
        try:
            result, error = operation.act(), None
        except (sqlite3.Error, sqlite3.Warning, ValueError, TypeError, OverflowError) as caught:
            result, error = None, self.file.seams[raw].raised() or caught
        busy = _is_busy(error)
        self._check(writer, foreseen, busy)
        if busy:
            waits = isinstance(foreseen, Claim) and hold.timeout > 0
            self.locks.refused(hold, need, waits=waits)
            if waits:
                return
        else:
            changed = self.needs.changes_schema(operation) or raw.total_changes != changes
            self.locks.did(hold, need, open_after=raw.in_transaction, changed=changed)
        self._event(writer, "operation", **_outcome(operation, result, error))
        self._resume(writer, result, error)

    def _check(self, writer: Writer, foreseen: Outlook, busy: bool) -> None:
        expected = foreseen != FREE
        if busy != expected:
            said = "BUSY" if busy else "no BUSY"
            raise LockSurprise(
                f"SQLite said {said} to {writer.name} at {writer.operation.sql!r} (grants "
                f"{self.grants}), the lock table foresaw {foreseen}; this is a bug of ours.",
                part=self.stage.head,
            )

    def _resume(self, writer: Writer, result: Any, error: BaseException | None = None) -> None:
        """Let the writer run to its next operation, or to its end."""
        writer.deadline = writer.waits = None
        writer.number += 1
        try:
            operation = writer.coroutine.throw(error) if error else writer.coroutine.send(result)
        except StopIteration as done:
            writer.answer = trace.storable(done.value)
            writer.operation = LAST
            if not self._crash_at(writer):
                self._finish(writer)
        except ExplorerError:
            raise
        except Exception as error_of_writer:
            self._fail(writer, error_of_writer)
        else:
            _is_ours(writer, operation)
            writer.operation = operation
            if operation.sleeps:
                writer.deadline = self.clock.milliseconds + operation.sleeps

    # How a writer ends.

    def _finish(self, writer: Writer) -> None:
        writer.ended = "finished"
        self._disconnect(writer)
        self._event(writer, "told", answer=writer.answer)

    def _fail(self, writer: Writer, error: Exception) -> None:
        if isinstance(error, RuntimeError) and "running event loop" in str(error):
            raise ScenarioError(
                f"The writer {writer.name} needs an event loop ({error}); in a run it can await "
                "its connection and clock.sleep(), and nothing of asyncio.",
                part=writer.name,
            ) from error
        writer.ended = "failed"
        writer.error = error_name(error)
        self._disconnect(writer)
        self._event(writer, "failed", error=writer.error, message=str(error))

    def _crash_at(self, writer: Writer) -> Fault | None:
        return self.crashes.get((writer.letter, writer.number))

    def _crash(self, writer: Writer) -> None:
        """Kill the process: nothing of the writer runs again, its transaction is lost."""
        writer.ended = "crashed"
        self._disconnect(writer)
        self._event(writer, "crash", side="after" if writer.operation is LAST else "before")

    def _event(self, writer: Writer, kind: str, **fields: Any) -> None:
        number = writer.number
        self.events.append(
            Event(len(self.grants), self.clock.milliseconds, writer.letter, kind, number, **fields)
        )


def _is_ours(writer: Writer, operation: object) -> None:
    """Raise where a writer awaits what no engine of ours will ever answer."""
    if not isinstance(operation, Operation):
        raise ScenarioError(
            f"The writer {writer.name} awaits a {type(operation).__name__}; in a run it can await "
            "its connection and clock.sleep(), and no event loop.",
            part=writer.name,
        )


def error_name(error: BaseException) -> str:
    """Return SQLite's extended name of an error, or the exception's class."""
    return getattr(error, "sqlite_errorname", None) or type(error).__name__


def _is_busy(error: BaseException | None) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF == sqlite3.SQLITE_BUSY


def _outcome(operation: Operation, result: Any, error: BaseException | None) -> dict[str, Any]:
    """Return an event's fields for what an operation came to."""
    rows = getattr(result, "rows", None)
    return {
        "call": operation.call,
        "sql": operation.sql,
        "parameters": operation.parameters,
        "rows": None if rows is None else tuple(rows),
        "rowcount": getattr(result, "rowcount", -1),
        "error": None if error is None else error_name(error),
        "message": "" if error is None else str(error),
    }
