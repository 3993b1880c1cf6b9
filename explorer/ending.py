"""Every way in which a command ends.

A person never meets a traceback: whatever goes wrong is one sentence on stderr, with the recipe
that it came in, and an exit status: 0 nothing broken, 1 something broken, 2 the call cannot be
answered, 130 interrupted. With --json, the sentence is an object on stdout as well.

Wrong in this module: a command (explorer/commands.py).
"""

import traceback
from contextlib import suppress
from typing import Final

import click

from explorer import asides, interrupt, terminal
from explorer.commands import obey
from sim_core.bridge import error_json, written
from sim_core.errors import ExplorerError, RequestError
from sim_core.quoting import said
from sim_core.report import again

CANNOT: Final = 2


def ended(words: list[str]) -> int:
    """Obey the words, and return the exit status."""
    asides.listen()
    try:
        terminal.check()
        return obey(words)
    except BrokenPipeError:
        return 0  # the reader of our output left (explorer … | head)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and interrupt.heard:
            return interrupt.status()
        _tell(error, as_json="--json" in words)
        return CANNOT


def _tell(error: BaseException, *, as_json: bool) -> None:
    sentence = _sentence(error)
    if as_json and not terminal.answered:
        ours = isinstance(error, ExplorerError)
        with suppress(OSError, terminal.OutputLost):  # the sentence on stderr has to do
            terminal.answer(written(error_json(error if ours else RequestError(sentence))))
    context = getattr(error, "ctx", None) if isinstance(error, click.UsageError) else None
    if context is not None:
        terminal.complain(context.get_usage())
    terminal.complain(f"explorer: {sentence}")
    if isinstance(error, ExplorerError) and error.recipe:
        terminal.complain(f"in: {again(error.recipe)}")


def _sentence(error: BaseException) -> str:
    match error:
        case ExplorerError() | terminal.OutputLost():
            return str(error)
        case click.exceptions.NoArgsIsHelpError(ctx=click.Context(command=click.Group() as group)):
            return f"Say what is meant: {' or '.join(sorted(group.commands))}."
        case click.ClickException():
            return error.format_message().replace("\n\t", " ")  # choices, one a line
        case OSError():
            return f"The machine refuses: {said(error)}."
        case KeyboardInterrupt() | SystemExit() | GeneratorExit():
            return f"The scenario ended the command: {said(error)}."
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"This is a bug of ours: {said(error)} ({where.filename}:{where.lineno})."
