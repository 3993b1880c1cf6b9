"""What SQLite would do with an operation, before it is asked.

Apart from the books (locks.py) because whoever offers, shows or explains an operation reads it.
"""

from typing import Final, NamedTuple


class Free(NamedTuple):
    """The operation can be tried, and nobody stands in its way."""


class Refused(NamedTuple):
    """The operation can be tried, and SQLite will say BUSY without waiting: it wants `lock`,
    which `holders` have. With SNAPSHOT and nobody: its own snapshot is too old to write on."""

    lock: str
    holders: str


class Claim(NamedTuple):
    """The operation can be tried and will not get through, but the attempt itself takes
    PENDING: from then on it waits for `holders`."""

    holders: str


class Wait(NamedTuple):
    """The operation would sleep in its busy handler: it wants `lock`, which `holders` have."""

    lock: str
    holders: str

    @property
    def words(self) -> str:
        """Return it as a person reads it."""
        if self.lock in ("EXCLUSIVE", "SNAPSHOT"):
            return f"waits for {self.lock}, while {' and '.join(self.holders)} still reads"
        return f"waits for {self.lock}, held by {self.holders}"


Outlook = Free | Refused | Claim | Wait

FREE: Final = Free()
AMID: Final = Refused("", "")
"""SQLite says BUSY to a COMMIT while a write of the same connection is unfinished."""
STALE: Final = Refused("SNAPSHOT", "")


def barred(outlook: Outlook) -> tuple[str, str]:
    """Return which lock an operation did not get, and who had it; of a wait that is over, too."""
    match outlook:
        case Refused(lock, holders) | Wait(lock, holders):
            return lock, holders
        case Claim(holders):
            return "EXCLUSIVE", holders
        case _:
            return "", ""
