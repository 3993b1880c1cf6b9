"""The feed and the map: whole, true, and only where they can be right."""

import dataclasses
from datetime import datetime
from pathlib import Path
from urllib.parse import urljoin
from uuid import UUID
from xml.etree import ElementTree as Tree

import pytest

import build
from explorer import pages
from explorer.essays import Chapter
from explorer.press import address, feed

DIST = Path(build.__file__).parent / "dist"
ATOM = {"a": feed.ATOM}
MAP = {"m": feed.MAP}
SITE = "https://example.org/some/where/"
AWKWARD = Chapter("odd", 'A & B <i>"odd"</i> ]]>', "1 < 2", "", written="2026-12-01")


def written(place: Path, where: str, *essays: Chapter) -> Path:
    feed.write(place, pages.PATHS, essays or pages.announced(), where)
    return place


def text(element: Tree.Element, name: str) -> str:
    return element.findtext(f"a:{name}", "", ATOM)


def test_the_sites_feed_tells_of_every_essay_and_leads_to_its_page() -> None:
    root = Tree.parse(DIST / pages.FEED).getroot()
    entries = root.findall("a:entry", ATOM)
    assert {text(entry, "title") for entry in entries} == {
        one.title for one in pages.ESSAYS.values()
    }
    site = pages.Built.load(DIST).address or "https://example.org/"
    for entry in entries:
        link = entry.find("a:link", ATOM)
        assert link is not None
        path = urljoin(f"{site}{pages.FEED}", link.get("href")).removeprefix(site)
        assert (DIST / path / "index.html").is_file()


@pytest.mark.parametrize("where", ["", SITE])
def test_feed_and_entries_have_what_the_format_demands(tmp_path: Path, where: str) -> None:
    essays = (AWKWARD, *pages.announced())
    root = Tree.parse(written(tmp_path, where, *essays) / pages.FEED).getroot()
    entries = root.findall("a:entry", ATOM)
    ids = [text(one, "id") for one in (root, *entries)]
    assert len(set(ids)) == len(ids) == 1 + len(essays)
    assert all(UUID(one).version == 5 for one in ids)
    days = [datetime.fromisoformat(text(one, "updated")) for one in (root, *entries)]
    assert all(day.tzinfo for day in days)
    assert days[0] == max(days)
    assert root.findtext("a:author/a:name", "", ATOM)
    assert text(entries[0], "title") == AWKWARD.title
    assert text(entries[0], "summary") == AWKWARD.summary


def test_an_essays_id_stays_when_the_site_moves(tmp_path: Path) -> None:
    here, there = (
        Tree.parse(written(tmp_path / str(len(where)), where) / pages.FEED).getroot()
        for where in ("", SITE)
    )
    assert [one.text for one in here.iter(f"{{{feed.ATOM}}}id")] == [
        one.text for one in there.iter(f"{{{feed.ATOM}}}id")
    ]


def test_the_map_names_every_page_whole(tmp_path: Path) -> None:
    root = Tree.parse(written(tmp_path, SITE) / "sitemap.xml").getroot()
    named = [one.text for one in root.iterfind("m:url/m:loc", MAP)]
    assert named == [SITE + path.removeprefix("/") for path in pages.PATHS]


def test_without_an_address_there_is_no_map_and_the_build_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, "")
    assert sorted(path.name for path in tmp_path.iterdir()) == [pages.FEED]
    assert "SITE_ADDRESS" in capsys.readouterr().out


@pytest.mark.parametrize(("where", "there"), [(SITE, False), ("https://example.org/", True)])
def test_robots_are_told_of_the_map_at_the_root_of_a_host(
    tmp_path: Path, where: str, there: bool
) -> None:
    file = written(tmp_path, where) / "robots.txt"
    assert file.exists() is there
    assert not there or f"Sitemap: {where}sitemap.xml" in file.read_text().splitlines()


def test_a_page_names_its_own_address_where_the_build_knows_it() -> None:
    built = pages.Built.load(DIST)
    there = dataclasses.replace(built, address=SITE)
    essay = next(iter(pages.ESSAYS))
    for path in ("/", f"/{essay}/", "/sections/"):
        named = f'<link rel="canonical" href="{SITE}{path.removeprefix("/")}">'
        assert named in pages.render(path, there)
        nowhere = dataclasses.replace(built, address="")
        assert "canonical" not in pages.render(path, nowhere)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("", ""),
        ("https://example.org", "https://example.org/"),
        (" https://example.org/a/b// ", "https://example.org/a/b/"),
        ("http://127.0.0.1:8000/x", "http://127.0.0.1:8000/x/"),
    ],
)
def test_an_address_ends_in_one_slash(said: str, meant: str) -> None:
    assert address.site_address({"SITE_ADDRESS": said}) == meant


@pytest.mark.parametrize(
    "said", ["example.org", "ftp://example.org/", "https://", "https://example.org/?a=b", "/a/"]
)
def test_what_is_no_address_of_a_site_ends_the_build(said: str) -> None:
    with pytest.raises(SystemExit, match="SITE_ADDRESS"):
        address.site_address({"SITE_ADDRESS": said})


def test_another_address_makes_the_site_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    before = build.site_inputs()
    monkeypatch.setenv("SITE_ADDRESS", SITE)
    assert build.site_inputs() != before
