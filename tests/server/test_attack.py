"""A server among hostile callers, and a site that is not whole: one sentence, and it goes on."""

import json
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from explorer import app, pages
from tests.server.client import PORT, SCRIPT, STYLE, Client

SERVE = """
import sys
from pathlib import Path
from explorer import app
from explorer.hurry import Hurried
Hurried.seconds = float(sys.argv[2])
app.built_site = lambda: Path(sys.argv[1])
sys.exit(app.serve(0, open_browser=False))
"""
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
)
HEAD = b"GET /sections/ HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"


def test_who_does_not_end_its_request_is_hung_up_on_and_holds_no_place(site: Path) -> None:
    command = [sys.executable, "-c", SERVE, str(site), "0.2"]
    with subprocess.Popen(
        command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        port = int(process.stdout.readline().split()[1].rstrip("/").rpartition(":")[2])
        half = [
            socket.create_connection(("127.0.0.1", port)) for _ in range(app.LIMIT_CONCURRENCY + 20)
        ]
        for connection in half:
            connection.sendall(HEAD % port)
        for connection in half:
            assert connection.recv(100) == b""
            connection.close()
        with socket.create_connection(("127.0.0.1", port)) as whole:
            whole.sendall(HEAD % port + b"\r\n")
            assert whole.recv(100).startswith(b"HTTP/1.1 200")
        with socket.create_connection(("127.0.0.1", port)) as upgrading:
            upgrading.sendall(UPGRADE % port)
            assert upgrading.recv(100).startswith(b"HTTP/1.1 403")
        process.terminate()
        _, log = process.communicate(timeout=10)
    assert log == ""


@pytest.mark.parametrize("host", ["LOCALHOST", "LocalHost"])
def test_a_name_is_a_name_in_any_case(client: Client, host: str) -> None:
    own = ("Host", f"{host}:{PORT}"), ("Origin", f"http://localhost:{PORT}")
    assert client.ask("GET", "/sections/", *own).status == 200


def odd(site: Path, change: object) -> None:
    built = json.loads((site / "built.json").read_text())
    (site / "built.json").write_text(json.dumps(change if change is None else built | change))


BROKEN = {
    "a lost script": lambda site: (site / SCRIPT).unlink(),
    "a lost folder": lambda site: shutil.rmtree(site / "assets"),
    "no Python": lambda site: shutil.rmtree(site / "python"),
    "an older build": lambda site: odd(site, {"assets": {"style.css": STYLE}}),
    "no figure": lambda site: odd(site, {"figures": {}}),
    "odd assets": lambda site: odd(site, {"assets": 3}),
    "odd parts": lambda site: odd(site, {"python": [{}]}),
    "an odd manifest": lambda site: odd(site, None),
    "parts that are gone": lambda site: odd(site, {"python": [{"path": "python/x", "name": "x"}]}),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_site_that_is_not_whole_says_to_build_anew(site: Path, tmp_path: Path, what: str) -> None:
    here = tmp_path / "site"
    shutil.copytree(site, here)
    BROKEN[what](here)
    with pytest.raises(pages.NotBuilt, match=r"python3 build\.py site"):
        app.create_app(here, PORT)


def test_lost_templates_are_said(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages._templates().loader, "searchpath", ["/nowhere"])
    pages._templates().cache.clear()  # type: ignore[union-attr]
    with pytest.raises(pages.NotBuilt, match=r"python3 build\.py site"):
        app.create_app(site, PORT)
