"""One operation on real SQLite, held against the lock table.

The table foresees, SQLite answers, and the two must agree: what a waiting writer would have
got, who is refused at once, whose attempt takes PENDING. Afterwards the books are brought up to
date, with what Python did unasked (an implicit BEGIN) and what the statement left behind.

Wrong in this module: choosing who goes, and telling the writer.
"""

import gc
import sqlite3

from sim_core.engine import pool
from sim_core.engine.db import Connection
from sim_core.engine.file import File
from sim_core.engine.locks import FREE, After, Claim, Lock, Locks, Need, Outlook, barred
from sim_core.engine.needs import beside
from sim_core.engine.outcome import attempt, begins_anew, is_busy, kept_out
from sim_core.engine.park import Operation, Result
from sim_core.engine.statement import DML, verb_of
from sim_core.engine.trace import Trace
from sim_core.engine.wear import NONE, Wear, is_simple, wear
from sim_core.engine.writer import Writer
from sim_core.errors import LockSurprise, UncoveredShape
from sim_core.quoting import short

Answer = tuple[Result | None, BaseException | None]
"""A result, or an error; neither where the operation goes on waiting."""

_SAVEPOINT_VERBS = ("SAVEPOINT", "RELEASE", "ROLLBACK TO")

_COMES_AND_GOES = (Need.READ, Need.WRITE)

CHANGED = After(in_transaction=False, changed=True)
UNCHANGED = After(in_transaction=False, changed=False)

_MAY_END_EITHER_WAY = (Need.FINISH, Need.CHECKPOINT, Need.RESTART)
"""Needs whose operations may get through although the table says wait: a fetch that is not the
last, a checkpoint of an empty log."""


class Execution:
    """How the operations of one run are done."""

    def __init__(self, file: File, locks: Locks, trace: Trace, surprise: str) -> None:
        self.file = file
        self.locks = locks
        self.trace = trace
        self.surprise = surprise
        """What was run: for a LockSurprise."""
        self.needs = file.needs

    def need(self, writer: Writer) -> Need:
        """Return what the writer's parked operation asks of the file, as things stand."""
        if writer.need is not None:
            return writer.need
        operation, connection, hold = writer.operation, writer.link.connection, writer.link.hold
        if connection.closed:
            return Need.NOTHING
        raw = connection.raw
        need = None if hold.read_only else self.needs.plain(raw, operation)
        need = need or self.needs.of(raw, hold, operation, self.locks.wal)
        if unfinished := connection.unfinished():
            writing = sum(cursor.writes() for cursor in unfinished)
            need = beside(need, writing) if writing else need
        if not hold.shared and not self.needs.depends_on_journal(operation):
            writer.need = need  # only operations of its own can change it
        return need

    def do(self, writer: Writer) -> Answer:
        """Execute, and compare with what the table foresaw."""
        operation, link = writer.operation, writer.link
        connection, hold = link.connection, link.hold
        if connection.closed:
            return attempt(operation)
        raw = connection.raw
        need = writer.need or self.need(writer)
        if self.locks.still and need in _COMES_AND_GOES and is_simple(operation.sql):
            answer = self._simply(raw, connection, operation, need)
            if answer is not None:
                return answer
        foreseen = self.locks.outlook(hold, need)
        changes, open_before = raw.total_changes, raw.in_transaction
        if (left := wear(operation.sql)) is not NONE:
            self._worn(connection, operation.sql, left)
        result, error = self._try(writer, raw, foreseen)
        busy = is_busy(error, need, result)
        if busy != (foreseen is not FREE):
            self._check(writer, foreseen, busy, need, error)
        if connection.closed:
            return result, error
        opened = not open_before and raw.in_transaction
        if busy and error is not None:
            waits = isinstance(foreseen, Claim) and hold.timeout > 0
            if opened:
                self._note_begin(writer, raw, opened=True)
            self.locks.refused(hold, need, waits=waits, in_transaction=raw.in_transaction)
            if waits:
                return None, None
            writer.barred = barred(foreseen)
            return None, error
        if opened or raw.in_transaction:
            self._note_begin(writer, raw, opened=opened)
        after = self._after(writer, raw, changes)
        if error is None and begins_anew(operation, connection):
            after = after._replace(in_transaction=False)
        self.locks.did(hold, need, after)
        return result, error

    def _simply(
        self, raw: sqlite3.Connection, connection: Connection, operation: Operation, need: Need
    ) -> Answer | None:
        """Do what most programs do most of the time: one statement, while nobody holds anything,
        that takes its locks and gives them back. None, and nothing done, where it is not so."""
        if raw.in_transaction or not connection.whole or raw.isolation_level is not None:
            return None
        changes = raw.total_changes
        result, error = attempt(operation)
        if raw.total_changes != changes:
            self.locks.commits += 1
        if error is None:
            return result, None
        error = self.file.seams[raw].raised(error) or error
        if is_busy(error, need, result):
            raise self._surprised(operation, "BUSY", FREE)
        return None, error

    def _try(self, writer: Writer, raw: sqlite3.Connection, foreseen: Outlook) -> Answer:
        if foreseen is not FREE and self.locks.kept_out(writer.link.hold):
            return None, kept_out()
        result, error = attempt(writer.operation)
        if error is None:
            return result, None
        return None, self.file.seams[raw].raised(error) or error

    def settle(self, writer: Writer) -> None:
        """A cursor that its writer let go of half-read has let go of its locks."""
        connection, hold = writer.link.connection, writer.link.hold
        if hold.level is Lock.NONE or connection.closed or connection.raw.in_transaction:
            return
        unfinished = connection.unfinished()
        writing = any(cursor.writes() for cursor in unfinished)
        if not unfinished or (hold.level > Lock.SHARED and not writing):
            self.locks.did(hold, Need.FINISH, After(False, False, bool(unfinished)))

    # What the operation left behind.

    def _worn(self, connection: Connection, sql: str, left: Wear) -> None:
        connection.touched = connection.touched or left.connection
        self.file.spoilt = self.file.spoilt or left.file
        if left.alone:
            # who else has the file open decides: nobody may who is only kept, or not yet collected
            self.must_be_new()
            self.file.reader.close()
            gc.collect()
        if left.uncovered:
            raise UncoveredShape(f"{left.uncovered}; leave it out of the run.", part=sql)
        if left.asks_total or (left.asks_rowid and not connection.inserted):
            self.must_be_new()

    def must_be_new(self) -> None:
        """Start over on a fresh file, unless this is one."""
        if not self.file.new:
            raise pool.NotAsNew

    def _after(self, writer: Writer, raw: sqlite3.Connection, changes: int) -> After:
        changed = self.needs.changes_file(writer.operation) or raw.total_changes != changes
        unfinished = writer.link.connection.unfinished()
        if not unfinished and not raw.in_transaction:
            return CHANGED if changed else UNCHANGED
        writing = any(cursor.writes() for cursor in unfinished)
        return After(raw.in_transaction, changed or writing, bool(unfinished), writing)

    def _note_begin(self, writer: Writer, raw: sqlite3.Connection, *, opened: bool) -> None:
        """Note a savepoint, or that Python opened a transaction unasked."""
        operation = writer.operation
        verb = verb_of(operation.sql)
        if not operation.call.startswith("execute"):
            return
        if verb in _SAVEPOINT_VERBS:
            writer.link.hold.savepoints.did(operation.sql, opened=opened)
        elif opened and verb in DML and operation.call != "executescript":
            begin = f"BEGIN {raw.isolation_level or ''}".strip()
            self.trace.tell(writer, "implicit", call="begin", sql=begin)

    def _check(
        self,
        writer: Writer,
        foreseen: Outlook,
        busy: bool,
        need: Need,
        error: BaseException | None,
    ) -> None:
        """Raise where SQLite and the table disagree without a reason."""
        if isinstance(foreseen, Claim) and error:
            return  # what fails has nothing to commit
        if need in _MAY_END_EITHER_WAY:
            return
        raise self._surprised(writer.operation, "BUSY" if busy else "no BUSY", foreseen)

    def _surprised(self, operation: Operation, said: str, foreseen: Outlook) -> LockSurprise:
        return LockSurprise(
            f"SQLite said {said} to {short(operation.sql)!r}, the lock table foresaw {foreseen}; "
            "this is a bug of ours.",
            part=self.surprise,
        )
