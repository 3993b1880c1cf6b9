"""The service worker: one script at the site's root, told what this build is made of.

What a browser may keep for good, and which addresses are pages, is known when all of it is
written; so this comes last among the steps, and the lists are read off what was written. What
would be wrong here: when something is kept, or dropped (static/js/sw.js).
"""

import json
from collections.abc import Sequence
from pathlib import Path

from explorer.pages import OFFLINE, Part
from explorer.press import bundle, folder

KEPT_AT_ONCE = (".js", ".css")


def service_worker(root: Path, out: Path, pages: Sequence[str], python: Sequence[Part]) -> Path:
    """Write the worker of the site in `out`; the pages are paths with a slash on either side."""
    scripts = [path for path in sorted((out / "assets").iterdir()) if path.suffix in KEPT_AT_ONCE]
    lists = {
        "scripts": [path.relative_to(out).as_posix() for path in scripts],
        "python": [part["path"] for part in python],
        "pages": [path.removeprefix("/") for path in pages],
    }
    name = folder.short_hash(json.dumps(lists).encode())
    return bundle.alone(root, root / "static/js/sw.js", out / OFFLINE, BUILD=lists | {"name": name})
