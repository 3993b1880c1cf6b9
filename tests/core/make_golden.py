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
    "sections?tz=UTC",
    "sections?tz=Asia/Tokyo&seed=3",
    "sections?tz=Asia%2FTokyo",
    "sections?tz=-03:30",
    "sections?tz=%2B09:00",
    "sections?tz=+24:00",
    "sections?tz=the moon",
    "sections?tz=",
    "sections?timers=idle",
    "sections?granularity=call&timers=any",
    "sections?timers=always",
    "sections?granularity=statement",
    "sections?granularity=row",
    "sections?p=0.05&faults=*:crash",
    "sections?p=0.050000",
    "sections?p=1",
    "sections?p=0.000001",
    "sections?p=0",
    "sections?p=0.0",
    "sections?p=1.0",
    "sections?p=0.0000001",
    "sections?p=.5",
    "sections?faults=B1before:SQLITE_FULL",
    "sections?faults=A3after:cancel,A1:SQLITE_IOERR_FSYNC",
    "sections?faults=*.update-sections.1after:crash",
    "sections?faults=%2A.update:SQLITE_BUSY,A.select.2:cancel",
    "sections?faults=B2before:cancel,*:crash,A10after:crash,A2after:crash,A2:cancel",
    "sections?faults=A1before:crash,A1before:crash",
    "sections?faults=A1:crash,A1before:crash",
    "sections?faults=a1before:crash",
    "sections?faults=A1before:sqlite_full",
    "sections?faults=A.Update:crash",
    "sections?faults=A00before:crash",
    "sections?faults=A1before:crash,",
    "sections?faults=F1:crash",
    "sections?grants=ABa",
    "sections?check=1.0123abcd&p=0.5&timeout=1.5&journal=wal&tz=UTC&timers=any&granularity=call",
    "sections?policy=pct",
    "sections?policy=pct2",
    "sections?policy=uniform",
    "sections?grants=AB&policy=pct5&seed=3&mode=warn",
    "sections?policy=pct1",
    "sections?policy=pct6",
    "sections?policy=PCT2",
    "sections?policy=",
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
