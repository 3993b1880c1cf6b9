"""What a scenario file may declare at its top level, and in which form.

A table, so that a wrong form is told by name and remedy, before anything runs.
"""

import sys
from difflib import get_close_matches
from inspect import isfunction
from types import ModuleType
from typing import Any, Final, NamedTuple

from sim_core.engine.file import Isolation
from sim_core.engine.recipe import JOURNALS, RESERVED, TIMERS
from sim_core.engine.statement import verb_of
from sim_core.errors import ScenarioError
from sim_core.judge.asked import asked
from sim_core.quoting import short

WRITERS_GIVEN: Final = ("db", "me", "clock", "memory", "processes")
"""What a writer may ask for, besides the options."""
JUDGES_GIVEN: Final = ("db", "told", "ended", "events", "processes")
"""What an invariant may ask for, besides the options."""

ISOLATION: Final = (None, "", "DEFERRED", "IMMEDIATE", "EXCLUSIVE")


class Form(NamedTuple):
    """How a declaration must look: `fits` says whether it does, `should` says it in words."""

    default: Any
    should: str

    def fits(self, name: str, value: Any) -> bool:
        match name:
            case "JOURNAL":
                return value in JOURNALS
            case "TIMERS":
                return value in ("", *TIMERS)
            case "START":
                return value in ("", "granted")
            case "TICK":
                return type(value) is int and 0 <= value <= 3_600_000
            case "CLOCK":
                return value == "frozen" or (isinstance(value, tuple) and all(map(_is_step, value)))
            case "GENERATED":
                return isinstance(value, tuple | list) and all(map(_is_generated, value))
            case "WRITERS" | "SHARE" | "CASTS":
                return isinstance(value, tuple | list) and all(isinstance(r, str) for r in value)
            case "WATCH":
                fits = isinstance(value, tuple) and [type(part) for part in value] == [str, str]
                return fits and (value == ("", "") or reads_only(value[1]))
            case "OPTIONS":
                return isinstance(value, dict) and all(map(_is_option, value, value.values()))
            case "CONNECT":
                return isinstance(value, dict) and _is_connect(value)
            case "PROCESS" | "RECOVER" | "FAILURES":
                pairs = value.items() if isinstance(value, dict) else [(None, None)]
                return all(isinstance(end, str) for pair in pairs for end in pair)
            case "AXIS":
                return value is None or (isfunction(value) and asked(value) == ("events",))
            case "PUBLISHED":
                return isinstance(value, dict) and (not value or _is_published(value))
            case _:
                return isinstance(value, type(self.default))


FINISHED: Final = "every writer finished"
SERIAL: Final = "serial"
BUILT_IN: Final = (FINISHED, SERIAL)
"""Promises that a scenario declares by their name alone."""

_NAMES: Final = " and ".join(map(repr, BUILT_IN))

FORMS: Final = {
    "SCHEMA": Form("", "a string of SQL that creates the tables and their first rows"),
    "OPTIONS": Form(
        {},
        "a dict of option → choices, the default first; an option is a word that may be a "
        "parameter, a choice a text on one line, and choices may map to meanings",
    ),
    "WRITERS": Form((), "a tuple of the names of the writers that run by default"),
    "INVARIANTS": Form((), f"a tuple of functions, of (name, promise, SQL), or of {_NAMES}"),
    "GENERATED": Form(
        (), "a tuple of what tells only who came first: 'table.column', 'told', 'told.key'"
    ),
    "ALWAYS": Form((), "a tuple of functions, or of (name, promise, SQL)"),
    "WATCH": Form(("", ""), "a pair of strings: a title, and the SELECT whose rows are shown"),
    "OPENING": Form("", "a string: the query part of a recipe, like mode=warn&seed=7"),
    "CASTS": Form(
        (),
        "a tuple of strings, each the query part of a recipe, like writers=a,b&faults=B2:crash: "
        "other writers and faults of which `explorer list` gives figures",
    ),
    "CONNECT": Form(
        {},
        "a dict: isolation_level, which is None or one of '', DEFERRED, IMMEDIATE, EXCLUSIVE, or "
        "autocommit, which is True or False",
    ),
    "CHECKS": Form(
        (),
        "a tuple of functions, or of (name, promise, SQL), each what a test of the writers would "
        "look at: `explorer matrix` says which of the FAILURES it catches",
    ),
    "FAILURES": Form(
        {},
        "a dict of the name of a failure → the recipe of a run that fails so, or its query part, "
        "like {'loss': 'mode=warn&seed=7'}",
    ),
    "JOURNAL": Form("delete", f"{' or '.join(JOURNALS)}"),
    "PROCESS": Form({}, "a dict of role → the name of the process it lives in"),
    "SHARE": Form((), "a tuple of the processes whose writers use one connection"),
    "RECOVER": Form({}, "a dict of role → the role that starts in its stead after a crash"),
    "TIMERS": Form("", "any or idle"),
    "TICK": Form(0, "a whole number: the milliseconds that every grant takes"),
    "CLOCK": Form(
        (), "frozen, or a tuple of (grant, seconds by which it is then set): ((3, -60),)"
    ),
    "START": Form("", "granted, where writers begin with a grant of their own"),
    "LEAKY": Form(
        (), "a tuple of option=choice that read the machine on purpose, as an example of a leak"
    ),
    "AXIS": Form(
        None,
        "a function that asks for `events` and yields (event, text), for the axis of time",
    ),
    "REPORT": Form("", "a string: the title of the report that tells of the bug"),
    "PUBLISHED": Form(
        {},
        "a dict of broken and seeds, two whole numbers, and, where there are some, interval (a "
        "pair of percentages) and variant (the query part of the recipe that it is about)",
    ),
}


def _is_connect(value: dict[str, Any]) -> bool:
    if set(value) == {"autocommit"}:
        return isinstance(value["autocommit"], bool)
    return set(value) <= {"isolation_level"} and value.get("isolation_level") in ISOLATION


def isolation(scenario: str, module: ModuleType) -> Isolation:
    """Return the transaction mode of the module's CONNECT; ScenarioError where Python is too
    old for it."""
    connect = declared(scenario, module, "CONNECT")
    if "autocommit" not in connect:
        level: Isolation = connect.get("isolation_level", "DEFERRED")
        return level
    if sys.version_info < (3, 12):
        raise ScenarioError(
            f"CONNECT of {scenario} says autocommit, which needs Python 3.12 or newer; this is "
            f"{sys.version_info[0]}.{sys.version_info[1]}.",
            part="CONNECT",
        )
    return bool(connect["autocommit"])


def _is_step(step: Any) -> bool:
    fits = isinstance(step, tuple) and len(step) == 2 and type(step[0]) is int and step[0] > 0
    return fits and type(step[1]) in (int, float) and abs(step[1]) <= 10 * 366 * 86_400


def _is_generated(name: Any) -> bool:
    return isinstance(name, str) and (name == "told" or name.count(".") == 1)


def _is_option(name: Any, choices: Any) -> bool:
    """Say whether a recipe can name the option, and each choice."""
    if not (isinstance(name, str) and name.isidentifier() and name.isascii()):
        return False
    fits = isinstance(choices, dict | tuple | list) and len(choices) > 0
    meant = choices.values() if isinstance(choices, dict) else ()
    return fits and all(map(_is_choice, choices)) and all(isinstance(one, str) for one in meant)


def _is_choice(choice: Any) -> bool:
    return isinstance(choice, str) and 0 < len(choice) <= 200 and choice.isprintable()


def reads_only(sql: Any) -> bool:
    """Say whether a SQL text is one question: it asks, and begins or changes nothing."""
    return isinstance(sql, str) and verb_of(sql) in ("SELECT", "WITH", "VALUES")


def _is_published(value: dict[Any, Any]) -> bool:
    broken, seeds, interval = (value.get(name) for name in ("broken", "seeds", "interval"))
    counts = type(broken) is int and type(seeds) is int and 0 <= broken <= seeds > 0
    pair = interval is None or (
        isinstance(interval, tuple | list) and [type(end) for end in interval] == [int, int]
    )
    known = set(value) <= {"broken", "seeds", "interval", "variant"}
    return counts and pair and known and isinstance(value.get("variant", ""), str)


def declared(scenario: str, module: ModuleType, name: str) -> Any:
    """Return what the module declares as `name`, or its default; ScenarioError if misshapen."""
    form = FORMS[name]
    value = getattr(module, name, form.default)
    if not form.fits(name, value):
        raise ScenarioError(f"{name} of {scenario} must be {form.should}.", part=name)
    return value


def check_names(scenario: str, module: ModuleType) -> None:
    """Raise for a declaration that is misspelt: it would be ignored without a word."""
    for name in vars(module):
        own = name.startswith("_") or not name.isupper() or name in FORMS
        meant = [] if own else _meant(name)
        if meant:
            raise ScenarioError(
                f"{scenario} declares {name}, which nobody reads; if {meant[0]} is meant, say so, "
                "else give it another name.",
                part=name,
            )


def _meant(name: str) -> list[str]:
    """Return the declaration for which a name is a slip: SCHEME, RECOVERS, PROCESSES, and not
    STARTED, which is a word of its own."""
    as_long = [known for known in FORMS if abs(len(known) - len(name)) < 2]
    return get_close_matches(name, as_long, 1, 0.8) or get_close_matches(name, FORMS, 1, 0.85)


def meanings(scenario: str, module: ModuleType) -> dict[str, dict[str, str]]:
    """Return option → choice → what it means; a bare list of choices means nothing more."""
    options: dict[str, Any] = declared(scenario, module, "OPTIONS")
    for option in options:
        taken = "recipes reserve" if option in RESERVED else "writers and invariants ask for"
        if option in (*RESERVED, *WRITERS_GIVEN, *JUDGES_GIVEN):
            raise ScenarioError(
                f"{scenario} has an option '{short(option)}', which {taken}; rename it.",
                part=option,
            )
    return {
        option: choices if isinstance(choices, dict) else dict.fromkeys(choices, "")
        for option, choices in options.items()
    }
