"""Which lines of a Python file ask the machine for time or chance, without running it?

A seam for the clock is a promise, and the one call that goes past it is the one that no test
trips. So the files themselves are read: what a name stands for (seams/audit_python.py), and what
SQL in a string asks (seams/audit_sql.py). Whoever really wants a clock says so on the line, with
a reason, or names the file in `allow`: nothing is let through for where it lies.

In the SQL of a scenario (a file that declares SCHEMA and a writer) time and chance are answered by
the run; they are counted and not reported, unless `sql` asks for them.

Wrong in this module: how a leak is recognised, and how a file is read.
"""

import ast
import io
import re
import tokenize
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from sim_core.errors import ExplorerError
from sim_core.seams import audit_sql
from sim_core.seams.audit_files import files, named, real, text_of, there, too_deep, tree_of
from sim_core.seams.audit_python import Found, found

EXCUSE: Final = "excuse"
NO_REASON: Final = "gives no reason; write `# leak: allowed, because …`"

MOST_FILES: Final = 20_000

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
    """Those of the files that a run could load."""
    allowed: int = 0
    """Leaks whose line says why they may stay."""
    spared: int = 0
    """Files that were not read because they may ask the machine."""
    unread: list[ExplorerError] = field(default_factory=list)
    """What was to be read, and cannot be: a sentence each, whose `part` is the path."""
    stopped: bool = False
    """Not every file was read."""


def leaks_in(
    path: str | Path, *, allow: Iterable[str | Path] = (), sql: bool = False
) -> list[Finding]:
    """Return the leaks of a file, or of every Python file of a folder.

    allow: files and folders that may ask the machine, and are not read.
    sql: report time and chance in the SQL of scenarios too.

    Raises ExplorerError where there is nothing to read, or a file is not Python: a test that
    asks for no leaks must not pass because nobody looked.
    """
    done = audit([path], allow=allow, sql=sql)
    if done.unread:
        raise done.unread[0]
    return done.findings


def audit(
    paths: Iterable[str | Path], *, allow: Iterable[str | Path] = (), sql: bool = False
) -> Audit:
    """Read files and folders, each file once; see leaks_in. What cannot be read is in `unread`."""
    done = Audit()
    for _ in steps(done, paths, allow, sql=sql):
        pass
    return done


def steps(
    done: Audit, paths: Iterable[str | Path], allow: Iterable[str | Path] = (), *, sql: bool = False
) -> Iterator[Path]:
    """Read one file a step into `done`: whoever iterates can stop.

    Raises ExplorerError where a path is empty, or what is allowed is not there.
    """
    spared = [real(there(named(one))) for one in allow]
    seen: set[Path] = set()
    for file in (file for path in [*map(named, paths)] for file in files(path)):
        if isinstance(file, ExplorerError):
            done.unread.append(file)
            continue
        at = real(file)
        if at in seen:
            continue
        seen.add(at)
        if any(at.is_relative_to(one) for one in spared):
            done.spared += 1
            continue
        if done.files == MOST_FILES:
            what = f"That is more than {MOST_FILES:,} files; name a smaller folder."
            done.unread.append(ExplorerError(what, part=str(file)))
            return
        try:
            _read_into(done, file, sql)
        except ExplorerError as error:
            done.unread.append(error)
        yield file


# One file.


def _read_into(done: Audit, file: Path, sql: bool) -> None:
    text = text_of(file)
    tree = tree_of(file, text)
    lines = text.split("\n")
    excuses = _excuses(text)
    try:
        leaks = found(tree, lines)
    except (RecursionError, MemoryError):
        raise too_deep(file) from None
    is_scenario = _is_scenario(tree)
    reasoned = sorted(line for line, reason in excuses.items() if reason)
    findings = [
        Finding(str(file), line, EXCUSE, "# leak: allowed", NO_REASON, lines[line - 1].strip())
        for line, reason in excuses.items()
        if not reason
    ]
    for leak in leaks:
        if _is_excused(leak, reasoned):
            done.allowed += 1
        elif leak.kind in audit_sql.WHY and is_scenario and not sql:
            done.answered += 1
        else:
            findings.append(_finding(file, leak, lines))
    done.files += 1
    done.scenarios += [str(file)] * is_scenario
    done.findings += sorted(findings)


def _finding(file: Path, leak: Found, lines: list[str]) -> Finding:
    source = lines[leak.line - 1].strip()
    return Finding(str(file), leak.line, leak.kind, leak.call, leak.why, source)


def _is_excused(leak: Found, lines: list[int]) -> bool:
    """Say whether one of these lines is one of the leak's."""
    at = bisect_left(lines, leak.first)
    return at < len(lines) and lines[at] <= leak.last


def _is_scenario(tree: ast.Module) -> bool:
    """Say whether a run could load this: it declares SCHEMA, as much else does, and a writer."""
    declared = {name for node in tree.body for name in _declared(node)}
    return "SCHEMA" in declared and ("WRITERS" in declared or any(map(_is_writer, tree.body)))


def _declared(node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    yield from (one.id for one in targets if isinstance(one, ast.Name))


def _is_writer(node: ast.stmt) -> bool:
    """A writer is a documented coroutine function that takes the database."""
    if not isinstance(node, ast.AsyncFunctionDef) or not ast.get_docstring(node):
        return False
    asked = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    return any(one.arg == "db" for one in asked)


def _excuses(text: str) -> dict[int, str]:
    """Return the lines that allow a leak, each with its reason; empty where there is none."""
    excuses = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            match = token.type == tokenize.COMMENT and _ALLOWED.match(token.string)
            if match:
                reason = _REASON.match(match[1])
                excuses[token.start[0]] = reason[0].strip() if reason else ""
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass  # the parser took it, and knows better
    return excuses
