"""How the core is asked here, and the head of the scenarios that attack it."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim_core.bridge import handle

HEAD = '''"""T."""
SCHEMA = "CREATE TABLE t (v); INSERT INTO t VALUES (0);"
CONNECT = {"isolation_level": None}
'''
WRITER = """
async def w(db):
    "W."
    await db.execute("UPDATE t SET v = 1")
    return "ok"
"""


def ask(**request: Any) -> Any:
    text = handle(json.dumps({"version": 1, **request}))
    text.encode("utf-8")
    return json.loads(text, parse_constant=pytest.fail)


def run(tmp_path: Path, source: str, query: str = "") -> Any:
    path = tmp_path / str(len(list(tmp_path.iterdir()))) / "hostile.py"  # a file is loaded once
    path.parent.mkdir()
    path.write_text(HEAD + source)
    return ask(ask="run", recipe=f"{path}{query}")
