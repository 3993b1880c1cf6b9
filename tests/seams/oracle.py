"""What an untouched SQLite says, in a process of its own that stands in a time zone.

The zone is set the way a machine's is, by TZ before the process begins; so 'localtime' and 'utc'
are SQLite's own, by the C library, and nothing of ours is in between.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
HERE = """
import json, sqlite3, sys
raw = sqlite3.connect(":memory:")
answers = []
for function, arguments in json.load(sys.stdin):
    marks = ", ".join("?" * len(arguments))
    call = function if "(" in function else f"{function}({marks})"
    try:
        answers.append(raw.execute(f"SELECT {call}", arguments).fetchone()[0])
    except sqlite3.Error as error:
        answers.append({"error": str(error)})
json.dump(answers, sys.stdout)
"""

Call = tuple[str, tuple[Any, ...]]


def said_in(zone: str, calls: list[Call]) -> list[Any]:
    """Return what SQLite answers to each call (a function's name, or a whole expression) on a
    machine that stands in `zone`."""
    done = subprocess.run(
        [sys.executable, "-c", HERE],
        input=json.dumps(calls),
        env=os.environ | {"TZ": zone},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    answers: list[Any] = json.loads(done.stdout)
    return answers
