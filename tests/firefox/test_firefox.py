"""The reading and stepping paths in stock Firefox, the ones of walk.mjs: one test for each."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import build
from explorer import pages
from explorer.essays import CHAPTERS
from tests.browser.conftest import BELOW, Handler, served
from tests.browsers import FIREFOX

ROOT = Path(build.__file__).parent
WALK = Path(__file__).with_name("walk.mjs")
WALKS = re.findall(r'^  async "([^"]+)"\(open\)', WALK.read_text(encoding="utf-8"), re.MULTILINE)
SECONDS = 240
"""Far more than a walk takes; one that hangs must not hold up the rest for ever."""


def walked(place: Path, walk: str) -> list[str]:
    """Serve a site, and return what went wrong in a walk."""
    told = {
        "firefox": FIREFOX.needed(),
        "pages": [path.removeprefix("/") for path in pages.PATHS],
        "essay": f"{CHAPTERS[0].slug}/",
        "walk": walk,
    }
    with served(Handler, place) as port:
        done = subprocess.run(
            ["node", str(WALK), json.dumps(told | {"site": f"http://127.0.0.1:{port}{BELOW}"})],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    wrong: list[str] = json.loads(done.stdout)
    return wrong


@pytest.fixture(scope="module")
def site() -> Path:
    assert (ROOT / "dist" / "built.json").is_file(), "there is no site: run python3 build.py site"
    return ROOT / "dist"


@pytest.mark.parametrize("walk", WALKS)
def test_in_firefox(site: Path, walk: str) -> None:
    assert walked(site, walk) == []


def test_a_page_that_logs_an_error_or_asks_elsewhere_is_found(site: Path, tmp_path: Path) -> None:
    place = Path(shutil.copytree(site, tmp_path / "site"))
    file = place / "trust" / "index.html"
    page = file.read_text(encoding="utf-8").replace("<main", '<img src="//0.0.0.0/x" alt=""><main')
    file.write_text(page.replace("</body>", '<script type="module" src="b.js"></script></body>'))
    (file.parent / "b.js").write_text('console.error("planted"); missing();')
    wrong = " ".join(walked(place, "each page opens"))
    assert "planted" in wrong
    assert "missing is not defined" in wrong
    assert "0.0.0.0" in wrong
