"""How the command is run here, and the head of the scenarios that attack it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
RUN = "from explorer.cli import main; main()"
COMMAND = [sys.executable, "-c", RUN]
HEAD = '''"""T."""
SCHEMA = "CREATE TABLE t (v); INSERT INTO t VALUES (0);"
CONNECT = {"isolation_level": None}
WATCH = ("t", "SELECT v FROM t")
'''
WRITER = """
async def w(db):
    "W."
    await db.execute("UPDATE t SET v = v + 1")
    return "ok"
"""


def explorer(*words: str | bytes, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        errors="backslashreplace",
        timeout=120,
    )


def shell(line: str) -> subprocess.CompletedProcess[str]:
    quoted = " ".join(f"'{word}'" for word in COMMAND)
    return subprocess.run(
        ["bash", "-c", line.replace("explorer", quoted)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
