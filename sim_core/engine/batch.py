"""One call of the writer's that is several commits: executemany in autocommit, executescript.

Between two commits of one call another process may do anything, so each is a step of its own.
Whoever shares the connection must wait for the last: in aiosqlite the whole call is one item in
its worker's queue.

Wrong in this module: fetching. Neither call gives rows.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from sim_core.engine.parameters import frozen
from sim_core.engine.park import NOTHING, Result
from sim_core.engine.statement import split_script

if TYPE_CHECKING:
    from sim_core.engine.cursor import Cursor
    from sim_core.engine.db import Connection


@contextmanager
def _occupied(connection: "Connection", cursor: "Cursor") -> Iterator[None]:
    connection.occupied = cursor
    try:
        yield
    finally:
        connection.occupied = None


async def each(
    connection: "Connection", cursor: "Cursor", sql: str, parameters: Iterable[Any]
) -> None:
    """Execute once per element, each in a grant of its own; the counts are of all of them."""
    total = 0
    with _occupied(connection, cursor):
        try:
            for given in _each_once(parameters):
                act = partial(cursor.run_many, sql, given)
                await cursor.perform("executemany", act, sql, given)
                total += max(cursor.rowcount, 0)
        except BaseException:
            total = -1
            raise
        finally:
            cursor.summed = total


def _each_once(parameters: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield lists of one element; where there is none, the empty list, once."""
    given: list[Any] | None = None
    for element in parameters:
        given = [frozen(element)]
        yield given
    if given is None:
        yield []


async def script(connection: "Connection", cursor: "Cursor", text: str) -> None:
    """Commit what is open, as Python does unasked, then run statement by statement."""
    with _occupied(connection, cursor):
        if connection.legacy and connection.in_transaction:
            await cursor.perform("executescript", partial(_commit, connection), "COMMIT")
        for statement in split_script(text):
            act = partial(_run, connection, cursor, statement)
            await cursor.perform("executescript", act, statement)


def _commit(connection: "Connection") -> Result:
    connection.raw.commit()
    return NOTHING


def _run(connection: "Connection", cursor: "Cursor", statement: str) -> Result:
    """Run one statement of a script.

    sqlite3 runs scripts without opening transactions; but executescript itself would commit an
    open one first, so inside a transaction, where execute opens none either, that is used.
    """
    sql = connection.rewritten(statement)
    if not connection.in_transaction:
        return cursor.run_script(sql)
    spare = connection.raw.cursor()
    spare.row_factory = None
    spare.execute(sql)
    spare.fetchall()
    return NOTHING
