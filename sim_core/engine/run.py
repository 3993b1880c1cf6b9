"""One run: writers parked at their operations, granted one at a time until none is left.

The loop is: who can go (`_offered`), who goes (the policy), let it go (`_grant`). Between two
grants nothing happens; inside one, a writer is alone. SQLite's own answer is checked against
the lock table every time, so that the model cannot drift from the database unnoticed.

Wrong in this module: judging. What a run was worth is decided elsewhere, from its events.
"""

from collections.abc import Callable
from typing import Any

from sim_core.engine import pool
from sim_core.engine.crew import Crew
from sim_core.engine.execution import Execution
from sim_core.engine.faults import CRASH, Fault, Strikes, error_of
from sim_core.engine.locks import Locks, Need
from sim_core.engine.outcome import begins_anew
from sim_core.engine.outlook import FREE, Outlook, Wait
from sim_core.engine.park import Result
from sim_core.engine.policy import Policy
from sim_core.engine.recipe import MOST_GRANTS
from sim_core.engine.stage import Stage
from sim_core.engine.trace import TIME, Event, Trace, digest
from sim_core.engine.writer import LAST, NEW, Writer
from sim_core.errors import ExplorerError
from sim_core.seams.clock import Clock


class Run:
    """Runs a stage under a policy; afterwards `events`, `grants` and `hash` tell what happened."""

    def __init__(
        self,
        stage: Stage,
        policy: Policy,
        after_grant: tuple[Callable[["Run"], None], ...] = (),
        *,
        seed: int | None = None,
        fresh: bool = False,
    ) -> None:
        self.seed = seed = stage.seed if seed is None else seed
        self.stage = stage
        self.policy = policy
        self.after_grant = after_grant
        self.clock = Clock(zone=stage.zone, habit=stage.clock)
        self.trace = Trace(self.clock)
        self.red: list[str] = []
        """Names of what whoever judges has found broken so far."""
        self.file = pool.take(stage.layout, self.clock, seed, fresh=fresh)
        self.locks = Locks(wal=stage.journal == "wal", log=self.file.reader)
        self.strikes = Strikes(stage.faults, stage.probability, seed)
        self.execution = Execution(self.file, self.locks, self.trace, stage.head)
        self.crew = Crew(stage, self.file, self.locks, self.strikes, self.trace)

    def go(self) -> None:
        """Run to the end: until every writer is done, dead, or waits for ever."""
        try:
            self.crew.enter()
            self._observe()
            choose = self.policy.choose
            while offered := self._offered():
                self._grant(choose(offered))
                if self.after_grant:
                    self._observe()
            self._explain_deadlock()
        finally:
            self.crew.leave()

    @property
    def events(self) -> list[Event]:
        """Return what has happened so far."""
        return self.trace.events

    @property
    def grants(self) -> str:
        """Return who was granted so far, one letter each."""
        return self.trace.grants

    @property
    def writers(self) -> dict[str, Writer]:
        """Return everybody, by letter."""
        return self.crew.writers

    @property
    def hash(self) -> str:
        """Return the identity of what happened (see engine/trace.py)."""
        return digest(self.stage.head, self.events)

    @property
    def told(self) -> dict[str, Any]:
        """Return writer name → its answer, for every writer that has been given one."""
        return {w.name: w.answer for w in self.writers.values() if w.ended == "finished"}

    @property
    def threw_dice(self) -> bool:
        """Say whether anything in it depended on the seed, apart from the schedule."""
        return self.strikes.threw_dice or self.file.threw_dice

    def remove(self) -> None:
        """Give the file away; to be called once nobody wants to read it any more."""
        self.file.remove()

    def _observe(self) -> None:
        for look in self.after_grant:
            look(self)

    # Who can go.

    def outlook(self, writer: Writer) -> Outlook:
        """Return what SQLite would do with the writer's parked operation, right now."""
        operation = writer.operation
        if operation is LAST or operation is NEW:
            return FREE
        if self.strikes.placed and self._struck_first(writer):
            return FREE
        return self.locks.outlook(writer.link.hold, writer.need or self.execution.need(writer))

    def _offered(self) -> tuple[str, ...]:
        if len(self.trace.grants) >= MOST_GRANTS:
            busiest = max(self.writers.values(), key=lambda one: self.grants.count(one.letter))
            raise ExplorerError(
                f"The run did not end within {MOST_GRANTS} grants; the writer {busiest.name} "
                "seems to loop.",
                part=self.stage.head,
            )
        parked = self.crew.alive()
        ready = [writer.letter for writer in parked if self._can_go(writer)]
        if parked and (self.stage.timers == "any" or not ready):
            now = self.clock.milliseconds
            if any(at > now for at in self._deadlines(parked)):
                ready.append(TIME)
        return tuple(ready)

    @property
    def passes(self) -> bool:
        """Say whether time may pass next though somebody can go."""
        now, parked = self.clock.milliseconds, self.crew.alive()
        return self.stage.timers == "any" and any(at > now for at in self._deadlines(parked))

    def asleep(self, writer: Writer) -> int:
        """Return how many milliseconds a writer still sleeps."""
        if self.strikes.placed and self._struck_first(writer):
            return 0
        return self._rest(writer)

    def _rest(self, writer: Writer) -> int:
        due = writer.deadline or 0
        return max(0, due - self.clock.milliseconds) if writer.operation.sleeps else 0

    def _deadlines(self, parked: list[Writer]) -> list[int]:
        """Return when something happens without a grant: a wait is over, a process has come up."""
        coming = [one.at for one in self.crew.processes.coming]
        return coming + [writer.deadline for writer in parked if writer.deadline is not None]

    def _struck_first(self, writer: Writer) -> bool:
        """Say whether a fault comes before whatever its operation waits for."""
        fault = self.strikes.at(writer.letter, writer.number)
        return fault is not None and (fault.kind == CRASH or fault.side == "before")

    def _can_go(self, writer: Writer) -> bool:
        if self.strikes.placed and self._struck_first(writer):
            return True
        if writer.operation.sleeps:
            return not self._rest(writer)
        occupied = writer.link.connection.occupied
        if occupied is not None and occupied is not writer.operation.cursor:
            return False
        if self.locks.still:
            writer.waits = None  # nobody holds anything, so nobody can be kept waiting
            return True
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
            writer.deadline = self.clock.milliseconds + writer.link.hold.timeout
        writer.waits = wait
        if self.execution.need(writer) is Need.FINISH:
            writer.link.hold.claims = True
        until = writer.deadline
        self.trace.tell(writer, "wait", lock=wait.lock, holders=wait.holders, deadline=until)

    def _ask_anew(self) -> None:
        """The schema is another one: what the parked statements need may be, too."""
        self.execution.altered = False
        self.file.needs.forget()
        for writer in self.writers.values():
            writer.need = None

    # One grant.

    def _grant(self, letter: str) -> None:
        self.trace.grants += letter
        if self.stage.clock:
            self._set_clock()
        if letter == TIME:
            self._advance()
            return
        writer = self.writers[letter]
        if self.stage.tick:
            self.clock.advance(self.clock.milliseconds + self.stage.tick)
            self._come_up()
        if self.strikes.placed and (crash := self.crew.crash_at(writer)):
            self.crew.crash(writer, crash)
        elif writer.operation is NEW:
            self.trace.tell(writer, "start")
            self.crew.begin(writer)
        elif writer.operation is LAST:
            self.crew.finish(writer)
        else:
            self._act(writer)
        if not self.locks.still:
            self.execution.settle(writer)
        if self.execution.altered:
            self._ask_anew()

    def _set_clock(self) -> None:
        """Set the wall clock where the scenario asked for it, as its own event."""
        if by := self.clock.reach(len(self.grants)):
            self.trace.time("clock", by)

    def _advance(self) -> None:
        now = self.clock.milliseconds
        deadlines = self._deadlines(self.crew.alive())
        self.clock.advance(min(at for at in deadlines if at > now))
        self.trace.time("advance")
        self._come_up()

    def _come_up(self) -> None:
        """Tell of the processes that show by now."""
        if self.crew.processes.coming:
            for one in self.crew.processes.due(self.clock.milliseconds):
                self.trace.tell(self.writers[one.owner], "shows", call=one.name)

    def _act(self, writer: Writer) -> None:
        """Do the parked operation on real SQLite, unless a fault comes before it."""
        fault = self.strikes.at(writer.letter, writer.number) if self.strikes.placed else None
        if fault:
            self.strikes.strike(fault, writer.letter, writer.number)
        if fault and fault.side == "before":
            self._told_error(writer, fault)
            return
        result, error = self.execution.do(writer)
        if result is None and error is None:
            return  # it waits on, with PENDING
        if fault and not error:
            self._told_error(writer, fault, result)
            return
        self.trace.did(writer, result, error)
        if error is None and begins_anew(writer.operation, writer.link.connection):
            self.trace.tell(writer, "implicit", call="begin", sql="BEGIN")
        self.crew.resume(writer, result, error)
        if writer.link.connection.asked:
            self.execution.must_be_new()

    def _told_error(self, writer: Writer, fault: Fault, result: Result | None = None) -> None:
        """Let an injected error reach the writer, before or after the operation's effect."""
        error = error_of(fault.kind)
        self.trace.did(writer, result, error, fault.side)
        self.crew.resume(writer, None, error)

    def _explain_deadlock(self) -> None:
        for writer in self.crew.alive():
            self.trace.tell(
                writer,
                "deadlock",
                lock=writer.waits.lock if writer.waits else "",
                holders=writer.waits.holders if writer.waits else "",
            )
