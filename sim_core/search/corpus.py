"""The corpus: runs that found something, kept for ever, and replayed by everybody's CI.

One text file a scenario, written to be read. An entry is a note, the recipe, the promises that
it breaks, and the statements it ran:

    # Two of six orders overwrite the careful writer; found by seed 16.
    sections?mode=warn&grants=BAAB
        breaks lost update
        runs   A SELECT body, version FROM sections WHERE path = ?

An entry is *stale* when its run no longer breaks what it broke, no longer is a run, or no longer
makes one of its statements: then it guards nothing, whatever colour it shows.

Wrong in this module: deciding what deserves to be kept.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import wrap
from typing import Final

from sim_core.engine.statement import shape
from sim_core.errors import CorpusError, ExplorerError
from sim_core.judge.scenario import named, slugs
from sim_core.judge.trial import Outcome
from sim_core.judge.verdict import perform
from sim_core.quoting import line, said, short

BUILT_IN: Final = Path(__file__).parent.parent / "corpus"
"""Where the entries of the built-in scenarios stand."""
BESIDE: Final = "corpus"
"""The folder beside somebody's own scenario file."""

WIDTH: Final = 96
_BREAKS: Final = "breaks"
_RUNS: Final = "runs"
_MOST: Final = 10_000_000
"""Bytes of a file that are read."""


@dataclass(frozen=True)
class Entry:
    """One run that is kept."""

    recipe: str
    breaks: tuple[str, ...]
    """Names of the promises that it breaks."""
    statements: tuple[tuple[str, str], ...]
    """Writer's letter and statement's fingerprint, each once, in the order of the run."""
    note: str = ""

    def text(self) -> str:
        """Return the entry as it stands in a file."""
        note = [f"# {each}".rstrip() for each in self.note.splitlines()]
        breaks = [f"    {_BREAKS} {name}" for name in self.breaks]
        runs = [f"    {_RUNS}   {letter} {made}" for letter, made in self.statements]
        return "\n".join([*note, self.recipe, *breaks, *runs]) + "\n"


@dataclass(frozen=True)
class Replay:
    """An entry, run again."""

    entry: Entry
    where: str
    """File and line."""
    stale: str = ""
    """Why it guards nothing any more; empty where it still does."""


def entry_of(text: str, note: str) -> Entry:
    """Return the entry of a run; CorpusError where it breaks nothing."""
    outcome = perform(text)
    if not outcome.flaws:
        raise CorpusError(
            f"There is nothing to pin: {outcome.recipe.run_text} breaks no promise.",
            part=outcome.recipe.run_text,
        )
    recipe = outcome.recipe.run_text
    if outcome.scenario.leaks(outcome.recipe):
        raise CorpusError(
            f"{recipe} reads the machine on purpose, so tomorrow it is another run; pin a variant "
            "that does not.",
            part=recipe,
        )
    return Entry(recipe, broken(outcome), statements(outcome), line_by_line(note))


def broken(outcome: Outcome) -> tuple[str, ...]:
    """Return what is wrong with a run, by name as it can be written; where nothing is promised,
    that may be `serial`."""
    return tuple(dict.fromkeys(line(flaw.invariant).strip() for flaw in outcome.flaws))


def statements(outcome: Outcome) -> tuple[tuple[str, str], ...]:
    """Return letter and fingerprint of every statement that a run made, each once."""
    made = (
        (event.writer, line(shape(event.sql).fingerprint))
        for event in outcome.run.events
        if event.kind == "operation" and event.sql
    )
    return tuple(dict.fromkeys(made))


def line_by_line(note: str) -> str:
    """Return a note in lines of a readable length, without what a line cannot hold."""
    lines = [line(each).strip() for each in note.strip().splitlines()]
    return "\n".join(piece for each in lines for piece in wrap(each, WIDTH) or [""])


def place_of(recipe: str) -> Path:
    """Return the file that a recipe's entry belongs into."""
    scenario = recipe.partition("?")[0]
    if scenario in slugs():
        return BUILT_IN / f"{scenario}.txt"
    return Path(scenario).parent / BESIDE / f"{Path(scenario).stem}.txt"


def pin(entry: Entry, file: Path) -> None:
    """Write an entry behind those that stand in `file`, in one go: whoever pins at the same time
    loses nothing.

    Raises CorpusError where it stands there already, or the file cannot be written.
    """
    entry = replace(entry, recipe=_seen_from(entry.recipe, Path(), file.parent))
    for where, known in entries(file) if file.exists() else ():
        if known.recipe == entry.recipe:
            raise CorpusError(f"{entry.recipe} is pinned already, in {where}.", entry.recipe)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        gap = "\n" if file.exists() and file.stat().st_size else ""
        with file.open("ab", buffering=0) as end:
            end.write((gap + entry.text()).encode())
    except OSError as error:
        raise CorpusError(
            f"{short(file, 200)} cannot be written ({said(error)}); give another folder with "
            "--corpus.",
            part=str(file),
        ) from error


# Reading and replaying.


def files(path: Path) -> list[Path]:
    """Return the corpus files of a folder, or the file itself; CorpusError where there is none."""
    if path.is_dir():
        return sorted(file for file in path.glob("*.txt") if file.is_file())
    if not path.is_file():
        raise CorpusError(f"There is no corpus {short(path, 200)}; give a file or a folder.", "")
    return [path]


def entries(file: Path) -> Iterator[tuple[str, Entry]]:
    """Yield where it stands, and each entry of a file; CorpusError for a line that is none."""
    yield from _entries(_read(file), file)


def _read(file: Path) -> str:
    try:
        if file.stat().st_size > _MOST:
            raise CorpusError(f"{short(file, 200)} is too long to be a corpus.", str(file))
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(
            f"{short(file, 200)} cannot be read as a corpus ({said(error)}).", str(file)
        ) from error


class _Reading:
    """An entry while its lines come in."""

    def __init__(self) -> None:
        self.note: list[str] = []
        self.where = self.recipe = ""
        self.breaks: list[str] = []
        self.statements: list[tuple[str, str]] = []

    def entry(self) -> Entry:
        made = tuple(self.statements)
        return Entry(self.recipe, tuple(self.breaks), made, "\n".join(self.note))


def _entries(text: str, file: Path) -> Iterator[tuple[str, Entry]]:
    now = _Reading()
    for number, each in enumerate(text.split("\n"), 1):
        begins = each.strip() and not each.startswith((" ", "\t"))
        if begins and now.recipe:
            yield now.where, now.entry()
            now = _Reading()
        where = f"{file}:{number}"
        if each.startswith("#"):
            now.note.append(each[1:].strip())
        elif begins:
            now.where, now.recipe = where, each.strip()
        elif each.strip():
            _detail(now, each.strip(), where)
    if now.recipe:
        yield now.where, now.entry()


def _detail(now: _Reading, text: str, where: str) -> None:
    word, _, rest = text.partition(" ")
    letter, _, made = rest.strip().partition(" ")
    if now.recipe and word == _BREAKS and rest:
        now.breaks.append(rest.strip())
    elif now.recipe and word == _RUNS and made:
        now.statements.append((letter, made.strip()))
    else:
        raise CorpusError(
            f"{short(where, 200)} is no line of a corpus: {short(text)}; behind a recipe stand "
            f"'{_BREAKS} promise' and '{_RUNS} letter statement'.",
            part=where,
        )


def _seen_from(recipe: str, here: Path, there: Path) -> str:
    """Return a recipe whose scenario's path is read from `here` as it is read from `there`: a
    corpus and its scenario travel together."""
    scenario, query = named(recipe)
    if scenario in slugs():
        return recipe
    path = os.path.relpath(here / scenario, there)
    if line(path) != path:
        raise CorpusError(
            f"The path {short(path, 200)} cannot stand in a corpus; rename the file.", part=path
        )
    if path.startswith(("#", " ")):
        path = f"./{path}"
    return f"{path}?{query}" if query else path


def replay(entry: Entry, where: str, home: Path = Path()) -> Replay:
    """Run an entry of a file in the folder `home` again: does it still guard what it guarded?"""
    try:
        outcome = perform(_seen_from(entry.recipe, home, Path()))
    except ExplorerError as error:
        return Replay(entry, where, f"it no longer is a run: {error}")
    if missing := [name for name in entry.breaks if name not in broken(outcome)]:
        return Replay(entry, where, f"it no longer breaks {', '.join(missing)}")
    if not entry.breaks:
        return Replay(entry, where, "it names no promise that it breaks")
    now = set(statements(outcome))
    if gone := [made for made in entry.statements if made not in now]:
        letter, made = gone[0]
        return Replay(entry, where, f"{letter} no longer makes the statement {short(made, 120)}")
    return Replay(entry, where)
