"""The commands of the corpus: `explorer pin` keeps a run, `explorer corpus` replays them all."""

from pathlib import Path
from typing import Any

import click

from explorer import interrupt, terminal
from explorer.answers import BROKEN, as_json, say_json
from sim_core.errors import CorpusError
from sim_core.quoting import line, short
from sim_core.report import again, following, quoted
from sim_core.search import corpus as kept


@click.command()
@click.argument("recipe")
@click.option("--note", required=True, help="What happened, in a sentence or two: for people.")
@click.option(
    "--corpus",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write into; by default the built-in corpus, or `corpus` beside your file.",
)
@as_json
def pin(recipe: str, note: str, folder: Path | None, as_json: bool) -> int:
    """Keep RECIPE, a run that breaks a promise, so that `explorer corpus` replays it for ever."""
    if not note.strip():
        raise CorpusError("--note is empty; say what happened, for whoever meets it later.", "")
    entry = kept.entry_of(recipe, note)
    place = kept.place_of(entry.recipe)
    file = folder / place.name if folder else place
    kept.pin(entry, file)
    if as_json:
        say_json(_pinned(entry, file))
    else:
        terminal.say(f"{entry.text()}\nwritten to {file}\n\n{following(_replay(file))}")
    return 0


def _replay(file: Path) -> str:
    return "explorer corpus" + ("" if file.parent == kept.BUILT_IN else f" {quoted(str(file))}")


def _pinned(entry: kept.Entry, file: Path) -> dict[str, Any]:
    head = {"schema": {"name": "pin", "version": 1}, "file": str(file)}
    return head | _entry(entry)


def _entry(entry: kept.Entry) -> dict[str, Any]:
    return {"recipe": entry.recipe, "breaks": list(entry.breaks), "note": entry.note}


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@as_json
def corpus(paths: tuple[Path, ...], as_json: bool) -> int:
    """Replay every entry of the corpus files or folders PATHS; by default the built-in ones, and
    those in ./corpus. An entry that is stale fails."""
    here = Path(kept.BESIDE)
    places = paths or ((kept.BUILT_IN, here) if here.is_dir() else (kept.BUILT_IN,))
    replays = []
    for file in dict.fromkeys(file for place in places for file in kept.files(place)):
        for where, entry in kept.entries(file):
            replays.append(kept.replay(entry, where, file.parent))
            interrupt.check()
    stale = sum(bool(one.stale) for one in replays)
    if as_json:
        say_json(_answered(replays, stale))
    else:
        terminal.say("\n".join(_told(replays, stale)))
    return BROKEN if stale else 0


def _answered(replays: list[kept.Replay], stale: int) -> dict[str, Any]:
    return {
        "schema": {"name": "corpus", "version": 1},
        "entries": [
            _entry(one.entry) | {"where": one.where, "stale": one.stale or None} for one in replays
        ],
        "stale": stale,
    }


def _told(replays: list[kept.Replay], stale: int) -> list[str]:
    if not replays:
        return ["the corpus is empty", "next: explorer pin RECIPE --note '…'"]
    lines = []
    for one in replays:
        lines.append(f"{'STALE ' if one.stale else 'breaks'}  {short(one.entry.recipe, 200)}")
        breaks = ", ".join(map(line, one.entry.breaks))
        lines.append(f"        {one.where}: {one.stale}" if one.stale else f"        {breaks}")
    entries = f"{len(replays)} entr{'y' if len(replays) == 1 else 'ies'}"
    if stale:
        first = next(one for one in replays if one.stale)
        return [*lines, "", f"{stale} of {entries} STALE", f"again: {again(first.entry.recipe)}"]
    return [*lines, "", f"{entries}, each still breaks what it broke"]
