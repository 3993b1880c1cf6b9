"""Two dates outside the clock seam: named by the check, drawn over a day, and closed."""

import asyncio
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import aiosqlite
import pytest

from sim_core.judge.verdict import perform
from sim_core.scenarios import seams
from sim_core.search.check import Check, seeded
from sim_core.search.sweep import Sweep
from tests.scenarios.mutants import mutant
from tests.searches import searched

EVENT = "an event has one day"
EXPORT = "an export has one day"
WHOLE = "an export leaves nothing out"


def checked(recipe: str, seeds: range = range(3)) -> Check:
    found = Check()
    for _ in found.over(seeded(recipe, seeds)):
        pass
    return found


def red(recipe: str) -> dict[str, int]:
    """Return how many of seeds 0..29 break each promise."""
    sweep = Sweep(recipe)
    for _ in sweep.over(range(30)):
        pass
    names = (EVENT, EXPORT, WHOLE)
    return {name: sum(name in run.broken for run in sweep.runs) for name in names}


def logged(zone: str, seam: str = "local") -> list[tuple[str, str]]:
    """Return the day and the stamp of one event an hour, for 24 hours."""
    outcome = perform(f"seams?seam={seam}&writers=all_day&tz={zone}", film=True)
    assert outcome.film is not None
    table: Any = outcome.film.frames[-1].rows
    rows = [(day, stamp) for _, day, stamp in table]
    assert len({stamp[11:13] for _, stamp in rows}) == 24
    return rows


# The leak.


def test_the_check_names_both_call_sites_and_nothing_else() -> None:
    leaks = checked("seams?seam=leaky").leaks
    assert [(leak.call, leak.inside) for leak in leaks] == [
        ("date.today", "log"),
        ("date.today", "exporter"),
    ]
    assert {leak.source for leak in leaks} == {"day = datetime.date.today()"}


@pytest.mark.leaks
def test_a_leaky_run_writes_the_days_of_another_calendar() -> None:
    before = date.today()
    broken = perform("seams?seam=leaky").broken
    days = {before, date.today()}
    if date(2026, 7, 10) not in days:  # on that one day the leak shows in no row
        assert broken == (EVENT, EXPORT)


@pytest.mark.leaks
def test_the_leaky_day_does_not_follow_the_zone_of_the_run() -> None:
    day = date.today()
    runs = [perform(f"seams?seam=leaky&tz={tz}").run for tz in ("UTC", "+09:00")]
    one, other = ([event.parameters for event in run.events] for run in runs)
    assert one == other or date.today() != day


@pytest.mark.parametrize("seam", ["closed", "local"])
@pytest.mark.parametrize("tz", ["UTC", "+09:00", "Asia/Tokyo"])
def test_a_day_from_the_clock_of_the_run_passes_the_check(seam: str, tz: str) -> None:
    assert not checked(f"seams?seam={seam}&tz={tz}").found


# The wrong hours.


@pytest.mark.parametrize(
    ("zone", "hours"),
    [
        ("UTC", []),
        ("+09:00", list(range(15, 24))),
        ("Asia/Tokyo", list(range(15, 24))),
        ("Asia/Kolkata", list(range(19, 24))),  # from 18:30: five and a half hours
        ("Europe/Berlin", [22, 23]),
        ("America/Los_Angeles", list(range(7))),
        ("-10:00", list(range(10))),
    ],
)
def test_an_event_has_two_days_for_as_many_hours_as_the_zone_is_off(
    zone: str, hours: list[int]
) -> None:
    wrong = [int(stamp[11:13]) for day, stamp in logged(zone) if day != stamp[:10]]
    assert sorted(wrong) == hours


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "-10:00"])
def test_closed_has_no_wrong_hour_in_any_zone(zone: str) -> None:
    assert all(day == stamp[:10] for day, stamp in logged(zone, "closed"))


def test_across_local_midnight_the_two_writers_disagree_too() -> None:
    outcome = perform("seams?seam=local&tz=Asia/Tokyo&grants=AtBBAA")
    assert outcome.broken == (EVENT, EXPORT, WHOLE)
    assert outcome.run.told["exporter"] == "exported 0 of 1"


def test_local_is_red_in_tokyo_and_never_in_utc() -> None:
    assert red("seams?seam=local&tz=Asia/Tokyo") == {EVENT: 30, EXPORT: 5, WHOLE: 5}
    assert red("seams?seam=local&tz=UTC") == {EVENT: 0, EXPORT: 0, WHOLE: 0}


def test_local_is_red_in_every_order_in_tokyo_and_the_export_in_six_of_fifteen() -> None:
    search = searched("seams?seam=local&tz=Asia/Tokyo")
    assert (search.groups.broken, search.groups.orders) == (15, 15)
    export = perform("seams?seam=local&tz=Asia/Tokyo&grants=ABBtAA")
    assert export.broken == (EVENT,)


# The fix.


@pytest.mark.parametrize(
    ("tz", "crashes", "orders"),
    [
        ("UTC", 0, 15),
        ("UTC", 1, 125),
        ("+09:00", 1, 125),
        ("-10:00", 1, 125),
        ("Asia/Tokyo", 0, 15),
        ("Asia/Tokyo", 1, 125),
        ("Asia/Tokyo", 2, 325),
    ],
)
def test_closed_is_proved_in_every_order_and_crash(tz: str, crashes: int, orders: int) -> None:
    search = searched(f"seams?tz={tz}", crashes=crashes)
    assert (search.verdict, search.groups.orders) == ("proved", orders)


def test_closed_is_proved_by_brute_force_too() -> None:
    search = searched("seams?tz=Asia/Tokyo", brute=True)
    assert (search.verdict, search.explored) == ("proved", 15)


def test_closed_still_has_the_gap_between_reading_the_day_and_stamping_the_row() -> None:
    """UTC midnight passes while the logger stands before its INSERT with yesterday's day."""
    until_midnight = "tBB" * 15
    outcome = perform(f"seams?writers=logger,all_day&grants={until_midnight}A")
    assert outcome.broken == (EVENT,)


LOG = "# The day comes from Python, the timestamp from the schema.\n    day = clock.today()"
READ = "rows = await cursor.fetchall()\n    day = clock.today()"

MUTANTS = {
    "the logger's day is the UTC day": (LOG, "clock.local().date()", EVENT),
    "the exporter's day is the UTC day": (READ, "clock.local().date()", EXPORT),
}


@pytest.mark.parametrize("safeguard", MUTANTS)
def test_each_of_the_two_lines_is_needed(safeguard: str, tmp_path: Path) -> None:
    old, instead, promise = MUTANTS[safeguard]
    path = mutant("seams", old, old.replace("clock.today()", instead), tmp_path)
    search = searched(f"{path}?tz=Asia/Tokyo")
    assert search.verdict == "broken"
    assert any(promise in group.end.broken for group in search.groups)


@pytest.mark.parametrize(("site", "inside"), [(LOG, "log"), (READ, "exporter")])
def test_one_leak_alone_is_named_by_its_function(site: str, inside: str, tmp_path: Path) -> None:
    leak = site.replace("clock.today()", "datetime.date.today()")
    path = mutant("seams", site, leak, tmp_path)
    assert {leak.inside for leak in checked(str(path)).leaks} == {inside}


# Outside.


class Tokyo:
    """A clock that stands at 00:30 in Tokyo and lets nobody wait."""

    def now(self) -> datetime:
        return datetime(2026, 7, 10, 15, 30, tzinfo=UTC)

    def today(self) -> date:
        return self.now().date()

    def local(self) -> datetime:
        return self.now().astimezone(ZoneInfo("Asia/Tokyo"))

    async def sleep(self, seconds: float) -> None:
        assert seconds > 0


async def one_by_one(path: Path, seam: str) -> dict[str, str]:
    clock = Tokyo()
    alone: Any = seams
    async with aiosqlite.connect(path, isolation_level=None) as db:
        await db.executescript(seams.SCHEMA)
        return {
            "logger": await alone.logger(db, "logger", clock, seam),
            "exporter": await alone.exporter(db, clock, seam),
            "all_day": await alone.all_day(db, clock, seam),
        }


@pytest.mark.leaks
@pytest.mark.parametrize("seam", ["closed", "leaky"])
def test_the_writers_run_unchanged_under_real_aiosqlite(seam: str, tmp_path: Path) -> None:
    day = date.today()
    told = asyncio.run(one_by_one(tmp_path / "real.db", seam))
    facade = perform(f"seams?seam={seam}&grants=AtAABB").run.told
    day_long = perform(f"seams?seam={seam}&writers=all_day").run.told
    assert told == {**facade, **day_long} or date.today() != day
    assert told["exporter"] == "exported 2 of 2" or date.today() != day
