"""What a search found, as JSON: `exhaust/1` and `shrink/1`, for --json and the page alike; and
what only the page asks for, `openings/1` and `orders/1`.

Fields may be added, never changed. A figure that was not counted is null, never a guess; the one
guess there is stands under its own name, `estimate`.
"""

from fractions import Fraction
from typing import Any

from sim_core.engine.plain import decode
from sim_core.engine.recipe import Recipe
from sim_core.judge.trial import Trial
from sim_core.search.each import Met
from sim_core.search.estimate import orders
from sim_core.search.exhaust import Exhaust
from sim_core.search.openings import openings
from sim_core.search.outcomes import Group, switches
from sim_core.search.shrink import Shrink

Json = dict[str, Any]


def exhaust_json(search: Exhaust) -> Json:
    """Return a search of every interleaving as `exhaust/1`, as far as it has come."""
    groups, counted = search.groups, search.counted
    likely = groups.probability if counted and not search.crashes else None
    witness = search.witness
    outcomes = [_group(group, search) for group in groups] if counted else []
    part = {"prefix": search.prefix} if search.prefix else {}
    return part | {
        "schema": {"name": "exhaust", "version": 1},
        "recipe": search.recipe.text,
        "verdict": search.verdict,
        "interleavings": groups.orders if counted else None,
        "broken": groups.broken if counted else None,
        "by_invariant": search.by_invariant if counted else None,
        "failing": groups.failing if counted else None,
        "not_serial": groups.apart if counted else None,
        "probability": None if likely is None else _fraction(likely),
        "explored": search.explored,
        "cut": search.cut,
        "runs": search.runs,
        "budget": search.budget,
        "stopped": search.stopped or None,
        "chance": search.chance,
        "estimate": search.estimate,
        "outcomes": outcomes,
        "scope": search.scope.json(),
        "witness": witness.text if witness else None,
    }


def _fraction(value: Fraction) -> Json:
    return {"exact": f"{value.numerator}/{value.denominator}", "value": float(value)}


def _group(group: Group, search: Exhaust) -> Json:
    return {
        "rows": {table: [decode(row) for row in rows] for table, _, rows in group.end.rows},
        "told": {name: decode(answer) for name, answer in group.end.told},
        "ended": dict(group.end.ended),
        "broken": list(group.end.broken),
        "failing": group.end.failing,
        "serial": group.apart is None,
        "apart": None if group.apart is None else str(group.apart),
        "count": group.count,
        "share": round(group.count / search.groups.orders, 6),
        "witness": search.with_crashes(group.faults, group.witness).text,
    }


def openings_json(search: Exhaust, parts: int) -> Json:
    """Return how a search that has not begun can be made in parts: `openings/1`. Where it cannot,
    there is one part, which is the whole."""
    trial = Trial(search.scenario, search.recipe)
    return {
        "schema": {"name": "openings", "version": 1},
        "recipe": search.recipe.text,
        "shares": search.shares,
        "parts": openings(trial, parts) if search.shares else [""],
        "estimate": None if search.crashes else orders(trial),
        "scope": search.scope.json(),
    }


def orders_json(recipe: Recipe, found: list[Met] | None) -> Json:
    """Return every order of a recipe as `orders/1`; null where there are too many to tell."""
    return {
        "schema": {"name": "orders", "version": 1},
        "recipe": recipe.text,
        "orders": None if found is None else [one._asdict() for one in found],
    }


def shrink_json(shrunk: Shrink) -> Json:
    """Return the smallest run as `shrink/1`."""
    recipe, grants = shrunk.recipe, shrunk.best.run.grants
    return {
        "schema": {"name": "shrink", "version": 1},
        "from": shrunk.first.recipe.run_text,
        "recipe": recipe.text,
        "invariant": shrunk.violation.invariant,
        "broke": list(dict.fromkeys(one.invariant for one in shrunk.first.flaws)),
        "breaks": list(dict.fromkeys(one.invariant for one in shrunk.best.flaws)),
        "writers": len(recipe.writers),
        "faults": len(recipe.faults),
        "switches": switches(grants),
        "grants": grants,
        "runs": shrunk.runs,
        "budget": shrunk.budget,
        "smallest": shrunk.complete,
        "hash": shrunk.best.hash,
    }
