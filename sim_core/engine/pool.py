"""The same file and the same connections for one run after another.

Connecting and reading the schema is most of a short run's time. So a file is kept with its
connections, and before the next run it is made as it was: in a rollback journal its bytes are
written back under a raised change counter (bytes 24–27 of the header,
https://www.sqlite.org/fileformat2.html), which makes every connection drop its cache; in WAL
it is first checkpointed whole, which does the same by the log's new salts.

What cannot be made as new is not kept: a connection that set a PRAGMA, made a temporary table,
attached a file, was given a function; a file whose schema was changed. And a run that reads a
counter which lives in the connection (last_insert_rowid, total_changes …) before it set it
itself raises NotAsNew: it is run again on a fresh file.

Wrong in this module: anything that a fresh file would answer differently. tests compare hashes.
"""

import os
import sqlite3
from collections import OrderedDict
from contextlib import suppress
from typing import Final

from sim_core.engine.file import File, Layout
from sim_core.engine.wear import needs_new_connections
from sim_core.seams.chance import READER
from sim_core.seams.clock import Clock

MOST_LAYOUTS: Final = 8
"""Files that are kept; the one unused for longest goes first."""

STEP: Final = 1000
"""How far the change counter is raised: further than the commits of any run."""

_COUNTERS: Final = (slice(24, 28), slice(92, 96))
"""Where a database header keeps its change counter and the version it is valid for."""


class NotAsNew(Exception):
    """A run asked a kept connection for something that only a new one knows.

    Never an error for anybody: the run starts over."""


class KeptFile(File):
    """A file that serves many runs."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout, Clock(zone=layout.zone), 0)
        self._template = self.path.read_bytes()
        self._descriptor = os.open(self.path, os.O_RDWR)
        self._counter = int.from_bytes(self._template[24:28], "big")
        self._idle: list[sqlite3.Connection] = []
        self._janitor: sqlite3.Connection | None = None
        self._begun = False

    def begin(self, clock: Clock, seed: int) -> None:
        """Make the file as it was, for a run with its own clock and dice."""
        self.clock, self.seed = clock, seed
        self.reader.seam.serve(clock, seed, READER)
        self.new = not self._begun
        if self._begun:
            self._restore()
        self._begun = True

    def _restore(self) -> None:
        if self.layout.journal == "wal":
            if self._janitor is None:
                self._janitor = sqlite3.connect(self.path, timeout=0, isolation_level=None)
            checkpoint = self._janitor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if checkpoint != (0, 0, 0):
                raise sqlite3.OperationalError("the log could not be emptied")
            template = self._template
        else:
            self._counter = (self._counter + STEP) & 0xFFFFFFFF
            fresh = bytearray(self._template)
            for place in _COUNTERS:
                fresh[place] = self._counter.to_bytes(4, "big")
            template = bytes(fresh)
        os.pwrite(self._descriptor, template, 0)
        os.ftruncate(self._descriptor, len(template))

    def connect(self, dice: int) -> sqlite3.Connection:
        if not self._idle:
            return super().connect(dice)
        raw = self._idle.pop()
        self.seams[raw].serve(self.clock, self.seed, dice)
        return raw

    def close(self, raw: sqlite3.Connection, touched: bool = False) -> None:
        if touched or raw.isolation_level != self.layout.isolation:
            super().close(raw)
            return
        try:
            raw.rollback()
        except sqlite3.Error:  # its writer closed it behind our back
            super().close(raw)
            return
        self._idle.append(raw)

    def remove(self) -> None:
        """Keep the file for the next run, unless it is spoilt."""
        if self.spoilt:
            self.discard()
        else:
            _keep(self)

    def discard(self) -> None:
        """Really delete it."""
        for raw in self._idle:
            super().close(raw)
        self._idle.clear()
        if self._janitor is not None:
            self._janitor.close()
        os.close(self._descriptor)
        super().remove()


_kept: Final[OrderedDict[Layout, KeptFile]] = OrderedDict()
_fresh_only: Final[set[Layout]] = set()
"""Layouts whose runs read what only a new connection knows."""


def take(layout: Layout, clock: Clock, seed: int, *, fresh: bool = False) -> File:
    """Return a file for one run: a kept one, unless it has to be fresh."""
    if fresh or layout in _fresh_only or needs_new_connections(layout.schema):
        return File(layout, clock, seed)
    file = _kept.pop(layout, None) or KeptFile(layout)
    try:
        file.begin(clock, seed)
    except sqlite3.Error:  # a run left a lock behind that does not go with its connections
        file.discard()
        file = KeptFile(layout)
        file.begin(clock, seed)
    return file


def only_fresh(layout: Layout) -> None:
    """Remember that runs of this layout need a fresh file each."""
    _fresh_only.add(layout)
    if layout in _kept:
        _kept.pop(layout).discard()


def _keep(file: KeptFile) -> None:
    if file.layout in _kept:
        file.discard()
        return
    _kept[file.layout] = file
    while len(_kept) > MOST_LAYOUTS:
        _kept.popitem(last=False)[1].discard()


def empty() -> None:
    """Delete every kept file."""
    with suppress(KeyError):
        while True:
            _kept.popitem()[1].discard()
