"""A connection's savepoints, because the RELEASE of some is a COMMIT.

A SAVEPOINT outside a transaction opens one, and releasing that very savepoint commits it
(https://www.sqlite.org/lang_savepoint.html). Names may repeat; the innermost is meant.
"""

from sim_core.engine.statement import tokens, unquoted, verb_of


class Savepoints:
    """The stack of one connection, outermost first."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.opened_it = False
        """The outermost one opened the transaction."""

    def committing(self, sql: str) -> bool:
        """Say whether the RELEASE `sql` would commit."""
        return self.opened_it and self._at(sql) == 0

    def knows(self, sql: str) -> bool:
        """Say whether there is the savepoint that `sql` names."""
        return self._at(sql) < len(self.names)

    def did(self, sql: str, *, opened: bool) -> None:
        """Enter a statement that got through; `opened`: it began the transaction."""
        match verb_of(sql):
            case "SAVEPOINT":
                self.opened_it = self.opened_it or opened
                self.names.append(_name(sql))
            case "RELEASE":
                del self.names[self._at(sql) :]
            case "ROLLBACK TO":
                del self.names[self._at(sql) + 1 :]

    def _at(self, sql: str) -> int:
        name = _name(sql)
        found = [index for index, one in enumerate(self.names) if one == name]
        return found[-1] if found else len(self.names)


def _name(sql: str) -> str:
    *_, name = tokens(sql)
    return unquoted(name).lower()
