"""What a page asks for when it has been open for a while: searches, measurements, arithmetic.

It stands apart from the bridge because half of what there is to load belongs to these, and a
reader who waits for a first run should not wait for them. The bridge loads this module with the
first request for one of ANSWERS. Wrong in this module: what a run or a sweep needs.
"""

from collections.abc import Callable
from typing import Any, Final

from sim_core import enough
from sim_core.bench import bench, summary
from sim_core.matrix import matrix, matrix_json
from sim_core.request import text
from sim_core.slices import Slices, openings, orders

Json = dict[str, Any]


def _matrix(request: Json) -> Json:
    return matrix_json(matrix(text(request, "scenario")))


def _bench(_: Json) -> Json:
    return summary(list(bench()))


_slices: Final = Slices()

ANSWERS: Final[dict[str, Callable[[Json], Json]]] = {
    "matrix": _matrix,
    "bench": _bench,
    "greens": enough.asked,
    "openings": openings,
    "orders": orders,
    "exhaust": _slices.exhaust,
    "shrink": _slices.shrink,
    "more": _slices.more,
    "stop": _slices.stop,
}
