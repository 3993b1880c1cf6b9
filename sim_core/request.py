"""What a request says, read strictly: a wrong value is named, with what it may be."""

from typing import Any, Final

from sim_core.engine.recipe import MOST_SEED
from sim_core.errors import RequestError
from sim_core.quoting import short

MOST_SEEDS_A_REQUEST: Final = 10_000

Json = dict[str, Any]


def text(request: Json, key: str) -> str:
    """Return a string that the request must have."""
    value = request.get(key)
    if not isinstance(value, str):
        raise RequestError(f"The request needs {key}, as a string.", part=key)
    return value


def flag(request: Json, key: str) -> bool:
    """Return a boolean; false where the request has none."""
    value = request.get(key, False)
    if type(value) is not bool:
        raise RequestError(f"{key} is true or false, not {short(value)}.", part=key)
    return value


def whole(request: Json, key: str, default: int, least: int, most: int) -> int:
    """Return a whole number within its bounds, or its default."""
    value = request.get(key, default)
    if type(value) is not int or not least <= value <= most:
        raise RequestError(
            f"{key} is a whole number from {least:,} to {most:,}, not {short(value)}.", part=key
        )
    return value


def seeds(request: Json) -> tuple[int, int]:
    """Return the first and the last seed."""
    given = request.get("seeds")
    if not (
        isinstance(given, list)
        and len(given) == 2
        and all(type(seed) is int for seed in given)
        and 0 <= given[0] <= given[1] < given[0] + MOST_SEEDS_A_REQUEST
        and given[1] <= MOST_SEED
    ):
        raise RequestError(
            f"seeds are the first and the last of at most {MOST_SEEDS_A_REQUEST} seeds, [0, 29], "
            f"none above {MOST_SEED}.",
            part=short(given),
        )
    return given[0], given[1]
