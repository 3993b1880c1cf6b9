"""Which other Pythons and SQLites this machine has, found and never presumed.

A newer SQLite needs no other Python: the wheel of apsw brings SQLite as a plain library, and the
loader puts it before the system's for a process that starts with LD_PRELOAD. So it is the same
sqlite3 module, with its error names, on another SQLite.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
DIGEST = """
import sqlite3, sys
from sim_core.search.check import digest, everything, hash_of
seeds = range(int(sys.argv[1]))
print(sqlite3.sqlite_version, digest(map(hash_of, everything(seeds))))
"""
TELL = "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)"


def _asked(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


@lru_cache(maxsize=1)
def pythons() -> dict[str, str]:
    """Return version → executable of every CPython that the path or pyenv offers."""
    names = ["python3", *(f"python3.{minor}" for minor in range(11, 20))]
    candidates = [found for name in names if (found := shutil.which(name))]
    if shutil.which("pyenv") and (root := _asked(["pyenv", "root"]).strip()):
        candidates += sorted(map(str, Path(root).glob("versions/*/bin/python3")))
    told = [_asked([candidate, "-c", TELL]).split() for candidate in candidates]
    return {pair[0]: pair[1] for pair in told if len(pair) == 2}


def newer_sqlite() -> dict[str, str]:
    """Return the environment in which a process has apsw's SQLite; empty where there is none."""
    spec = importlib.util.find_spec("apsw")
    if spec is None or not sys.platform.startswith("linux"):
        return {}
    folders = spec.submodule_search_locations or []
    libraries = [one for f in folders for one in Path(f).glob("sqlite_extra_binaries/libsqlite3*")]
    return {"LD_PRELOAD": str(libraries[0])} if libraries else {}


def digest_of(python: str, seeds: int, **environment: str) -> tuple[str, str]:
    """Return SQLite's version and the digest of everything, in a process of `python`."""
    done = subprocess.run(
        [python, "-c", DIGEST, str(seeds)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    version, digest = done.stdout.split()
    return version, digest
