"""`explorer leaks`: which lines of these files ask the machine for time or chance?

Thin as every command: sim_core/seams/audit.py reads the files, and here stand the words. What it
cannot see stands in its help, because a check that is taken for a proof is worse than none.
"""

import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from explorer import interrupt, terminal
from explorer.answers import BROKEN, as_json, say_json
from sim_core.quoting import line, short
from sim_core.seams.audit import Audit, Finding, steps

MOST_TOLD: Final = 100
"""Findings that are told one by one; --json has them all."""
MOST_OF_A_LINE: Final = 120
CANNOT: Final = 2
"""Exit status where something was not read."""

_BEGINS: Final = {"stopped": "stopped: ", "unread": "not all read: ", "clean": "clean: "}
"""Verdict → how the sentence begins that has no leak to tell."""


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--allow",
    multiple=True,
    metavar="PATH",
    help="A file or folder that may ask the machine, such as the seam itself; can be repeated.",
)
@click.option("--sql", is_flag=True, help="Report time and chance in the SQL of scenarios too.")
@as_json
def leaks(paths: tuple[str, ...], allow: tuple[str, ...], sql: bool, as_json: bool) -> int:
    """Name every line of the Python files (or folders) PATH that asks the machine for the time,
    the date, a wait, chance, a uuid, a hash or an address, the order of a set, a thread or the
    number of a process; the files are read, and not run.

    Time and chance in SQL are kinds of their own (sql clock, sql time zone, sql random): a run
    answers them, so in a scenario (a file that declares SCHEMA, and WRITERS or a documented
    `async def` that takes db) they are counted, and reported with --sql only.

    A line that may stay says why: `# leak: allowed, because …`. Without a reason that is a
    finding itself. On the last line of a string or a call it holds for the whole. What leaks as
    a parameter's default, or in an attribute, is told there, and not wherever it is used.

    Of a folder, files whose names end in .py are read; hidden ones are not.

    What it cannot see: names that come by getattr, exec or eval; C extensions; values that are
    read without a call (os.environ, the order of a folder); what other modules do when they are
    called, tempfile, logging and packages among them; a module or a function that is handed over
    as an argument, returned, or kept in a list or a dictionary; methods of objects whose class the
    text does not tell (loop.time(), queue.get(timeout=1)); attributes of objects that are no self
    and of no class of the file; sets behind an attribute, an argument or a call; SQL that is put
    together while it runs (by %, by .format, from another file's constants), or given 'now' as a
    parameter. It takes for harmless what is only a key: an address in a dictionary that somebody
    then sorts is not seen. `explorer check` watches the run itself.

    As a pre-commit hook: `entry: explorer leaks`, `language: system`, `types: [python]`. In
    pytest: `from sim_core.seams.audit import leaks_in`, then `assert leaks_in("src") == []`.

    Exit status: 0 nothing found, 1 something found, 2 something is not there, or not Python: what
    was found in the rest is told all the same.
    """
    done = Audit()
    stopped = _read(done, steps(done, paths, allow, sql=sql))
    if not done.files and len(done.unread) == 1 and not stopped:
        raise done.unread[0]
    if as_json:
        say_json(answered(done, paths, allow))
    else:
        terminal.say(told(done, paths, allow, sql=sql))
    for one in done.unread:
        terminal.complain(f"explorer: {one}")
    if stopped:
        raise stopped
    return CANNOT if done.unread else BROKEN if done.findings else 0


def _read(done: Audit, files: Iterator[Path]) -> KeyboardInterrupt | None:
    """Read one file after another, and return what ended it early: what was found counts."""
    try:
        for _ in files:
            interrupt.check()
    except KeyboardInterrupt as error:
        done.stopped = True
        return error
    return None


# In words.


def told(done: Audit, paths: tuple[str, ...], allow: tuple[str, ...], *, sql: bool) -> str:
    """Return the findings, each with its place, then what they come to."""
    blocks = [_finding(one) for one in done.findings[:MOST_TOLD]]
    untold = len(done.findings) - len(blocks)
    blocks += [f"… and {untold:,} more; --json has them all"] * bool(untold)
    return "\n\n".join([*blocks, "\n".join(_sum(done, paths, allow, sql=sql))])


def _finding(one: Finding) -> str:
    return (
        f"LEAK  {one.call}  {line(_path(one.file))}:{one.line}  ({one.kind})\n"
        f"  > {short(one.source, MOST_OF_A_LINE)}\n"
        f"  {one.why}"
    )


def _sum(done: Audit, paths: tuple[str, ...], allow: tuple[str, ...], *, sql: bool) -> list[str]:
    lines = []
    if done.answered:
        asks = "asks" if done.answered == 1 else "ask"
        lines.append(
            f"{_count(done.answered, 'place')} in the SQL of scenarios {asks} for time or chance: "
            "the run answers (--sql names them)"
        )
    if done.allowed:
        lines.append(f"{_count(done.allowed, 'leak')} allowed, each with its reason on the line")
    if done.unread:
        lines.append(
            f"not read: {_count(len(done.unread), 'path')}, each with a sentence on stderr"
        )
    again = " ".join(["explorer leaks", *(["--sql"] * sql), *_words(allow, paths)])
    return [*lines, _verdict(done), f"next: {_next(done, again)}"]


def _verdict(done: Audit) -> str:
    files = _count(done.files, "file")
    if done.findings:
        kinds = Counter(one.kind for one in done.findings)
        counted = ", ".join(f"{many} {kind}" for kind, many in kinds.most_common())
        leaky = len({one.file for one in done.findings})
        return f"LEAKY: {_count(len(done.findings), 'line')} in {leaky} of {files}: {counted}"
    if not done.files:
        spared = f": {_count(done.spared, 'file')} left out with --allow" if done.spared else ""
        return f"nothing was read{spared}"
    found = "and no line found that asks the machine for time or chance"
    return f"{_BEGINS[_in_a_word(done)]}{files} read, {found}"


def _in_a_word(done: Audit) -> str:
    if done.findings:
        return "leaky"
    if done.stopped or done.unread:
        return "stopped" if done.stopped else "unread"
    return "clean" if done.files else "nothing"


def _next(done: Audit, again: str) -> str:
    """A scenario can be run as well: running sees what reading does not."""
    if done.findings:
        first = done.findings[0]
        return f"mend {line(_path(first.file))}:{first.line}, then {again}"
    if done.unread:
        return f"see to what was not read, then {again}"
    one = done.scenarios[0] if len(done.scenarios) == 1 else ""
    return f"explorer check {_word(_path(one)) if one else '--all'}"


def _words(allow: tuple[str, ...], paths: tuple[str, ...]) -> list[str]:
    return [*(f"--allow {_word(one)}" for one in allow), *map(_word, paths)]


def _word(path: str) -> str:
    """Return a path as a shell takes it, on one line, and never for an option."""
    path = f"./{path}" if path.startswith("-") else path
    if path.isprintable():
        return shlex.quote(path)
    escaped = re.sub(r"[\\']", lambda mark: f"\\{mark[0]}", path)
    return f"$'{''.join(map(_escaped, escaped))}'"


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(character))


def _count(many: int, what: str) -> str:
    return f"{many:,} {what}{'s' * (many != 1)}"


def _path(file: str) -> str:
    """Return a file's path as one would type it here."""
    path = Path(file)
    inside = path.is_absolute() and path.is_relative_to(Path.cwd())
    return os.path.relpath(path) if inside else file


# As JSON.


def answered(done: Audit, paths: tuple[str, ...], allow: tuple[str, ...]) -> dict[str, Any]:
    """Return the findings as `leaks/1`."""
    return {
        "schema": {"name": "leaks", "version": 1},
        "paths": list(paths),
        "allow": list(allow),
        "files": done.files,
        "leaks": [one._asdict() | {"file": _path(one.file)} for one in done.findings],
        "answered": done.answered,
        "allowed": done.allowed,
        "unread": [{"file": one.part, "why": str(one)} for one in done.unread],
        "verdict": _in_a_word(done),
    }
