"""A real file for every run, and real connections to it.

Fresh file, fresh connections: nothing can be left over from the run before. This is the
reference that the pool (engine/pool.py) has to equal.

Wrong in this module: an in-memory or shared-cache database; both lock by other rules.
"""

import itertools
import sqlite3
from contextlib import suppress
from typing import Final, Literal, NamedTuple

from sim_core.engine.blame import no_room
from sim_core.engine.needs import Needs
from sim_core.engine.place import place, remove
from sim_core.engine.reader import Reader
from sim_core.engine.unfinished import prepare
from sim_core.errors import ScenarioError
from sim_core.quoting import short
from sim_core.seams.chance import READER, WRITERS
from sim_core.seams.clock import Clock
from sim_core.seams.sqltime import SqlSeam

Isolation = Literal["", "DEFERRED", "IMMEDIATE", "EXCLUSIVE"] | bool | None
"""Python's transaction modes: isolation_level, where None leaves transactions to the writer; or
True and False, which are `autocommit` of Python 3.12."""

SETUP_STREAM: Final = WRITERS - 1
_numbers: Final = itertools.count()


class Layout(NamedTuple):
    """What two runs must have in common to be able to use one file after the other."""

    schema: str
    journal: str
    isolation: Isolation
    zone: str = "UTC"


class File:
    """One run's database file, with the schema in it."""

    def __init__(self, layout: Layout, clock: Clock, seed: int) -> None:
        self.layout = layout
        self.clock = clock
        self.seed = seed
        self.path = place() / f"{next(_numbers)}.db"
        self.reader = Reader(self.path, SqlSeam(clock, seed, READER))
        self.new = True
        """Nothing ran on it before."""
        self.needs = Needs()
        """What is known of statements, under this schema."""
        self.threw_dice = False
        """A statement on a connection that is closed by now has asked for chance."""
        self.spoilt = False
        """Writing its first bytes back would not make it as new."""
        self.seams: dict[sqlite3.Connection, SqlSeam] = {}
        setup = self.open(SETUP_STREAM, None)
        try:
            setup.execute(f"PRAGMA journal_mode={layout.journal}").fetchall()
            setup.executescript(layout.schema)
            self._check_journal(setup)
        except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
            File.remove(self)  # and not as the pool does, which would keep it
            if uncovered := self.seams[setup].raised(error):
                raise uncovered from None
            if machine := no_room(error):
                raise machine from error
            raise ScenarioError(
                f"SQLite refuses the SCHEMA: {short(error, 200)}.", part="SCHEMA"
            ) from error
        finally:
            del self.seams[setup]
            setup.close()

    def _check_journal(self, setup: sqlite3.Connection) -> None:
        """WAL is kept in the file: a SCHEMA that sets it would set it behind the recipe's back."""
        asked = self.layout.journal
        (found,) = setup.execute("PRAGMA main.journal_mode").fetchone()
        if (found == "wal") != (asked == "wal"):
            File.remove(self)
            raise ScenarioError(
                f"The SCHEMA sets PRAGMA journal_mode={found}, and the recipe's `journal` says "
                f"{asked}; take the PRAGMA out, and say journal={found} in the recipe or JOURNAL "
                f"in the scenario.",
                part="SCHEMA",
            )

    def open(self, dice: int, isolation: Isolation) -> sqlite3.Connection:
        """Open a connection; `dice` is the stream that answers its random().

        Its schema is read here, unless another holds PENDING: then the connection's own first
        statement reads it, as in a process that starts just now.
        """
        level = "" if isinstance(isolation, bool) else isolation
        raw = sqlite3.connect(
            self.path,
            timeout=0,
            isolation_level=level,  # type: ignore[arg-type]
            check_same_thread=False,
        )
        warm(raw)
        seam = self.seams[raw] = SqlSeam(self.clock, self.seed, dice)
        seam.install(raw)
        prepare(raw)
        if isinstance(isolation, bool):
            raw.autocommit = isolation  # type: ignore[attr-defined] # last: False opens a transaction
        return raw

    # What a run uses; the pool does each of these in its own way.

    def connect(self, dice: int) -> sqlite3.Connection:
        """Return a connection for a writer."""
        return self.open(dice, self.layout.isolation)

    def close(self, raw: sqlite3.Connection, touched: bool = False) -> None:
        """Close a writer's connection; its open transaction is rolled back.

        `touched`: it no longer is as a new one would be."""
        self._note_dice(raw)
        self.seams.pop(raw, None)
        # a statement that some dead frame still refers to would keep the connection, and with it
        # the transaction, alive behind sqlite3_close
        with suppress(sqlite3.Error):
            raw.rollback()
        raw.close()

    def _note_dice(self, raw: sqlite3.Connection) -> None:
        if self.seams[raw].thrown is not None:
            self.threw_dice = True

    def remove(self) -> None:
        """Delete the file and what SQLite puts beside it."""
        self.reader.close()
        remove(self.path)


def warm(raw: sqlite3.Connection) -> None:
    """Let a connection read the schema, and write without waiting for the disk: a crash here is
    one of a process, and no power loss. Where somebody keeps readers out, nothing is done."""
    try:
        raw.execute("PRAGMA synchronous=OFF")
        raw.execute("SELECT count(*) FROM sqlite_schema").fetchall()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
