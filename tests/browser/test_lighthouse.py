"""The front page under Lighthouse, as it stands by default: a slow phone on a slow network.

The site is served as a good host does it, compressed and with what is named by its content kept for
good. Lighthouse reckons with the time that scripts took on this machine, which does other things
meanwhile: what counts is the median of three.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any, Final

import brotli
import pytest

from tests.browser.conftest import BELOW, ROOT, Handler, served
from tests.browsers import CHROMIUM

RUNS: Final = 3
ACCESSIBLE: Final = 100
FAST: Final = 95
LARGE: Final = 500_000

Report = dict[str, Any]


@lru_cache(maxsize=200)
def compressed(path: Path) -> bytes:
    content = path.read_bytes()
    return bytes(brotli.compress(content, quality=4 if len(content) > LARGE else 11))


class Good(Handler):
    """Files as a good host sends them."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        named_by_content = self.path.startswith((f"{BELOW}assets/", f"{BELOW}python/"))
        body = compressed(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "br")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", f"max-age={31_536_000 if named_by_content else 0}")
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture(scope="module")
def reports(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Report]]:
    place = tmp_path_factory.mktemp("lighthouse")
    for path in [dist / "index.html", *dist.glob("assets/*"), *dist.glob("python/**/*.*")]:
        compressed(path)  # before anybody waits for it: a good host has done so long ago
    with served(Good, dist) as port:
        address = f"http://explorer.localhost:{port}{BELOW}"
        yield [report(address, place / f"{number}.json") for number in range(RUNS)]


def report(address: str, file: Path) -> Report:
    words = [
        "--quiet",
        "--no-enable-error-reporting",
        "--output=json",
        f"--output-path={file}",
        "--only-categories=performance,accessibility,best-practices",
        "--chrome-flags=--headless=new --no-sandbox",
    ]
    program = ROOT / "node_modules" / "lighthouse" / "cli" / "index.js"
    subprocess.run(
        ["node", str(program), address, *words],
        env={**os.environ, "CHROME_PATH": CHROMIUM.needed()},
        check=True,
        timeout=180,
    )
    made: Report = json.loads(file.read_text(encoding="utf-8"))
    return made


def score(report: Report, category: str) -> int:
    return round(100 * report["categories"][category]["score"])


def short_of(report: Report, category: str) -> list[str]:
    """What cost points, for whoever has to mend it."""
    audits = [report["audits"][one["id"]] for one in report["categories"][category]["auditRefs"]]
    return [
        f"{one['title']}: {one.get('displayValue', one['score'])}"
        for one in audits
        if one["score"] is not None and one["score"] < 1
    ]


@pytest.mark.slow
@pytest.mark.alone
def test_the_front_page_is_fast_and_for_everybody(reports: list[Report]) -> None:
    for category, bar in (("accessibility", ACCESSIBLE), ("performance", FAST)):
        scores = [score(one, category) for one in reports]
        print(f"{category}: {scores}")
        assert median(scores) >= bar, (scores, short_of(reports[0], category))
    assert all(score(one, "best-practices") == 100 for one in reports), [
        short_of(one, "best-practices") for one in reports
    ]
