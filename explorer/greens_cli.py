"""`explorer greens`: how many passing runs are evidence, and what so many exclude.

Wrong in this module: the arithmetic (sim_core/greens.py) and its words (sim_core/enough.py).
"""

import click

from explorer import terminal
from explorer.answers import as_json, say_json
from sim_core import enough
from sim_core.errors import RequestError


@click.command()
@click.option("--failure-rate", "rate", metavar="P", help="How often it fails: 6.7%, 0.067, 1/15.")
@click.option("--confidence", metavar="C", help="How sure to be.  [default: 95%]")
@click.option("--greens", type=int, metavar="N", help="Runs in a row that passed.")
@click.option("--failures", type=int, metavar="K", help="Runs that failed, of --runs.")
@click.option("--runs", type=int, metavar="N", help="Runs that were made.")
@as_json
def greens(
    rate: str | None,
    confidence: str | None,
    greens: int | None,
    failures: int | None,
    runs: int | None,
    as_json: bool,
) -> int:
    """Say what passing runs prove of a system that fails now and then.

    \b
    --failure-rate P              how many greens are needed
    --greens N                    which failure rates they exclude
    --failure-rate P --greens N   how often such a system passes all the same
    --failures K --runs N         between which failure rates the true one lies;
                                  with --failure-rate, whether it can be told from that

    Without options: a published table, with this arithmetic. Runs are taken to be independent.
    """
    question = {
        "failure_rate": rate,
        "confidence": confidence,
        "greens": greens,
        "failures": failures,
        "runs": runs,
    }
    try:
        answer = enough.asked(question)
    except RequestError as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        say_json(answer)
    else:
        terminal.say(enough.greens_text(answer, terminal.width()))
    return 0
