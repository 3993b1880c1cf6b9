"""The pictures that others show beside a link: one for each page that opens with a run.

Each is the run itself, drawn by the page's own functions and rendered by Node without a browser
(static/build/preview.mjs), at the size that chats and feeds agree on. Some seconds of work, kept
in the cache under all that it depends on. What would be wrong here: which grants tell a run
(static/js/decisive.js), or a picture that was made by hand.
"""

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from explorer.canonical import canonical
from explorer.placed import SLUGS
from explorer.press import folder
from explorer.shipped import run_data
from sim_core.judge.scenario import load

Json = dict[str, Any]


def pictured() -> dict[str, str]:
    """Return the path of each page that has a picture, and the recipe of what is on it."""
    openings = {f"/{slug}/": load(slug).opening for slug in SLUGS}
    return (
        {"/": openings[f"/{SLUGS[0]}/"]} | openings | {one.path: one.recipe for one in canonical()}
    )


def pictures(root: Path, out: Path, cache: Path, wanted: Mapping[str, str]) -> dict[str, str]:
    """Return page's path → its picture's path in the site, for each page and recipe of `wanted`.
    Pages that show the same run share its picture."""
    recipes = list(dict.fromkeys(wanted.values()))
    made = _rendered(root, cache, [_told(recipe) for recipe in recipes])
    placed = {recipe: _placed(out, made / f"{at}.png") for at, recipe in enumerate(recipes)}
    return {path: placed[recipe] for path, recipe in wanted.items()}


def _placed(out: Path, made: Path) -> str:
    content = made.read_bytes()
    path = f"assets/preview-{folder.short_hash(content)}.png"
    folder.write(out / path, content)
    return path


def _told(text: str) -> Json:
    """Return a run with what its headline needs to know."""
    data = run_data(text)
    opening = run_data(load(data["scenario"]["slug"]).opening)
    (run,), (first,) = (one["families"][0]["runs"] for one in (data, opening))
    return {"run": run, "scenario": data["scenario"], "opening": first, "start": data["start"]}


def _rendered(root: Path, cache: Path, told: list[Json]) -> Path:
    """Return the folder of the pictures, named 0.png and so on; made anew where anything that
    they depend on has changed."""
    words = json.dumps([{"name": str(at)} | one for at, one in enumerate(told)])
    static = root / "static"
    sources = [*static.glob("build/*.mjs"), *static.glob("js/**/*.js"), root / "package-lock.json"]
    contents = (path.read_bytes() for path in sorted(sources))
    kept = cache / f"previews-{folder.short_hash(*contents, words.encode())}"
    if not kept.exists():
        with folder.swapped_in(kept) as scratch:
            _render(static / "build" / "preview.mjs", scratch, words)
        for older in cache.glob("previews-*"):
            if older != kept:
                shutil.rmtree(older)
    return kept


def _render(script: Path, scratch: Path, words: str) -> None:
    subprocess.run(["node", str(script), str(scratch)], input=words, encoding="utf-8", check=True)
