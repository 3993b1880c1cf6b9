"""The reading and stepping paths in stock Firefox, the ones of walk.mjs: one test for each."""

import json
import re
import shutil
import subprocess
import threading
from functools import partial
from pathlib import Path

import pytest

import build
from explorer import pages
from explorer.essays import CHAPTERS
from tests.browser.conftest import BELOW, Handler, Server

ROOT = Path(build.__file__).parent
WALK = Path(__file__).with_name("walk.mjs")
WALKS = re.findall(r'^  async "([^"]+)"\(open\)', WALK.read_text(encoding="utf-8"), re.MULTILINE)
SECONDS = 240
"""Far more than a walk takes; one that hangs must not hold up the rest for ever."""


def walked(place: Path, walk: str) -> list[str]:
    """Serve a site, and return what went wrong in a walk."""
    server = Server(("127.0.0.1", 0), partial(Handler, directory=str(place)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    told = {
        "firefox": firefox(),
        "site": f"http://127.0.0.1:{server.server_port}{BELOW}",
        "pages": [path.removeprefix("/") for path in pages.PATHS],
        "essay": f"{CHAPTERS[0].slug}/",
        "walk": walk,
    }
    done = subprocess.run(
        ["node", str(WALK), json.dumps(told)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    server.shutdown()
    server.server_close()
    assert done.returncode == 0, done.stderr
    wrong: list[str] = json.loads(done.stdout)
    return wrong


def firefox() -> str:
    named = build.named_firefox()
    if not named:
        pytest.fail(
            "No Firefox was found: install it (Debian: apt-get install firefox-esr), "
            "or name one in FIREFOX_PATH"
        )
    return named


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
