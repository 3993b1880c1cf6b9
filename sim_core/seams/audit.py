"""Which lines of a Python file ask the machine for time or chance, without running it?

A seam for the clock is a promise, and the one call that goes past it is the one that no test
trips. So the files themselves are read: what a name stands for (seams/audit_python.py), and what
SQL in a string asks (seams/audit_sql.py). Whoever really wants a clock says so on the line, with
a reason, or names the file in `allow`: nothing is let through for where it lies.

In the SQL of a scenario (a file that declares SCHEMA) time and chance are answered by the run;
they are counted and not reported, unless `sql` asks for them.

Wrong in this module: how a leak is recognised.
"""

import ast
import io
import os
import re
import tokenize
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from sim_core.errors import ExplorerError
from sim_core.quoting import said, short
from sim_core.seams import audit_sql
from sim_core.seams.audit_python import Found, found

EXCUSE: Final = "excuse"
NO_REASON: Final = "gives no reason; write `# leak: allowed, because …`"

MOST_BYTES: Final = 2_000_000
MOST_FILES: Final = 20_000
PASSED_OVER: Final = frozenset(("__pycache__", "node_modules", "site-packages", "build", "dist"))
"""Folders that are not looked into, beside those whose name begins with a dot."""

_ALLOWED: Final = re.compile(r"#\s*leak:\s*allowed\b(.*)", re.IGNORECASE)
_REASON: Final = re.compile(r"[\s,;:–—-]*because\b\W*\w.*", re.IGNORECASE)


class Finding(NamedTuple):
    """One line that asks the machine, or that excuses a leak without saying why."""

    file: str
    line: int
    kind: str
    """What is asked for, as audit_names and audit_sql name it; or EXCUSE."""
    call: str
    """What is asked, as one writes it: time.time, uuid.uuid4."""
    why: str
    source: str
    """The line itself."""


@dataclass
class Audit:
    """What reading files has found so far."""

    files: int = 0
    findings: list[Finding] = field(default_factory=list)
    answered: int = 0
    """Times and throws in the SQL of scenarios, which a run answers."""
    scenarios: list[str] = field(default_factory=list)
    """Those of the files that declare SCHEMA."""
    allowed: int = 0
    """Leaks whose line says why they may stay."""
    stopped: bool = False
    """Not every file was read."""


def leaks_in(
    path: str | Path, *, allow: Iterable[str | Path] = (), sql: bool = False
) -> list[Finding]:
    """Return the leaks of a file, or of every Python file of a folder.

    allow: files and folders that may ask the machine, and are not read.
    sql: report time and chance in the SQL of scenarios too.

    Raises ExplorerError where there is nothing to read, or it is not Python.
    """
    return audit([path], allow=allow, sql=sql).findings


def audit(
    paths: Iterable[str | Path], *, allow: Iterable[str | Path] = (), sql: bool = False
) -> Audit:
    """Read files and folders, each file once; see leaks_in."""
    done = Audit()
    for _ in steps(done, paths, allow, sql=sql):
        pass
    return done


def steps(
    done: Audit, paths: Iterable[str | Path], allow: Iterable[str | Path] = (), *, sql: bool = False
) -> Iterator[Path]:
    """Read one file a step into `done`: whoever iterates can stop."""
    spared = [_there(Path(one)).resolve() for one in allow]
    seen: set[Path] = set()
    for file in (file for path in paths for file in _files(_there(Path(path)))):
        real = file.resolve()
        if real in seen or any(real.is_relative_to(one) for one in spared):
            continue
        seen.add(real)
        if len(seen) > MOST_FILES:
            raise ExplorerError(f"That is more than {MOST_FILES:,} files; name a smaller folder.")
        _read_into(done, file, sql)
        yield file


# One file.


def _read_into(done: Audit, file: Path, sql: bool) -> None:
    text = _text(file)
    lines = text.split("\n")
    excuses = _excuses(text)
    try:
        tree = _tree(file, text)
        leaks = found(tree, lines)
    except (RecursionError, MemoryError):
        raise _off(file, "nests deeper than can be read", "; simplify it") from None
    done.files += 1
    done.scenarios += [str(file)] * _is_scenario(tree)
    findings = []
    for leak in leaks:
        if any(leak.first <= line <= leak.last for line, reason in excuses.items() if reason):
            done.allowed += 1
        elif leak.kind in audit_sql.WHY and not sql and str(file) in done.scenarios[-1:]:
            done.answered += 1
        else:
            findings.append(_finding(file, leak, lines))
    for line, reason in excuses.items():
        if not reason:
            source = lines[line - 1].strip()
            findings.append(Finding(str(file), line, EXCUSE, "# leak: allowed", NO_REASON, source))
    done.findings += sorted(findings)


def _finding(file: Path, leak: Found, lines: list[str]) -> Finding:
    source = lines[leak.line - 1].strip()
    return Finding(str(file), leak.line, leak.kind, leak.call, leak.why, source)


def _is_scenario(tree: ast.Module) -> bool:
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(one, ast.Name) and one.id == "SCHEMA" for one in targets):
            return True
    return False


def _excuses(text: str) -> dict[int, str]:
    """Return the lines that allow a leak, each with its reason; empty where there is none."""
    excuses = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            match = token.type == tokenize.COMMENT and _ALLOWED.match(token.string)
            if match:
                reason = _REASON.match(match[1])
                excuses[token.start[0]] = reason[0].strip() if reason else ""
    except (tokenize.TokenError, SyntaxError):
        pass  # the parser says it better
    return excuses


def _tree(file: Path, text: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an escape that is none is not our affair
            return ast.parse(text)
    except SyntaxError as error:
        where = f" in line {error.lineno}" if error.lineno else ""
        raise _off(file, f"is not Python{where}: {short(error.msg)}", "; mend it") from None
    except ValueError as error:
        raise _off(file, f"is not Python: {short(error)}", "; mend it") from None


def _text(file: Path) -> str:
    """Return a file's text in the encoding that it declares, with plain line ends."""
    try:
        if file.stat().st_size > MOST_BYTES:
            raise _off(file, f"has more than {MOST_BYTES:,} bytes; nobody wrote that by hand")
        content = file.read_bytes()
    except OSError as error:
        raise _off(file, f"cannot be read ({said(error)})") from None
    if b"\0" in content:
        raise _off(file, "is binary, and not Python")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        text = content.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        raise _off(file, "is not text in UTF-8, nor in an encoding that it declares") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _off(file: Path, what: str, remedy: str = "") -> ExplorerError:
    name = str(file)
    return ExplorerError(
        f"'{short(name, 200)}' {what}{remedy}, or leave it out with --allow.", part=name
    )


# Which files.


def _there(path: Path) -> Path:
    try:
        there = path.exists()
    except (OSError, ValueError):
        there = False
    if not there:
        raise ExplorerError(f"There is no file or folder '{short(path, 200)}'.", part=str(path))
    return path


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from _in_folder(path)
    elif not path.is_file():
        raise ExplorerError(f"'{short(path, 200)}' is no ordinary file.", part=str(path))
    elif _is_python(path):
        yield path
    else:
        raise ExplorerError(
            f"'{short(path, 200)}' is not a Python file: its name does not end in .py, and its "
            "first line does not name python.",
            part=str(path),
        )


def _is_python(file: Path) -> bool:
    """Hooks hand in scripts as well, which have no ending."""
    if file.suffix in (".py", ".pyw", ".pyi"):
        return True
    try:
        with file.open("rb") as script:
            first = script.readline(200)
    except OSError:
        return False
    return not file.suffix and first.startswith(b"#!") and b"python" in first


def _in_folder(folder: Path) -> Iterator[Path]:
    """Yield what is Python in a folder; links to folders are not followed, so that it ends."""
    empty = True
    for here, folders, files in os.walk(folder, onerror=_cannot):
        folders[:] = sorted(f for f in folders if f[0] != "." and f not in PASSED_OVER)
        for name in sorted(files):
            if name.endswith(".py"):
                empty = False
                yield Path(here, name)
    if empty:
        raise ExplorerError(f"There is no Python file in '{short(folder, 200)}'.", part=str(folder))


def _cannot(error: OSError) -> None:
    raise _off(Path(str(error.filename)), f"cannot be read ({said(error)})")
