"""Long searches, a slice at a time, so that whoever waits can show progress and stop.

The first request begins a search and makes its first slice; each further one makes another, until
the answer says `done`. One search is kept at a time: a page asks for one thing, and a new one
takes the old one's place.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

from sim_core.errors import RequestError
from sim_core.judge.scenario import recipe_of
from sim_core.judge.trial import Trial
from sim_core.request import flag, text, whole
from sim_core.search.each import MOST, each
from sim_core.search.exhaust import BUDGET, Exhaust
from sim_core.search.shrink import BUDGET as SHRINK_BUDGET
from sim_core.search.shrink import Shrink
from sim_core.searched import exhaust_json, openings_json, orders_json, shrink_json

SLICE: Final = 200
"""Steps of a slice, unless the request says otherwise."""
MOST_STEPS: Final = 100_000
MOST_BUDGET: Final = 100_000_000
PARTS: Final = 24
"""Into how many parts a search is divided, unless the request says otherwise."""
MOST_PARTS: Final = 10_000
MOST_ORDERS: Final = 10_000

Json = dict[str, Any]


class Going:
    """A search that is not over."""

    def __init__(
        self, steps: Iterator[None], answer: Callable[[], Json], stop: Callable[[], object]
    ) -> None:
        self._steps = steps
        self._answer = answer
        self._stop = stop

    def slice(self, steps: int) -> Json:
        """Go on for so many steps; `done` says whether it has come to its end."""
        done = len(list(islice(self._steps, steps))) < steps
        return self._answer() | {"done": done}

    def end(self) -> Json:
        """End it here, and return what was found until now."""
        self._stop()
        return self._answer() | {"done": True}


class Slices:
    """What answers `exhaust`, `shrink`, `more` and `stop`."""

    def __init__(self) -> None:
        self._going: Going | None = None

    def exhaust(self, request: Json) -> Json:
        """Begin to judge every interleaving of `recipe`."""
        search = _exhaust(request)
        return self._begin(
            Going(search.steps(), lambda: exhaust_json(search), lambda: search.stop("stopped")),
            request,
        )

    def shrink(self, request: Json) -> Json:
        """Begin to look for the smallest run that breaks what `recipe` breaks."""
        budget = whole(request, "budget", SHRINK_BUDGET, 1, MOST_BUDGET)
        shrunk = Shrink(text(request, "recipe"), budget=budget)
        return self._begin(
            Going(shrunk.steps(), lambda: shrink_json(shrunk), lambda: None), request
        )

    def more(self, request: Json) -> Json:
        """Go on with what was begun."""
        return self._slice(request)

    def stop(self, _: Json) -> Json:
        """End what was begun."""
        going, self._going = self._needed(), None
        return going.end()

    def _begin(self, going: Going, request: Json) -> Json:
        self._going = going
        return self._slice(request)

    def _slice(self, request: Json) -> Json:
        steps, going = whole(request, "steps", SLICE, 1, MOST_STEPS), self._needed()
        self._going = None  # a search that raises is over
        answer = going.slice(steps)
        if not answer["done"]:
            self._going = going
        return answer

    def _needed(self) -> Going:
        if self._going is None:
            raise RequestError("No search is going on; ask exhaust or shrink first.", part="more")
        return self._going


def _exhaust(request: Json) -> Exhaust:
    return Exhaust(
        text(request, "recipe"),
        crashes=whole(request, "crashes", 0, 0, 2),
        brute=flag(request, "brute"),
        budget=whole(request, "budget", BUDGET, 1, MOST_BUDGET),
        prefix=text(request, "prefix") if "prefix" in request else "",
    )


def openings(request: Json) -> Json:
    """Return how the search that `request` names could be shared among workers."""
    return openings_json(_exhaust(request), whole(request, "parts", PARTS, 1, MOST_PARTS))


def orders(request: Json) -> Json:
    """Return every order of `recipe`, where there are few."""
    scenario, recipe = recipe_of(text(request, "recipe"))
    recipe = recipe.every_order
    found = each(Trial(scenario, recipe), whole(request, "most", MOST, 1, MOST_ORDERS))
    return orders_json(recipe, found)
