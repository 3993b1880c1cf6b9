"""The writers of one run: how they enter, resume, end, die together and come back.

A process is what a crash takes: all its writers, its shared connection, its memory. Nothing
of a dead process runs again against the file; a scenario may name who starts in its stead.

Wrong in this module: deciding who goes.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

from sim_core.engine.db import Connection
from sim_core.engine.faults import CRASH, Fault, Strikes
from sim_core.engine.file import File
from sim_core.engine.locks import Locks
from sim_core.engine.park import Operation, Result
from sim_core.engine.plain import plain
from sim_core.engine.stage import Part, Stage
from sim_core.engine.trace import Trace, error_name
from sim_core.engine.writer import LAST, NEW, Link, Writer
from sim_core.engine.writerclock import WriterClock
from sim_core.engine.writerprocesses import WriterProcesses
from sim_core.errors import ExplorerError, ScenarioError
from sim_core.quoting import kind, message, said
from sim_core.seams.chance import WRITERS
from sim_core.seams.processes import ProcessList

_undying: list[object] = []


class Crew:
    """Everybody in a run, by letter."""

    def __init__(self, stage: Stage, file: File, locks: Locks, strikes: Strikes, trace: Trace):
        self.stage = stage
        self.file = file
        self.locks = locks
        self.strikes = strikes
        self.trace = trace
        self.writers: dict[str, Writer] = {}
        self.parts = {part.letter: part for part in stage.parts}
        self.memories: dict[str, dict[str, Any]] = {}
        self.processes = ProcessList()
        self.dead: list[Writer] = []

    def enter(self) -> None:
        """Give everybody a connection, then let each come to its first operation."""
        for part in self.stage.parts:
            self._take_place(part)
        for writer in list(self.writers.values()):
            if self.stage.start_granted:
                self._arrive(writer, NEW)
            else:
                self.begin(writer)

    def alive(self) -> list[Writer]:
        """Return the writers that have not ended."""
        return [writer for writer in self.writers.values() if not writer.ended]

    def _take_place(self, part: Part) -> Writer:
        process = part.process or part.letter
        link, clock = self._link(part, process), WriterClock(self.file.clock)
        writer = Writer(part.letter, part.name, part.role, process, link, clock)
        memory = self.memories.setdefault(process, {})
        writer.number_of_process = self._process_of(writer)
        processes = WriterProcesses(self.processes, self.trace, writer)
        writer.coroutine = part.start(link.connection, clock, memory, processes)
        self.writers[part.letter] = writer
        return writer

    def _process_of(self, writer: Writer) -> str:
        """Return the number of the process that it lives in, started if nobody did yet."""
        housemates = [one for one in self.alive() if one.process == writer.process]
        if housemates:
            return housemates[0].number_of_process
        return self.processes.start(writer.process)

    def _link(self, part: Part, process: str) -> Link:
        if part.shares:
            for writer in self.alive():
                if writer.process == process:
                    writer.link.hold.name += part.letter
                    writer.link.hold.shared = True
                    return writer.link
        dice = WRITERS + ord(part.letter) - ord("A")
        raw = self.file.connect(dice)
        connection = Connection(lambda: raw)
        connection.closer = self.file.close
        connection.open()
        hold = self.locks.open(part.letter, self.stage.timeout)
        hold.cold = part.letter.islower()  # a recovery starts amid the run
        connection.join(
            whole=self.stage.granularity == "statement",
            at_close=partial(self.locks.close, hold),
            patience=hold,
        )
        return Link(connection, hold, dice)

    # From one operation to the next.

    def begin(self, writer: Writer) -> None:
        """Run the writer's first lines."""
        self.resume(writer, None)

    def resume(
        self, writer: Writer, result: Result | None, error: BaseException | None = None
    ) -> None:
        """Let the writer run to its next operation, or to its end."""
        coroutine = writer.coroutine
        assert coroutine is not None, "a writer in a run has its coroutine"
        try:
            operation = coroutine.throw(error) if error else coroutine.send(result)
        except StopIteration as done:
            writer.answer = plain(done.value)
            self._arrive(writer, LAST)
            if not (self.strikes.placed and self.crash_at(writer)):
                self.finish(writer)
        except (ExplorerError, KeyboardInterrupt):
            raise
        except SystemExit as error_of_writer:
            raise ScenarioError(
                f"The writer {writer.name} ends the process ({said(error_of_writer)}); in a run "
                "it ends by returning, or by an error.",
                part=writer.name,
            ) from error_of_writer
        except BaseException as error_of_writer:
            self._fail(writer, error_of_writer)
        else:
            if type(operation) is not Operation:
                _is_ours(writer, operation)
            self._arrive(writer, operation)

    def _arrive(self, writer: Writer, operation: Operation) -> None:
        writer.waits = writer.deadline = writer.need = writer.barred = None
        writer.operation = operation
        if operation is NEW:
            return
        writer.number += 1
        if operation is not LAST:
            if self.strikes.faults:
                self.strikes.park(writer.letter, writer.number, operation.sql)
            if operation.sleeps:
                writer.deadline = self.file.clock.milliseconds + operation.sleeps

    # How a writer ends.

    def finish(self, writer: Writer) -> None:
        """The writer has returned, and is told so."""
        writer.ended = "finished"
        self._disconnect(writer)
        self.trace.tell(writer, "told", answer=writer.answer)

    def _fail(self, writer: Writer, error: BaseException) -> None:
        if isinstance(error, RuntimeError) and "running event loop" in message(error):
            raise ScenarioError(
                f"The writer {writer.name} needs an event loop ({error}); in a run it can await "
                "its connection and clock.sleep(), and nothing of asyncio.",
                part=writer.name,
            ) from error
        writer.ended = "failed"
        writer.error = error_name(error)
        self._disconnect(writer)
        self.trace.tell(writer, "failed", error=writer.error, message=message(error))

    def crash_at(self, writer: Writer) -> Fault | None:
        """Return the crash that will take the writer's process at its next grant."""
        fault = self.strikes.at(writer.letter, writer.number)
        return fault if fault and fault.kind == CRASH else None

    def crash(self, writer: Writer, fault: Fault) -> None:
        """Kill the writer's process: whoever lives in it, its connections and its memory."""
        self.strikes.strike(fault, writer.letter, writer.number)
        fallen = [one for one in self.alive() if one.process == writer.process]
        for one in fallen:
            one.ended = "crashed"
            one.link.hold.release()  # before the end of the connection, which commits nothing
            one.link.connection.kill()
            self.locks.close(one.link.hold)
            side = "after" if one.operation is LAST else "before"
            self.trace.tell(one, "crash", side=side)
        self.processes.end(writer.number_of_process)
        self.memories.pop(writer.process, None)
        self._come_back(fallen)

    def _come_back(self, fallen: Iterable[Writer]) -> None:
        for one in fallen:
            here = self.parts[one.letter]
            part = here.recover or (here if one.letter.islower() else None)
            if part:
                self._start_again(part)

    def _start_again(self, part: Part) -> None:
        """Begin a recovery; one that crashed itself begins anew, and its operations count on."""
        before = self.writers.get(part.letter)
        self.parts[part.letter] = part
        writer = self._take_place(part)
        if before:
            self.dead.append(before)
            writer.number = before.number
        self.begin(writer)

    def _disconnect(self, writer: Writer) -> None:
        """Close the connection of a writer that ended, unless others still use it; the last of a
        process takes it out of the process list."""
        if not any(one.process == writer.process for one in self.alive()):
            self.processes.end(writer.number_of_process)
        connection, hold = writer.link.connection, writer.link.hold
        if hold.shared and any(one.link.connection is connection for one in self.alive()):
            return
        if not connection.dead:
            connection.finish()
            self.locks.close(hold)

    def leave(self) -> None:
        """Close everything; what a dead writer still wants to say, nobody hears."""
        everybody = [*self.dead, *self.writers.values()]
        for writer in everybody:
            if not writer.link.connection.dead:
                writer.link.connection.finish()
        for writer in everybody:
            assert writer.coroutine is not None, "a writer in a run has its coroutine"
            try:
                writer.coroutine.close()
            except RuntimeError:
                _undying.append(writer.coroutine)  # it ignored its end; collecting it would wake it
            except (Exception, SystemExit, GeneratorExit):
                continue


def _is_ours(writer: Writer, operation: object) -> None:
    """Raise where a writer awaits what no engine of ours will ever answer."""
    if not isinstance(operation, Operation):
        raise ScenarioError(
            f"The writer {writer.name} awaits a {kind(operation)}; in a run it can await its "
            "connection and clock.sleep(), and no event loop.",
            part=writer.name,
        )
