"""What other programs read: the feed of the essays (Atom), and the map of the pages.

A feed may name its entries relative to where it lies, so it is always made; its ids are made from
the essays' names alone, and stay when the site moves. A site map has to give whole addresses, and
robots.txt counts at the root of a host only: each is made where it can be right. What would be
wrong here: a date that nobody has given (explorer/essays.py holds them), or XML put together from
strings.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID, uuid5
from xml.etree import ElementTree as Tree

from explorer.essays import Chapter
from explorer.pages import FEED
from explorer.press import folder

TITLE = "Interleaving Explorer"
SUBTITLE = "What several writers do to one SQLite file, in figures that run."
FAMILY = UUID("7d0a0f6e-4f5b-4a0e-9a53-2f1f7c3b8e64")
"""Ids are derived from this one, which means nothing and must stay."""
ATOM = "http://www.w3.org/2005/Atom"
MAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


def write(out: Path, pages: Iterable[str], essays: Sequence[Chapter], address: str) -> None:
    """Write what can be written of a site with these pages; say what cannot."""
    if essays:
        folder.write(out / FEED, _text(feed(essays, address)))
    if not address:
        print("  no sitemap.xml: it needs SITE_ADDRESS, the address that the site will have")
        return
    folder.write(out / "sitemap.xml", _text(site_map(pages, address)))
    if urlsplit(address).path == "/":
        lines = ["User-agent: *", "Allow: /", f"Sitemap: {address}sitemap.xml", ""]
        folder.write(out / "robots.txt", "\n".join(lines))


def feed(essays: Sequence[Chapter], address: str) -> Tree.Element:
    """Return the feed of some essays, the newest first; without an address, relative to itself."""
    root = Tree.Element(f"{{{ATOM}}}feed")
    _say(root, ATOM, title=TITLE, subtitle=SUBTITLE, id=_id("feed"), updated=_day(essays[0]))
    _link(root, "self", f"{address}{FEED}")
    _link(root, "alternate", address or "./")
    _say(Tree.SubElement(root, f"{{{ATOM}}}author"), ATOM, name=TITLE)
    for essay in essays:
        entry = Tree.SubElement(root, f"{{{ATOM}}}entry")
        _say(entry, ATOM, title=essay.title, id=_id(essay.slug), updated=_day(essay))
        _link(entry, "alternate", f"{address}{essay.slug}/")
        _say(entry, ATOM, summary=essay.summary)
    return root


def site_map(pages: Iterable[str], address: str) -> Tree.Element:
    root = Tree.Element(f"{{{MAP}}}urlset")
    for path in pages:
        _say(Tree.SubElement(root, f"{{{MAP}}}url"), MAP, loc=address + path.removeprefix("/"))
    return root


def _say(parent: Tree.Element, language: str, **texts: str) -> None:
    for name, text in texts.items():
        Tree.SubElement(parent, f"{{{language}}}{name}").text = text


def _link(parent: Tree.Element, kind: str, address: str) -> None:
    Tree.SubElement(parent, f"{{{ATOM}}}link", rel=kind, href=address)


def _id(name: str) -> str:
    return uuid5(FAMILY, name).urn


def _day(essay: Chapter) -> str:
    return f"{essay.written}T00:00:00Z"


def _text(root: Tree.Element) -> bytes:
    language = root.tag[1:].partition("}")[0]
    Tree.register_namespace("", language)
    Tree.indent(root)
    return bytes(Tree.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"
