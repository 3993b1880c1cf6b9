"""The figures as they stand before any script runs.

Each figure's runs are computed by the native core and drawn by the same code
that draws them in the page, under Node: without JavaScript a reader sees what
others see. What would be wrong here: drawing anything.
"""

import json
import subprocess
from pathlib import Path

from explorer import pages


def drawn(root: Path) -> dict[str, str]:
    """The HTML of every figure, by slug."""
    return {slug: _draw(root, pages.figure_data(slug)) for slug in pages.SLUGS}


def _draw(root: Path, data: object) -> str:
    done = subprocess.run(
        ["node", str(root / "static" / "js" / "prerender.mjs")],
        input=json.dumps(data),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    return done.stdout
