"""`explorer drift`: what the count per owner of a table says that no total does.

Wrong in this module: the comparison itself (explorer/drift.py).
"""

from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any, Final

import click

from explorer import terminal
from explorer.answers import BROKEN, as_json, say_json
from explorer.drift import Drift, Range, Wrong, drift
from explorer.expected import SELECT, Owner
from explorer.numbers import Number
from explorer.snapshot import TIMEOUT
from sim_core.errors import DriftError
from sim_core.quoting import short

MOST_TOLD: Final = 20
"""Owners that are told one by one; --json has them all."""


@click.command("drift")
@click.argument("database")
@click.option("--table", required=True, metavar="T", help="The table that is counted.")
@click.option("--owner", required=True, metavar="COLUMN", help="Says whose a row is.")
@click.option(
    "--expect",
    required=True,
    metavar="FILE|SQL",
    help="Owners and their counts: a CSV file of lines 'owner,count', a JSON file of one object "
    "{owner: count}, or a SELECT of two columns on the same database.",
)
@click.option(
    "--timeout",
    type=Number(0, 3600),
    default=TIMEOUT,
    show_default=True,
    help="Seconds that a lock is waited for.",
)
@as_json
def drift_command(
    database: str, table: str, owner: str, expect: str, timeout: float, as_json: bool
) -> int:
    """Compare the rows that each owner should have in a DATABASE with those it has.

    Reads one snapshot, writes nothing into the database, and may be asked of one in use. Under a
    rollback journal whoever wants to commit waits as long as the reading takes; a SELECT may take a
    minute. In WAL mode SQLite's own -wal and -shm may stay beside it where the last writer closes
    meanwhile, or a -shm where a -wal lay alone; the next writer removes them.

    The exit status is 1 where an owner has too few or too many.
    """
    if not expect.strip():
        raise DriftError("--expect is empty; give a file or a SELECT.", "expect")
    wanted = expect if SELECT.match(expect) else Path(expect)
    found = drift(database, table, owner, wanted, timeout)
    if as_json:
        say_json(drift_json(found, database, table, owner))
    else:
        head = f"{short(database, 200)}   table {short(table)}, owner {short(owner)}"
        terminal.say(drift_text(found, head, terminal.width()))
    if found.left:
        terminal.complain(
            f"explorer: note: {' and '.join(map(short, found.left))} came to lie beside the "
            "database while it was read; the next writer removes what nobody uses."
        )
    return BROKEN if found.drifted else 0


# For a person.


def drift_text(found: Drift, head: str, width: int = 100) -> str:
    """Return the owners that are off, and what that comes to."""
    expected, counted = sum(found.expected.values()), sum(found.counted.values())
    lines = [
        head,
        f"expected  {_rows(expected)} of {_owners(found.expected)}",
        f"counted   {_rows(counted)} of {_owners(found.counted)}",
    ]
    blocks = ["\n".join(lines)]
    if found.drifted:
        blocks.append("\n".join(_table(found.wrong)))
    blocks.append("\n".join(line for said in verdict(found) for line in wrap(said, width)))
    return "\n\n".join(blocks)


def _table(wrong: list[Wrong]) -> Iterator[str]:
    shown = wrong[:MOST_TOLD]
    wide = max(len(_name(one.owner)) for one in shown)
    yield f"{'owner':<{max(wide, 5)}}  expected  counted"
    for one in shown:
        expected = "none" if one.expected is None else f"{one.expected:,}"
        said = f"{abs(one.difference):,} {'missing' if one.difference < 0 else 'too many'}"
        yield f"{_name(one.owner):<{max(wide, 5)}}  {expected:>8}  {one.counted:>7,}  {said}"
    if len(wrong) > MOST_TOLD:
        yield f"… and {len(wrong) - MOST_TOLD:,} more"


def _name(owner: Owner) -> str:
    """Return an owner as a table shows it; where it is no text, with its type."""
    shown = short(owner.label)
    if owner.kind == "text":
        return f"'{shown}'" if _misread(owner.label) else shown
    return shown if owner.kind == "null" else f"{shown} ({owner.kind})"


def _misread(text: str) -> bool:
    """Say whether a text would be taken for another, or for what is none."""
    return (
        text != text.strip()
        or text in ("", "NULL")
        or text.startswith("'")
        or text.endswith(("(number)", "(blob)"))
    )


def verdict(found: Drift) -> Iterator[str]:
    """Yield what the counts say, a sentence each, and what they cannot say."""
    if not found.drifted:
        yield "no drift: each owner has the rows that are expected"
        return
    either = found.misfiled and found.into_new.most and found.between.most
    unsure = either and not (found.into_new.least or found.between.least)
    first, *rest = kinds(found)
    if unsure:
        first, *rest = f"{first}, or between existing owners", *rest[1:]
    yield f"DRIFT: {'; '.join([first, *rest])}."
    if found.misfiled:
        yield (
            f"{_rows(found.misfiled)} that one owner misses and another has too many: "
            f"{_into(found)}. Filed under the wrong owner, or lost here and written twice "
            "there: counts alone cannot tell."
        )
    if found.lost:
        yield f"{_rows(found.lost)} that nobody has: lost, or never written."
    if found.surplus:
        yield f"{_rows(found.surplus)} too many that nobody misses: written twice, or not expected."


def _into(found: Drift) -> str:
    places = (
        (found.into_new, "under an owner that nobody expected"),
        (found.between, "under another expected owner"),
    )
    return ", ".join(f"{_range(each)} {where}" for each, where in places if each.most)


def _range(each: Range) -> str:
    if each.least == each.most:
        return f"{each.most:,}"
    return f"{each.least:,} to {each.most:,}"


def kinds(found: Drift) -> list[str]:
    """Return the kinds of drift there are, read so that as little as possible went wrong."""
    each = {
        "misattribution into a new owner": found.into_new.most,
        "misattribution between existing owners": found.between.most,
        "loss": found.lost,
        "surplus": found.surplus,
    }
    return [name for name, rows in each.items() if rows]


def _rows(count: int) -> str:
    return f"{count:,} row{'s' * (count != 1)}"


def _owners(owners: dict[Owner, int]) -> str:
    return f"{len(owners):,} owner{'s' * (len(owners) != 1)}"


# For a program.


def drift_json(found: Drift, database: str, table: str, owner: str) -> dict[str, Any]:
    """Return it as `drift/1`."""
    return {
        "schema": {"name": "drift", "version": 1},
        "database": database,
        "table": table,
        "owner": owner,
        "expected": {"rows": sum(found.expected.values()), "owners": len(found.expected)},
        "counted": {"rows": sum(found.counted.values()), "owners": len(found.counted)},
        "verdict": "drift" if found.drifted else "ok",
        "kinds": kinds(found),
        "lost": found.lost,
        "surplus": found.surplus,
        "misfiled": {
            "rows": found.misfiled,
            "into_new": found.into_new._asdict(),
            "between_existing": found.between._asdict(),
        },
        "wrong": [
            {
                "owner": None if one.owner.kind == "null" else one.owner.label,
                "type": one.owner.kind,
                "expected": one.expected,
                "counted": one.counted,
                "difference": one.difference,
            }
            for one in found.wrong
        ],
    }
