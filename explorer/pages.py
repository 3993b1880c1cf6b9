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
from typing import Any, Final, NamedTuple, Self, TypedDict

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from explorer.essays import CHAPTERS, FURTHER, RUN, WORDS
from explorer.essays import Figure as Placed
from explorer.exhibits import exhibit
from explorer.shipped import essay_data, figure_data
from sim_core.judge.scenario import load, slugs

SLUGS: Final = ("sections", *(slug for slug in slugs() if slug != "sections"))
"""Scenarios that have a page; the first one stands on the front page, too."""
ESSAYS: Final = {each.slug: each for each in (*CHAPTERS, *FURTHER)}
FIGURES: Final = (
    *SLUGS,
    *(f"{one.slug}/{each.id}" for one in ESSAYS.values() for each in one.figures),
)
"""The names that Built knows the site's figures by."""
BENCH: Final = "/bench/"
PATHS: Final = ("/", *(f"/{name}/" for name in (*ESSAYS, *SLUGS)), BENCH)
NAMES: Final = {"sections": "The lost update"}
"""Scenarios whose short name is not their slug."""
MANIFEST: Final = "built.json"
PLACES: Final = (
    Markup('<div class="live" id="{id}" data-exhibit="{kind}">{html}</div>\n{data}'),
    Markup('<div class="live" data-figure="{id}">{html}</div>\n{data}'),
)
"""Where an exhibit stands in a page, and where a run does."""

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
    at_once: Sequence[str] = ()
    """Scripts that page.js cannot start without, so that a browser asks for them in time."""

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
    here = path.strip("/")
    root = "../" * (1 + here.count("/")) if here else ""
    names = {"here": here, "runtime_json": _inline(_runtime(built, root))}
    if path == BENCH:
        return _filled("bench.html", built, root, **names)
    if here in ESSAYS:
        return _filled(f"chapters/{here}.html", built, root, **names | _essay(here, built, root))
    template = f"{here}.html" if here else "home.html"
    return _filled(template, built, root, **names | _explorer(here or SLUGS[0], built, root))


def _explorer(slug: str, built: Built, root: str) -> Json:
    """Return what stands on the page of a scenario."""
    data = explored(slug, root)
    figure = Markup('<div id="explorer" data-figure="figure">{}</div>\n{}').format(
        Markup(built.figures[slug]), _data("figure", data)
    )
    return {"slug": slug, "scenario": data["scenario"], "figure": figure}


def _essay(slug: str, built: Built, root: str) -> Json:
    """Return what stands on the page of an essay: its figures by name, and what words ask for."""
    figures = {
        one.id: PLACES[one.kind == RUN].format(
            id=one.id,
            kind=one.kind,
            html=Markup(built.figures[f"{slug}/{one.id}"]),
            data=_data(one.id, placed(one, number, root)),
        )
        for number, one in enumerate(ESSAYS[slug].figures, 1)
    }
    return {**WORDS, "essay": ESSAYS[slug], "figure": figures.__getitem__}


def drawable() -> dict[str, Json]:
    """Return what every figure of the site is drawn from, by the name that Built knows it by."""
    return {slug: explored(slug) for slug in SLUGS} | {
        f"{slug}/{one.id}": placed(one, number)
        for slug, essay in ESSAYS.items()
        for number, one in enumerate(essay.figures, 1)
    }


def explored(slug: str, root: str = "../") -> Json:
    """Return the figure that is alone on its scenario's page, with all that belongs to it."""
    frame = {"id": "figure", "kind": "explorer", "number": 1, "look": "", "home": f"{root}{slug}/"}
    return figure_data(slug) | {"frame": frame}


def placed(figure: Placed, number: int, root: str = "../") -> Json:
    """Return a figure of an essay, as the so-many-th there: a run, or an exhibit."""
    if figure.kind != RUN:
        label = f"Figure {number}"
        told = {"kind": figure.kind, "base": root, "label": label, "look": figure.look}
        return told | {"data": exhibit(figure.kind)}
    data = essay_data(figure.recipe, *figure.then)
    home = f"{root}{data['scenario']['slug']}/"
    frame = {"id": figure.id, "kind": "essay", "number": number, "look": figure.look, "home": home}
    return data | {"frame": frame}


def missing(built: Built, root: str = "") -> str:
    """Return the page for a path that there is not. It may stand at any depth and needs no file;
    it links to others only where `root`, the site's place, is known."""
    return _filled("missing.html", built, root, here="")


def _filled(template: str, built: Built, root: str, **names: object) -> str:
    page = _templates().select_template([template, "scenario.html"])
    around = {"policy": POLICY, "built": built, "assets": built.assets, "root": root}
    ways = {"stories": stories(), "essays": ESSAYS}
    return page.render(**around, **ways, **names)


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


def _data(name: str, value: object) -> Markup:
    return Markup('<script type="application/json" id="{}-data">{}</script>').format(
        name, _inline(value)
    )


def _runtime(built: Built, root: str) -> Json:
    parts = [{**part, "path": root + part["path"]} for part in built.python]
    return {"worker": root + built.assets["worker.js"], "parts": parts}
