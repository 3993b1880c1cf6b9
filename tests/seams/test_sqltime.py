"""SQL time is SQLite's own, at the run's instant and in the run's zone: call by call against an
untouched SQLite in a process whose machine stands there."""

import itertools
import sqlite3
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim_core.errors import UncoveredShape
from sim_core.seams.clock import Clock
from sim_core.seams.sqltime import DAY, START, TIME_ARGUMENT, SqlSeam, answer
from tests.seams.oracle import Call, said_in

WALL = 86_399_877  # the day after, a tenth of a second before nine in the morning
CLOCK = Clock(WALL)
NOW = (START + WALL) / DAY
"""The instant as SQLite takes it from anybody: a julian day number."""

FORMATS = ["%Y-%m-%dT%H:%M:%fZ", "%s", "%J", "%d %j %m %w %W %%", "%S.%Q", "%F %T %R %u", ""]
MODIFIERS = [
    *("+1 day", "-13 months", "+2.5 seconds", "1 year", "+0001-01-01", "-00:30", "NNN days"),
    *("start of month", "start of year", "start of day", "weekday 0", "weekday 3"),
    *("unixepoch", "auto", "julianday", "subsec", "subsecond", "ceiling", "floor", "Start Of Day"),
    *("+10000 years", "localtimes", " utc", "", 7, None),
]
INSTANTS = [
    *("2026-07-10", "2026-07-10 09:00", "2026-07-10T09:00:00.1239", "2026-07-10 09:00:00Z"),
    *("2026-02-28 23:59:59.999+09:00", "12:34", "2000-02-29 00:00:00-03:30", "-0044-03-15 12:00"),
    *("1969-12-31 23:59:59", "2039-06-01 12:00:00", "1900-06-01", "9999-12-31 23:59:59"),
    *("2026-03-29 01:30:00", "2026-03-29 02:30:00", "2026-10-25 02:30:00", "2026-11-01 01:30:00"),
    *("2026-10-25 00:30:00", "garbage", "", "NOWT", 0, 2461231.875, 1783674000, 1783674000.25, -1),
    *(None, "2026-13-01", "2026-02-31", "2026-07-10 24:00"),
]
ZONES = ["Asia/Tokyo", "America/St_Johns", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"]


def calls(instants: list[Any], tails: list[tuple[Any, ...]]) -> list[Call]:
    """Return every function over every instant and tail of modifiers; strftime by its formats."""
    plain = [name for name, before in TIME_ARGUMENT.items() if before == 0]
    both = list(itertools.product(instants, tails))
    return [
        *((name, (at, *tail)) for name in plain for at, tail in both),
        *(("strftime", (form, at, *tail)) for form in FORMATS for at, tail in both),
    ]


def at_now(call: Call) -> Call:
    """Return the call with the explicit instant in the place of 'now'."""
    return call[0], tuple(NOW if one == "now" else one for one in call[1])


def test_hundreds_of_calls_answer_what_sqlite_answers_at_an_explicit_instant() -> None:
    asked = calls(["now", *INSTANTS], [(), *((one,) for one in MODIFIERS)])
    # of a number, SQLite takes these two as a unit; of 'now' it makes NULL
    asked = [c for c in asked if not ("now" in c[1] and c[1][-1] in ("unixepoch", "julianday"))]
    assert len(asked) > 5_000
    expected = said_in("UTC", [at_now(call) for call in asked])
    assert {c: answer(CLOCK, *c) for c in asked} == dict(zip(asked, expected, strict=True))


@pytest.mark.parametrize("zone", ZONES)
def test_localtime_and_utc_answer_what_sqlite_answers_on_a_machine_in_the_zone(zone: str) -> None:
    around = [("+1 day",), ("start of day",), ("subsec",), ("weekday 1",), ("-1 month",), ()]
    tails = [
        *(
            (*a, way, *b)
            for way in ("localtime", "utc", "LocalTime")
            for a in around
            for b in around
        ),
        *(("localtime", "utc"), ("utc", "localtime"), ("localtime", "localtime"), ("utc", "utc")),
        *(("localtime", "+1 day", "utc"), ("utc", "-1 hour", "localtime"), ("localtime", "auto")),
        *(("unixepoch", "localtime"), ("auto", "utc"), ("localtime", "unixepoch"), ("utc", "nope")),
    ]
    asked = calls(INSTANTS, tails)
    assert len(asked) > 30_000
    clock = Clock(WALL, zone)
    expected = said_in(zone, asked)
    assert _differences(clock, asked, expected) == []


def _loudly(clock: Clock, call: Call, right: Any) -> Any:
    """Return our answer; where we refuse one, it must be for a value beyond the calendar."""
    try:
        return answer(clock, *call)
    except UncoveredShape:
        beyond = (0, -1, 1783674000, 1783674000.25, "9999-12-31 23:59:59")
        return right if call[1][call[0] == "strftime"] in beyond else UncoveredShape


def _differences(clock: Clock, asked: list[Call], expected: list[Any]) -> list[Any]:
    pairs = zip(asked, expected, strict=True)
    said = [(call, _loudly(clock, call, right), right) for call, right in pairs]
    return [one for one in said if one[1] != one[2] or type(one[1]) is not type(one[2])]


@pytest.mark.parametrize("zone", ZONES)
def test_now_is_utc_for_the_sqlites_that_know_it_and_local_for_those_that_do_not(zone: str) -> None:
    same = said_in(zone, [("datetime('now', 'utc') = datetime('now')", ())])
    local = answer(Clock(WALL, zone), "datetime", ("now", "utc"))
    if sqlite3.sqlite_version_info >= (3, 46):
        assert same == [1] and local == answer(CLOCK, "datetime", ("now",))
    else:
        assert same == [0] and local == said_in(zone, [("datetime", (NOW, "utc"))])[0]


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([*TIME_ARGUMENT]),
    st.sampled_from(["now", "NOW", "2026-07-10 09:00", 1783674000, 2461231.875]),
    st.lists(st.sampled_from([m for m in MODIFIERS if m not in ("julianday",)]), max_size=4),
    st.integers(0, 10**10),
)
def test_any_modifiers_at_any_instant(name: str, at: Any, modifiers: list[Any], wall: int) -> None:
    untouched = sqlite3.connect(":memory:")
    head = ("%Y %f %s",) * TIME_ARGUMENT[name]
    explicit = (START + wall) / DAY if at in ("now", "NOW") else at
    if explicit is not at and modifiers[:1] == ["unixepoch"]:
        assert answer(Clock(wall), name, (*head, at, *modifiers)) is None
        return
    marks = ", ".join("?" * (len(head) + 1 + len(modifiers)))
    asked = (*head, explicit, *modifiers)
    (expected,) = untouched.execute(f"SELECT {name}({marks})", asked).fetchone()
    assert answer(Clock(wall), name, (*head, at, *modifiers)) == expected


# On a connection: in every place where SQL can ask.


def connection(clock: Clock | None = None, seed: int = 0) -> sqlite3.Connection:
    raw = sqlite3.connect(":memory:", isolation_level=None)
    SqlSeam(clock or CLOCK, seed, 16).install(raw)
    return raw


def one(raw: sqlite3.Connection, expression: str) -> Any:
    return raw.execute(f"SELECT {expression}").fetchone()[0]


SAME = [
    *("datetime()", "datetime('NOW')", "CURRENT_TIMESTAMP", "datetime(x'6e6f77')"),
    *("datetime('now' || char(0) || 'x')", "date('now') || ' ' || time('now')"),
    *("current_date || ' ' || CURRENT_TIME", "strftime('%Y-%m-%d %H:%M:%S')"),
    *("datetime(unixepoch(), 'unixepoch')", "datetime(julianday())", "datetime('now', '+0 days')"),
]


@pytest.mark.parametrize("expression", SAME)
def test_every_way_to_say_now_is_the_same_instant(expression: str) -> None:
    assert one(connection(), expression) == "2026-07-11 08:59:59"


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("strftime('%f', 'now')", "59.877"),
        ("strftime()", None),
        ("datetime('now', 'unixepoch')", None),
        ("datetime('now', NULL)", None),
        ("datetime(NULL)", None),
        ("datetime('now', 'localtime')", "2026-07-11 17:59:59"),
        ("date('2026-07-10 15:00', 'localtime')", "2026-07-11"),
        ("datetime('2026-07-10', 'utc')", "2026-07-09 15:00:00"),
        ("unixepoch('now', 'localtime') - unixepoch()", 9 * 3600),
    ],
)
def test_shapes_that_are_easily_got_wrong(expression: str, said: Any) -> None:
    assert one(connection(Clock(WALL, "Asia/Tokyo")), expression) == said


@pytest.mark.skipif(sqlite3.sqlite_version_info < (3, 42), reason="subsec is of SQLite 3.42")
def test_subsec_is_heard_where_sqlite_has_it() -> None:
    assert one(connection(), "datetime('now', 'subsec')") == "2026-07-11 08:59:59.877"
    assert one(connection(), "unixepoch('subsec')") == (START - 210_866_760_000_000 + WALL) / 1000


@pytest.mark.skipif(sqlite3.sqlite_version_info < (3, 43), reason="timediff is of SQLite 3.43")
def test_timediff_is_there_where_sqlite_has_it() -> None:
    assert one(connection(), "timediff('now', '2026-07-10 09:00')").startswith(
        "+0000-00-00 23:59:59"
    )
    assert one(connection(), "timediff('2026-07-11', 'now')").startswith("-0000-00-00 08:59:59")


@pytest.mark.skipif(sqlite3.sqlite_version_info >= (3, 43), reason="timediff is there")
def test_timediff_is_missing_where_sqlite_misses_it() -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such function"):
        one(connection(), "timediff('now', 'now')")


def test_a_schema_asks_in_every_place_it_can() -> None:
    raw = connection()
    raw.executescript("""
        CREATE TABLE log (
            k INTEGER PRIMARY KEY, at TEXT DEFAULT CURRENT_TIMESTAMP,
            made TEXT DEFAULT (strftime('%Y', 'now')), dice INTEGER DEFAULT (random()),
            noise BLOB DEFAULT (randomblob(4)), day TEXT AS (date(at)) VIRTUAL,
            hour TEXT AS (strftime('%H', at)) STORED, CHECK (julianday(at) > 0)
        );
        CREATE INDEX by_day ON log (date(at));
        CREATE INDEX late ON log (at) WHERE time(at) > '08:00';
        CREATE TABLE seen (at TEXT);
        CREATE TRIGGER noted AFTER INSERT ON log BEGIN
            INSERT INTO seen VALUES (datetime('now', 'start of month'));
        END;
        CREATE VIEW age AS SELECT julianday('now') - julianday(at) AS days FROM log;
        INSERT INTO log (k) VALUES (1);
    """)
    assert raw.execute(
        "SELECT at, made, typeof(dice), length(noise), day, hour FROM log"
    ).fetchall() == [("2026-07-11 08:59:59", "2026", "integer", 4, "2026-07-11", "08")]
    assert raw.execute("SELECT at FROM seen").fetchall() == [("2026-07-01 00:00:00",)]
    assert 0 <= raw.execute("SELECT days FROM age").fetchone()[0] < 1 / 86_400
    plan = raw.execute(
        "EXPLAIN QUERY PLAN SELECT k FROM log WHERE date(at) = '2026-07-11'"
    ).fetchall()
    assert "by_day" in plan[0][3]


def test_floor_behind_a_zone_is_refused_by_name() -> None:
    with pytest.raises(UncoveredShape, match=r"datetime\(.*'floor'"):
        answer(CLOCK, "datetime", ("now", "+1 month", "localtime", "floor"))


def test_the_engine_can_ask_for_the_error_that_sqlite_swallowed() -> None:
    seam = SqlSeam(Clock(zone="Asia/Tokyo"), 0, 16)
    raw = sqlite3.connect(":memory:")
    seam.install(raw)
    with pytest.raises(sqlite3.OperationalError, match="user-defined function"):
        raw.execute("SELECT datetime('now', 'localtime', 'floor')")
    assert isinstance(seam.raised(), UncoveredShape)
    assert seam.raised() is None


def test_random_comes_from_the_stream_and_differs_row_by_row() -> None:
    query = "WITH n(i) AS (VALUES (1), (2), (3)) SELECT random(), hex(randomblob(3)) FROM n"
    first, again = (connection(seed=3).execute(query).fetchall() for _ in range(2))
    assert first == again != connection(seed=4).execute(query).fetchall()
    assert len(set(first)) == 3


@pytest.mark.parametrize(
    ("length", "bytes_"),
    [("0", 1), ("-5", 1), ("NULL", 1), ("'7 apples'", 7), ("2.9", 2), ("x'33'", 3), ("'x'", 1)],
)
def test_randomblob_takes_the_lengths_that_sqlite_takes(length: str, bytes_: int) -> None:
    untouched = sqlite3.connect(":memory:")
    asked = f"length(randomblob({length}))"
    assert one(connection(), asked) == one(untouched, asked) == bytes_


def test_a_blob_too_big_is_sqlites_own_error() -> None:
    with pytest.raises(sqlite3.DataError) as caught:
        one(connection(), "randomblob(2000000000)")
    assert caught.value.sqlite_errorname == "SQLITE_TOOBIG"


def test_a_number_and_its_float_are_not_taken_for_each_other() -> None:
    raw = connection()
    assert (one(raw, "strftime(1, 'now')"), one(raw, "strftime(1.0, 'now')")) == ("1", "1.0")


def test_within_a_statement_now_stands_still_and_between_two_it_moves() -> None:
    clock = Clock()
    raw = connection(clock)
    cursor = raw.execute("WITH n(i) AS (VALUES (1), (2)) SELECT strftime('%f', 'now') FROM n")
    first = cursor.fetchone()
    clock.advance(1_500)
    assert first == cursor.fetchone() == ("00.000",)
    assert one(raw, "strftime('%f', 'now')") == "01.500"


def test_a_million_calls_do_not_pile_up_and_the_usual_call_is_quick() -> None:
    raw = connection()
    rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
    started = time.perf_counter()
    raw.execute(f"{rows} SELECT max(datetime(i || '-01-01')) FROM n").fetchone()
    assert time.perf_counter() - started < 5
