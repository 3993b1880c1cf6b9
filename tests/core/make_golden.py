"""Write tests/golden/recipes.json anew: run it, then read the difference.

python tests/core/make_golden.py
"""

import json
from pathlib import Path

from sim_core.errors import RecipeError
from sim_core.judge.scenario import recipe_of

TEXTS = [
    "sections",
    "sections?mode=enforce",
    "sections?mode=warn",
    "sections?seed=7&mode=warn",
    "sections?mode=warn&seed=0",
    "sections?writers=careful,blind",
    "sections?writers=careful,careful,overwriter",
    "sections?writers=careful%2Cblind%2Creader",
    "sections?journal=wal&timeout=0.25",
    "sections?timeout=5",
    "sections?timeout=5.0",
    "sections?grants=ABBA&mode=warn&seed=3",
    "sections?grants=ABt",
    "sections?faults=B1before:crash,A2after:crash",
    "sections?mode=warn&seed=9007199254740991",
    "sections?mode=warn&step=4&check=1.0123abcd&grants=ABAB",
    "sections?step=0",
    "sections?mode=blue",
    "sections?mode=",
    "sections?mode",
    "sections?=warn",
    "sections?mode=warn&mode=warn",
    "sections?colour=red",
    "sections?writers=careful,nobody",
    "sections?writers=",
    "sections?writers=reader,reader,reader,reader,reader,reader",
    "sections?seed=-1",
    "sections?seed=07",
    "sections?seed=1e3",
    "sections?seed=9007199254740992",
    "sections?seed=٣",
    "sections?grants=ABC",
    "sections?grants=",
    "sections?grants=ab",
    "sections?faults=A0before:crash",
    "sections?faults=A1during:crash",
    "sections?faults=A1before:flood",
    "sections?faults=C1before:crash",
    "sections?faults=A1before:crash,A2before:crash",
    "sections?step=-1",
    "sections?check=1.xyz",
    "sections?journal=memory",
    "sections?timeout=soon",
    "sections?timeout=3601",
    "sections?mode=%zz",
    "sections?mode=%ff",
    "sections?",
    "sections?&",
]


def entry(text: str) -> dict[str, str]:
    """Return what Python's parser makes of one recipe."""
    try:
        return {"text": text, "canonical": recipe_of(text)[1].text}
    except RecipeError as error:
        return {"text": text, "part": error.part}


if __name__ == "__main__":
    golden = Path(__file__).parent.parent / "golden/recipes.json"
    golden.write_text(json.dumps([entry(t) for t in TEXTS], indent=1, ensure_ascii=False) + "\n")
