"""The exhibits: what the page ships is what the core answers, and every figure of it is drawn."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from explorer import exhibits, measured
from explorer.exhibits import exhibit
from sim_core.bridge import handle
from sim_core.engine.recipe import Recipe
from sim_core.judge.scenario import recipe_of
from sim_core.search.sweep import wilson

ROOT = Path(__file__).parents[2]

DRAW = """
import { readFileSync } from "node:fs";
import { drawExhibit } from "./static/js/draw/exhibits.js";
import { KINDS, compared } from "./static/js/exhibits.js";
import { inkOf, stringPen } from "./static/js/pen.js";
const data = JSON.parse(readFileSync(0, "utf8"));
const html = inkOf(drawExhibit(stringPen, data.kind, data, { label: "Figure 1" }));
const figures = KINDS[data.kind].figures(data);
const again = compared(data.kind, data, structuredClone(data));
process.stdout.write(JSON.stringify({ html, figures, again }));
"""


def drawn(data: dict[str, Any]) -> dict[str, Any]:
    command = ["node", "--input-type=module", "--eval", DRAW]
    done = subprocess.run(
        command, cwd=ROOT, input=json.dumps(data), capture_output=True, encoding="utf-8", check=True
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def words(html: str) -> str:
    without = re.sub(r"<svg.*?</svg>", "", html, flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", without).split())


def asked(request: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(handle(json.dumps({"version": 1, **request})))
    return answer


@pytest.mark.once
@pytest.mark.parametrize("kind", exhibits.KINDS)
def test_every_exhibit_is_drawn_whole_and_small(kind: str) -> None:
    data = exhibit(kind)
    found = drawn(data)
    assert len(data["asks"]) == len(data["answers"])
    assert not re.search(r"undefined|NaN|\[object|style=| on\w+=", found["html"])
    assert found["html"].startswith('<figure class="exhibit')
    assert found["again"] == {"same": len(found["figures"]), "total": len(found["figures"])} | {
        "first": None
    }
    labels = [label for label, _ in found["figures"]]
    assert len(set(labels)) == len(labels), "two figures under one name are compared as one"
    assert len(json.dumps(data)) < 20_000, "it travels with the page"


@pytest.mark.once
@pytest.mark.parametrize("kind", [kind for kind in exhibits.KINDS if kind != "incidence"])
def test_whoever_puts_the_same_requests_gets_the_same_figures(kind: str) -> None:
    """As a browser does: whole answers, cut by nobody."""
    data = exhibit(kind)
    whole = data | {"answers": [asked(each) for each in data["asks"]]}
    assert drawn(whole)["figures"] == drawn(data)["figures"]
    assert drawn(whole)["html"] == drawn(data)["html"]


def test_the_matrix_is_the_one_of_the_bridge() -> None:
    (answer,) = exhibit("matrix")["answers"]
    assert answer == asked({"ask": "matrix", "scenario": "owners"})
    figures = dict(drawn(exhibit("matrix"))["figures"])
    assert len(figures) == 5 * 4
    blind = [each for each in figures if figures[each] == "blind" and "between owners" in each]
    assert len(blind) == 4, "only the count of rows per owner sees it"


def test_the_log_grows_with_the_leak_and_stays_small_without_it() -> None:
    leaking, scoped = exhibit("wal")["answers"]
    recipes = [recipe_of(run["recipe"])[1] for run in (leaking, scoped)]
    assert recipes[0].but(options=()) == recipes[1].but(options=()), "same writers, same seed"
    text = words(drawn(exhibit("wal"))["html"])
    assert "leak=on 12 writes, 11 frames in the log and 0 copied back" in text
    assert "4 checkpoints that waited were told busy" in text
    assert "leak=off 12 writes, and never more than 2 frames in the log" in text


def hours(run: dict[str, Any]) -> list[str]:
    """The hours whose event was filed under another day, told from the broken promises."""
    details = [each["detail"] for each in run["violations"]]
    return sorted(re.findall(r"T(\d\d):", " ".join(details)))


def test_in_tokyo_nine_hours_of_the_day_carry_two_days_and_in_utc_none() -> None:
    data = exhibit("day")
    figures = dict(drawn(data)["figures"])
    counts = {}
    for place, zone in enumerate(data["zones"]):
        offset = zone["offset"]
        days = [figures[f"{offset} at {hour}:00"].split(" for ") for hour in range(24)]
        wrong = [f"{hour:02}" for hour, (one, other) in enumerate(days) if one != other]
        assert wrong == hours(data["answers"][2 * place]), offset
        counts[zone["place"]] = len(wrong)
    assert counts == {"UTC": 0, "Tokyo": 9, "Kolkata": 5, "Honolulu": 10}


def test_where_local_midnight_lies_between_them_the_export_leaves_the_event_out() -> None:
    data = exhibit("day")
    figures = dict(drawn(data)["figures"])
    left = {zone["place"]: figures[f"{zone['offset']} export"] for zone in data["zones"]}
    assert left == {
        "UTC": "headed 2026-07-10, 0 left out",
        "Tokyo": "headed 2026-07-11, 1 left out",
        "Kolkata": "headed 2026-07-10, 0 left out",
        "Honolulu": "headed 2026-07-10, 1 left out",
    }


@pytest.mark.parametrize(
    ("place", "zone"),
    [(1, "Asia/Tokyo"), (2, "Asia/Kolkata"), (3, "Pacific/Honolulu")],
)
def test_an_offset_is_that_of_the_place_it_is_called_by(place: int, zone: str) -> None:
    shipped = exhibit("day")["answers"][2 * place]
    named = asked({"ask": "run", "recipe": f"seams?seam=local&writers=all_day&tz={zone}"})
    assert named["steps"][-1]["rows"] == shipped["steps"][0]["rows"]


def test_the_sentences_about_greens_are_those_of_the_command() -> None:
    text = words(drawn(exhibit("greens"))["html"])
    assert "6.7 % no fix, alone on the machine 87 % 50 % 25 % 44" in text
    assert "24 % no fix, on a noisy machine 57.8 % 6.43 % 0.413 % 11" in text
    assert "That cannot be told from 6.7 %." in text
    own = asked({"ask": "greens", "failure_rate": "6.7%", "greens": 10})
    assert all(sentence in text for sentence in own["said"])


@pytest.mark.once
def test_beside_what_happened_stands_what_the_core_counts_today() -> None:
    data = exhibit("incidence")
    text = words(drawn(data)["html"])
    sweep, orders = data["answers"][:2]
    assert data["asks"][0]["recipe"] == "sections?mode=warn"
    assert (len(sweep["broken"]), sweep["seeds"]) == (5, 30)
    assert (orders["broken"], orders["interleavings"]) == (2, 6)
    assert "5 of 30" in text and "2 of 6 probability 1/4 (25 %)" in text
    for real, (sweep, orders) in zip(
        data["measured"]["recipes"], zip(*[iter(data["answers"])] * 2, strict=True), strict=True
    ):
        assert real["recipe"] == sweep["recipe"] == orders["recipe"]
        assert f"{real['broken']:,} of {real['judged']:,}" in text
        assert bool(real["broken"]) <= bool(orders["broken"]), "it cannot happen, and did"
    assert data["measured"]["recipes"][-1]["broken"] == 0 == orders["broken"], "the one that cannot"


def test_what_was_measured_is_whole_and_names_no_machine() -> None:
    kept = measured.kept()
    assert measured.written(kept) == measured.FILE.read_text(encoding="utf-8")
    assert tuple(each["recipe"] for each in kept["recipes"]) == tuple(
        canonical(each).text for each in measured.RECIPES
    )
    assert set(kept) == {"date", "python", "sqlite", "aiosqlite", "recipes"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", kept["date"])
    for each in kept["recipes"]:
        assert each["judged"] == each["runs"] == measured.RUNS
        assert each["interval"] == [round(end, 6) for end in wilson(each["broken"], each["judged"])]


def canonical(text: str) -> Recipe:
    return recipe_of(text)[1]


@pytest.mark.once
def test_measuring_anew_gives_the_same_shape() -> None:
    found = measured.measure(("sections",), runs=3)
    kept = measured.kept()
    assert set(found) == set(kept)
    (real,) = found["recipes"]
    assert (real["judged"], real["broken"]) == (3, 0)
    assert set(real) == set(kept["recipes"][0])
