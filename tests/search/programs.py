"""Programs thrown together from a seed, each a whole scenario file.

A search that leaves orders out must be right about programs that nobody thought of. Small ones
are enough, if they are many and of every kind: what two or three writers can do wrong, they do
within a few steps. Each is written out as a scenario's text, so that one which is judged wrongly
can be kept, read and run by hand.

No UPDATE sets what is there already: such a one changes no page, and the number that a step
writes is its own.

Wrong in this module: knowing how they are searched.
"""

import random
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import NamedTuple

ROLES = ("one", "two", "three")

FILE, TICKS, MEMORY, DICE = "the file", "a ticking clock", "Python objects", "dice"
"""What its writers share. Only where it is the file alone do footprints tell everything."""
SHARES = {FILE: 86, TICKS: 5, MEMORY: 5, DICE: 4}
"""How often in a hundred programs."""

PLAIN, CALLS, LEGACY, SLEEPS, ODD = "plain", "calls", "legacy", "sleeps", "odd"
STYLES = {PLAIN: 68, CALLS: 8, LEGACY: 6, SLEEPS: 6, ODD: 12}
"""How they are written: with what everybody writes; each fetch apart, cursors half-read; with
Python's own BEGIN; asleep now and then; with the rarer statements and calls."""

SIZES = {
    PLAIN: [
        *((2, 3), (3, 3), (4, 3), (4, 4), (4, 4), (3, 3), (4, 3), (4, 4)),
        *((2, 2, 2), (3, 2, 1), (1, 3, 2), (3, 3, 1), (3, 2, 2)),
    ],
    CALLS: [(2, 2), (1, 3), (3, 2)],
    LEGACY: [(3, 3), (2, 3), (4, 3)],
    SLEEPS: [(3, 2), (3, 3)],
    ODD: [(3, 3), (4, 3), (4, 4), (2, 2, 2)],
}
"""Steps of each writer: some hundred orders at most."""

HEAD = '''"""Program {seed}: writers that share {shares}; {style}."""

import sqlite3

SCHEMA = """
CREATE TABLE t (k INTEGER PRIMARY KEY, v INTEGER); INSERT INTO t VALUES (1, 0);
CREATE TABLE u (k INTEGER PRIMARY KEY, v INTEGER); INSERT INTO u VALUES (1, 0);
"""
WRITERS = {writers}
JOURNAL = {journal!r}
TIMERS = {timers!r}
CONNECT = {{"isolation_level": {isolation!r}}}
{sharing}

async def step(db, seen, sql, *given):
    # No docstring: a helper, and not a writer to pick.
    try:
        rows = {call}
        seen.append([list(row) for row in rows])
    except sqlite3.Error as error:
        seen.append(error.sqlite_errorname)
        {then}


def total(seen):
    return sum(row[-1] or 0 for rows in seen if isinstance(rows, list) for row in rows)

'''

WRITER = '''
async def {role}(db{asks}):
    """Takes its steps, and answers what it saw."""
    seen, half = [], []
    try:
        {steps}
    except sqlite3.Error:
        {undo}
        raise
    return seen

'''

FETCHES = (
    "await (await db.execute(sql, given)).fetchall()",
    "await db.execute_fetchall(sql, given)",
)
UNDOES = ('db.in_transaction and await db.execute("ROLLBACK")', "await db.rollback()")


class Program(NamedTuple):
    """A scenario's text, and the query of the recipe that runs it."""

    seed: int
    shares: str
    style: str
    text: str
    query: str

    def recipe(self, folder: Path) -> str:
        """Write the scenario into `folder`, and return the recipe that runs it."""
        path = folder / f"program_{self.seed}.py"
        path.write_text(self.text)
        return f"{path}?{self.query}"


def program(seed: int) -> Program:
    """Return the program of a seed."""
    return Maker(seed).program()


class Maker:
    """Makes one program; every choice is thrown."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        dice = self.dice = random.Random(seed)
        self.shares = dice.choices(list(SHARES), list(SHARES.values()))[0]
        self.style = dice.choices(list(STYLES), list(STYLES.values()))[0]
        if self.shares != FILE:
            self.style = PLAIN
        self.sizes = dice.choice(SIZES[self.style] if self.shares == FILE else [(2, 3), (3, 3)])
        self.roles = ROLES[: len(self.sizes)]
        self.tables = dice.choice((("t",), ("t", "u"), ("t", "u")))
        self.numbers = count(1)
        """Every step that writes a number of its own takes the next."""

    def program(self) -> Program:
        writers = "".join(map(self.writer, self.roles, self.sizes))
        query = f"timeout={self.dice.choice((0, 5))}"
        if self.style == CALLS:
            query += "&granularity=call"
        text = self.head() + writers + self.promises()
        return Program(self.seed, self.shares, self.style, text, query)

    def head(self) -> str:
        home = dict.fromkeys(self.roles, "home")
        sharing = {
            TICKS: "TICK = 1000\n",
            MEMORY: f"PROCESS = {home}\n",
            DICE: f'PROCESS = {home}\nSHARE = ("home",)\n',
        }
        return HEAD.format(
            seed=self.seed,
            shares=self.shares,
            style=self.style,
            writers=self.roles,
            journal=self.dice.choice(("delete", "wal")),
            timers=self.dice.choice(("any", "idle")) if self.style == SLEEPS else "idle",
            isolation="" if self.style == LEGACY else None,
            sharing=sharing.get(self.shares, ""),
            call=self.dice.choice(FETCHES),
            then=self.dice.choice(("raise", "raise", "pass")),
        )

    def promises(self) -> str:
        table, last = self.dice.choice(self.tables), self.tables[-1]
        value = self.dice.choice((1, 1, 2, 3, 100))
        of_the_end = f"SELECT 1 WHERE (SELECT sum(v) FROM {table}) = {value}"
        text = f"INVARIANTS = ({('end', 'A sum is avoided.', of_the_end)!r},)\n"
        if self.dice.random() < 0.6:
            return text
        of_a_moment = self.dice.choice(
            (
                f"SELECT 1 FROM {table} WHERE v IN (1, 2, 100)",
                f"SELECT 1 WHERE (SELECT count(*) FROM {last}) > 2",
                "SELECT 1 FROM t, u WHERE t.k = 1 AND u.k = 1 AND t.v > u.v",
            )
        )
        return f"{text}ALWAYS = ({('moment', 'A state is avoided.', of_a_moment)!r},)\n"

    def writer(self, role: str, size: int) -> str:
        asks = {TICKS: ", clock", MEMORY: ", memory"}.get(self.shares, "")
        return WRITER.format(
            role=role,
            asks=", clock" if self.style == SLEEPS else asks,
            steps="\n        ".join(self.steps(size)),
            undo=self.dice.choice((*UNDOES, "pass", "pass")),
        )

    def steps(self, size: int) -> list[str]:
        """Return so many steps: alone, or in a transaction where there is room for one."""
        steps: list[str] = []
        while (room := size - len(steps)) > 0:
            if self.style == LEGACY:
                steps += [self.step() for _ in range(room - 1)]
                steps.append(self.dice.choice(("await db.commit()", "await db.rollback()")))
            elif room >= 3 and self.shares != DICE and self.dice.random() < 0.65:
                steps += self.transaction([self.step() for _ in range(room - 2)])
            else:
                steps.append(self.step())
        return steps

    def transaction(self, inside: list[str]) -> list[str]:
        begins = ("BEGIN", "BEGIN", "BEGIN IMMEDIATE", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE")
        ends = ("COMMIT", "COMMIT", "COMMIT", "ROLLBACK")
        return [does(self.dice.choice(begins)), *inside, does(self.dice.choice(ends))]

    def step(self) -> str:
        special: dict[str, Callable[[str], str]] = {
            TICKS: self.ticking,
            MEMORY: self.remembering,
            DICE: self.throwing,
            CALLS: self.half,
            SLEEPS: self.sleeping,
            ODD: self.odd,
        }
        table = self.dice.choice(self.tables)
        for kind, chance in ((self.shares, 0.8), (self.style, 0.5)):
            if kind in special and self.dice.random() < chance:
                return special[kind](table)
        return self.ordinary(table)

    def ordinary(self, table: str) -> str:
        other, own = self.dice.choice(self.tables), 100 * next(self.numbers)
        reads = does(f"SELECT v FROM {table} ORDER BY k")
        writes_what_it_read = does(
            f"UPDATE {table} SET v = ? WHERE k = 1", f"total(seen) % 100 + {own}"
        )
        return self.dice.choice(
            (
                *(reads, reads, reads, writes_what_it_read, writes_what_it_read),
                does(f"UPDATE {table} SET v = v + 1"),
                does(f"UPDATE {table} SET v = {own}"),
                does(f"INSERT INTO {table} (v) VALUES ({own})"),
                does(f"INSERT INTO {table} (v) SELECT coalesce(sum(v), 0) + 1 FROM {other}"),
                does(f"DELETE FROM {table} WHERE v >= 100"),
                does(f"DELETE FROM {table}"),
            )
        )

    # Steps that show what is shared besides the file.

    def ticking(self, table: str) -> str:
        if self.dice.random() < 0.5:
            return does(f"UPDATE {table} SET v = strftime('%s', 'now') % 60 + 100")
        return does(f"UPDATE {table} SET v = ?", "clock.now().second + 200")

    def remembering(self, table: str) -> str:
        counts = "memory.update(n=memory.get('n', 100) + 1) or memory['n']"
        return does(f"UPDATE {table} SET v = ?", counts)

    def throwing(self, table: str) -> str:
        return does(f"UPDATE {table} SET v = abs(random() % 1000) + 100")

    # Steps of a style.

    def half(self, table: str) -> str:
        """A cursor that is never read to its end, and keeps its locks."""
        sql = f"SELECT v FROM {table}"
        if self.dice.random() < 0.4:
            sql = f"UPDATE {table} SET v = v + 1 RETURNING v"
        return self.dice.choice(
            (f'half.append(await db.execute("{sql}"))', "half and await half.pop().fetchone()")
        )

    def sleeping(self, table: str) -> str:
        return f"await clock.sleep({self.dice.choice((1, 2, 9))})"

    def odd(self, table: str) -> str:
        own = 100 * next(self.numbers)
        return self.dice.choice(
            (
                does(f"INSERT OR ROLLBACK INTO {table} VALUES (1, {own})"),
                does(f"INSERT INTO {table} (v) VALUES (?) RETURNING k", own),
                does("SAVEPOINT a"),
                does("RELEASE a"),
                does("ROLLBACK TO a"),
                does("PRAGMA busy_timeout=0"),
                does("PRAGMA wal_checkpoint"),
                does("SELECT last_insert_rowid()"),
                f'await db.executemany("INSERT INTO {table} (v) VALUES (?)", [({own},)])',
                f'await db.executescript("UPDATE {table} SET v = {own}")',
                "await db.close()",
                "raise sqlite3.Error",
            )
        )


def does(sql: str, *given: object) -> str:
    """Return the line of a writer that takes one step."""
    return f'await step(db, seen, "{sql}"{"".join(f", {one}" for one in given)})'
