"""The figures of the site, each with the place where it stands.

A figure is alone on its scenario's page, or on that of one run, with all that belongs to it; or it
stands in an essay, as the so-many-th there. What it ships is the same kind of thing everywhere;
what differs, its frame, is said here. The build draws every one of them before any script runs.

Wrong in this module: a template, or how a run is made.
"""

from typing import Any, Final

from explorer.canonical import Canonical, canonical
from explorer.essays import CHAPTERS, FURTHER, RUN, Figure
from explorer.exhibits import exhibit
from explorer.shipped import essay_data, figure_data, run_data
from sim_core.judge.scenario import slugs

SLUGS: Final = ("sections", *(slug for slug in slugs() if slug != "sections"))
"""Scenarios that have a page; the first one stands on the front page, too."""
ESSAYS: Final = {each.slug: each for each in (*CHAPTERS, *FURTHER)}
CANONICAL: Final = {one.path: one for one in canonical()}
BELOW: Final = {
    "sections": (("incidence", "sections"),),
    "trust": (("incidence", "trust"),),
    "owners": (("matrix", ""), ("incidence", "owners")),
    "checkpoint": (("wal", ""),),
    "seams": (("day", ""),),
}
"""Exhibits that stand below a scenario's own figure, each with the scenario it is cut to."""
FIGURES: Final = (
    *SLUGS,
    *(f"{slug}/{kind}" for slug, exhibits in BELOW.items() for kind, _ in exhibits),
    *(f"{one.slug}/{each.id}" for one in ESSAYS.values() for each in one.figures),
    *(path.strip("/") for path in CANONICAL),
)
"""The names that a build knows the site's figures by."""

Json = dict[str, Any]


def drawable() -> dict[str, Json]:
    """Return what every figure of the site is drawn from, by the name that Built knows it by."""
    alone = {slug: explored(slug) for slug in SLUGS}
    in_prose = {
        f"{slug}/{one.id}": placed(one, number)
        for slug, essay in ESSAYS.items()
        for number, one in enumerate(essay.figures, 1)
    }
    below = {f"{slug}/{kind}": one for slug in BELOW for kind, one in exhibited(slug).items()}
    return (
        alone | below | in_prose | {path.strip("/"): pinned(one) for path, one in CANONICAL.items()}
    )


def explored(slug: str, root: str = "../") -> Json:
    """Return the figure that is alone on its scenario's page, with all that belongs to it."""
    frame = {"id": "figure", "kind": "explorer", "number": 1, "look": "", "home": f"{root}{slug}/"}
    return figure_data(slug) | {"frame": frame}


def pinned(one: Canonical, root: str = "../../") -> Json:
    """Return the figure of a run that has a page of its own: the scenario's, opened at that run."""
    home = f"{root}{one.scenario}/"
    frame = {"id": "figure", "kind": "explorer", "number": 1, "look": "", "home": home}
    return run_data(one.recipe) | {"frame": frame}


def placed(figure: Figure, number: int, root: str = "../") -> Json:
    """Return a figure of an essay, as the so-many-th there: a run, or an exhibit."""
    if figure.kind != RUN:
        label = f"Figure {number}"
        return _shown(figure.kind, root, exhibit(figure.kind), label, figure.look)
    data = essay_data(figure.recipe, *figure.then)
    home = f"{root}{data['scenario']['slug']}/"
    frame = {"id": figure.id, "kind": "essay", "number": number, "look": figure.look, "home": home}
    return data | {"frame": frame}


def exhibited(slug: str, root: str = "../") -> dict[str, Json]:
    """Return what stands below the figure of a scenario's page, by kind."""
    return {
        kind: _shown(kind, root, exhibit(kind, scenario)) for kind, scenario in BELOW.get(slug, ())
    }


def _shown(kind: str, root: str, data: Json, label: str = "", look: str = "") -> Json:
    return {"kind": kind, "base": root, "label": label, "look": look, "data": data}
