"""Hostile text in every field of a trace that somebody drops on the page: it shows as text, or the
trace is refused in a sentence. No script of it runs and nothing is asked for."""

import json
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import cycle
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.panels import native
from tests.browser.reading import with_python
from tests.browser.test_hostile import PAYLOADS, WATCH

Open = Callable[..., Page]
Json = dict[str, Any]
Put = Callable[[Json, str], None]
NO_NAME: Final = ("__proto__",)
"""A payload that no writer may be called."""
RUN: Final = native(ask="run", recipe="sections?mode=warn&grants=ABAB")


def at(*path: str | int) -> Put:
    """Returns what puts a text at this place of a trace."""

    def put(trace: Json, text: str) -> None:
        inner: Any = trace
        for part in path[:-1]:
            inner = inner[part]
        inner[path[-1]] = text

    return put


def renamed(trace: Json, text: str) -> None:
    """Give a writer another name wherever it stands."""
    trace["writers"][0]["name"] = text
    for by_name in ("told", "ended"):
        trace[by_name][text] = trace[by_name].pop("careful")


def waiting(trace: Json, text: str) -> None:
    trace["steps"][4]["offers"][0] |= {"status": "waiting", "why": text, "sql": text}
    trace["events"][-1] |= {"kind": "wait", "lock": text, "holders": "B", "deadline": None}


def failed(trace: Json, text: str) -> None:
    trace["ended"]["careful"] = "failed"
    end = {"grant": 3, "t": 0, "writer": "A", "kind": "failed", "op": 2}
    trace["events"].append(end | {"error": text, "message": text})


def looked(trace: Json, text: str) -> None:
    seen = {"grant": 3, "t": 0, "writer": "A", "kind": "looks", "op": 2}
    trace["events"].append(seen | {"name": text, "found": True})


def dated(trace: Json, text: str) -> None:
    trace["axis_title"] = text
    trace["axis"] = [{"at": 0, "label": text, "writer": "A", "grant": 1}]


SHOWN: Final = (
    renamed,
    waiting,
    failed,
    looked,
    dated,
    at("scenario"),
    at("journal"),
    at("told", "blind"),
    at("violations", 0, "invariant"),
    at("violations", 0, "promise"),
    at("violations", 0, "detail"),
    at("apart"),
    at("events", 0, "sql"),
    at("events", 0, "call"),
    at("events", 0, "error"),
    at("events", 0, "message"),
    at("events", 2, "params", 0),
    at("events", 1, "rows", 0, 0),
    at("watch", "title"),
    at("watch", "columns", 0),
    at("steps", 4, "rows", 0, 0),
    at("steps", 3, "holds", "A"),
)
"""Fields that hold any text; all of them at once."""
REFUSED: Final = {
    "its recipe": at("recipe"),
    "an option of its recipe": lambda trace, text: at("recipe")(trace, f"sections?mode={text}"),
    "schema": at("schema", "name"),
    "hash": at("hash"),
    "grants": at("grants"),
    "verdict": at("verdict"),
    "a writer's role": at("writers", 0, "role"),
    "a writer's letter": at("writers", 0, "letter"),
    "how a writer ended": at("ended", "careful"),
    "a kind of event": at("events", 0, "kind"),
    "whose event": at("events", 0, "writer"),
    "a number": at("events", 0, "grant"),
    "a list": at("steps", 4, "rows"),
    "a name that no writer has": at("writers", 0, "name"),
}
GOOD: Final = ["?mode=warn&grants=AABB", "?mode=warn&grants=AAB"]
"""In turns, for an address that stands already is not gone to."""
DROP: Final = (
    "async ([texts, good, shown]) => {"
    + WATCH
    + """
  const drop = (text) => {
    const files = new DataTransfer();
    files.items.add(new File([text], "run.json", { type: "application/json" }));
    const how = { dataTransfer: files, bubbles: true, cancelable: true };
    document.querySelector("#figure").dispatchEvent(new DragEvent("drop", how));
  };
  const refused = () => /^This (trace|file)/.test(alerted());
  const said = [];
  for (const [place, text] of texts.entries()) {
    go(good[place % 2]);
    await until(() => !alerted());
    drop(text);
    const late = shown ? () => location.search.includes("seed=77") || refused() : refused;
    await until(late);
    const figure = document.querySelector("#explorer").textContent;
    const before = planted();
    for (const _ of "ABA") document.querySelector("[aria-label='Back one grant']").click();
    said.push({ figure, alert: alerted(), planted: [...before, ...planted()] });
  }
  return said;
}"""
)


def trace(changes: Iterable[Put], text: str) -> str:
    made = deepcopy(RUN) | {"recipe": "sections?mode=warn&seed=77", "grants": "ABAB"}
    for change in changes:
        change(made, text)
    return json.dumps(made)


@pytest.fixture
def opened(figure: Open) -> Page:
    page = with_python(figure("?mode=warn"))
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    expect(page.get_by_role("button", name="Trace", exact=True)).to_be_visible()
    return page


def test_in_every_field_that_holds_text_it_is_shown_as_text(opened: Page) -> None:
    fit = [one for one in PAYLOADS if one not in NO_NAME]
    said = opened.evaluate(DROP, [[trace(SHOWN, one) for one in fit], GOOD, True])
    for payload, one in zip(fit, said, strict=True):
        assert one["planted"] == [], payload
        assert not one["alert"].startswith("This trace"), (payload, one["alert"])
        assert " ".join(payload.split())[:12] in " ".join(one["figure"].split()), payload


EVERY: Final = [(name, payload) for name in REFUSED for payload in PAYLOADS]
IN_TURNS: Final = list(zip(cycle(REFUSED), PAYLOADS, strict=False))
"""Each payload once, in one field or another."""


@pytest.mark.parametrize(
    "tried", [IN_TURNS, pytest.param(EVERY, marks=pytest.mark.long)], ids=["in turns", "every"]
)
def test_in_every_other_field_it_is_refused_in_a_sentence(
    opened: Page, tried: list[tuple[str, str]]
) -> None:
    texts = [trace([REFUSED[name]], payload) for name, payload in tried]
    said = opened.evaluate(DROP, [texts, GOOD, False])
    for case, one in zip(tried, said, strict=True):
        assert one["planted"] == [], case
        assert one["alert"].startswith(("This trace", "This file")), case
        assert len(one["alert"]) < 900, case
