"""`explorer check`: the same recipe, the same run? And does a writer ask the machine?

Thin as every command: sim_core/search/check.py finds, explorer/elsewhere.py runs the same again
in another process, and here stand the words.
"""

import json
import os
import sys
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click

from explorer import elsewhere
from sim_core import bridge
from sim_core.judge.scenario import recipe_of
from sim_core.seams.leaks import Leak
from sim_core.search.check import ELSEWHERE, Check, Divergence, compare, digest, hash_of, lines_of

MOST_TOLD: Final = 5
"""Findings of one kind that are told one by one."""
MOST_OF_A_LINE: Final = 120
FIELDS: Final = (
    *("grant", "time", "writer", "kind", "operation", "call", "statement", "literals"),
    *("parameters", "rows", "row count", "error", "answer", "side", "lock", "holders", "deadline"),
)
"""What stands in a canonical line, in its order."""


class Progress:
    """One line on a terminal, written over and over; nothing elsewhere."""

    def __init__(self) -> None:
        self.shown = sys.stderr.isatty()

    def tell(self, done: int, found: int) -> None:
        if self.shown and done % 20 == 0:
            findings = f", {found} finding{'s' * (found != 1)}" if found else ""
            click.echo(f"\r{done:,} recipes checked{findings} ", err=True, nl=False)

    def clear(self) -> None:
        if self.shown:
            click.echo("\r\033[K", err=True, nl=False)


def seeds_of(text: str | None, seeds: range | None) -> range | None:
    """Return the seeds to check: those asked for, else 0..29, unless the recipe names its own."""
    if seeds or text is None:
        return seeds or range(30)
    _, recipe = recipe_of(text)
    return None if recipe.seed or recipe.grants else range(30)


def check(text: str | None, seeds: range | None) -> Check:
    """Check here, and compare with another process as its hashes come in."""
    found, progress = Check(), Progress()
    with elsewhere.hashes(text, seeds) as others:
        for recipe in found.over(elsewhere.recipes(text, seeds)):
            other = next(others, "")
            if other != found.hashes[-1]:
                found.divergences.append(_parted(recipe, other, len(found.divergences)))
            progress.tell(found.runs, len(found.leaks) + len(found.divergences))
    progress.clear()
    return found


def _parted(recipe: str, other: str, before: int) -> Divergence:
    if not other or before >= MOST_TOLD:
        return Divergence(recipe, 0, "", other and "another hash", ELSEWHERE)
    here = lines_of(recipe)
    return compare(recipe, here, elsewhere.story(recipe), ELSEWHERE)


def only_digest(text: str | None, seeds: range | None) -> tuple[int, str]:
    """Run everything once and return how many runs, and one hash of all of them."""
    hashes = [hash_of(recipe) for recipe in elsewhere.recipes(text, seeds)]
    return len(hashes), digest(hashes)


# In words.


def told(found: Check, text: str | None, seeds: range | None) -> str:
    """Return the findings, each with its place, then what they come to."""
    parted = {one.where: one for one in reversed(found.divergences)}
    blocks = [_leak(leak, recipes) for leak, recipes in islice(found.leaks.items(), MOST_TOLD)]
    blocks += [_divergence(one) for one in reversed(parted.values())]
    blocks += [f"NO RUN  {one.recipe}\n  {one.message}" for one in found.misfits[:MOST_TOLD]]
    return "\n\n".join([*blocks, _sum(found), f"digest  {found.digest}", _next(found, text, seeds)])


def _leak(leak: Leak, recipes: list[str]) -> str:
    return (
        f"LEAK  {leak.call}  {_path(leak.file)}:{leak.line}, in {leak.inside}\n"
        f"  > {leak.source}\n"
        f"  {leak.why}\n"
        f"  met in {len(recipes)} recipe{'s' * (len(recipes) != 1)}, first in '{recipes[0]}'"
    )


def _divergence(one: Divergence) -> str:
    head = f"DIVERGES at grant {one.grant} of '{one.recipe}', {one.where}\n"
    if not (one.first and one.second):
        ended, other = ("second", one.first) if one.first else ("first", one.second)
        return f"{head}  the {ended} run has nothing there, the other {other[:MOST_OF_A_LINE]}"
    pairs = zip(FIELDS, json.loads(one.first), json.loads(one.second), strict=True)
    apart = [(name, *map(_value, (was, is_))) for name, was, is_ in pairs if was != is_]
    writer, sql = (json.loads(one.first)[FIELDS.index(name)] for name in ("writer", "statement"))
    return f"{head}  {writer}  {sql}\n" + "\n".join(
        f"  {name}: {was}, then {is_}" for name, was, is_ in apart
    )


def _value(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MOST_OF_A_LINE else text[: MOST_OF_A_LINE - 1] + "…"


def _sum(found: Check) -> str:
    runs = f"{found.runs:,} recipe{'s' * (found.runs != 1)}"
    if not found.found:
        return (
            f"clean: {runs}, each the same run twice here and once in another process; no writer "
            "asked the machine for time or chance"
        )
    leaks, apart = len(found.leaks), len({one.recipe for one in found.divergences})
    parts = [f"{leaks} line{'s' * (leaks != 1)} that ask the machine"] * bool(leaks)
    parts += [f"{apart} of {runs} {'is' if apart == 1 else 'are'} not the same run"] * bool(apart)
    parts += [f"{len(found.misfits)} that did not run"] * bool(found.misfits)
    return f"NOT DETERMINISTIC: {'; '.join(parts)}" if _unsafe(found) else "; ".join(parts)


def _unsafe(found: Check) -> bool:
    return bool(found.leaks or found.divergences)


def _next(found: Check, text: str | None, seeds: range | None) -> str:
    if found.leaks:
        leak = next(iter(found.leaks))
        again = "--all" if text is None else f"'{text}'"
        return f"next: mend {_path(leak.file)}:{leak.line}, then explorer check {again}"
    if found.divergences:
        return f"next: explorer run '{found.divergences[0].recipe}'"
    if not found.runs:
        return f"next: explorer run '{text}'" if text else "next: explorer list"
    if text is None:
        first = seeds[-1] + 1 if seeds else 0
        return f"next: explorer check --all --seeds {first}..{first + 9_999}"
    return f"next: explorer sweep '{text}'" if seeds else f"next: explorer run '{text}'"


def _path(file: str) -> str:
    """Return a file's path as one would type it here."""
    path = Path(file)
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else file


# As JSON.


def answered(found: Check, text: str | None, seeds: range | None) -> dict[str, Any]:
    """Return the findings as `check/1`."""
    return {
        **_head(text, seeds),
        "runs": found.runs,
        "leaks": [
            leak._asdict() | {"file": _path(leak.file), "recipes": len(met), "recipe": met[0]}
            for leak, met in found.leaks.items()
        ],
        "divergences": [one._asdict() for one in found.divergences],
        "misfits": [one._asdict() for one in found.misfits],
        "digest": found.digest,
        "verdict": "leaky" if _unsafe(found) else "misfit" if found.misfits else "clean",
    }


def _head(text: str | None, seeds: range | None) -> dict[str, Any]:
    hello = json.loads(bridge.handle('{"version": 1, "ask": "hello"}'))
    return {
        "schema": {"name": "check", "version": 1},
        "recipe": text,
        "seeds": [seeds[0], seeds[-1]] if seeds else None,
        **{key: hello[key] for key in ("engine", "python", "sqlite")},
    }


def answered_digest(runs: int, hash_: str, text: str | None, seeds: range | None) -> dict[str, Any]:
    """Return a digest alone as `check/1`."""
    return {**_head(text, seeds), "runs": runs, "digest": hash_}
