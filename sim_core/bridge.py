"""The only door for JavaScript and for --json: a request in, an answer out, both JSON.

Every answer carries a `schema` of name and version. Fields may be added, never changed. Nothing
is raised: an error is an answer too, with the culprit in `part`.

A page waits until this module is loaded, so it loads what runs and sweeps need; all else comes
with the first request for it (later.py).
"""

import json
import re
import sqlite3
import sys
from collections.abc import Callable
from typing import Any, Final

from sim_core.axis import moments, title
from sim_core.engine.film import Film, Frame
from sim_core.engine.plain import rows
from sim_core.engine.recipe import JOURNALS, MOST_WRITERS
from sim_core.engine.trace import ENGINE, Event
from sim_core.errors import ExplorerError, RequestError
from sim_core.judge.scenario import Scenario, load, slugs
from sim_core.judge.trial import Outcome
from sim_core.judge.verdict import follow, perform
from sim_core.quoting import kind, said, short
from sim_core.request import seeds, text
from sim_core.search.sweep import Sweep

VERSION: Final = 1

Json = dict[str, Any]


def handle(text: str) -> str:
    """Answer one request; `ask` is run, follow, sweep, matrix, describe, list, hello, bench,
    greens, openings or orders, or begins a search (exhaust, shrink) that `more` goes on with,
    slice by slice, and `stop` ends."""
    try:
        answer = _answer(text)
    except RecursionError:
        answer = error_json(RequestError("The request is nested too deeply."))
    except (Exception, KeyboardInterrupt) as error:
        answer = error_json(error)
    return written(answer)


_UNSEEN: Final = re.compile("[\ud800-\udfff\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def written(answer: Json) -> str:
    """Return an answer as JSON that any decoder of UTF-8 reads: halves of characters, which a
    text in SQLite or a file's name may hold, are escaped, as is what a terminal would obey."""
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSEEN.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def error_json(error: BaseException) -> Json:
    """Return an error as an answer; one that is not ours by its class and text."""
    if isinstance(error, ExplorerError):
        message, part, recipe = str(error), error.part, error.recipe
    elif isinstance(error, KeyboardInterrupt):
        message, part, recipe = "The run was interrupted.", "", ""
    else:
        message, part, recipe = f"This is a bug of ours: {said(error)}.", "", ""
    return {
        "schema": _schema("error"),
        "error": kind(error),
        "part": part,
        "message": message,
        "recipe": recipe,
    }


def _answer(text: str) -> Json:
    try:
        request = json.loads(text)
    except (ValueError, TypeError):
        raise RequestError("The request is not JSON.") from None
    version = request.get("version") if isinstance(request, dict) else None
    if type(version) is not int or version != VERSION:
        raise RequestError(f"The request is not of version {VERSION}.", part=short(request))
    ask = request.get("ask")
    if not isinstance(ask, str) or ask not in _ASKS:
        raise RequestError(
            f"Nothing answers '{short(ask)}'; ask {', '.join(_ASKS)}.", part=short(ask)
        )
    return _ASKS[ask](request)


def _schema(name: str) -> Json:
    return {"name": name, "version": 1}


# One run.


def _run(request: Json) -> Json:
    return run_json(perform(text(request, "recipe"), film=True))


def _follow(request: Json) -> Json:
    return run_json(follow(text(request, "recipe"), film=True))


def run_json(outcome: Outcome) -> Json:
    """Return a judged run as `run/1`; with a film, also what a view draws."""
    run, recipe = outcome.run, outcome.recipe
    answer = {
        "schema": _schema("run"),
        "engine": ENGINE,
        "recipe": recipe.run_text,
        "scenario": recipe.terms.scenario,
        "options": dict(recipe.options),
        "journal": recipe.journal,
        "seed": recipe.seed,
        "writers": [
            {"letter": w.letter, "name": w.name, "role": w.role} for w in run.writers.values()
        ],
        "grants": run.grants,
        "hash": outcome.hash,
        "verdict": outcome.verdict,
        "serial": None if outcome.scenario.invariants else outcome.apart is None,
        "apart": None if outcome.apart is None else str(outcome.apart),
        "violations": [violation._asdict() for violation in outcome.violations],
        "told": {w.name: run.told.get(w.name) for w in run.writers.values()},
        "ended": {w.name: w.ended or "waiting" for w in run.writers.values()},
        "events": [_event(event) for event in run.events],
    }
    if found := moments(outcome):
        answer |= {"axis_title": title(outcome), "axis": [one._asdict() for one in found]}
    if outcome.checked:
        answer["checks"] = {name: bool(found) for name, found in outcome.checked.items()}
    if recipe.check and recipe.check != outcome.check:
        answer["mismatch"] = mismatch(outcome)
    if outcome.film:
        answer |= _film(outcome.scenario, outcome.film)
    return answer


def mismatch(outcome: Outcome) -> str:
    """Return the sentence for a link whose outcome was another one when it was copied."""
    return (
        f"The link was copied from a run with the digest {outcome.recipe.check}; here the same "
        f"recipe came to {outcome.check}, so what you see may differ from what was sent."
    )


_SHOWN: Final = {
    "operation": {
        "call": "call",
        "sql": "sql",
        "params": "parameters",
        "rows": "rows",
        "rowcount": "rowcount",
        "error": "error",
        "message": "message",
        "lock": "lock",
        "holders": "holders",
    },
    "start": {},
    "implicit": {"sql": "sql"},
    "told": {"told": "answer"},
    "failed": {"error": "error", "message": "message"},
    "wait": {"lock": "lock", "holders": "holders", "deadline": "deadline"},
    "crash": {"place": "side"},
    "deadlock": {"lock": "lock", "holders": "holders"},
    "advance": {},
    "clock": {"set_by": "answer"},
    "shows": {"name": "call"},
    "looks": {"name": "call", "found": "answer"},
}
"""Kind of event → the fields of `run/1` and the event's own names for them."""


def _event(event: Event) -> Json:
    head = {"grant": event.grant, "t": event.time, "writer": event.writer, "kind": event.kind}
    if event.kind != "advance":
        head["op"] = event.number
    fields = _SHOWN[event.kind].items()
    body = {shown: rows(getattr(event, name)) for shown, name in fields}
    return head | body


def _film(scenario: Scenario, film: Film) -> Json:
    return {
        "watch": {"title": scenario.watch_title, "columns": list(film.columns)},
        "steps": [_step(frame) for frame in film.frames],
    }


def _step(frame: Frame) -> Json:
    pending = frame.pending and {"writer": frame.pending[0], "rows": rows(frame.pending[1])}
    return {
        "t": frame.time,
        "rows": rows(frame.rows),
        "pending": pending,
        "holds": frame.holds,
        "passes": frame.passes,
        "offers": [
            {"letter": o.letter, "status": o.status, "op": o.number, "sql": o.sql, "why": o.why}
            for o in frame.offers
        ],
    }


# Many runs.


def _sweep(request: Json) -> Json:
    first, last = seeds(request)
    grown = Sweep(text(request, "recipe"))
    for _ in grown.over(range(first, last + 1)):
        pass
    return sweep_json(grown)


def sweep_json(grown: Sweep) -> Json:
    """Return a sweep as `sweep/1`."""
    return {
        "schema": _schema("sweep"),
        "recipe": grown.recipe.text,
        "seeds": len(grown.runs),
        "asked": grown.asked,
        "stopped": grown.stopped or None,
        "broken": grown.broken,
        "by_invariant": grown.by_invariant,
        "failing": grown.failing,
        "struck": grown.struck if grown.recipe.faults else None,
        "not_serial": None if grown.scenario.invariants else grown.odd,
        "verdict": grown.verdict,
        "published": grown.published or None,
        "runs": [
            {"seed": run.seed, "grants": run.grants, "hash": run.hash, "broken": list(run.broken)}
            for run in grown.runs
        ],
    }


# What there is.


def _describe(request: Json) -> Json:
    return {"schema": _schema("describe")} | describe(load(text(request, "scenario")))


def describe(scenario: Scenario) -> Json:
    """Return what a scenario offers, for pickers and galleries."""
    terms = scenario.terms
    return {
        "slug": terms.scenario,
        "title": scenario.title,
        "story": scenario.story,
        "options": [
            {
                "name": name,
                "choices": list(choices),
                "default": choices[0],
                "meaning": scenario.meanings[name],
            }
            for name, choices in terms.options.items()
        ],
        "roles": [
            {"name": role, "summary": (function.__doc__ or "").strip().split("\n")[0]}
            for role, function in scenario.functions.items()
        ],
        "writers": list(terms.writers),
        "most_writers": MOST_WRITERS,
        "invariants": [{"name": one.name, "promise": one.promise} for one in scenario.invariants],
        "opening": scenario.opening,
        "casts": list(scenario.casts),
        "particular": sorted(text for text, alone in scenario.casts.items() if alone),
        "checks": [{"name": one.name, "promise": one.promise} for one in scenario.checks],
        "failures": scenario.failures,
        "leaky": list(scenario.leaky),
        "journals": list(JOURNALS),
        "journal": terms.journal,
        "timers": terms.timers,
        "timeout": terms.timeout,
        "recovers": list(terms.recovers),
        "report": scenario.report,
        "published": scenario.published,
    }


def list_json(_: Json | None = None) -> Json:
    """Return every built-in scenario as `list/1`."""
    from sim_core.figures import known

    kept = known()
    described = [describe(load(slug)) | {"figures": kept.get(slug, [])} for slug in slugs()]
    return {"schema": _schema("list"), "scenarios": described}


def _hello(_: Json) -> Json:
    return {
        "schema": _schema("hello"),
        "engine": ENGINE,
        "python": sys.version.partition(" ")[0],
        "sqlite": sqlite3.sqlite_version,
    }


def _later(ask: str) -> Callable[[Json], Json]:
    def answer(request: Json) -> Json:
        from sim_core.later import ANSWERS

        return ANSWERS[ask](request)

    return answer


_ASKS: Final[dict[str, Callable[[Json], Json]]] = {
    "run": _run,
    "follow": _follow,
    "sweep": _sweep,
    "describe": _describe,
    "list": list_json,
    "matrix": _later("matrix"),
    "hello": _hello,
    "bench": _later("bench"),
    "greens": _later("greens"),
    "openings": _later("openings"),
    "orders": _later("orders"),
    "exhaust": _later("exhaust"),
    "shrink": _later("shrink"),
    "more": _later("more"),
    "stop": _later("stop"),
}
