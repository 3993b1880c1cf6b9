"""A built site small enough to read, and the application that serves it."""

import json
from pathlib import Path

import pytest

from explorer import app, placed
from tests.server.client import PORT, SCRIPT, STYLE, TOKEN, WORKER, Client


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site")
    assets = {"page.js": SCRIPT, "worker.js": WORKER, "style.css": STYLE}
    for path in (*assets.values(), "python/0123456789ab/pyodide.mjs"):
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text("/* small */")
    figures = dict.fromkeys(placed.FIGURES, "<p>figure</p>")
    built = {"assets": assets, "figures": figures, "python": []}
    (place / "built.json").write_text(json.dumps(built))
    return place


@pytest.fixture(scope="session")
def client(site: Path) -> Client:
    return Client(app.create_app(site, PORT, TOKEN))
