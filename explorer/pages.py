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

from explorer.essays import RUN, WORDS, Chapter
from explorer.placed import CANONICAL, ESSAYS, SLUGS, exhibited, explored, pinned, placed
from sim_core.judge.scenario import load

BENCH: Final = "/bench/"
PATHS: Final = ("/", *(f"/{name}/" for name in (*ESSAYS, *SLUGS)), *CANONICAL, BENCH)
NAMES: Final = {"sections": "The lost update"}
"""Scenarios whose short name is not their slug."""
MANIFEST: Final = "built.json"
FEED: Final = "feed.xml"
OFFLINE: Final = "sw.js"
"""The service worker. It answers for the folder it lies in, so it lies at the site's root."""

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
    previews: Mapping[str, str] = field(default_factory=dict)
    """Page's path → the picture that others show beside a link to it."""
    address: str = ""
    """Where the site will be read, with a slash at its end; empty where the build was not told."""

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
    runtime = _inline(_runtime(built, root))
    names = {"here": here, "runtime_json": runtime, "preview": built.previews.get(path, "")}
    if path == BENCH:
        return _filled("bench.html", built, root, **names)
    if path in CANONICAL:
        return _filled("canonical.html", built, root, **names | _canonical(path, built, root))
    if here in ESSAYS:
        return _filled(f"chapters/{here}.html", built, root, **names | _essay(here, built, root))
    template = f"{here}.html" if here else "home.html"
    return _filled(template, built, root, **names | _explorer(here or SLUGS[0], built, root))


def _explorer(slug: str, built: Built, root: str) -> Json:
    """Return what stands on the page of a scenario."""
    below = [
        _live(kind, kind, built.figures[f"{slug}/{kind}"], data)
        for kind, data in exhibited(slug, root).items()
    ]
    alone = _alone(built.figures[slug], explored(slug, root))
    return {"slug": slug, "below": below} | alone


def _canonical(path: str, built: Built, root: str) -> Json:
    """Return what stands on the page of one run."""
    one = CANONICAL[path]
    return {"canonical": one} | _alone(built.figures[path.strip("/")], pinned(one, root))


def _alone(html: str, data: Json) -> Json:
    figure = Markup('<div id="explorer" data-figure="figure">{}</div>\n{}').format(
        Markup(html), _data("figure", data)
    )
    return {"scenario": data["scenario"], "figure": figure}


def _essay(slug: str, built: Built, root: str) -> Json:
    """Return what stands on the page of an essay: its figures by name, and what words ask for."""
    figures = {
        one.id: _live(
            one.id, one.kind, built.figures[f"{slug}/{one.id}"], placed(one, number, root)
        )
        for number, one in enumerate(ESSAYS[slug].figures, 1)
    }
    return {**WORDS, "essay": ESSAYS[slug], "figure": figures.__getitem__}


def _live(name: str, kind: str, html: str, data: Json) -> Markup:
    """Return a figure as it stands before any script runs, and what a script makes it from."""
    return PLACES[kind == RUN].format(id=name, kind=kind, html=Markup(html), data=_data(name, data))


def missing(built: Built, root: str = "") -> str:
    """Return the page for a path that there is not. It may stand at any depth and needs no file;
    it links to others only where `root`, the site's place, is known."""
    return _filled("missing.html", built, root, here="")


def _filled(template: str, built: Built, root: str, **names: object) -> str:
    page = _templates().select_template([template, "scenario.html"])
    around = {"policy": POLICY, "built": built, "assets": built.assets, "root": root}
    ways = {"stories": stories(), "essays": ESSAYS, "feed": FEED if announced() else ""}
    return page.render(**around, **ways, **{"preview": "", **names})


def announced() -> list[Chapter]:
    """Return the essays that the feed tells of, the newest first."""
    return sorted((one for one in ESSAYS.values() if one.written), key=_day, reverse=True)


def _day(essay: Chapter) -> str:
    return essay.written


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
    worker = root + built.assets["worker.js"]
    return {"worker": worker, "offline": root + OFFLINE, "parts": parts}
