"""Who may go, who waits, for what, and held by whom.

A busy timeout sleeps inside C, where no simulator can see it. So real connections run with
timeout 0, and this table says what SQLite would have done with a timeout: let the operation
through, *wait*, or fail at once. The rules are SQLite's own
(https://www.sqlite.org/lockingv3.html, https://www.sqlite.org/wal.html): the busy handler is
asked only by a connection that holds nothing yet, so an upgrade from a read fails at once; in
a rollback journal whoever commits takes PENDING, waits for readers to leave, and keeps new
ones out; in WAL readers never wait and there is one write lock.

Wrong in this module: calling SQLite. It keeps books; the engine tells it what happened, and
checks every prediction against what SQLite then says. What cannot be told from outside (did a
commit change the file at all?) it asks the Log, and only where somebody holds a snapshot.
"""

from enum import Enum, IntEnum
from typing import Final, NamedTuple, Protocol

from sim_core.engine.outlook import AMID, FREE, STALE, Claim, Outlook, Refused, Wait
from sim_core.engine.savepoints import Savepoints


class Lock(IntEnum):
    """A rollback journal's locks, weakest first. WAL uses SHARED (a snapshot) and RESERVED
    (the write lock)."""

    NONE = 0
    SHARED = 1
    RESERVED = 2
    PENDING = 3
    EXCLUSIVE = 4


class Need(Enum):
    """What an operation asks of the file."""

    NOTHING = "nothing"
    READ = "read"
    SCHEMA = "read the schema, for a statement that reads nothing else"
    RESERVE = "BEGIN IMMEDIATE, or the first write of an open transaction"
    WRITE = "a write that commits by itself"
    EXCLUDE = "BEGIN EXCLUSIVE"
    COMMIT = "commit"
    AMID = "a commit while a write of the same connection is unfinished"
    FINISH = "the last rows of a RETURNING, whose end is its commit"
    TO_WAL = "PRAGMA journal_mode=wal"
    FROM_WAL = "leave WAL"
    PASSIVE = "wal_checkpoint(passive): whatever nobody needs any more"
    CHECKPOINT = "wal_checkpoint(full): every frame, so no writer and no older snapshot"
    RESTART = "wal_checkpoint(restart or truncate): besides, no reader inside the WAL"


UP_TO_DATE: Final = 0
PERHAPS: Final = 1
BEHIND: Final = 2

_ALONE: Final = (Need.READ, Need.WRITE, Need.NOTHING)
"""Needs of statements that take and give back their locks in one go."""


class Hold:
    """What one connection holds: the engine's books of one row."""

    __slots__ = (
        "apart",
        "behind",
        "changed",
        "claims",
        "cold",
        "inside",
        "level",
        "name",
        "read_only",
        "savepoints",
        "shared",
        "snapshot",
        "timeout",
    )

    def __init__(self, name: str, timeout: int) -> None:
        self.name = name
        """The letters of the writers that use the connection."""
        self.timeout = timeout
        """Its busy timeout, in virtual milliseconds."""
        self.read_only = False
        """PRAGMA query_only is on."""
        self.shared = False
        """Several writers use the connection."""
        self.cold = False
        """It has not read the schema yet, as a process that starts amid a run has not."""
        self.behind = UP_TO_DATE
        """It has not read the file since that went to WAL: asked for the mode, it says the old."""
        self.apart = False
        """It has temporary tables or attached databases: names mean something else on it."""
        self.savepoints = Savepoints()
        self.release()

    def release(self) -> None:
        """Forget every lock: the transaction ended, or the process did."""
        self.level = Lock.NONE
        self.claims = False
        """It waits for readers to leave, and keeps new ones out meanwhile."""
        self.snapshot = 0
        """WAL: the file's version that its open read transaction sees."""
        self.inside = False
        """WAL: that transaction reads the log, and not only the file itself."""
        self.changed = False
        """Its open transaction has changed rows, as far as their count tells."""
        if self.savepoints.names:
            self.savepoints = Savepoints()

    @property
    def stands(self) -> Lock:
        """Return its level as others meet it."""
        return Lock.PENDING if self.claims and self.level < Lock.PENDING else self.level


class After(NamedTuple):
    """What an operation that got through left behind."""

    in_transaction: bool
    changed: bool
    reading: bool = False
    """A statement of the connection is unfinished, and only reads."""
    writing: bool = False
    """A RETURNING of the connection is unfinished: its commit is still to come."""
    written_back: bool = False
    """WAL: a checkpoint has left nothing in the log that is not in the file."""


class Log(Protocol):
    """What only SQLite knows of a file in WAL."""

    def version(self) -> int:
        """Return a number that is another one as soon as a commit has changed the file."""
        ...

    def empty(self) -> bool:
        """Say whether nothing was written into the log since it was truncated."""
        ...


class Locks:
    """The books of one file."""

    def __init__(self, wal: bool, log: Log) -> None:
        self.wal = wal
        self.converted = False
        """It was not in WAL from the start."""
        self.log = log
        self.holds: list[Hold] = []
        self.still = True
        """Nobody holds or claims anything: most of the time, where every statement commits."""
        self.written_back = -1
        """WAL: the version at which the log was last written back whole."""

    def open(self, name: str, timeout: int) -> Hold:
        """Enter a connection; its writers' letters name it in every explanation."""
        hold = Hold(name, timeout)
        self.holds.append(hold)
        return hold

    def close(self, hold: Hold) -> None:
        """Strike a connection out: it was closed, or its process died."""
        if hold in self.holds:
            self.holds.remove(hold)
            self._look()

    def held(self) -> dict[str, str]:
        """Return who holds which lock, for the trace and its views."""
        names = {hold.name: self._lock_name(hold) for hold in self.holds}
        return {letters: name for letters, name in names.items() if name}

    def _lock_name(self, hold: Hold) -> str:
        if hold.stands is Lock.NONE:
            return ""
        if self.wal:
            return "WRITE" if hold.level >= Lock.RESERVED else "SNAPSHOT"
        return hold.stands.name

    # What would happen.

    def outlook(self, hold: Hold, need: Need) -> Outlook:
        """Return what SQLite would do with an operation of `need`, right now."""
        if need is Need.NOTHING:
            return FREE
        if need is Need.AMID:
            return AMID
        if self.still and need is not Need.FROM_WAL:
            return FREE
        return self._outlook_wal(hold, need) if self.wal else self._outlook_journal(hold, need)

    def _outlook_wal(self, hold: Hold, need: Need) -> Outlook:
        match need:
            case Need.READ | Need.SCHEMA | Need.COMMIT | Need.FINISH | Need.TO_WAL | Need.PASSIVE:
                return FREE
            case Need.CHECKPOINT | Need.RESTART:
                return self._checkpoint(hold, need)
            case Need.FROM_WAL:
                others = "".join(one.name for one in self.holds if one is not hold)
                return Refused("EXCLUSIVE", others) if others else FREE
        if hold.level >= Lock.RESERVED:
            return FREE
        writers = self._others(hold, Lock.RESERVED)
        if hold.level is Lock.SHARED:
            if writers:
                return Refused("WRITE", writers)
            return FREE if self.fresh(hold) else STALE
        return Wait("WRITE", writers) if writers else FREE

    def _checkpoint(self, hold: Hold, need: Need) -> Outlook:
        if hold.level is not Lock.NONE:
            return FREE  # SQLITE_LOCKED, which nobody waits for
        if writers := self._others(hold, Lock.RESERVED):
            return Wait("WRITE", writers)
        readers = [one for one in self.holds if one is not hold and one.level is Lock.SHARED]
        whole = self.all_written_back()
        names = "".join(
            one.name
            for one in readers
            if (not whole and not self.fresh(one)) or (one.inside and need is Need.RESTART)
        )
        return Wait("SNAPSHOT", names) if names else FREE

    def fresh(self, hold: Hold) -> bool:
        """WAL: say whether nothing was committed since the connection's snapshot.

        SQLite compares the head of the log's index, and so does PRAGMA data_version: a commit
        that changed no page leaves both as they were, a truncated log does not
        (https://www.sqlite.org/walformat.html)."""
        return hold.snapshot == self.log.version()

    def all_written_back(self) -> bool:
        """WAL: say whether the file alone holds everything. Whoever begins to read then is not
        inside the log, and in nobody's way who starts it anew."""
        return self.written_back == self.log.version() or self.log.empty()

    def _outlook_journal(self, hold: Hold, need: Need) -> Outlook:
        if need in (Need.PASSIVE, Need.CHECKPOINT, Need.RESTART, Need.FROM_WAL):
            return FREE
        if need in (Need.READ, Need.SCHEMA):
            barred = self._others(hold, Lock.PENDING)
            return Wait("SHARED", barred) if barred and hold.level is Lock.NONE else FREE
        if need is Need.COMMIT:
            return self._exclude(hold) if hold.level >= Lock.RESERVED else FREE
        if need is Need.FINISH:
            readers = self._others(hold, Lock.SHARED)
            return Wait("EXCLUSIVE", readers) if readers else FREE
        if need is Need.TO_WAL and (barred := self._others(hold, Lock.PENDING)):
            return Wait("SHARED", barred)  # it reads the file's header first
        writers = self._others(hold, Lock.RESERVED)
        if hold.level < Lock.RESERVED and writers:
            upgrades = hold.level is Lock.SHARED or need is Need.TO_WAL
            return (Refused if upgrades else Wait)("RESERVED", writers)
        return FREE if need is Need.RESERVE else self._exclude(hold)

    def _exclude(self, hold: Hold) -> Outlook:
        if hold.level is Lock.EXCLUSIVE:
            return FREE
        readers = self._others(hold, Lock.SHARED)
        if not readers:
            return FREE
        return Wait("EXCLUSIVE", readers) if hold.claims else Claim(readers)

    def kept_out(self, mine: Hold) -> bool:
        """Say whether `mine` meets a PENDING that stands only here, in the books."""
        return any(
            hold.claims and hold.level < Lock.PENDING for hold in self.holds if hold is not mine
        )

    def _others(self, mine: Hold, least: Lock) -> str:
        return "".join(
            hold.name for hold in self.holds if hold is not mine and hold.stands >= least
        )

    # What happened.

    def did(self, hold: Hold, need: Need, after: After) -> None:
        """Enter an operation that got through."""
        gone = not (after.in_transaction or after.reading or after.writing)
        if gone and self.still and need in _ALONE:
            return  # it came and went: the books stand as before
        hold.claims = False
        hold.changed = hold.changed or after.changed
        if need in (Need.TO_WAL, Need.FROM_WAL):
            self.wal = self.converted = need is Need.TO_WAL
            for other in self.holds:
                other.behind = UP_TO_DATE if other is hold else BEHIND
        if after.written_back:
            self.written_back = self.log.version()
        if after.in_transaction or after.writing:
            self._keep(hold, need)
        else:
            self._let_go(hold, need, after)
        self._look()

    def _let_go(self, hold: Hold, need: Need, after: After) -> None:
        """A transaction ended, or there was none. What is half-read goes on reading: its snapshot
        stands, unless the connection's own write has moved it."""
        level, snapshot, inside = hold.level, hold.snapshot, hold.inside
        hold.release()
        if after.reading and level is Lock.SHARED and need is not Need.WRITE:
            hold.level, hold.snapshot, hold.inside = level, snapshot, inside
        elif after.reading:
            self._keep(hold, Need.READ)

    def _look(self) -> None:
        for hold in self.holds:
            if hold.level is not Lock.NONE or hold.claims:
                self.still = False
                return
        self.still = True

    def _keep(self, hold: Hold, need: Need) -> None:
        before = hold.level
        match need:
            case Need.READ:
                hold.level = max(before, Lock.SHARED)
            case Need.RESERVE | Need.WRITE:
                hold.level = max(before, Lock.RESERVED)
            case Need.EXCLUDE:
                hold.level = Lock.RESERVED if self.wal else Lock.EXCLUSIVE
        if self.wal and before is Lock.NONE and hold.level is Lock.SHARED:
            hold.snapshot, hold.inside = self.log.version(), not self.all_written_back()

    def refused(self, hold: Hold, need: Need, *, waits: bool, in_transaction: bool) -> None:
        """Enter a BUSY: does the operation wait on, or was its writer told?

        A COMMIT that could not get EXCLUSIVE keeps PENDING either way; whatever else waits for
        readers keeps it only while it waits.
        """
        hold.claims = waits
        if need is Need.COMMIT and not self.wal:
            hold.level = Lock.PENDING
        elif not in_transaction and not waits and need is Need.FINISH:
            hold.release()
        self._look()
