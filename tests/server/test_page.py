"""The page as this server gives it, in a real browser: under the policies of the headers, which a
static host does not send, it must still start its worker, and Python in it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

import build
from tests.browsers import CHROMIUM

DIST = Path(build.__file__).parent / "dist"
SERVE = "import sys; from explorer import app; sys.exit(app.serve(0, open_browser=False))"


@pytest.fixture
def address() -> Iterator[str]:
    assert (DIST / "built.json").is_file(), "there is no site: run python3 build.py site"
    command = [sys.executable, "-c", SERVE]
    with subprocess.Popen(command, cwd=DIST.parent, text=True, stdout=subprocess.PIPE) as server:
        assert server.stdout
        yield server.stdout.readline().split()[1]
        server.terminate()


def test_the_page_runs_python_under_the_servers_own_policies(address: str) -> None:
    errors: list[str] = []
    chrome = CHROMIUM.needed()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chrome, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}sections/")
        page.hover("#figure")
        page.get_by_text("reproduced in your browser").first.wait_for(timeout=60_000)
        browser.close()
    assert errors == []
