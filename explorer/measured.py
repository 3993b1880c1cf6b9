"""How often real threads broke it: measured once, kept in incidence.json, printed with its date.

A page cannot make these runs, and a build should not: they say what one machine did on one day,
and the next will say something else. So they are made on purpose, and kept beside what made them:

    python -m explorer.measured

Wrong in this module: what the same writers do in the engine (that is worked out at every build).
"""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from explorer import terminal
from explorer.driver import machine
from explorer.incidence import Incidence
from sim_core.engine.plain import decode
from sim_core.search.sweep import wilson

FILE: Final = Path(__file__).parent / "incidence.json"
RUNS: Final = 1_000
RECIPES: Final = (
    "sections?mode=warn",
    "sections?mode=warn&writers=careful,overwriter",
    "trust?verify=read-then-write&writers=agent,relabel",
    "owners?fix1=off&fix2=off&fix3=off",
    "sections",
)
"""Variants that break, by how the source tells them, and at the end one that cannot."""

Json = dict[str, Any]


def kept(scenario: str = "") -> Json:
    """Return what was measured last, of every scenario or of one."""
    found: Json = decode(FILE.read_text(encoding="utf-8"))
    of = [each for each in found["recipes"] if scenario in ("", each["recipe"].split("?")[0])]
    return found | {"recipes": of}


def measure(recipes: tuple[str, ...] = RECIPES, runs: int = RUNS) -> Json:
    """Make the runs, and return what is kept of them: nothing that names the machine."""
    on = machine()
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "python": on["python"],
        "sqlite": on["sqlite"],
        "aiosqlite": on["aiosqlite"],
        "recipes": [_measured(recipe, runs) for recipe in recipes],
    }


def _measured(recipe: str, runs: int) -> Json:
    found = Incidence(recipe)
    for _ in found.over(runs):
        pass
    of = len(found.ended)
    low, high = wilson(found.broken, of)
    terminal.say(f"{recipe}: broken in {found.broken:,} of {of:,} real runs")
    return {
        "recipe": found.recipe.text,
        "options": dict(found.recipe.options),
        "writers": list(found.recipe.writers),
        "runs": len(found.runs),
        "judged": of,
        "broken": found.broken,
        "interval": [round(low, 6), round(high, 6)],
        "by_invariant": found.by_invariant,
        "left_out": found.left_out,
    }


def written(found: Json) -> str:
    """Return it as the file holds it, so that a change of it can be read."""
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(measure()), encoding="utf-8")
    sys.exit(0)
