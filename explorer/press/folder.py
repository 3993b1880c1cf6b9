"""A folder that appears whole or not at all.

A build that fails, or one that is stopped, must leave the last good site as it
was, and a server that is running must never read half a site. What would be
wrong here: knowing what the folder holds.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def swapped_in(place: Path) -> Iterator[Path]:
    """A new folder to fill. It takes the place of the old one when the block ends well."""
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}-") as scratch:
        new, old = Path(scratch, "new"), Path(scratch, "old")
        new.mkdir()
        yield new
        if place.exists():
            place.rename(old)
        new.rename(place)


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def copy(source: Path, target: Path) -> Path:
    """The bytes alone: modes and times differ between machines."""
    target.parent.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copyfile(source, target))


def short_hash(*contents: bytes) -> str:
    """A name that changes with what it names, so that a browser may keep the file for good."""
    sha = hashlib.sha256()
    for content in contents:
        sha.update(hashlib.sha256(content).digest())
    return sha.hexdigest()[:12]
