"""The pages as the server gives them: what they hold, how long they keep, what limits them."""

import json
import shutil
from pathlib import Path

import pytest

from explorer import app, pages
from tests.server.client import PORT, SCRIPT, WORKER, Client

LIMITS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.mark.parametrize("path", pages.PATHS)
def test_a_page_is_what_the_static_site_holds(client: Client, site: Path, path: str) -> None:
    answer = client.get(path)
    assert answer.status == 200
    assert answer.body.decode() == pages.render(path, pages.Built.load(site))
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/", f"/{SCRIPT}", "/nothing", "/api/run"])
def test_every_answer_carries_the_limits(client: Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"] == pages.POLICY
    assert {name: headers[name] for name in LIMITS} == LIMITS
    assert not [name for name in headers if name.startswith("access-control")]


def test_the_page_says_the_same_policy_itself(client: Client) -> None:
    page = client.get("/sections/").body.decode().replace("&#39;", "'")
    assert f'content="{pages.POLICY}"' in page


def test_only_the_worker_may_compile_python(client: Client) -> None:
    policy = client.get(f"/{WORKER}").headers["content-security-policy"]
    assert policy == pages.WORKER_POLICY
    assert "'wasm-unsafe-eval'" in policy
    assert "wasm-unsafe-eval" not in pages.POLICY


@pytest.mark.parametrize("path", [f"/{SCRIPT}", f"/{WORKER}", "/python/0123456789ab/pyodide.mjs"])
def test_what_is_named_by_its_content_keeps_for_good(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status == 200
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("text/javascript")


def test_a_path_that_there_is_not_gets_a_page_that_helps(client: Client) -> None:
    answer = client.get("/no/such/page")
    assert answer.status == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert b"href" in answer.body


def test_a_path_without_its_slash_keeps_its_query(client: Client) -> None:
    answer = client.ask("GET", "/sections", ("Host", client.host), query=b"mode=warn&seed=7")
    assert answer.status in (301, 307, 308)
    assert answer.headers["location"].endswith("/sections/?mode=warn&seed=7")


def test_what_the_build_notes_for_itself_is_not_served(client: Client) -> None:
    assert client.get("/built.json").status == 404


def test_a_site_that_is_not_built_says_what_to_type(tmp_path: Path) -> None:
    with pytest.raises(pages.NotBuilt, match=r"python3 build\.py site"):
        app.create_app(tmp_path, PORT)
    (tmp_path / "built.json").write_text(json.dumps({"unknown": 1}))
    with pytest.raises(pages.NotBuilt, match=r"python3 build\.py site"):
        app.create_app(tmp_path, PORT)


def test_the_feed_is_served_as_one(tmp_path: Path, site: Path) -> None:
    place = Path(shutil.copytree(site, tmp_path / "site"))
    (place / pages.FEED).write_text("<feed/>")
    answer = Client(app.create_app(place, PORT)).get(f"/{pages.FEED}")
    assert (answer.status, answer.body) == (200, b"<feed/>")
    assert answer.headers["content-type"].startswith("application/atom+xml")
