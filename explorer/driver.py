"""Real aiosqlite: whether it is here, where it lies, and on what machine a run of it is made.

Wrong in this module: a run.
"""

import importlib
import platform
import sqlite3
from pathlib import Path
from types import ModuleType

from sim_core.errors import MachineError


def driver() -> ModuleType:
    """Return aiosqlite; MachineError where it is not installed."""
    try:
        return importlib.import_module("aiosqlite")
    except ImportError:
        raise MachineError(
            "Real runs need aiosqlite, which is not installed here: pip install aiosqlite"
        ) from None


def packages() -> str:
    """Return the folder that it is imported from."""
    where = driver().__file__
    assert where, "aiosqlite is a package on the disk"
    return str(Path(where).parent.parent)


def machine() -> dict[str, str]:
    """Return on what real runs are made."""
    return {
        "platform": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "aiosqlite": str(getattr(driver(), "__version__", "unknown")),
    }


def made_on() -> str:
    """Return the same for a person."""
    on = machine()
    return (
        f"Python {on['python']}, SQLite {on['sqlite']}, aiosqlite {on['aiosqlite']}, "
        f"{on['platform']}"
    )
