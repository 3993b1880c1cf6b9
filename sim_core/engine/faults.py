"""What goes wrong, and where.

    A2after:crash                  the first writer's process is killed after its 2nd operation
    B1before:SQLITE_FULL           an error by SQLite's name, instead of the operation
    A3after:cancel                 the operation lands, and its await raises CancelledError
    *.update-sections.1after:crash after anybody's first UPDATE of sections
    *:crash   (with p=0.05)        anywhere, with this probability at each place

A writer with n operations has places 1..n, before each of them, and place n + 1, after the
last: a crash at `A2after` and one at `A3before` are the same. A crash is one more grant of its
process: SIGKILL, not power loss. Errors and cancellation happen in the operation's own grant.

Wrong in this module: striking. It says what strikes where; the engine does it.
"""

import importlib
import re
import sqlite3
from typing import Final, NamedTuple

from sim_core.engine.statement import shape
from sim_core.errors import RecipeError
from sim_core.quoting import short
from sim_core.seams.chance import FAULTS, Pcg32, stream

CRASH: Final = "crash"
CANCEL: Final = "cancel"

_FAULT: Final = re.compile(
    r"(?P<writer>[A-Ea-e*])"
    r"(?:(?P<number>[1-9][0-9]{0,4})"
    r"|\.(?P<slug>[a-z0-9_-]{1,80}?)(?:\.(?P<nth>[1-9][0-9]{0,4}))?)?"
    r"(?P<side>before|after)?:(?P<kind>crash|cancel|SQLITE_[A-Z_]{2,40})"
)


class Fault(NamedTuple):
    """One fault as it is written."""

    writer: str
    """A letter, or * for any."""
    number: int
    """The writer's operation, from 1; with a slug, its how-many-eth match; 0 for every one."""
    slug: str
    """The leading words of a statement's fingerprint, joined by -; empty for any."""
    side: str
    kind: str

    def __str__(self) -> str:
        if self.slug:
            where = f".{self.slug}" + (f".{self.number}" if self.number else "")
        else:
            where = str(self.number or "")
        return f"{self.writer}{where}{self.side}:{self.kind}"

    def fits(self, writer: str, number: int, sql: str, nth: int) -> bool:
        """Say whether it sits at `writer`'s operation; `nth` counts the slug's matches."""
        if self.writer not in ("*", writer):
            return False
        if not self.slug:
            return self.number in (0, number)
        return slug_of(sql).startswith(self.slug) and self.number in (0, nth)


def slug_of(sql: str) -> str:
    """Return a statement's fingerprint as lower-case words joined by -."""
    return re.sub(r"[^a-z0-9_]+", "-", shape(sql).fingerprint.lower()).strip("-")


def parse(text: str) -> tuple[Fault, ...]:
    """Return the faults of a recipe's value, in canonical order; RecipeError names a bad one."""
    return tuple(sorted(_fault(part) for part in text.split(",")))


def _fault(part: str) -> Fault:
    match = _FAULT.fullmatch(part)
    if not match:
        raise RecipeError(
            f"faults={short(part)} is not a fault; write one like A2after:crash, "
            "B1before:SQLITE_FULL or *.update-sections.1after:cancel.",
            part=f"faults={part}",
        )
    if match["kind"] not in (CRASH, CANCEL):
        error_class(match["kind"])
    number = int(match["number"] or match["nth"] or 0)
    return Fault(
        match["writer"], number, match["slug"] or "", match["side"] or "before", match["kind"]
    )


_CLASSES: Final = {
    "SQLITE_CONSTRAINT": sqlite3.IntegrityError,
    "SQLITE_MISMATCH": sqlite3.IntegrityError,
    "SQLITE_CORRUPT": sqlite3.DatabaseError,
    "SQLITE_NOTADB": sqlite3.DatabaseError,
    "SQLITE_AUTH": sqlite3.DatabaseError,
    "SQLITE_TOOBIG": sqlite3.DataError,
    "SQLITE_INTERNAL": sqlite3.InternalError,
    "SQLITE_MISUSE": sqlite3.InterfaceError,
    "SQLITE_RANGE": sqlite3.InterfaceError,
}
"""Primary name → the class that Python's sqlite3 raises; all others: OperationalError."""


_ERRORS: Final = (
    *("SQLITE_ERROR", "SQLITE_INTERNAL", "SQLITE_PERM", "SQLITE_ABORT", "SQLITE_BUSY"),
    *("SQLITE_LOCKED", "SQLITE_NOMEM", "SQLITE_READONLY", "SQLITE_INTERRUPT", "SQLITE_IOERR"),
    *("SQLITE_CORRUPT", "SQLITE_NOTFOUND", "SQLITE_FULL", "SQLITE_CANTOPEN", "SQLITE_PROTOCOL"),
    *("SQLITE_EMPTY", "SQLITE_SCHEMA", "SQLITE_TOOBIG", "SQLITE_CONSTRAINT", "SQLITE_MISMATCH"),
    *("SQLITE_MISUSE", "SQLITE_NOLFS", "SQLITE_AUTH", "SQLITE_FORMAT", "SQLITE_RANGE"),
    "SQLITE_NOTADB",
)
"""The primary result codes that are errors (https://www.sqlite.org/rescode.html). Python's sqlite3
has other names of the same numbers: what an authorizer is asked and answers, limits."""


def _is_error(name: str, code: object) -> bool:
    """Say whether it is a primary error, or one extended: its name goes on, its low byte stays."""
    if name in _ERRORS or not isinstance(code, int):
        return name in _ERRORS
    extends = [one for one in _ERRORS if name.startswith(f"{one}_") and code > 0xFF]
    return any(getattr(sqlite3, one) == code % 256 for one in extends)


def error_class(name: str) -> type[sqlite3.Error]:
    """Return the exception class of an extended error name; RecipeError for an unknown one."""
    if not _is_error(name, getattr(sqlite3, name, None)):
        raise RecipeError(
            f"SQLite has no error {name}; take a name like SQLITE_FULL or SQLITE_IOERR_FSYNC.",
            part=name,
        )
    number = getattr(sqlite3, name) & 0xFF
    primary = next(
        (known for known in _CLASSES if getattr(sqlite3, known) == number), "SQLITE_ERROR"
    )
    return _CLASSES.get(primary, sqlite3.OperationalError)


def error_of(kind: str) -> BaseException:
    """Return the exception that a fault of `kind` raises in its writer."""
    if kind == CANCEL:
        # the writer's own `except asyncio.CancelledError` must catch it; nothing else of
        # asyncio is used here
        cancelled: BaseException = importlib.import_module("asyncio").CancelledError()
        return cancelled
    error = error_class(kind)(f"injected {kind}")
    error.sqlite_errorname = kind
    error.sqlite_errorcode = getattr(sqlite3, kind)
    return error


class Strikes:
    """One run's faults: what strikes at which place, and what did strike."""

    def __init__(self, faults: tuple[Fault, ...], probability: int, seed: int) -> None:
        self.faults = faults
        self.probability = probability
        """In millionths."""
        self.struck: list[Fault] = []
        self.exact: list[Fault] = []
        """The same, each with the place where it did strike."""
        self._seed = seed
        self._dice: Pcg32 | None = None
        self._matches: dict[tuple[str, str], int] = {}
        self.placed: dict[tuple[str, int], Fault] = {}

    def park(self, writer: str, number: int, sql: str) -> None:
        """Decide, as `writer` parks before its operation `number`, what will strike there."""
        if not self.faults:
            return
        for slug in {fault.slug: None for fault in self.faults if fault.slug}:
            if slug_of(sql).startswith(slug):
                self._matches[writer, slug] = self._matches.get((writer, slug), 0) + 1
        for fault in self.faults:
            nth = self._matches.get((writer, fault.slug), 0)
            if fault.fits(writer, number, sql, nth) and self._throws():
                # a crash after an operation is one grant more; the rest happens in its grant
                late = fault.kind == CRASH and fault.side == "after"
                self.placed.setdefault((writer, number + late), fault)

    def _throws(self) -> bool:
        if self.probability >= 1_000_000:
            return True
        if self._dice is None:
            self._dice = stream(self._seed, FAULTS)
        return self._dice.below(1_000_000) < self.probability

    @property
    def threw_dice(self) -> bool:
        """Say whether chance decided on any of them."""
        return self._dice is not None

    def at(self, writer: str, number: int) -> Fault | None:
        """Return what strikes the writer's operation `number`."""
        return self.placed.get((writer, number))

    def strike(self, fault: Fault, writer: str, number: int) -> None:
        """Note that a fault has struck at the writer's operation `number`."""
        self.struck.append(fault)
        side = fault.side
        if fault.kind == CRASH:  # between two operations: named after the one before
            side = "after" if number > 1 else "before"
            number = max(number - 1, 1)
        self.exact.append(Fault(writer, number, "", side, fault.kind))
