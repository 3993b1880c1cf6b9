"""A process to be killed: runs a program on plain sqlite3, and stops before every operation.

    python kill_child.py FILE PROGRAM_AS_JSON

At each stop it writes a line, with what the operations before came to, and waits for a byte. So
whoever reads the line can kill it at exactly that point. It imports nothing of ours.
"""

import json
import sqlite3
import sys


class Child:
    """One connection, its cursors by name, and what came of everything."""

    def __init__(self, path, program):
        self.steps = program["steps"]
        self.raw = sqlite3.connect(path, timeout=0, **program["connect"])
        if getattr(self.raw, "autocommit", -1) is not False:  # it cannot be set in a transaction
            self.raw.execute("PRAGMA synchronous=FULL")
        self.outcomes = []

    def park(self, last=False):
        sys.stdout.write(json.dumps({"last": last, "outcomes": self.outcomes}) + "\n")
        sys.stdout.flush()
        if not sys.stdin.read(1):
            sys.exit("the parent is gone")

    def run(self):
        cursors = {}
        for call, name, *arguments in self.steps:
            cursor = cursors.get(name) or cursors.setdefault(name, self.raw.cursor())
            try:
                outcome = self.act(call, cursor, arguments)
            except sqlite3.Error as error:
                outcome = error.sqlite_errorname
            self.outcomes.append(outcome)

    def act(self, call, cursor, arguments):
        if call == "executescript":  # every statement of it is a stop, its own COMMIT too
            self.raw.set_trace_callback(lambda sql: self.park())
            try:
                cursor.executescript(*arguments)
            finally:
                self.raw.set_trace_callback(None)
            return None
        self.park()
        if call in ("commit", "rollback"):
            getattr(self.raw, call)()
            return None
        if call == "executemany":
            sql, elements = arguments
            cursor.executemany(sql, self.between(elements))
            return None
        answer = getattr(cursor, call)(*arguments)
        return answer if call.startswith("fetch") else None

    def between(self, elements):
        """Yield the elements; in autocommit the one before is committed when the next is asked."""
        each = not self.raw.in_transaction and self.raw.isolation_level is None
        for number, element in enumerate(elements):
            if each and number:
                self.park()
            yield element


if __name__ == "__main__":
    child = Child(sys.argv[1], json.loads(sys.argv[2]))
    child.run()
    child.park(last=True)
