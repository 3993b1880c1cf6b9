"""Where the files of this process's runs live, and that nothing of them stays.

A directory of its own in memory where there is some: the files live for a millisecond. Its name
holds the process's number, so that what a killed process left behind can be told from what
somebody still uses, and is removed by the next one that comes.

Wrong in this module: what is in a file.
"""

import atexit
import os
import shutil
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final

from sim_core.errors import MachineError
from sim_core.quoting import said

_MEMORY: Final = Path("/dev/shm")
_NAME: Final = "interleaving-"


@lru_cache(maxsize=1)
def place() -> Path:
    """Return this process's directory; it goes when the process does."""
    home = str(_MEMORY) if _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK) else None
    try:
        here = Path(tempfile.mkdtemp(prefix=f"{_NAME}{_process()}-", dir=home))
    except OSError as error:
        raise MachineError(
            f"There is no place for the files of a run ({said(error)}); set TMPDIR to a "
            "directory that can be written."
        ) from error
    atexit.register(leave, here, _process())
    tidy(here.parent)
    return here


def leave(here: Path | None = None, owner: int = 0) -> None:
    """Remove the directory now; a child that was forked off leaves its parent's alone. It gets
    another name first: nobody who still runs can put a file into it then."""
    if here is None and not place.cache_info().currsize:
        return
    if owner in (0, _process()):
        here = here or place()
        gone = here.with_name(f"{here.name}-gone")
        with suppress(OSError):
            here.rename(gone)
        for one in (gone, here):
            shutil.rmtree(one, ignore_errors=True)


def remove(database: str | Path) -> None:
    """Delete a database's file, and what SQLite puts beside it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            Path(f"{database}{suffix}").unlink()


def tidy(home: Path) -> None:
    """Remove what processes that no longer live have left."""
    with suppress(OSError):
        for left in home.glob(f"{_NAME}*-*"):
            number = left.name.removeprefix(_NAME).partition("-")[0]
            if number.isascii() and number.isdecimal() and not _lives(int(number)):
                shutil.rmtree(left, ignore_errors=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _process() -> int:
    return os.getpid()  # leak: allowed, because it names this process's own folder, and no run
