"""What only looks like a leak: each a few lines, none of which the check may name."""

HARMLESS = {
    "given the time": "import time\nx = time.gmtime(0), time.strftime('%Y', x), time.asctime(x)",
    "given the zone": "from datetime import datetime, UTC\nx = datetime.fromtimestamp(0, UTC)",
    "given the zone by name": "from datetime import datetime\nx = datetime.fromtimestamp(0, tz=z)",
    "astimezone with a zone": "x = d.astimezone(zone)",
    "given the seed": "import random\nx = random.Random(7).random(), random.seed(7)",
    "a name-based uuid": "import uuid\nx = uuid.uuid5(uuid.NAMESPACE_DNS, 'a'), uuid.UUID(int=1)",
    "compares in constant time": "import secrets\nx = secrets.compare_digest(a, b)",
    "the run's clock": "async def one(db, clock):\n    x = clock.now(), clock.today()",
    "the run's sleep": "async def one(db, clock):\n    await clock.sleep(1)",
    "a parameter called time": "import time\ndef f(time): return time.time()",
    "a parameter called random": "from random import random\ndef f(random): return random()",
    "a module of one's own": "from . import time\nx = time.time()",
    "a variable called id": "def f(id): return id, id(1)",
    "a class's own hash": "class A:\n    def __hash__(self): return hash(self.a)",
    "looked up by address": "x = seen[id(y)], id(y) in seen, seen.get(id(y)), {id(y): y}",
    "kept, and looked up": "def f(y):\n    key = id(y)\n    if key in seen: del seen[key]",
    "an annotation": "import random, threading\ndef f(r: random.Random) -> threading.Thread: ...",
    "a question of class": "import threading\nx = isinstance(y, threading.Thread)",
    "a sorted set": "for x in sorted(set(a)): f(x)",
    "what has no order": "x = sum(len(y) for y in set(a)), any(set(a)), max(*{1, 2}), {*set(a)}",
    "sorted all the same": "x = sorted([f(y) for y in set(a)]), sorted(list(set(a)))",
    "membership": "seen = set()\nx = y in seen, seen.add(y)",
    "no longer a set": "a = set(b)\na = sorted(a)\nfor x in a: f(x)",
    "a lock": "import threading\nx = threading.Lock()",
    "a docstring": 'def f():\n    """SELECT datetime(\'now\'); CURRENT_TIMESTAMP; random()"""',
    "a comment": "x = 1  # time.time() and datetime('now')",
    "SQL given the time": "db.execute(\"SELECT date(at), strftime('%s', at) FROM t\")",
    "SQL given a parameter": "db.execute('SELECT datetime(?)', (now,))",
    "a column called date": "db.execute('SELECT t.date, time FROM t ORDER BY date')",
    "a literal in SQL": "db.execute(\"SELECT 'random()' -- random()\")",
    "a column called random": "db.execute('SELECT random FROM t')",
    "a sentence": "x = 'Call random() or date() and see what time() it is now.'",
    "allowed, with a reason": "import time\nx = time.time()  # leak: allowed, because I look",
    "allowed on the last line": (
        "x = '''SELECT\n date('now')'''  # leak: allowed, because nobody reads it"
    ),
    "an excuse in a string": "x = '# leak: allowed'",
    # Names.
    "an alias of two modules": "import time as t\nimport random as t\nx = t.nothing()",
    "of two modules, neither has it": (
        "if c: import time as tt\nelse: import random as tt\nx = tt.strptime('1', '%S')"
    ),
    "a capture called time": "import time\ndef f(x):\n match x:\n  case [*time]: time.time()",
    "a mapping's rest": "import time\ndef f(x):\n match x:\n  case {**time}: time.time()",
    "an attribute of another class": (
        "import time\nclass A:\n    t = time\nclass B:\n    t = 1\nx = B.t.time()"
    ),
    "overridden": (
        "import datetime\nclass Day(datetime.date):\n    def today(self): ...\nx = Day.today()"
    ),
    "a tuple of others": "import time\nt, r = fake, time\nx = t.time()",
    "a local of another function": (
        "def f():\n    import time as clk\ndef g(clk):\n    return clk.time()"
    ),
    "a class that is its own base": "from a import A\nclass A(A): ...\nx = A.b.c(), A().b",
    "asked without a limit": "import asyncio\nx = asyncio.wait(s), asyncio.wait(s, timeout=None)",
    "a partial that has the seed": (
        "import random\nfrom functools import partial\nx = partial(random.Random, 7)"
    ),
    "a quoted annotation": "def f(x: 'time.time()') -> 'Annotated[T, hash(1)]': ...",
    # Sets and keys.
    "one member": "isabs, = set(x)\n[y] = {z}",
    "whole numbers": "for x in {1, 2, -3}: f(x)\ny = list(set(range(9))), tuple(frozenset((1, 2)))",
    "a set of whole numbers": "def f(s: set[int]):\n    for x in s: g(x)",
    "a key that ends ties": ("x = sorted(set(y), key=lambda z: (len(z), z)), max({a, b}, key=str)"),
    "sorted before the key": "x = sorted(sorted(set(y)), key=len)",
    "counted": "import itertools\nx = sum(itertools.chain(set(y)))",
    "a hash kept for the hash": (
        "class A:\n    def __init__(self): self._h = hash(self.a)\n"
        "    def __hash__(self): return self._h"
    ),
    "a hash kept in the hash": (
        "class A:\n    def __hash__(self):\n"
        "        self._hash = hash(self.a)\n        return self._hash"
    ),
    "a hash on its way": (
        "class A:\n    def __hash__(self):\n        hash_ = hash(self.a)\n        return hash_"
    ),
    "a key of several": (
        "from _thread import get_ident\ndef f(self):\n    key = id(self), get_ident()\n"
        "    if key in seen: return\n    seen.add(key)\n    seen.discard(key)"
    ),
    "one's own thread": "import threading\nx = threading.get_ident() == owner",
    "a list of the visited": (
        "def f(self, visited):\n    if id(self) in visited: return\n    visited.append(id(self))"
    ),
    # SQL.
    "prose that begins like SQL": "x = 'SELECT one with random() from the list.'",
    "prose that names SQL": "x = 'Use DEFAULT for date() in this column'",
    "a constant that is no SQL": "N = 'random'\nx = f'SELECT {N} FROM t'",
    "bound twice": "N = 'random()'\nN = 'v'\nx = f'SELECT {N} FROM t'",
}
