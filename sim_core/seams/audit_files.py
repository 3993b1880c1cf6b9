"""Which files the leak check reads, and their text.

A folder holds more than source: what an editor leaves behind, links that lead nowhere, pipes that
would never end. Of all that, only regular files that are Python are read. What was asked for and
cannot be read is one sentence each, and takes nothing away from what the others are found to ask.

Wrong in this module: what stands in a file.
"""

import ast
import errno
import io
import os
import stat
import sys
import tokenize
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from sim_core.errors import ExplorerError, LeakError
from sim_core.quoting import said, short

MOST_BYTES: Final = 2_000_000
PASSED_OVER: Final = frozenset(("__pycache__", "node_modules", "site-packages", "build", "dist"))
"""Folders that are not looked into, beside those whose name begins with a dot."""
PYTHON: Final = f"Python {sys.version_info.major}.{sys.version_info.minor}"

_ENDINGS: Final = (".py", ".pyw", ".pyi")
_LEAVE: Final = "leave it out with --allow"


def named(path: str | Path) -> Path:
    """Return a path as it was named; one without a name would be the folder one stands in."""
    if not str(path).strip():
        raise ExplorerError("A path is empty; name a file or a folder, such as '.'.")
    return Path(path)


def there(path: Path) -> Path:
    """Return the path, or raise where nothing is."""
    try:
        found = path.exists()
    except (OSError, ValueError):
        found = False
    if not found:
        raise ExplorerError(f"There is no file or folder '{short(path, 200)}'.", part=str(path))
    return path


def real(path: Path) -> Path:
    """Return where a path leads; a link in a circle leads to itself."""
    return Path(os.path.realpath(path))


def files(path: Path) -> Iterator[Path | ExplorerError]:
    """Yield the Python files of a path, and in their place what cannot be read."""
    try:
        if there(path).is_dir():
            yield from _in_folder(path)
        else:
            yield _alone(path)
    except ExplorerError as error:
        yield error


def _alone(path: Path) -> Path:
    if not path.is_file():
        raise ExplorerError(f"'{short(path, 200)}' is no ordinary file.", part=str(path))
    if not _is_python(path):
        raise ExplorerError(
            f"'{short(path, 200)}' is not a Python file: its name does not end in .py, and its "
            "first line does not name python.",
            part=str(path),
        )
    return path


def _is_python(file: Path) -> bool:
    """Hooks hand in scripts as well, which have no ending."""
    if file.suffix in _ENDINGS:
        return True
    try:
        with file.open("rb") as script:
            first = script.readline(200)
    except OSError:
        return False
    return not file.suffix and first.startswith(b"#!") and b"python" in first


def _in_folder(folder: Path) -> Iterator[Path | ExplorerError]:
    """Yield what is Python in a folder; links to folders are not followed, so that it ends."""
    empty = True
    closed: list[ExplorerError] = []
    for here, folders, names in os.walk(folder, onerror=lambda error: closed.append(_shut(error))):
        folders[:] = sorted(f for f in folders if f[0] != "." and f not in PASSED_OVER)
        for name in sorted(names):
            if name.endswith(".py") and name[0] != "." and _is_regular(Path(here, name)):
                empty = False
                yield Path(here, name)
        while closed:
            empty = False
            yield closed.pop()
    if closed:
        yield from closed
    elif empty:
        raise ExplorerError(f"There is no Python file in '{short(folder, 200)}'.", part=str(folder))


def _is_regular(file: Path) -> bool:
    """Say whether there is something to read: no pipe, and no link that leads nowhere. What
    cannot be looked at is not passed over in silence."""
    try:
        return stat.S_ISREG(file.stat().st_mode)
    except OSError as error:
        return error.errno not in (errno.ENOENT, errno.ELOOP)


def _shut(error: OSError) -> ExplorerError:
    return _unread(str(error.filename), f"cannot be read ({said(error)})")


# What stands in one.


def text_of(file: Path) -> str:
    """Return a file's text in the encoding that it declares, with plain line ends."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise _unread(file, f"has more than {MOST_BYTES:,} bytes, which nobody wrote by hand")
        content = file.read_bytes()
    except OSError as error:
        raise _unread(file, f"cannot be read ({said(error)})") from None
    if b"\0" in content:
        raise _unread(file, "is binary, and not Python")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        text = content.decode(encoding)
    except (SyntaxError, LookupError, ValueError):
        raise _unread(file, "is not text in UTF-8, nor in an encoding that it declares") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def tree_of(file: Path, text: str) -> ast.Module:
    """Return a file's syntax tree, as the Python that runs this reads it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an escape that is none is not our affair
            return ast.parse(text)
    except SyntaxError as error:
        where = f" in line {error.lineno}" if error.lineno else ""
        raise _unread(
            file, f"is not {PYTHON}{where}: {short(error.msg)}", f"mend it, or {_LEAVE}"
        ) from None
    except ValueError as error:
        raise _unread(file, f"is not {PYTHON}: {short(error)}", f"mend it, or {_LEAVE}") from None
    except (RecursionError, MemoryError):
        raise too_deep(file) from None


def too_deep(file: Path) -> LeakError:
    """Return what is said of a file that is nested beyond reading."""
    return _unread(file, "nests deeper than can be read", f"simplify it, or {_LEAVE}")


def _unread(file: str | Path, what: str, remedy: str = _LEAVE) -> LeakError:
    return LeakError(f"'{short(file, 200)}' {what}; {remedy}.", part=str(file))
