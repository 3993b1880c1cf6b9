"""What a scenario file may declare at its top level, and in which form.

A table, so that a wrong form is told by name and remedy, before anything runs.
"""

from types import ModuleType
from typing import Any, Final, NamedTuple

from sim_core.engine.recipe import JOURNALS, RESERVED
from sim_core.errors import ScenarioError

ISOLATION: Final = (None, "DEFERRED", "IMMEDIATE", "EXCLUSIVE")


class Form(NamedTuple):
    """How a declaration must look: `fits` says whether it does, `should` says it in words."""

    default: Any
    should: str

    def fits(self, name: str, value: Any) -> bool:
        match name:
            case "JOURNAL":
                return value in JOURNALS
            case "WRITERS":
                return isinstance(value, tuple | list) and all(isinstance(r, str) for r in value)
            case "WATCH":
                return isinstance(value, tuple) and [type(part) for part in value] == [str, str]
            case "OPTIONS":
                return isinstance(value, dict) and all(map(_is_option, value.values()))
            case "CONNECT":
                return isinstance(value, dict) and value.get("isolation_level") in ISOLATION
            case _:
                return isinstance(value, type(self.default))


FORMS: Final = {
    "SCHEMA": Form("", "a string of SQL that creates the tables and their first rows"),
    "OPTIONS": Form({}, "a dict of option → choices, the default first; choices map to meanings"),
    "WRITERS": Form((), "a tuple of the names of the writers that run by default"),
    "INVARIANTS": Form((), "a tuple of functions, or of (name, promise, SQL)"),
    "ALWAYS": Form((), "a tuple of functions, or of (name, promise, SQL)"),
    "WATCH": Form(("", ""), "a pair of strings: a title, and the SELECT whose rows are shown"),
    "OPENING": Form("", "a string: the query part of a recipe, like mode=warn&seed=7"),
    "CONNECT": Form({}, "a dict whose isolation_level is None, DEFERRED, IMMEDIATE or EXCLUSIVE"),
    "JOURNAL": Form("delete", f"{' or '.join(JOURNALS)}"),
    "REPORT": Form("", "a string: the title of the report that tells of the bug"),
    "PUBLISHED": Form({}, "a dict of broken, seeds and interval"),
}


def _is_option(choices: Any) -> bool:
    fits = isinstance(choices, dict | tuple | list) and len(choices) > 0
    return fits and all(isinstance(choice, str) and choice for choice in choices)


def declared(scenario: str, module: ModuleType, name: str) -> Any:
    """Return what the module declares as `name`, or its default; ScenarioError if misshapen."""
    form = FORMS[name]
    value = getattr(module, name, form.default)
    if not form.fits(name, value):
        raise ScenarioError(f"{name} of {scenario} must be {form.should}.", part=name)
    return value


def meanings(scenario: str, module: ModuleType) -> dict[str, dict[str, str]]:
    """Return option → choice → what it means; a bare list of choices means nothing more."""
    options: dict[str, Any] = declared(scenario, module, "OPTIONS")
    for option in options:
        if option in RESERVED:
            raise ScenarioError(
                f"{scenario} has an option {option!r}, which recipes reserve; rename it.",
                part=option,
            )
    return {
        option: choices if isinstance(choices, dict) else dict.fromkeys(choices, "")
        for option, choices in options.items()
    }
