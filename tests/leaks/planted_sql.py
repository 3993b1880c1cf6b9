"""Time and chance that stand in SQL: planted, as in tests/leaks/planted.py."""

from tests.leaks.planted_leak import Planted

_SCHEMA = 'SQL = """\nCREATE TABLE log (\n  id INTEGER,\n  at TEXT DEFAULT {}\n)\n"""\n'
_TRIGGER = (
    'SQL = """CREATE TRIGGER stamp AFTER INSERT ON t BEGIN\n'
    "  -- date('now') in a comment is none\n"
    "  UPDATE t SET at = {} WHERE id = new.id;\n"
    'END"""\n'
)

SQL = [
    Planted("statement", "sql clock", "datetime()", 1, "db.execute(\"SELECT datetime('now')\")"),
    Planted("statement", "sql clock", "date()", 1, "db.execute('UPDATE t SET day = date()')"),
    Planted(
        "statement",
        "sql clock",
        "julianday()",
        1,
        "db.execute('select julianday(\"a\"), julianday()')",
    ),
    Planted(
        "statement",
        "sql clock",
        "unixepoch()",
        1,
        "db.execute('INSERT INTO t VALUES (unixepoch())')",
    ),
    Planted(
        "statement", "sql clock", "unixepoch()", 1, "db.execute(\"SELECT unixepoch('subsec')\")"
    ),
    Planted(
        "statement",
        "sql clock",
        "strftime()",
        1,
        "db.execute(\"SELECT strftime('%s', 'NOW', '-1 day')\")",
    ),
    Planted("statement", "sql clock", "strftime()", 1, "db.execute(\"SELECT strftime('%s')\")"),
    Planted(
        "statement",
        "sql clock",
        "timediff()",
        1,
        "db.execute(\"SELECT timediff('now', at) FROM t\")",
    ),
    Planted(
        "statement", "sql random", "random()", 1, "db.execute('SELECT v FROM t ORDER BY random()')"
    ),
    Planted(
        "statement", "sql random", "randomblob()", 1, "db.execute('SELECT hex(randomblob(16))')"
    ),
    Planted(
        "statement",
        "sql time zone",
        "time()",
        1,
        "db.execute(\"SELECT time(at, 'localtime') FROM t\")",
    ),
    Planted(
        "default in SQL", "sql clock", "CURRENT_TIMESTAMP", 4, _SCHEMA.format("CURRENT_TIMESTAMP")
    ),
    Planted("default in SQL", "sql clock", "current_date", 4, _SCHEMA.format("current_date")),
    Planted(
        "default in SQL", "sql clock", "strftime()", 4, _SCHEMA.format("(strftime('%s', 'now'))")
    ),
    Planted("default in SQL", "sql random", "random()", 4, _SCHEMA.format("(random())")),
    Planted("trigger", "sql clock", "datetime()", 3, _TRIGGER.format("datetime('now')")),
    Planted("trigger", "sql clock", "CURRENT_TIME", 3, _TRIGGER.format("CURRENT_TIME")),
    Planted(
        "SQL in an f-string",
        "sql clock",
        "date()",
        1,
        "db.execute(f\"SELECT {x} FROM t WHERE d < date('now')\")",
    ),
    Planted(
        "SQL in pieces",
        "sql random",
        "random()",
        3,
        "x = (\n    'SELECT v FROM t '\n    'ORDER BY random()')",
    ),
    Planted(
        "SQL in pieces",
        "sql random",
        "random()",
        1,
        "x = 'SELECT v FROM ' + table + ' ORDER BY ' + 'random()'",
    ),
    Planted(
        "SQL alone",
        "sql clock",
        "CURRENT_TIMESTAMP",
        1,
        "at = column(default=text('CURRENT_TIMESTAMP'))",
    ),
    Planted(
        "SQL alone",
        "sql clock",
        "datetime()",
        1,
        "at = column(default=text(\"(datetime('now'))\"))",
    ),
    Planted(
        "quoted",
        "sql clock",
        "datetime()",
        1,
        "db.execute('SELECT \"datetime\"(\\'now\\')')",
    ),
    Planted("quoted", "sql random", "random()", 1, "db.execute('SELECT [random]()')"),
    Planted("quoted", "sql clock", "date()", 1, "db.execute('SELECT `date`()')"),
    Planted(
        "a constant put in",
        "sql random",
        "random()",
        2,
        "N = 'random()'\ndb.execute(f'SELECT {N}')",
    ),
    Planted(
        "a constant put in",
        "sql clock",
        "datetime()",
        4,
        "N = 'datetime'\nM = f'{N}'\ndef f(db):\n    db.execute(f\"SELECT {M}('now')\")",
    ),
    Planted(
        "a constant put in",
        "sql clock",
        "date()",
        2,
        "N = 'date()'\nx = 'SELECT v FROM t WHERE day = ' + N",
    ),
    Planted(
        "behind comments", "sql random", "random()", 1, "x = '/* a */ -- b\\n ( select random())'"
    ),
    Planted(
        "with no sentence in it",
        "sql random",
        "random()",
        1,
        "x = 'SELECT t.the, random() AS that FROM t'",
    ),
    Planted(
        "no scenario",
        "sql clock",
        "datetime()",
        2,
        "SCHEMA = 'public'\ndb.execute(\"SELECT datetime('now')\")",
    ),
]
