"""A path becomes HTML here, for the server and for the build alike.

The page is drawn by one set of functions (static/js/draw). This module computes the runs that
travel with a page, lays the drawing that the build made into a template, and says which paths
there are. It stands apart so that the static site and the local server cannot differ.

What would be wrong here: a request, a file name that the build chose by itself, or a sentence
about a run that the run does not prove (the drawing takes those from the data).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, Final, NamedTuple, Self, TypedDict

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from sim_core import bridge
from sim_core.engine.recipe import Recipe
from sim_core.judge.scenario import load, recipe_of, slugs
from sim_core.seams.clock import EPOCH

SLUGS: Final = ("sections", *(slug for slug in slugs() if slug != "sections"))
"""Scenarios that have a page; the first one stands on the front page, too."""
BENCH: Final = "/bench/"
PATHS: Final = ("/", *(f"/{slug}/" for slug in SLUGS), BENCH)
NAMES: Final = {"sections": "The lost update"}
"""Scenarios whose short name is not their slug."""
SEEDS: Final = 30
MOST_SHIPPED: Final = 150_000
"""Characters of runs that travel with a page; of a larger scenario only the opening run does, and
Python makes the others."""
MANIFEST: Final = "built.json"

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types lit-html explorer",
    )
)
"""What a page may do; it stands in the page itself, so that any static host serves it."""
WORKER_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
)
"""A worker obeys its own response's policy, and this one compiles Python."""

Json = dict[str, Any]


class Part(TypedDict):
    """One file of the Python that runs in the page."""

    name: str
    path: str
    bytes: int


class Story(NamedTuple):
    """A scenario as a link: where it is, its short name, its sentence."""

    slug: str
    name: str
    title: str


class NotBuilt(Exception):
    """There is no built site where one was expected."""


@dataclass(frozen=True)
class Built:
    """What the build made; every path is relative to the site's root."""

    assets: Mapping[str, str]
    """Logical name → path, such as page.js → assets/page-1a2b3c.js."""
    figures: Mapping[str, str] = field(default_factory=dict)
    """Slug → the figure's HTML as it stands before any script runs."""
    python: Sequence[Part] = ()

    def to_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def load(cls, dist: Path) -> Self:
        """Read what the build wrote; NotBuilt says what to type where it did not."""
        manifest = dist / MANIFEST
        try:
            return cls(**json.loads(manifest.read_text(encoding="utf-8")))
        except FileNotFoundError:
            raise NotBuilt(
                f"{manifest} is missing: build the site with python3 build.py site"
            ) from None
        except (ValueError, TypeError) as error:
            raise NotBuilt(
                f"{manifest} cannot be read ({error}): build anew with python3 build.py site"
            ) from error


def render(path: str, built: Built) -> str:
    """Return the page of one of PATHS."""
    if path not in PATHS:
        raise KeyError(f"no page has the path {path}; there are {', '.join(PATHS)}")
    root = "../" if path.strip("/") else ""
    if path == BENCH:
        runtime = _inline(_runtime(built, root))
        return _filled("bench.html", built, root, here="", runtime_json=runtime)
    slug = path.strip("/") or SLUGS[0]
    return _filled(
        f"{slug}.html" if path.strip("/") else "home.html",
        built,
        root,
        slug=slug,
        scenario=figure_data(slug)["scenario"],
        here=path.strip("/"),
        figure=Markup(built.figures[slug]),
        figure_json=_inline(figure_data(slug)),
        runtime_json=_inline(_runtime(built, root) | {"page": f"{root}{slug}/"}),
    )


def missing(built: Built, root: str = "") -> str:
    """Return the page for a path that there is not. It may stand at any depth and needs no file;
    it links to others only where `root`, the site's place, is known."""
    return _filled("missing.html", built, root, here="")


def _filled(template: str, built: Built, root: str, **names: object) -> str:
    page = _templates().select_template([template, "scenario.html"])
    return page.render(policy=POLICY, assets=built.assets, root=root, stories=stories(), **names)


@lru_cache(maxsize=1)
def stories() -> tuple[Story, ...]:
    """Return every scenario that has a page, for the ways that lead there."""
    titles = {slug: load(slug).title for slug in SLUGS}
    return tuple(Story(slug, NAMES.get(slug, slug.capitalize()), titles[slug]) for slug in SLUGS)


@lru_cache(maxsize=1)
def _templates() -> Environment:
    here = Path(__file__).parent
    inside, beside = here / "templates", here.parent / "templates"
    return Environment(
        loader=FileSystemLoader(inside if inside.is_dir() else beside),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _inline(value: object) -> Markup:
    """JSON that cannot close the element that holds it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def _runtime(built: Built, root: str) -> Json:
    parts = [{**part, "path": root + part["path"]} for part in built.python]
    return {"worker": root + built.assets["worker.js"], "parts": parts}


@lru_cache(maxsize=len(SLUGS))
def figure_data(slug: str) -> Json:
    """Return what a figure ships: the scenario, and for each of its variants thirty seeds, under
    the faults and writers that the opening run has.

    Seeds that come to the same run share it: `seeds` holds places in `runs`.
    """
    scenario = _ask(ask="describe", scenario=slug)
    _, opening = recipe_of(scenario["opening"])
    every_order = opening.every_order
    families = [_family(recipe) for recipe in _variants(every_order, scenario)]
    if len(json.dumps(families)) > MOST_SHIPPED:
        families = [{"recipe": every_order.text, "seeds": [], "runs": []}]
    _ship(families, every_order.text, opening.run_text)
    families += _casts(scenario, {each["recipe"] for each in families})
    return {
        "scenario": scenario,
        "families": families,
        "start": round(EPOCH.timestamp() * 1000) if load(slug).clock == () else None,
        "local_time": _asks_local_time(slug),
    }


def _variants(recipe: Recipe, scenario: Json) -> list[Recipe]:
    """Return the recipe under every choice of the scenario's first option; a variant that reads
    the machine has no run that could ship."""
    if not scenario["options"]:
        return [recipe]
    first = scenario["options"][0]
    chosen = [
        tuple((name, choice if name == first["name"] else value) for name, value in recipe.options)
        for choice in first["choices"]
        if f"{first['name']}={choice}" not in scenario["leaky"]
    ]
    return [recipe.but(options=options) for options in chosen]


def _casts(scenario: Json, shipped: set[str]) -> list[Json]:
    """Return one telling run of each other cast under each choice: the first seed that breaks
    a promise, or the one that told under the choice before."""
    families = []
    for text in scenario["casts"]:
        seed, cast = 0, recipe_of(text)[1].every_order
        alone = text in scenario["particular"]
        for recipe in [cast] if alone else reversed(_variants(cast, scenario)):
            broken = _ask(ask="sweep", recipe=recipe.text, seeds=[0, SEEDS - 1])["broken"]
            seed = broken[0] if broken else seed
            runs = [_run(recipe.but(seed=seed).text)]
            family = {"recipe": recipe.text, "seeds": [], "runs": runs, "telling": {seed: 0}}
            families += [family] * (recipe.text not in shipped)
    return families


def _asks_local_time(slug: str) -> bool:
    """Say whether any function beside a scenario's writers asks what the local time is."""
    beside = next(iter(load(slug).functions.values())).__globals__.values()
    functions = [each for each in beside if isinstance(each, FunctionType)]
    return any("local" in each.__code__.co_names for each in functions)


def _family(recipe: Recipe) -> Json:
    swept = _ask(ask="sweep", recipe=recipe.text, seeds=[0, SEEDS - 1])
    hashes = [run["hash"] for run in swept["runs"]]
    distinct = list(dict.fromkeys(hashes))
    runs = [_run(recipe.but(seed=hashes.index(one)).text) for one in distinct]
    return {
        "recipe": swept["recipe"],
        "seeds": [distinct.index(one) for one in hashes],
        "runs": runs,
    }


def _ship(families: list[Json], home: str, opening: str) -> None:
    """Add the run that the page opens with, where no seed came to it."""
    family = next(each for each in families if each["recipe"] == home)
    run = _run(opening)
    grants = [each["grants"] for each in family["runs"]]
    if run["grants"] not in grants:
        family["runs"].append(run)
        grants.append(run["grants"])
    family["opening"] = grants.index(run["grants"])


def _run(recipe: str) -> Json:
    """One run without what the page does not read."""
    run = _ask(ask="run", recipe=recipe)
    for event in run["events"]:
        event.pop("fingerprint", None)
    return run


def _ask(**request: object) -> Json:
    answer: Json = json.loads(bridge.handle(json.dumps({"version": 1, **request})))
    assert answer["schema"]["name"] != "error", answer.get("message")
    return answer
