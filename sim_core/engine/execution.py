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
from sim_core.engine.file import File, warm
from sim_core.engine.locks import PERHAPS, UP_TO_DATE, After, Hold, Lock, Locks, Need
from sim_core.engine.needs import asks_schema, beside, sets_mode
from sim_core.engine.outcome import attempt, begins_anew, is_busy, kept_out, writes_back
from sim_core.engine.outlook import FREE, Claim, Outlook, barred
from sim_core.engine.park import Operation, Result
from sim_core.engine.statement import DML, pragma, verb_of
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

_CHECKPOINTS = (Need.PASSIVE, Need.CHECKPOINT, Need.RESTART)

_BACK_AND_FORTH = (
    "A run that has gone from a rollback journal to WAL cannot leave WAL again: who stands in the "
    "way depends on who has read since; begin in WAL, with journal=wal in the recipe."
)

_HALF_READ_MODE = (
    "A PRAGMA journal_mode that changes it keeps the file to itself until its row is fetched; "
    "take execute_fetchall, or granularity=statement, where a statement's rows come with it."
)

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
        self.altered = False
        """Statements may need something else than before: the schema is another one."""

    def need(self, writer: Writer) -> Need:
        """Return what the writer's parked operation asks of the file, as things stand."""
        if writer.need is not None:
            return writer.need
        operation, connection, hold = writer.operation, writer.link.connection, writer.link.hold
        if connection.closed:
            return Need.NOTHING
        raw = connection.raw
        need = None if hold.read_only or hold.apart else self.needs.plain(raw, operation)
        need = need or self.needs.of(raw, hold, operation, self.locks.wal)
        if unfinished := connection.unfinished():
            writing = sum(cursor.changes for cursor in unfinished)
            need = beside(operation, need, hold, writing=writing)
        if hold.cold and need is Need.NOTHING and asks_schema(operation):
            return Need.SCHEMA
        lasts = not hold.shared and self.needs.certain
        if lasts and not self.needs.depends_on_journal(operation):
            writer.need = need  # only operations of its own, or another schema, can change it
        return need

    def do(self, writer: Writer) -> Answer:
        """Execute, and compare with what the table foresaw."""
        operation, hold = writer.operation, writer.link.hold
        if not hold.behind or writer.link.connection.closed:
            return self._do(writer)
        reads = self.need(writer) is not Need.NOTHING or sets_mode(operation)
        result, error = self._do(writer)
        if reads:
            hold.behind = UP_TO_DATE
        elif error:
            hold.behind = PERHAPS  # SQLite looks into the file for a table that it does not know
        return result, error

    def _do(self, writer: Writer) -> Answer:
        operation, hold, connection = writer.operation, writer.link.hold, writer.link.connection
        if connection.closed:
            return attempt(operation)
        raw = connection.raw
        need = writer.need or self.need(writer)
        if hold.cold:
            self._warm(hold, raw)
        elif self.locks.still and need in _COMES_AND_GOES and is_simple(operation.sql):
            answer = self._simply(writer, raw, need)
            if answer is not None:
                return answer
        return self._by_the_book(writer, raw, need)

    def _by_the_book(self, writer: Writer, raw: sqlite3.Connection, need: Need) -> Answer:
        """Do any operation, in any state of the locks."""
        hold, connection = writer.link.hold, writer.link.connection
        foreseen = self.locks.outlook(hold, need)
        changes, open_before = raw.total_changes, raw.in_transaction
        self._prepare(writer, need)
        result, error = self._try(writer, raw, foreseen)
        busy = is_busy(error, need, result)
        if busy != (foreseen is not FREE):
            self._check(writer, foreseen, busy, need, error)
        if connection.closed:
            return result, error
        self._note_cursor(writer, raw, need)
        self._note_schema(writer, raw, error)
        opened = not open_before and raw.in_transaction
        refused = error if busy else None
        if opened or (raw.in_transaction and refused is None):
            self._note_begin(writer, raw, opened=opened)
        if refused is not None:
            return self._refused(writer, raw, need, foreseen, refused)
        self._got_through(writer, raw, need, changes, result, error)
        return result, error

    def _prepare(self, writer: Writer, need: Need) -> None:
        """Note what an operation will leave behind on its connection or file."""
        operation, hold = writer.operation, writer.link.hold
        if (left := wear(operation.sql)) is not NONE:
            self._worn(writer.link.connection, operation.sql, left)
            hold.apart = hold.apart or left.apart
        if need is Need.FROM_WAL and self.locks.converted:
            raise UncoveredShape(_BACK_AND_FORTH, part=operation.sql)

    def _note_schema(
        self, writer: Writer, raw: sqlite3.Connection, error: BaseException | None
    ) -> None:
        if not self.needs.outdated(raw, writer.operation):
            return
        self.altered = True
        # it forgets its schema, and reads it anew with the next statement
        reset = ("VACUUM", "ROLLBACK") if error is None else ("ROLLBACK",)
        writer.link.hold.cold |= verb_of(writer.operation.sql) in reset

    def _refused(
        self,
        writer: Writer,
        raw: sqlite3.Connection,
        need: Need,
        foreseen: Outlook,
        error: BaseException,
    ) -> Answer:
        """Enter a BUSY: the writer waits on, keeping PENDING, or is told."""
        hold = writer.link.hold
        waits = isinstance(foreseen, Claim) and hold.timeout > 0
        self.locks.refused(hold, need, waits=waits, in_transaction=raw.in_transaction)
        if waits:
            return None, None
        writer.barred = barred(foreseen)
        return None, error

    def _got_through(
        self,
        writer: Writer,
        raw: sqlite3.Connection,
        need: Need,
        changes: int,
        result: Result | None,
        error: BaseException | None,
    ) -> None:
        """Enter what an operation left behind."""
        operation, hold = writer.operation, writer.link.hold
        after = self._after(writer, raw, changes)
        if after.reading and need in (Need.TO_WAL, Need.FROM_WAL):
            raise UncoveredShape(_HALF_READ_MODE, part=operation.sql)
        if need in _CHECKPOINTS and error is None:
            after = after._replace(written_back=writes_back(result))
        if error is None and begins_anew(operation, writer.link.connection):
            after = after._replace(in_transaction=False)
        if need is not Need.NOTHING and verb_of(operation.sql) != "VACUUM":
            hold.cold = False
        self.locks.did(hold, need, after)

    def _simply(self, writer: Writer, raw: sqlite3.Connection, need: Need) -> Answer | None:
        """Do what most programs do most of the time: one statement, while nobody holds anything,
        that takes its locks and gives them back. None, and nothing done, where it is not so."""
        operation, link = writer.operation, writer.link
        if raw.in_transaction or not link.connection.whole or raw.isolation_level is not None:
            return None
        result, error = attempt(operation)
        if error is None:
            return result, None
        error = self.file.seams[raw].raised(error) or error
        if is_busy(error, need, result):
            raise self._surprised(operation, "BUSY", FREE)
        self._note_cursor(writer, raw, need)
        self.locks.did(link.hold, need, self._after(writer, raw, raw.total_changes))
        return None, error

    def _warm(self, hold: Hold, raw: sqlite3.Connection) -> None:
        """Give a connection that started amid the run what the others had from the start, as
        soon as nobody is in its way."""
        if not raw.in_transaction and self.locks.outlook(hold, Need.READ) is FREE:
            warm(raw)

    def _note_cursor(self, writer: Writer, raw: sqlite3.Connection, need: Need) -> None:
        """Note what a statement holds that is not at its end; a SELECT 1 holds nothing."""
        operation, cursor = writer.operation, writer.operation.cursor
        if cursor is not None and cursor.unfinished and operation.call.startswith("execute"):
            cursor.reads = need not in (Need.NOTHING, Need.SCHEMA)
            cursor.changes = self.needs.changes(raw, writer.link.hold, operation)

    def _try(self, writer: Writer, raw: sqlite3.Connection, foreseen: Outlook) -> Answer:
        hold = writer.link.hold
        # a cold connection may have the schema from the run before, and not notice
        shut = hold.cold and self.locks.outlook(hold, Need.READ) is not FREE
        if foreseen is not FREE and (shut or self.locks.kept_out(hold)):
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
        reading = any(cursor.reads for cursor in unfinished)
        writing = any(cursor.changes for cursor in unfinished)
        if not writing and (not reading or hold.level > Lock.SHARED):
            self.locks.did(hold, Need.FINISH, After(False, False, reading))

    # What the operation left behind.

    def _worn(self, connection: Connection, sql: str, left: Wear) -> None:
        connection.touched = connection.touched or left.connection
        self.file.spoilt = self.file.spoilt or left.file
        if left.alone:
            # who else has the file open decides: nobody may who is only kept, or not yet collected
            self.must_be_new()
            if pragma(sql).value != "wal":  # to WAL one need not be alone
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
        reading = any(cursor.reads for cursor in unfinished)
        writing = any(cursor.changes for cursor in unfinished)
        return After(raw.in_transaction, changed or writing, reading, writing)

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
        cursor = writer.operation.cursor
        if isinstance(foreseen, Claim) and (error or (cursor and cursor.unfinished)):
            return  # what fails has nothing to commit; a half-read RETURNING, not yet
        if need in _MAY_END_EITHER_WAY:
            return
        raise self._surprised(writer.operation, "BUSY" if busy else "no BUSY", foreseen)

    def _surprised(self, operation: Operation, said: str, foreseen: Outlook) -> LockSurprise:
        return LockSurprise(
            f"SQLite said {said} to {short(operation.sql)!r}, the lock table foresaw {foreseen}; "
            "this is a bug of ours.",
            part=self.surprise,
        )
