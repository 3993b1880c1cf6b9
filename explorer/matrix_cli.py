"""The command `explorer matrix`: which check sees which failure.

Thin as every command: sim_core/matrix.py makes the runs, asks the checks, and words the table.
"""

import click

from explorer import interrupt, terminal
from explorer.answers import BROKEN, as_json, say_json
from sim_core.matrix import matrix, matrix_json, matrix_text


@click.command("matrix")
@click.argument("scenario")
@as_json
def matrix_of(scenario: str, as_json: bool) -> int:
    """Hold every check that SCENARIO declares against every failure that it declares.

    Each failure is run, and each check is asked about that very run.
    """
    found = matrix(scenario)
    interrupt.check()
    if as_json:
        say_json(matrix_json(found))
    else:
        terminal.say(matrix_text(found, terminal.width()))
    return BROKEN if found.wolf else 0
