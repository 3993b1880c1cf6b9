"""What a run came to: what the file holds, and what every writer was told.

Two runs with the same end cannot be told apart by anybody who looks afterwards.

Wrong in this module: how the end came about, and whether it is good.
"""

from dataclasses import dataclass
from typing import Self

from sim_core.engine.run import Run
from sim_core.engine.trace import encode
from sim_core.judge.rows import Content


@dataclass(frozen=True, slots=True)
class End:
    """Rows, answers, and the promises that are broken there."""

    rows: Content
    told: tuple[tuple[str, str], ...]
    """Name of a writer that finished → what it returned, as JSON."""
    ended: tuple[tuple[str, str], ...] = ()
    """Name of every other writer → how it ended: `failed SQLITE_BUSY`, `crashed`, `waiting`."""
    broken: tuple[str, ...] = ()

    @classmethod
    def of(cls, run: Run, rows: Content, broken: tuple[str, ...] = ()) -> Self:
        """Return the end of a run that held `rows`."""
        told, ended = [], []
        for writer in run.writers.values():
            if writer.ended == "finished":
                told.append((writer.name, encode(writer.answer)))
            else:
                ended.append((writer.name, f"{writer.ended or 'waiting'} {writer.error}".strip()))
        return cls(rows, tuple(told), tuple(ended), broken)

    @property
    def failing(self) -> bool:
        """Say whether a writer ended in an error."""
        return any(how.startswith("failed") for _, how in self.ended)
