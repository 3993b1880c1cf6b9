"""Where the files of a drill lie: on a real disk, and gone afterwards, unless they are wanted.

Wrong in this module: what is in a file.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sim_core.engine.place import tidy
from sim_core.errors import MachineError
from sim_core.quoting import said


@contextmanager
def folder(given: Path | None) -> Iterator[Path]:
    """Have a folder; one that was given is kept, with what is in it."""
    try:
        if given:
            given.mkdir(parents=True, exist_ok=True)
        here = given or Path(tempfile.mkdtemp(prefix=f"interleaving-{os.getpid()}-drill-"))
    except OSError as error:
        raise MachineError(
            f"There is no place for the files of a drill ({said(error)}); name another folder."
        ) from error
    try:
        if not given:
            tidy(here.parent)
        yield here
    finally:
        if not given:
            shutil.rmtree(here, ignore_errors=True)
