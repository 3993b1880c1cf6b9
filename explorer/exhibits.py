"""Figures that are not a run's table: what each asks, and what it was answered.

An exhibit travels with its page as `asks`, requests to the bridge, and `answers`, in the same
order, so that a reader's browser can put the same requests and compare. What no answer can say
(what real threads did, what a zone is called) stands beside them. Answers are cut to what the
drawing reads; nothing is worked out here, for the page would have to work it out again.

Wrong in this module: a figure, and what a figure looks like (static/js/draw/exhibits.js).
"""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from explorer import measured
from explorer.shipped import asked
from sim_core.figures import SEEDS
from sim_core.search.sweep import wilson

Json = dict[str, Any]

SLICE: Final = 100_000
"""Steps of a search that nobody watches."""


@cache
def exhibit(kind: str, scenario: str = "") -> Json:
    """Return the data of one of KINDS; of incidence, what concerns the scenario that is named."""
    of = {"scenario": scenario} if scenario else {}
    return {"kind": kind} | KINDS[kind](**of)


# The kinds.


def _matrix() -> Json:
    return _asked({"ask": "matrix", "scenario": "owners"})


CHECKPOINTS: Final = "writers=reporter,recorder,recorder,recorder,recorder&seed=2"
"""Twelve writes; the reporter reads before all but the first of them."""


def _wal() -> Json:
    recipes = [f"checkpoint?leak={leak}&{CHECKPOINTS}" for leak in ("on", "off")]
    return _asked(*({"ask": "run", "recipe": each} for each in recipes), keep=_checkpoints)


def _checkpoints(run: Json) -> Json:
    """A run without what was read and what was waited for: writes and checkpoints."""
    kinds = ("rowcount", "rows")
    told = [event for event in run["events"] if event["kind"] == "operation" and event["sql"]]
    events = [{name: event[name] for name in (*_EVENT, *kinds)} for event in told]
    return {**_some(run, *_RUN), "events": events}


ZONES: Final = (
    ("UTC", "UTC"),
    ("+09:00", "Tokyo"),
    ("+05:30", "Kolkata"),
    ("-10:00", "Honolulu"),
)
"""Offsets, for the Python in the page has no list of zones; all four keep theirs all year."""


def _day() -> Json:
    asks = []
    for offset, _ in ZONES:
        zone = offset.replace("+", "%2B")
        asks += [
            {"ask": "run", "recipe": f"seams?seam=local&writers=all_day&tz={zone}"},
            {"ask": "run", "recipe": f"seams?seam=local&tz={zone}&grants=AtBBAA"},
        ]
    zones = [{"offset": offset, "place": place} for offset, place in ZONES]
    return {"zones": zones} | _asked(*asks, keep=_last_rows)


def _last_rows(run: Json) -> Json:
    """A run's end: what the file holds, and which promises broke."""
    broken = [_some(each, "invariant", "detail") for each in run["violations"]]
    steps = [{"rows": run["steps"][-1]["rows"]}]
    return {**_some(run, *_RUN, "watch"), "violations": broken, "steps": steps}


def _greens() -> Json:
    return _asked({"ask": "greens"}, {"ask": "greens", "failure_rate": "6.7%", "greens": 10})


def _incidence(scenario: str = "") -> Json:
    kept = measured.kept(scenario)
    asks: list[Json] = []
    for each in kept["recipes"]:
        asks += [
            {"ask": "sweep", "recipe": each["recipe"], "seeds": [0, SEEDS - 1]},
            {"ask": "exhaust", "recipe": each["recipe"]},
        ]
    return {"measured": kept} | _asked(*asks, keep=_counts)


def _counts(answer: Json) -> Json:
    """A sweep or a search as its figures."""
    if answer["schema"]["name"] == "sweep":
        low, high = wilson(len(answer["broken"]), answer["seeds"])
        return {
            **_some(answer, "schema", "recipe", "seeds", "broken"),
            "interval": [round(low, 6), round(high, 6)],
        }
    return _some(
        answer, "schema", "recipe", "verdict", "interleavings", "broken", "probability", "done"
    )


KINDS: Final[dict[str, Callable[..., Json]]] = {
    "matrix": _matrix,
    "wal": _wal,
    "day": _day,
    "greens": _greens,
    "incidence": _incidence,
}


# Asking.

_RUN: Final = ("schema", "recipe", "hash", "options", "writers")
_EVENT: Final = ("grant", "writer", "kind", "sql")


def _asked(*asks: Json, keep: Callable[[Json], Json] = lambda answer: answer) -> Json:
    return {"asks": list(asks), "answers": [keep(_answer(each)) for each in asks]}


def _answer(request: Json) -> Json:
    """Put a request, and go on with what it began until that is done."""
    answer = asked(**request, steps=SLICE)
    while answer.get("done") is False:
        answer = asked(ask="more", steps=SLICE)
    return answer


def _some(whole: Json, *names: str) -> Json:
    return {name: whole[name] for name in names}
