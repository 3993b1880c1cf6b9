"""Write tests/golden/runs.json anew: run it, then read the difference.

python tests/core/make_runs.py

Runs as the bridge answers them, for those who read them in JavaScript: a lost line, a crash with
who comes in its stead, time that passes, rows that are removed, three promises broken at once.
"""

import json
from pathlib import Path
from typing import Any

from sim_core import bridge
from sim_core.judge.scenario import load, recipe_of
from sim_core.judge.verdict import perform

FILE = Path(__file__).parent.parent / "golden" / "runs.json"
RECIPES = (
    "sections?mode=warn&seed=16",
    "sections?seed=16",
    "claims?startup=600&writers=session,reaper&grants=AtBBBtAA",
    "claims?fix=published&writers=session,reaper&grants=AAtBBaBa&faults=A1after:crash",
    "receipts?round=1&writers=agent,worker,watcher&seed=7&faults=B2before:crash",
    "clear?clear=by-status&grants=ABBA",
    "five?safety=off&seed=97",
    "seams?seam=local&tz=%2B09:00&grants=AtBBAA",
    "owners?fix1=off&fix2=off&fix3=off&writers=hook,hook,hook,hook&seed=17",
)


def told() -> list[dict[str, Any]]:
    """Return each run with its scenario, as a page has them."""
    return [
        {
            "run": bridge.run_json(perform(text, film=True)),
            "scenario": bridge.describe(load(recipe_of(text)[1].terms.scenario)),
        }
        for text in RECIPES
    ]


def written() -> str:
    """Return the file's content."""
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in told())
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
