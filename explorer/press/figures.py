"""The figures as they stand before any script runs.

Each figure's runs are computed by the native core and drawn by the same code
that draws them in the page, under Node: without JavaScript a reader sees what
others see. What would be wrong here: drawing anything.
"""

import json
import subprocess
from pathlib import Path

from explorer import placed


def drawn(root: Path) -> dict[str, str]:
    """The HTML of every figure, by name."""
    done = subprocess.run(
        ["node", str(root / "static" / "js" / "prerender.mjs")],
        input=json.dumps(placed.drawable()),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    figures: dict[str, str] = json.loads(done.stdout)
    return figures
