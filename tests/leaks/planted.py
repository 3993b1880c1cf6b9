"""Leaks that were planted on purpose: one table, read by the tests.

Each is a few lines of source and says how it is written, what is to be found, and on which line.
Here are the names that leak; how a name hides has a table of its own, and so has SQL.
"""

from tests.leaks.planted_forms import FORMS
from tests.leaks.planted_leak import Planted
from tests.leaks.planted_sets import SETS
from tests.leaks.planted_sql import SQL

PLANTED = [
    # Clocks.
    Planted("plain", "wall clock", "time.time", 2, "import time\nt = time.time()"),
    Planted("plain", "wall clock", "time.time_ns", 2, "import time\nt = time.time_ns() % 2"),
    Planted("plain", "monotonic clock", "time.monotonic", 2, "import time\nt = time.monotonic()"),
    Planted(
        "plain",
        "monotonic clock",
        "time.perf_counter_ns",
        2,
        "import time\nt = time.perf_counter_ns()",
    ),
    Planted("plain", "cpu clock", "time.process_time", 2, "import time\nt = time.process_time()"),
    Planted(
        "plain", "wall clock", "time.clock_gettime", 2, "import time\nt = time.clock_gettime(0)"
    ),
    Planted("plain", "cpu clock", "os.times", 2, "import os\nt = os.times()"),
    Planted("left-out argument", "wall clock", "time.gmtime", 2, "import time\nt = time.gmtime()"),
    Planted(
        "left-out argument", "wall clock", "time.gmtime", 2, "import time\nt = time.gmtime(None)"
    ),
    Planted("module alias", "wall clock", "time.time", 2, "import time as t\nx = t.time()"),
    Planted("module alias", "wall clock", "time.time", 3, "import time\nt = time\nx = t.time()"),
    Planted("from import", "wall clock", "time.time", 2, "from time import time\nx = time()"),
    Planted(
        "from alias",
        "monotonic clock",
        "time.monotonic",
        2,
        "from time import monotonic as m\nx = m()",
    ),
    Planted(
        "star import",
        "monotonic clock",
        "time.perf_counter",
        2,
        "from time import *\nperf_counter()",
    ),
    Planted(
        "import in function",
        "wall clock",
        "time.time",
        3,
        "def f():\n    import time\n    time.time()",
    ),
    Planted("loaded by name", "wall clock", "time.time", 1, "t = __import__('time').time()"),
    Planted(
        "loaded by name",
        "wall clock",
        "time.time",
        2,
        "import importlib\nt = importlib.import_module('time').time()",
    ),
    Planted(
        "attribute chain",
        "wall clock",
        "datetime.now",
        2,
        "import datetime\nd = datetime.datetime.now(datetime.timezone.utc)",
    ),
    Planted(
        "attribute chain",
        "wall clock",
        "datetime.utcnow",
        4,
        "import datetime\nd = (\n    datetime.datetime\n    .utcnow()\n)",
    ),
    Planted("assigned", "wall clock", "time.time", 2, "import time\nnow = time.time"),
    Planted(
        "assigned", "wall clock", "time.time", 5, "import time\n\nnow = time.time\n\nx = now()"
    ),
    Planted(
        "in a default",
        "wall clock",
        "time.time",
        2,
        "import time\ndef f(at=time.time()): return at",
    ),
    Planted(
        "in a default", "wall clock", "time.time", 2, "import time\nf = lambda at=time.time: at()"
    ),
    Planted(
        "in a decorator",
        "wall clock",
        "time.time",
        2,
        "import time\n@stamped(time.time)\nclass A:0",
    ),
    Planted("in a lambda", "wall clock", "time.time", 2, "import time\nf = lambda: time.time()"),
    Planted("in an f-string", "wall clock", "time.time", 2, "import time\nx = f'at {time.time()}'"),
    Planted(
        "handed over",
        "wall clock",
        "time.time",
        4,
        "import time\nfrom dataclasses import field\nclass A:\n"
        "    at: float = field(default_factory=time.time)",
    ),
    Planted(
        "handed over", "wall clock", "time.time", 2, "import time\nx = list(map(time.time, ()))"
    ),
    Planted(
        "handed over",
        "monotonic clock",
        "timeit.default_timer",
        2,
        "import timeit as i\nf(i.default_timer)",
    ),
    # Local dates.
    Planted("plain", "local date", "date.today", 2, "import datetime\nd = datetime.date.today()"),
    Planted(
        "from import", "local date", "date.today", 2, "from datetime import date\ndate.today()"
    ),
    Planted(
        "from alias", "local date", "datetime.now", 2, "from datetime import datetime as d\nd.now()"
    ),
    Planted(
        "left-out argument",
        "local date",
        "datetime.now",
        2,
        "from datetime import datetime\ndatetime.now(tz=None)",
    ),
    Planted(
        "handed over",
        "local date",
        "datetime.now",
        2,
        "from datetime import datetime\nf(datetime.now)",
    ),
    Planted(
        "module alias",
        "local date",
        "datetime.today",
        2,
        "import datetime as d\nd.datetime.today()",
    ),
    Planted(
        "left-out argument",
        "local date",
        "datetime.fromtimestamp",
        2,
        "from datetime import datetime\ndatetime.fromtimestamp(0)",
    ),
    Planted(
        "from import",
        "local date",
        "date.fromtimestamp",
        2,
        "from datetime import date\ndate.fromtimestamp(0)",
    ),
    Planted(
        "by method", "time zone", "datetime.astimezone", 2, "def f(d):\n    return d.astimezone()"
    ),
    Planted("by method", "time zone", "datetime.astimezone", 1, "d = clock.now().astimezone(None)"),
    Planted(
        "subclass",
        "local date",
        "date.today",
        3,
        "import datetime\nclass Day(datetime.date): pass\nd = Day.today()",
    ),
    Planted("plain", "local date", "time.localtime", 2, "import time\nt = time.localtime(0)"),
    Planted(
        "left-out argument", "local date", "time.localtime", 2, "import time\nt = time.localtime()"
    ),
    Planted(
        "left-out argument", "local date", "time.strftime", 2, "import time\ntime.strftime('%Y')"
    ),
    Planted("plain", "local date", "time.ctime", 2, "import time\nt = time.ctime(7)"),
    Planted("plain", "time zone", "time.mktime", 2, "import time\nt = time.mktime(x)"),
    Planted("value", "time zone", "time.tzname", 2, "import time\nt = time.tzname[0]"),
    Planted(
        "by decree",
        "local date",
        "sqlite3.DateFromTicks",
        2,
        "import sqlite3\nday = sqlite3.DateFromTicks(0)",
    ),
    # Waits.
    Planted("plain", "sleep", "time.sleep", 2, "import time\ntime.sleep(1)"),
    Planted(
        "from import", "sleep", "time.sleep", 3, "from time import sleep\ndef f():\n    sleep(1)"
    ),
    Planted(
        "awaited",
        "sleep",
        "asyncio.sleep",
        3,
        "import asyncio\nasync def f():\n    await asyncio.sleep(0)",
    ),
    Planted(
        "awaited",
        "time limit",
        "asyncio.timeout",
        3,
        "import asyncio\nasync def f():\n    async with asyncio.timeout(1): await g()",
    ),
    Planted(
        "from import",
        "time limit",
        "asyncio.wait_for",
        2,
        "from asyncio import wait_for\nasync def f(): await wait_for(g(), 1)",
    ),
    # Dice.
    Planted("plain", "random", "random.random", 2, "import random\nx = random.random()"),
    Planted("plain", "random", "random.shuffle", 2, "import random\nrandom.shuffle(x)"),
    Planted(
        "from alias", "random", "random.randint", 2, "from random import randint as r\nr(1, 6)"
    ),
    Planted("module alias", "random", "random.choice", 2, "import random as r\nr.choice('ab')"),
    Planted(
        "handed over", "random", "random.random", 2, "import random\nx.sort(key=random.random)"
    ),
    Planted(
        "left-out argument",
        "unseeded random",
        "random.Random",
        2,
        "import random\nr = random.Random()",
    ),
    Planted(
        "left-out argument", "unseeded random", "random.seed", 2, "import random\nrandom.seed()"
    ),
    Planted(
        "handed over",
        "unseeded random",
        "random.Random",
        3,
        "from random import Random\nfrom attrs import field\nr = field(default_factory=Random)",
    ),
    Planted(
        "plain", "urandom", "random.SystemRandom", 2, "import random\nr = random.SystemRandom()"
    ),
    Planted("plain", "urandom", "os.urandom", 2, "import os\nx = os.urandom(4)"),
    Planted("from alias", "urandom", "os.urandom", 2, "from os import urandom as u\nx = u(4)"),
    Planted("plain", "secret", "secrets.token_hex", 2, "import secrets\nx = secrets.token_hex()"),
    Planted(
        "from import", "secret", "secrets.choice", 2, "from secrets import choice\nchoice('ab')"
    ),
    Planted("plain", "uuid", "uuid.uuid4", 2, "import uuid\nx = str(uuid.uuid4())"),
    Planted("plain", "uuid", "uuid.uuid1", 2, "import uuid\nx = uuid.uuid1().hex"),
    Planted("plain", "machine address", "uuid.getnode", 2, "import uuid\nx = uuid.getnode()"),
    Planted(
        "handed over",
        "uuid",
        "uuid.uuid4",
        3,
        "from uuid import uuid4\nfrom collections import defaultdict\nx = defaultdict(uuid4)",
    ),
    # Hashes, addresses, and the order of sets.
    Planted("plain", "hash", "hash()", 1, "x = hash('a') % 7"),
    Planted("plain", "memory address", "id()", 1, "x = f'{id(object())}'"),
    Planted("handed over", "memory address", "id()", 1, "x.sort(key=id)"),
    Planted("kept", "memory address", "id()", 2, "def f(x):\n    mine = id(x)\n    return mine"),
    Planted("loop", "set order", "the order of a set", 1, "for x in {'a', 'b'}: print(x)"),
    Planted("loop", "set order", "the order of a set", 2, "seen = set(names)\nfor x in seen: f(x)"),
    Planted(
        "loop", "set order", "the order of a set", 2, "def f(a: set[str]):\n    for x in a: g(x)"
    ),
    Planted("loop", "set order", "the order of a set", 1, "for x in set(a) - set(b): f(x)"),
    Planted("loop", "set order", "the order of a set", 1, "for x in a.keys() & b.keys(): f(x)"),
    Planted(
        "comprehension", "set order", "the order of a set", 1, "x = [f(y) for y in frozenset(a)]"
    ),
    Planted("comprehension", "set order", "the order of a set", 1, "x = {y: 1 for y in set(a)}"),
    Planted("made a list", "set order", "the order of a set", 1, "x = list({y.name for y in a})"),
    Planted("joined", "set order", "the order of a set", 1, "x = ','.join(set(a).union(b))"),
    Planted("popped", "set order", "the order of a set", 2, "todo = {x, y}\nx = todo.pop()"),
    Planted("unpacked", "set order", "the order of a set", 1, "a, b = {'x', 'y'}"),
    Planted("unpacked", "set order", "the order of a set", 1, "f(*set(a))"),
    Planted("printed", "set order", "the order of a set", 1, "x = f'{set(a)}'"),
    # Threads and processes.
    Planted(
        "plain", "thread", "threading.Thread", 2, "import threading\nthreading.Thread(target=f)"
    ),
    Planted(
        "subclass",
        "thread",
        "threading.Thread",
        2,
        "from threading import Thread\nclass T(Thread): 0",
    ),
    Planted(
        "plain",
        "thread number",
        "threading.get_ident",
        2,
        "import threading\nx = threading.get_ident()",
    ),
    Planted(
        "attribute chain",
        "worker pool",
        "concurrent.futures.ThreadPoolExecutor",
        2,
        "import concurrent.futures\nconcurrent.futures.ThreadPoolExecutor()",
    ),
    Planted(
        "awaited",
        "thread",
        "asyncio.to_thread",
        2,
        "import asyncio\nasync def f(): await asyncio.to_thread(g)",
    ),
    Planted("plain", "process number", "os.getpid", 2, "import os\nx = os.getpid()"),
    Planted(
        "from import", "process number", "os.getppid", 2, "from os import getppid\nx = getppid()"
    ),
    Planted("plain", "process", "os.fork", 2, "import os\nif os.fork(): f()"),
    Planted(
        "from alias",
        "process",
        "multiprocessing.Process",
        2,
        "from multiprocessing import Process as P\nP(target=f).start()",
    ),
    # Excuses.
    Planted("no reason", "excuse", "# leak: allowed", 1, "x = 1  # leak: allowed"),
    Planted("no reason", "excuse", "# leak: allowed", 1, "x = 1  # leak: allowed, because"),
    Planted("no reason", "excuse", "# leak: allowed", 1, "x = 1  # leak: allowed, because …"),
    *FORMS,
    *SETS,
    *SQL,
]
