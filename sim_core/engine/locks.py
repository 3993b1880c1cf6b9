"""Who may go, who waits, for what, and held by whom.

A busy timeout sleeps inside C, where no simulator can see it. So real connections run with
timeout 0, and this table says what SQLite would have done with a timeout: let the operation
through, *wait*, or fail at once. The rules are SQLite's own
(https://www.sqlite.org/lockingv3.html, https://www.sqlite.org/wal.html): the busy handler is
asked only by a connection that holds nothing yet, so an upgrade from a read fails at once; in
a rollback journal a committer takes PENDING, waits for readers to leave, and keeps new ones
out; in WAL readers never wait and there is one write lock.

Wrong in this module: calling SQLite. It keeps books; the engine tells it what happened, and
checks every prediction against what SQLite then says.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, NamedTuple


class Lock(IntEnum):
    """A rollback journal's locks, weakest first. WAL uses SHARED (a snapshot) and RESERVED
    (the write lock)."""

    NONE = 0
    SHARED = 1
    RESERVED = 2
    PENDING = 3
    EXCLUSIVE = 4


class Need(IntEnum):
    """What an operation asks of the file."""

    NOTHING = 0
    READ = 1
    RESERVE = 2
    """BEGIN IMMEDIATE, or the first write of an open transaction."""
    EXCLUDE = 3
    """A write that commits by itself, or BEGIN EXCLUSIVE."""
    COMMIT = 4


class Free(NamedTuple):
    """The operation can be tried; `at_once` when SQLite will refuse it without waiting."""

    at_once: bool = False


class Claim(NamedTuple):
    """The operation can be tried and will not get through, but the attempt itself takes
    PENDING: from then on it waits for `holders`."""

    holders: str


class Wait(NamedTuple):
    """The operation would sleep in its busy handler: it wants `lock`, which `holders` have."""

    lock: str
    holders: str


Outlook = Free | Claim | Wait

FREE: Final = Free()
AT_ONCE: Final = Free(at_once=True)


class Hold:
    """What one connection holds: the engine's books of one row."""

    __slots__ = ("changed", "claims", "letter", "level", "snapshot", "timeout")

    def __init__(self, letter: str, timeout: int) -> None:
        self.letter = letter
        self.timeout = timeout
        """Its busy timeout, in virtual milliseconds."""
        self.level = Lock.NONE
        self.claims = False
        """It waits for readers to leave and keeps PENDING meanwhile."""
        self.snapshot: int | None = None
        """WAL: the commit sequence its open read transaction sees."""
        self.changed = False
        """Its open transaction has changed pages."""

    def release(self) -> None:
        """Forget every lock: the transaction ended, or the process did."""
        self.level, self.claims, self.snapshot, self.changed = Lock.NONE, False, None, False


class Locks:
    """The books of one file."""

    def __init__(self, wal: bool) -> None:
        self.wal = wal
        self.holds: dict[str, Hold] = {}
        self.commits = 0

    def open(self, letter: str, timeout: int) -> Hold:
        """Enter a connection; its owner's letter names it in every explanation."""
        hold = self.holds[letter] = Hold(letter, timeout)
        return hold

    def held(self) -> dict[str, str]:
        """Return who holds which lock, for the trace and its views."""
        names = {hold.letter: self._name(hold) for hold in self.holds.values()}
        return {letter: name for letter, name in names.items() if name}

    def _name(self, hold: Hold) -> str:
        if hold.claims:
            return "PENDING"
        if hold.level is Lock.NONE:
            return ""
        if self.wal:
            return "WRITE" if hold.level >= Lock.RESERVED else "SNAPSHOT"
        return hold.level.name

    def outlook(self, hold: Hold, need: Need) -> Outlook:
        """Return what SQLite would do with an operation of `need`, right now."""
        if need is Need.NOTHING:
            return FREE
        return self._outlook_wal(hold, need) if self.wal else self._outlook_journal(hold, need)

    def _outlook_wal(self, hold: Hold, need: Need) -> Outlook:
        if need in (Need.READ, Need.COMMIT) or hold.level >= Lock.RESERVED:
            return FREE
        writers = self._others(hold, Lock.RESERVED)
        if hold.level is Lock.SHARED:
            stale = hold.snapshot is not None and hold.snapshot != self.commits
            return AT_ONCE if writers or stale else FREE
        return Wait("WRITE", writers) if writers else FREE

    def _outlook_journal(self, hold: Hold, need: Need) -> Outlook:
        if need is Need.READ:
            return self._read(hold)
        if need is Need.COMMIT:
            return self._exclude(hold) if hold.level >= Lock.RESERVED else FREE
        writers = self._others(hold, Lock.RESERVED)
        if hold.level < Lock.RESERVED and writers:
            return AT_ONCE if hold.level is Lock.SHARED else Wait("RESERVED", writers)
        return self._exclude(hold) if need is Need.EXCLUDE else FREE

    def _read(self, hold: Hold) -> Outlook:
        barred = self._others(hold, Lock.PENDING)
        return Wait("SHARED", barred) if barred and hold.level is Lock.NONE else FREE

    def _exclude(self, hold: Hold) -> Outlook:
        readers = self._others(hold, Lock.SHARED)
        if not readers:
            return FREE
        return Wait("EXCLUSIVE", readers) if hold.claims else Claim(readers)

    def _others(self, mine: Hold, least: Lock) -> str:
        return "".join(
            hold.letter
            for hold in self.holds.values()
            if hold is not mine and max(hold.level, Lock.PENDING if hold.claims else 0) >= least
        )

    # What the engine reports back.

    def did(self, hold: Hold, need: Need, *, open_after: bool, changed: bool) -> None:
        """Enter an operation that got through.

        `open_after`: a transaction is still open; `changed`: it has changed pages so far. A
        commit without changed pages leaves every snapshot fresh.
        """
        hold.claims = False
        hold.changed = hold.changed or changed
        if open_after:
            self._keep(hold, need)
        else:
            if hold.changed and need in (Need.EXCLUDE, Need.COMMIT):
                self.commits += 1
            hold.release()

    def refused(self, hold: Hold, need: Need, *, waits: bool) -> None:
        """Enter a BUSY: does the operation wait on, or was its writer told?

        A COMMIT that could not get EXCLUSIVE keeps PENDING either way; whatever else waits for
        readers keeps it only while it waits.
        """
        hold.claims = waits
        if need is Need.COMMIT and not self.wal:
            hold.level = Lock.PENDING

    def _keep(self, hold: Hold, need: Need) -> None:
        gained = {Need.READ: Lock.SHARED, Need.RESERVE: Lock.RESERVED, Need.EXCLUDE: Lock.EXCLUSIVE}
        hold.level = max(hold.level, gained.get(need, Lock.NONE))
        if hold.level is not Lock.NONE and hold.snapshot is None:
            hold.snapshot = self.commits

    def close(self, letters: Iterable[str]) -> None:
        """Strike connections out: they were closed, or their process died."""
        for letter in letters:
            self.holds.pop(letter, None)
