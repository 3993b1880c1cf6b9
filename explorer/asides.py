"""What Python itself would print while a command works, in one line each: a forgotten await, an
error in somebody's thread or finalizer. Python names our files there, and shows a traceback, and
the culprit is a scenario.

Wrong in this module: an error that ends a command (explorer/ending.py).
"""

import sys
import threading
import warnings

from explorer import terminal
from sim_core.quoting import said, short


def listen() -> None:
    """Tell such things in one line from now on."""
    warnings.showwarning = lambda text, kind, *_: _aside(f"{kind.__name__}: {short(text, 200)}")
    sys.unraisablehook = lambda lost: _aside(_of(lost.exc_value))
    threading.excepthook = lambda lost: _aside(_of(lost.exc_value))


def _of(error: BaseException | None) -> str:
    return f"{said(error)}, where nobody could hear it" if error else "an error without a name"


def _aside(text: str) -> None:
    terminal.complain(f"explorer: {text}")
