"""What a process of a drill begins with: loads what it needs, waits for everybody, goes.

A file of its own that imports nothing of ours: hundreds of them start, and each import is paid
every time. The first line of stdin is the job, the second says when to go. Then stdin is silent
until it ends, and so does this process, whatever it is doing: the other end is in the hands of the
drill alone, so that nobody is left behind when that is killed.

Wrong in this module: what a process then does (the file that the job names).
"""

import importlib.util
import json
import os
import sys
import threading
import time
from types import ModuleType
from typing import Any

Job = dict[str, Any]

LOST = 3
"""Exit status of a process whose drill is gone."""


def main() -> None:
    """Do one job, say what came of it, and end."""
    job = json.loads(_line())
    sys.path += job["paths"]
    sys.modules["explorer.drills.child"] = sys.modules["__main__"]  # a task imports from here
    task = load(job["task"]).prepared(job)
    print("ready", flush=True)
    at = float(_line())
    threading.Thread(target=_end_with_the_drill, daemon=True).start()
    time.sleep(max(0.0, at - time.time()))
    answer = task()
    print(json.dumps(answer), flush=True)
    if job.get("stay"):
        threading.Event().wait()
    os._exit(1 if answer.get("failed") else 0)


def load(path: str) -> ModuleType:
    """Load a file as a module, and nothing of the package that it lies in."""
    spec = importlib.util.spec_from_file_location(path, path)
    assert spec and spec.loader, "it is a Python file"
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class Clock:
    """The machine's, as a writer asks for it."""

    async def sleep(self, seconds: float) -> None:
        """Let so much of the machine's time pass."""
        import asyncio  # a task has loaded it

        await asyncio.sleep(seconds)


def error_json(error: BaseException) -> dict[str, Any]:
    """Return an error's class, SQLite's name and extended code for it, and its text."""
    return {
        "class": type(error).__name__,
        "name": getattr(error, "sqlite_errorname", ""),
        "code": getattr(error, "sqlite_errorcode", None),
        "text": str(error)[:200],
    }


def _line() -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        if not (byte := os.read(0, 1)):
            os._exit(LOST)
        line += byte
    return line


def _end_with_the_drill() -> None:
    while os.read(0, 4096):
        pass
    os._exit(LOST)


if __name__ == "__main__":
    main()
