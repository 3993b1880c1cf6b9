"""From a scenario file to something that can run.

A scenario is a plain Python module that stands alone. What it declares: a docstring (first line:
the title), SCHEMA, writer coroutines with their roles' names, WRITERS (who writes by default),
and, where it wants them, OPTIONS, INVARIANTS, ALWAYS, WATCH, OPENING, CONNECT, JOURNAL. Writers
and invariants name what they need as parameters and are given exactly that: `db`, `me`, `clock`
and any option for a writer; `db`, `told`, `events` and any option for an invariant.

Wrong in this module: running anything but the scenario's own top level.
"""

import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from sim_core import scenarios
from sim_core.engine.db import Connection
from sim_core.engine.file import Isolation
from sim_core.engine.park import Operation
from sim_core.engine.recipe import LETTERS, Recipe, Terms, parse, split
from sim_core.engine.run import Part, Stage
from sim_core.engine.writerclock import WriterClock
from sim_core.errors import RecipeError, ScenarioError
from sim_core.judge.declared import declared, meanings
from sim_core.judge.invariants import Invariant, invariants_of

GIVEN: Final = ("db", "me", "clock")
"""What a writer may ask for, besides the options."""


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
    watch_title: str
    watch: str
    opening: str
    """The recipe of the run that tells the story best."""
    isolation_level: Isolation
    report: str
    published: dict[str, Any]

    def stage(self, recipe: Recipe) -> Stage:
        """Return what a run of `recipe` needs."""
        options = dict(recipe.options)
        names = _names(recipe.writers)
        parts = tuple(
            Part(letter, name, role, self._starter(role, name, options))
            for letter, name, role in zip(LETTERS, names, recipe.writers, strict=False)
        )
        return Stage(
            head=recipe.head,
            schema=self.schema,
            journal=recipe.journal,
            isolation_level=self.isolation_level,
            timeout=recipe.timeout,
            parts=parts,
            seed=recipe.seed,
            faults=recipe.faults,
        )

    def _starter(
        self, role: str, name: str, options: dict[str, str]
    ) -> Callable[[Connection, WriterClock], Coroutine[Operation, Any, Any]]:
        function = self.functions[role]
        wanted = inspect.signature(function).parameters

        def start(db: Connection, clock: WriterClock) -> Coroutine[Operation, Any, Any]:
            given = {"db": db, "me": name, "clock": clock, **options}
            made: Coroutine[Operation, Any, Any] = function(**{key: given[key] for key in wanted})
            return made

        return start


def _names(roles: tuple[str, ...]) -> list[str]:
    """Return one name a writer: the role, numbered from its second player on."""
    names = []
    for index, role in enumerate(roles):
        before = roles[:index].count(role)
        names.append(f"{role}{before + 1}" if before else role)
    return names


@lru_cache(maxsize=1)
def slugs() -> tuple[str, ...]:
    """Return the names of the built-in scenarios."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(scenarios.__path__)))


def recipe_of(text: str) -> tuple[Scenario, Recipe]:
    """Return the scenario that a recipe names, and the recipe read by its terms.

    Raises RecipeError or ScenarioError.
    """
    name, query = split(text)
    scenario = load(name)
    return scenario, parse(query, scenario.terms)


@lru_cache(maxsize=64)
def load(name: str) -> Scenario:
    """Return a scenario by its slug, or by the path of its file.

    Raises RecipeError for an unknown slug or a missing file, ScenarioError for a file that
    does not load or lacks a declaration.
    """
    if name.endswith(".py"):
        return _scenario(name, _module_at(name))
    if name not in slugs():
        raise RecipeError(
            f"There is no scenario {name!r}; there are {', '.join(slugs())}, or give the path "
            "of a .py file.",
            part=name,
        )
    return _scenario(name, importlib.import_module(f"sim_core.scenarios.{name}"))


def _module_at(name: str) -> ModuleType:
    path = Path(name)
    if not path.is_file():
        raise RecipeError(f"There is no file {name}; give the path of a scenario file.", part=name)
    spec = importlib.util.spec_from_file_location(f"scenario_{path.stem}", path)
    assert spec is not None and spec.loader is not None, "a .py file has a loader"
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ScenarioError(
            f"{name} does not load: {type(error).__name__}: {error}", part=name
        ) from error
    return module


def _scenario(name: str, module: ModuleType) -> Scenario:
    title, _, story = inspect.cleandoc(module.__doc__ or name).partition("\n")
    options = meanings(name, module)
    functions = _roles(module, tuple(options))
    writers = tuple(declared(name, module, "WRITERS")) or tuple(functions)[:2]
    _check_writers(name, writers, functions)
    watch_title, watch = declared(name, module, "WATCH")
    terms = Terms(
        scenario=name,
        options={option: tuple(choices) for option, choices in options.items()},
        roles=tuple(functions),
        writers=writers,
        journal=declared(name, module, "JOURNAL"),
    )
    return Scenario(
        terms=terms,
        title=title,
        story=story.strip(),
        schema=declared(name, module, "SCHEMA"),
        meanings=options,
        functions=functions,
        invariants=invariants_of(name, module, tuple(options)),
        watch_title=watch_title,
        watch=watch,
        opening=parse(declared(name, module, "OPENING"), terms).text,
        isolation_level=declared(name, module, "CONNECT").get("isolation_level", "DEFERRED"),
        report=declared(name, module, "REPORT"),
        published=declared(name, module, "PUBLISHED"),
    )


def _roles(module: ModuleType, options: tuple[str, ...]) -> dict[str, Callable[..., Any]]:
    """Return the module's writers: coroutine functions that ask for nothing we do not give."""
    allowed = {*GIVEN, *options}
    return {
        name: function
        for name, function in vars(module).items()
        if inspect.iscoroutinefunction(function)
        and function.__module__ == module.__name__
        and not name.startswith("_")
        and function.__doc__
        and set(inspect.signature(function).parameters) <= allowed
    }


def _check_writers(
    name: str, writers: tuple[str, ...], functions: dict[str, Callable[..., Any]]
) -> None:
    if not writers:
        raise ScenarioError(
            f"{name} has no writer; write one as `async def` with a docstring.", part=name
        )
    for role in writers:
        if role not in functions:
            raise ScenarioError(
                f"{name} lists the writer {role!r} but has no such coroutine with a docstring "
                f"whose parameters are among {', '.join(GIVEN)} and its options.",
                part=role,
            )
