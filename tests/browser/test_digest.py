"""The seeds of every scenario, variant and journal: the page's Python and SQLite come to the very
hashes that this machine's do."""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from sim_core import bridge
from sim_core.judge.scenario import load, slugs
from sim_core.search.check import variants

ASK = """async ([worker, parts, questions]) => {
  const python = new Worker(worker, {type: "module"});
  const next = () => new Promise((done) => (python.onmessage = ({data}) => done(data)));
  python.postMessage({parts});
  for (let said = await next(); !said.ready; said = await next())
    if (said.failed) throw new Error(said.failed);
  const answers = [];
  for (const [id, text] of questions.entries()) {
    python.postMessage({id, text});
    const {text: answer} = await next();
    answers.push(JSON.parse(answer).runs.map((run) => run.hash));
  }
  return answers;
}"""


def questions(seeds: int) -> Iterator[str]:
    """Every variant of every scenario, in both journals, as a sweep."""
    for scenario in map(load, slugs()):
        for variant in variants(scenario):
            if not scenario.leaks(variant):
                ask = {"version": 1, "ask": "sweep", "recipe": variant.text}
                yield json.dumps(ask | {"seeds": [0, seeds - 1]})


@pytest.mark.parametrize("seeds", [30, pytest.param(200, marks=pytest.mark.long)])
def test_every_seed_of_everything_comes_to_the_native_hashes(
    new_page: Callable[..., Page], seeds: int
) -> None:
    page = new_page("sections/", bypass_csp=True)
    page.set_default_timeout(300_000)
    runtime = json.loads(page.locator("#runtime-data").text_content() or "")
    absolute = page.evaluate(
        "(paths) => paths.map((path) => new URL(path, document.baseURI).href)",
        [runtime["worker"], *(part["path"] for part in runtime["parts"])],
    )
    parts = [part | {"url": url} for part, url in zip(runtime["parts"], absolute[1:], strict=True)]
    asked = list(questions(seeds))
    there = page.evaluate(ASK, [absolute[0], parts, asked])
    here = [[run["hash"] for run in json.loads(bridge.handle(one))["runs"]] for one in asked]
    assert len(asked) >= 4 and all(len(hashes) == seeds for hashes in here)
    assert there == here
