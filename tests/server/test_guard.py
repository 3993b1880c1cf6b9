"""Who may talk to the local server, rule by rule, and then every combination of them."""

import asyncio
import itertools

import pytest
from starlette.types import Receive, Scope, Send

from explorer import pages
from explorer.guard import LARGEST_BODY, Allowed, Guard
from tests.server.client import PORT, SCRIPT, TOKEN, Client, converse

OWN = f"127.0.0.1:{PORT}"
PAGE = "/sections/"


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"localhost:{PORT}", f"[::1]:{PORT}"])
def test_this_machine_is_let_in_by_its_own_names(client: Client, host: str) -> None:
    assert client.ask("GET", PAGE, ("Host", host)).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "rebound.example:8000",
        "127.0.0.1",
        "127.0.0.1:8001",
        "127.0.0.1:8000.rebound.example",
        "127.0.0.1:8000@rebound.example",
        "localhost.:8000",
        "0.0.0.0:8000",
        "127.1:8000",
        " 127.0.0.1:8000",
        "",
    ],
)
def test_any_other_name_is_refused(client: Client, host: str) -> None:
    assert client.ask("GET", PAGE, ("Host", host)).status == 403


def test_no_name_and_two_names_are_refused(client: Client) -> None:
    assert client.ask("GET", PAGE).status == 403
    assert client.ask("GET", PAGE, ("Host", OWN), ("Host", "rebound.example")).status == 403
    assert client.ask("GET", PAGE, ("Host", OWN), ("Host", OWN)).status == 403


def test_port_80_goes_without_saying() -> None:
    assert b"localhost" in Allowed.on(80, "").hosts
    assert b"localhost" not in Allowed.on(8000, "").hosts


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (f"http://{OWN}", 200),
        ("null", 403),
        ("", 403),
        (f"https://{OWN}", 403),
        (f"http://localhost:{PORT}", 403),  # another name is another origin
        ("http://127.0.0.1:8001", 403),
        ("http://elsewhere.example", 403),
    ],
)
def test_only_its_own_origin_may_ask(client: Client, origin: str, status: int) -> None:
    assert client.get(PAGE, ("Origin", origin)).status == status


@pytest.mark.parametrize(
    ("origin", "mode", "to", "status"),
    [
        ("same-origin", "cors", "empty", 200),
        ("none", "navigate", "document", 200),
        ("cross-site", "navigate", "document", 200),  # a link that was shared
        ("same-site", "navigate", "document", 200),
        ("cross-site", "navigate", "iframe", 403),
        ("cross-site", "no-cors", "script", 403),
        ("cross-site", "no-cors", "image", 403),
        ("cross-site", "cors", "empty", 403),
        ("same-site", "cors", "empty", 403),  # another server on this machine
        ("unheard-of", "cors", "empty", 403),
    ],
)
def test_from_another_site_only_a_link_leads_here(
    client: Client, origin: str, mode: str, to: str, status: int
) -> None:
    metadata = (("Sec-Fetch-Site", origin), ("Sec-Fetch-Mode", mode), ("Sec-Fetch-Dest", to))
    assert client.get(PAGE, *metadata).status == status


def test_a_link_does_not_lead_into_the_api(client: Client) -> None:
    link = (
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Mode", "navigate"),
        ("Sec-Fetch-Dest", "document"),
        ("X-Explorer-Token", TOKEN),
    )
    assert client.get("/api/run", *link).status == 403


@pytest.mark.parametrize("path", ["/api", "/api/", "/api/run"])
def test_the_api_needs_the_token(client: Client, path: str) -> None:
    assert client.get(path).status == 401
    assert client.get(path, ("X-Explorer-Token", "another")).status == 401
    assert client.get(path, ("X-Explorer-Token", "")).status == 401
    told = client.get(path, ("X-Explorer-Token", TOKEN))
    assert (told.status, told.headers["cache-control"]) == (404, "no-store")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
def test_pages_are_only_read(client: Client, method: str) -> None:
    assert client.ask(method, PAGE, ("Host", OWN)).status == 405


def test_a_long_body_is_refused_as_announced_and_as_read() -> None:
    async def reads_all(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    client = Client(Guard(reads_all, Allowed.on(PORT, TOKEN), pages.POLICY))
    asked = ("Host", OWN), ("X-Explorer-Token", TOKEN)
    fits, over = [b"x" * LARGEST_BODY], [b"x" * LARGEST_BODY, b"x"]
    assert client.ask("POST", "/api/run", *asked, body=fits).status == 200
    assert client.ask("POST", "/api/run", *asked, body=over).status == 413
    for announced in (str(LARGEST_BODY + 1), "9" * 40, "-1", "ten"):
        length = ("Content-Length", announced)
        assert client.ask("POST", "/api/run", *asked, length).status == 413


def test_websockets_are_closed_before_they_open(client: Client) -> None:
    scope = {"type": "websocket", "path": "/", "headers": [(b"host", OWN.encode())]}
    sent = asyncio.run(converse(client.application, scope, [b""]))
    assert [message["type"] for message in sent] == ["websocket.close"]


def test_a_kind_of_scope_that_nobody_named_gets_no_answer(client: Client) -> None:
    assert asyncio.run(converse(client.application, {"type": "webtransport"}, [b""])) == []


def test_an_application_cannot_open_a_door_for_other_origins() -> None:
    async def generous(scope: Scope, receive: Receive, send: Send) -> None:
        headers = [(b"Access-Control-Allow-Origin", b"*"), (b"X-Content-Type-Options", b"nosniff")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    answer = Client(Guard(generous, Allowed.on(PORT, TOKEN), pages.POLICY)).get("/")
    assert "access-control-allow-origin" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"


HOSTS = (
    OWN,
    f"localhost:{PORT}",
    "rebound.example",
    "127.0.0.1:1",
    "[::1]",
    "",
    "\xff\x00",
    "a" * 9000,
)
ORIGINS = (
    None,
    f"http://{OWN}",
    "null",
    "http://elsewhere.example",
    "\xff",
    "http://" + "a" * 9000,
)
UPGRADES = (None, "websocket", "h2c", "\x00")
PATHS = (
    "/",
    PAGE,
    f"/{SCRIPT}",
    "/api/run",
    "/nothing",
    "/assets/../built.json",
    "/assets/%2e%2e/built.json",
    "/assets/\x00",
    "/assets/" + "a" * 5000,
    "/python//etc/passwd",
    "//elsewhere.example/",
    "/\udcff",
    "",
    "*",
)


def test_no_combination_breaks_the_server_or_lets_a_stranger_read(client: Client) -> None:
    asked = 0
    for host, origin, upgrade, path in itertools.product(HOSTS, ORIGINS, UPGRADES, PATHS):
        headers = [("Host", host)]
        headers += [("Origin", origin)] if origin is not None else []
        headers += [("Upgrade", upgrade), ("Connection", "Upgrade")] if upgrade is not None else []
        answer = client.ask("GET", path, *headers)
        own = host in HOSTS[:2] and origin in (None, f"http://{host}") and upgrade is None
        assert answer.status < 500, (host, origin, upgrade, path)
        assert own or answer.status == 403, (host, origin, upgrade, path)
        assert "content-security-policy" in answer.headers
        asked += 1
    assert asked >= 1500
