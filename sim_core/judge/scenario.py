"""From a scenario file to something that can run.

A scenario is a plain Python module that stands alone. What it declares: a docstring (first line:
the title), SCHEMA, writer coroutines with their roles' names, WRITERS (who writes by default),
and, where it wants them, OPTIONS, INVARIANTS, ALWAYS, WATCH, OPENING, CONNECT, JOURNAL. Writers
and invariants name what they need as parameters and are given exactly that: `db`, `me`, `clock`,
`memory` (a dict that dies with the process), `processes` (the process list) and any option for a
writer; `db`, `told`, `ended`, `events`, `processes` and any option for an invariant.

Wrong in this module: running anything but the scenario's own top level.
"""

import importlib
import importlib.util
import inspect
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from sim_core import scenarios
from sim_core.engine.file import Isolation
from sim_core.engine.recipe import MOST_WRITERS, Recipe, Terms, parse, split
from sim_core.errors import RecipeError, ScenarioError
from sim_core.judge.asked import asked
from sim_core.judge.checks import checks_of, failures_of
from sim_core.judge.declared import WRITERS_GIVEN, check_names, declared, isolation, meanings
from sim_core.judge.invariants import Invariant, invariants_of
from sim_core.judge.theirs import theirs
from sim_core.quoting import short
from sim_core.seams.clock import Habit


@dataclass(frozen=True)
class Scenario:
    """A story with its writers, options and promises."""

    terms: Terms
    title: str
    story: str
    schema: str
    meanings: dict[str, dict[str, str]]
    """Option → choice → what it means, in words."""
    functions: dict[str, Callable[..., Any]]
    """Role → the coroutine function that plays it."""
    invariants: tuple[Invariant, ...]
    checks: tuple[Invariant, ...]
    """What a test of the writers would look at."""
    failures: dict[str, str]
    """Name of a failure → the recipe whose run fails so."""
    watch_title: str
    watch: str
    opening: str
    """The recipe of the run that tells the story best."""
    casts: dict[str, bool]
    """Recipes whose writers and faults are measured beside the opening's (sim_core/figures.py) →
    whether it names an option, and so is about that one variant."""
    isolation: Isolation
    processes: dict[str, str]
    """Role → the process its writers live in; every other writer is a process of its own."""
    shares: tuple[str, ...]
    """Processes whose writers use one connection."""
    recovers: dict[str, str]
    """Role → the role that starts in its process's stead after a crash."""
    tick: int
    clock: Habit
    start_granted: bool
    generated: tuple[str, ...]
    """Columns and answers that tell only who came first: `serial` leaves them out."""
    leaky: tuple[str, ...]
    """Choices, as option=choice, that read the machine on purpose."""
    report: str
    published: dict[str, Any]
    axis: Callable[..., Any] | None
    """Names the moments of a run that stand on the axis of time."""

    def leaks(self, recipe: Recipe) -> bool:
        """Say whether a variant reads the machine on purpose."""
        return any(f"{name}={choice}" in self.leaky for name, choice in recipe.options)

    def asks(self, role: str) -> tuple[str, ...]:
        """Return what a role's writer asks for by its parameters."""
        return asked(self.functions[role])


@lru_cache(maxsize=1)
def slugs() -> tuple[str, ...]:
    """Return the names of the built-in scenarios."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(scenarios.__path__)))


def recipe_of(text: str) -> tuple[Scenario, Recipe]:
    """Return the scenario that a recipe names, and the recipe read by its terms.

    The address of a scenario's page is a recipe too: http://127.0.0.1:8000/sections/?seed=16.
    Raises RecipeError or ScenarioError.
    """
    name, query = named(text)
    scenario = load(name)
    return scenario, parse(query, scenario.terms)


def named(text: str) -> tuple[str, str]:
    """Return the scenario's name and the query. The name of a file may hold question marks: it
    ends with the first `.py` that a question mark, or nothing, follows."""
    name, query = split(text)
    if address := re.match("https?://[^/#]*([^#]*)", name):
        name, query = address[1].rstrip("/") + "/", query.partition("#")[0]
    page = name.rstrip("/").rpartition("/")[2]
    if name.endswith("/") and not page.endswith(".py"):
        return page, query
    if name in slugs() or name.endswith(".py"):
        return name, query
    file = re.fullmatch(r"(.+?\.py)(?:\?(.*))?", text, re.DOTALL)
    return (file[1], file[2] or "") if file else (name, query)


@lru_cache(maxsize=64)
def load(name: str) -> Scenario:
    """Return a scenario by its slug, or by the path of its file.

    Raises RecipeError for an unknown slug or a missing file, ScenarioError for a file that
    does not load or lacks a declaration.
    """
    if sys.flags.optimize > 1:
        raise ScenarioError(
            "Python runs without docstrings here (-OO or PYTHONOPTIMIZE=2), and a scenario's "
            "writers and promises are told by theirs; run it without.",
            part=name,
        )
    there_are = f"there are {', '.join(slugs())}, or give the path of a .py file"
    if not name:
        raise RecipeError(f"The recipe names no scenario; {there_are}.")
    if name.rstrip("/").endswith(".py"):
        module = _module_at(name)
    elif name in slugs():
        module = importlib.import_module(f"sim_core.scenarios.{name}")
    else:
        raise RecipeError(f"There is no scenario '{short(name)}'; {there_are}.", part=name)
    with theirs(lambda: f"{_shown(name)} cannot be used:", name):
        return scenario_of(name, module)


def load_afresh(name: str) -> None:
    """Run a scenario's top level once more, and forget it: for whoever watches what it does."""
    if name.endswith(".py"):
        _module_at(name)
        return
    spec = importlib.util.find_spec(f"sim_core.scenarios.{name}")
    assert spec is not None and spec.loader is not None, "a scenario that is loaded has a loader"
    spec.loader.exec_module(importlib.util.module_from_spec(spec))


def _module_at(name: str) -> ModuleType:
    if not _is_file(name):
        raise RecipeError(
            f"There is no file {_shown(name)}; give the path of a scenario file.", part=name
        )
    spec = importlib.util.spec_from_file_location(f"scenario_{Path(name).stem}", name)
    assert spec is not None and spec.loader is not None, "a .py file has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for what an annotation names
    with theirs(lambda: f"{_shown(name)} does not load:", name):
        spec.loader.exec_module(module)
    return module


def _is_file(name: str) -> bool:
    try:
        return not name.endswith("/") and Path(name).is_file()
    except (OSError, ValueError):  # too long for a name, or holding what no name can
        return False


def _shown(path: str) -> str:
    return short(path, 200)


def scenario_of(name: str, module: ModuleType) -> Scenario:
    """Return what a loaded scenario module declares; ScenarioError where something is off."""
    title, _, story = inspect.cleandoc(_documented(module) or name).partition("\n")
    check_names(name, module)
    options = meanings(name, module)
    functions = _roles(module, tuple(options))
    writers = tuple(declared(name, module, "WRITERS")) or tuple(functions)[:2]
    _check_writers(name, writers, functions)
    processes = _roles_in(name, module, "PROCESS", functions)
    recovers = _recovers(name, module, functions)
    watch_title, watch = declared(name, module, "WATCH")
    terms = Terms(
        scenario=name,
        options={option: tuple(choices) for option, choices in options.items()},
        roles=tuple(functions),
        writers=writers,
        journal=declared(name, module, "JOURNAL"),
        timers=declared(name, module, "TIMERS") or _timers(functions, writers),
        recovers=tuple(recovers),
    )
    return Scenario(
        terms=terms,
        title=title,
        story=story.strip(),
        schema=declared(name, module, "SCHEMA"),
        meanings=options,
        functions=functions,
        invariants=invariants_of(name, module, tuple(options)),
        checks=checks_of(name, module, tuple(options)),
        failures=failures_of(name, module, terms),
        watch_title=watch_title,
        watch=watch,
        opening=parse(declared(name, module, "OPENING"), terms).text,
        casts={
            parse(each, terms).text: any(f"&{option}=" in f"&{each}" for option in options)
            for each in declared(name, module, "CASTS")
        },
        isolation=isolation(name, module),
        processes=processes,
        shares=_shares(name, module, processes),
        recovers=recovers,
        tick=declared(name, module, "TICK"),
        clock=declared(name, module, "CLOCK"),
        start_granted=declared(name, module, "START") == "granted",
        generated=tuple(declared(name, module, "GENERATED")),
        leaky=tuple(map(str, declared(name, module, "LEAKY"))),
        report=declared(name, module, "REPORT"),
        published=declared(name, module, "PUBLISHED"),
        axis=declared(name, module, "AXIS"),
    )


def _roles(module: ModuleType, options: tuple[str, ...]) -> dict[str, Callable[..., Any]]:
    """Return the module's writers: coroutine functions that ask for nothing we do not give."""
    allowed = {*WRITERS_GIVEN, *options}
    return {
        name: function
        for name, function in vars(module).items()
        if inspect.iscoroutinefunction(function)
        and function.__module__ == module.__name__
        and not name.startswith("_")
        and _documented(function)
        and set(asked(function)) <= allowed
    }


def _documented(thing: object) -> str:
    """Return its docstring; what stands in the place of one and is no text, is none."""
    said = getattr(thing, "__doc__", None)
    return said if type(said) is str else ""


def _timers(functions: dict[str, Callable[..., Any]], writers: tuple[str, ...]) -> str:
    """Time is an adversary where a default writer sleeps; else it passes when nobody can run."""
    sleeps = any("sleep" in functions[role].__code__.co_names for role in writers)
    return "any" if sleeps else "idle"


def _recovers(
    name: str, module: ModuleType, functions: dict[str, Callable[..., Any]]
) -> dict[str, str]:
    recovers = _roles_in(name, module, "RECOVER", functions)
    _check_roles(name, "RECOVER", recovers.values(), functions)
    return recovers


def _roles_in(
    name: str, module: ModuleType, what: str, functions: dict[str, Callable[..., Any]]
) -> dict[str, str]:
    """Return a declared dict of roles; ScenarioError where a key is no role."""
    found: dict[str, str] = declared(name, module, what)
    _check_roles(name, what, found, functions)
    return found


def _check_roles(
    name: str, what: str, roles: Iterable[str], functions: dict[str, Callable[..., Any]]
) -> None:
    for role in roles:
        if role not in functions:
            raise ScenarioError(
                f"{what} of {name} names {role!r}, which is no writer of it.", part=what
            )


def _shares(name: str, module: ModuleType, processes: dict[str, str]) -> tuple[str, ...]:
    shares = tuple(declared(name, module, "SHARE"))
    for process in shares:
        if process not in processes.values():
            raise ScenarioError(
                f"SHARE of {name} names the process {process!r}, in which PROCESS lets no writer "
                "live.",
                part="SHARE",
            )
    return shares


def _check_writers(
    name: str, writers: tuple[str, ...], functions: dict[str, Callable[..., Any]]
) -> None:
    if not writers:
        raise ScenarioError(
            f"{_shown(name)} has no writer; write one as `async def` with a docstring.", part=name
        )
    if len(writers) > MOST_WRITERS:
        raise ScenarioError(
            f"WRITERS of {_shown(name)} names {len(writers)}; at most {MOST_WRITERS} run together.",
            part="WRITERS",
        )
    for role in writers:
        if role not in functions:
            raise ScenarioError(
                f"{name} lists the writer '{short(role)}' but has no such coroutine with a "
                f"docstring whose parameters are among {', '.join(WRITERS_GIVEN)} and its options.",
                part=role,
            )
