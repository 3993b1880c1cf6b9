"""The one place that writes to the terminal.

What is shown may come from anybody's file, and where it goes may be anything: a terminal that
obeys escape sequences, an encoding without arrows, a full disk, nothing at all. So every text
passes through here: harmless (sim_core/quoting.py), in the encoding at hand, and with an error
where it cannot be written. It goes past sys.stdout, which a scenario can print into, or close.

Wrong in this module: what is said.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from sim_core.quoting import clean, cut

OUT: Final = 1
ERRORS: Final = 2
NARROWEST: Final = 40
WIDEST: Final = 140

_answers = OUT
"""Where answers go: while a command works, a copy of what stdout was."""


answered = False
"""A JSON object was printed; there must not be a second one."""


class OutputLost(Exception):
    """An answer could not be written."""


def width() -> int:
    """Return how many columns a text may have."""
    return max(NARROWEST, min(shutil.get_terminal_size((100, 24)).columns, WIDEST))


def say(text: str) -> None:
    """Print a text for people."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    _write(f"{clean(text)}\n".encode(encoding, "backslashreplace"))


def answer(line: str) -> None:
    """Print a line for programs, a JSON object as a rule: UTF-8 whatever the terminal speaks."""
    global answered
    answered = True
    _write(f"{line}\n".encode())


def complain(text: str, most: int = 4_000) -> None:
    """Print a sentence on stderr; where even that cannot be written, nobody can be told."""
    said = f"{clean(cut(text, most))}\n"
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    with suppress(OSError):
        os.write(ERRORS, said.encode(encoding, "backslashreplace"))


def _write(content: bytes) -> None:
    if _answers == OUT and sys.stdout is not None:
        with suppress(ValueError, OSError):
            sys.stdout.flush()  # what was printed before comes before
    try:
        while content:
            content = content[os.write(_answers, content) :]
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputLost(f"The output cannot be written: {error.strerror}.") from error


def check() -> None:
    """Raise OutputLost where there is nothing to write to: it would all be for nothing."""
    try:
        os.write(OUT, b"")
        os.fstat(OUT)
    except OSError as error:
        raise OutputLost(f"There is no output to write to: {error.strerror}.") from error


@contextmanager
def answers_only() -> Iterator[None]:
    """Keep stdout for our answers while a command works: whatever else is printed, by a scenario
    or a library, goes to stderr."""
    global _answers
    with suppress(ValueError, OSError, AttributeError):
        sys.stdout.flush()
    _answers = os.dup(OUT)
    try:
        os.dup2(ERRORS, OUT)
    except OSError:  # there is no stderr
        os.dup2(os.open(os.devnull, os.O_WRONLY), OUT)
    try:
        yield
    finally:
        with suppress(ValueError, OSError, AttributeError):
            sys.stdout.flush()
        os.dup2(_answers, OUT)
        os.close(_answers)
        _answers = OUT
