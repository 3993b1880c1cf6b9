"""Time zones, as a run option: how far is a place from UTC at an instant?

`UTC`, a fixed offset such as `+09:00`, or a name such as `Asia/Tokyo` that Python's zoneinfo
knows. The machine's own zone is never asked.
"""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Final

LAST_KNOWN: Final = 2_147_385_600
"""2038-01-18 in seconds since 1970: up to here SQLite asks the zone itself."""

_CYCLE: Final = (400 * 365 + 97) * 86_400
"""Seconds in 400 years, after which the calendar repeats itself: Python ends at the year 9999
and does not reach back to Caesar, SQLite does."""
_MACHINES: Final = ("localtime", "posixrules")
"""Files beside the zones that a machine's administrator points at one of them."""
_START_OF_1970: Final = datetime(1970, 1, 1, tzinfo=UTC)
_OFFSET: Final = re.compile(r"([+-])([01][0-9]|2[0-3]):([0-5][0-9])")


class UnknownZone(ValueError):
    """There is no such zone; the text says what there is."""


@lru_cache(maxsize=64)
def zone(name: str) -> tzinfo:
    """Return a zone by name or offset; UnknownZone where there is none."""
    if name == "UTC":
        return UTC
    if match := _OFFSET.fullmatch(name):
        offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
        return timezone(offset if match[1] == "+" else -offset, name)
    if name.rpartition("/")[2].lower() in _MACHINES:
        raise UnknownZone(
            f"{name} is whatever zone this machine is set to; tz is UTC, an offset like +09:00, or "
            "a zone like Asia/Tokyo"
        )
    try:
        from zoneinfo import ZoneInfo  # 200 KB of imports that few runs need

        return ZoneInfo(name)
    except ImportError:
        raise UnknownZone(
            "this Python has no list of zones; tz is UTC or an offset like +09:00 here"
        ) from None
    except (KeyError, ValueError, OSError):  # ZoneInfoNotFoundError is a KeyError
        raise UnknownZone("tz is UTC, an offset like +09:00, or a zone like Asia/Tokyo") from None


def offset_of(name: str, instant: datetime) -> timedelta:
    """Return how far the zone is ahead of UTC at `instant`."""
    offset = zone(name).utcoffset(instant.astimezone(zone(name)))
    assert offset is not None, "a zone knows its offset"
    return offset


@lru_cache(maxsize=1024)
def ahead(name: str, seconds: int) -> int:
    """Return by how many milliseconds the zone is ahead of UTC so many seconds after 1970.

    As SQLite sees it: years outside 1970–2037 have the offset of a year of their leap rule.
    """
    cycles, rest = divmod(seconds, _CYCLE)
    moment = _START_OF_1970 + timedelta(seconds=rest)
    if not 0 <= seconds <= LAST_KNOWN:
        year = moment.year + 400 * cycles
        moment = moment.replace(year=2000 + (year % 4 if year >= 0 else -(-year % 4)))
    return round(offset_of(name, moment).total_seconds()) * 1000
