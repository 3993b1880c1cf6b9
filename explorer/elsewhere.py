"""The same runs in another process, under another hash seed and in another time zone.

What one process cannot see of itself: the order of its sets, its addresses, its process id, its
machine's zone. The other process is the same Python with the same path, told which recipes to
run by the same words, and prints one hash a line.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from explorer import terminal
from sim_core.errors import ExplorerError
from sim_core.search.check import everything, hash_of, lines_of, seeded

FAR: Final = "Pacific/Kiritimati"
"""Fourteen hours ahead of UTC: its day is another one for most of the day."""
NEAR: Final = "Pacific/Pago_Pago"


def recipes(text: str | None, seeds: range | None) -> Iterator[str]:
    """Yield what is to be checked: everything there is, or one recipe, as it is or seeded."""
    if text is None:
        return everything(seeds or range(30))
    return seeded(text, seeds) if seeds else iter([text])


def _environment() -> dict[str, str]:
    here = os.environ
    return {
        **here,
        "PYTHONHASHSEED": "2" if here.get("PYTHONHASHSEED") == "1" else "1",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "TZ": NEAR if here.get("TZ") == FAR else FAR,
    }


def _start(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "explorer.elsewhere", *words]
    return subprocess.Popen(command, env=_environment(), stdout=subprocess.PIPE, text=True)


@contextmanager
def hashes(text: str | None, seeds: range | None) -> Iterator[Iterator[str]]:
    """Start the other process; inside, one hash after another, as they come."""
    bounds = [str(seeds[0]), str(seeds[-1])] if seeds else []
    other = _start("hashes", text or "", *bounds)
    assert other.stdout is not None, "its output is a pipe"
    try:
        yield (line.strip() for line in other.stdout)
    finally:
        other.kill()
        other.wait()
        other.stdout.close()


def story(text: str) -> list[tuple[int, str]]:
    """Return what happens in a recipe's run over there: grant and line of every event."""
    told, _ = _start("lines", text).communicate()
    try:
        return [(grant, line) for grant, line in json.loads(told)]
    except ValueError:
        raise ExplorerError("The other process ended early.", part=text) from None


def _main(ask: str, text: str, *bounds: str) -> None:
    with terminal.answers_only():
        if ask == "lines":
            terminal.answer(json.dumps(lines_of(text)))
            return
        seeds = range(int(bounds[0]), int(bounds[1]) + 1) if bounds else None
        for recipe in recipes(text or None, seeds):
            terminal.answer(hash_of(recipe))


if __name__ == "__main__":
    _main(*sys.argv[1:])
