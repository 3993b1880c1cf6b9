"""What a page says of itself to whoever shows a link to it (templates/sharing.html).

A preview has to be named by an absolute address, and a static site that can be put anywhere does
not know its own. So the build may be told: SITE_ADDRESS=https://example.org/explorer/. Where it
is not told, a page has a title and a description and no picture, rather than a wrong one.

Wrong in this module: a word about a run.
"""

import os
import re
from typing import Final, NamedTuple

VARIABLE: Final = "SITE_ADDRESS"
_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9.\-]+(:\d{1,5})?(/[\w.~%\-]+)*/?")


class Sharing(NamedTuple):
    """One page, as others show it."""

    title: str
    description: str
    path: str
    """Where it is, from the site's root: /sections/lost-update/."""
    picture: str = ""
    """Path of its preview, from the site's root, without a slash before it."""
    site: str = ""
    """The site's own address, with a slash behind it; empty where nobody knows it."""

    @property
    def address(self) -> str:
        """The page's own address; empty where the site's is not known."""
        return self.site and self.site + self.path.lstrip("/")

    @property
    def image(self) -> str:
        """The picture's address; empty where there is none, or none that could be found."""
        return self.site + self.picture if self.site and self.picture else ""


def site_address() -> str:
    """Return the address that the build was told, ending in a slash; empty where it was not."""
    told = os.environ.get(VARIABLE, "").strip()
    if told and not _ADDRESS.fullmatch(told):
        raise SystemExit(
            f"{VARIABLE}={told!r} is no address of a site; give one like https://example.org/explorer/"
        )
    return told and told.rstrip("/") + "/"
